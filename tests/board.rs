//! The board's top level in simulation: what comes over its serial line.

use crate::rtl_bench::assert_parts_of;
use crate::tool_cache::lint;
use cosim::verilator::{BuildOptions, Toolchain};
use cosim::{simulate_board, BoardRun};
use heddle::fpga::{System, SystemOptions, BOARD_TOP};
use kernels::select;
use loader::{Program, STACK_SYMBOL};
use rtl::board::{BoardParameters, BoardTop, PllSettings};
use spec::config::CoreConfig;

/// A serial line so fast that it does not hold up the simulation: 8 cycles a bit.
const OPTIONS: SystemOptions = SystemOptions { mhz: 25.0, baud: 3_125_000, memory_bytes: 16 << 10 };

fn tiny() -> CoreConfig {
    CoreConfig::preset("tiny").unwrap()
}

fn kernel(name: &str) -> Program {
    Program::from_path(&select(name).unwrap().build().unwrap()).unwrap()
}

/// A small board's Verilog.
pub fn verilog() -> String {
    System::new(&tiny(), &kernel("hello"), &OPTIONS).unwrap().generate(&[]).unwrap().concat()
}

fn run(core: &CoreConfig, program: &Program) -> BoardRun {
    let system = System::new(core, program, &OPTIONS).unwrap();
    let verilog = system.generate(&[]).unwrap_or_else(|error| panic!("{error}")).concat();
    let pll = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/sim/ehxplll.v")).unwrap();
    lint(&Toolchain::discover().unwrap(), &(verilog.clone() + &pll), BOARD_TOP)
        .unwrap_or_else(|e| panic!("{e}"));
    let run = simulate_board(&verilog, BOARD_TOP, system.uart_divider(), 3_000_000, &BuildOptions::draft());
    let run = run.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.broken_frames, 0, "{run:?}");
    run
}

#[test]
fn a_kernels_text_and_exit_code_come_over_the_serial_line() {
    // The board keeps the upper ends of stacks, which interleaved are elsewhere.
    let core = CoreConfig { stack_interleave: true, ..tiny() };
    let run = run(&core, &kernel("hello"));
    assert_eq!(run.text, "hello from 2 warps of 2 lanes\nexit: 00000000\n");
    assert!(run.ended, "{run:?}");
}

#[test]
fn a_board_has_no_larger_stacks() {
    let mut program = kernel("hello");
    program.symbols.insert(STACK_SYMBOL.into(), 16384);
    let error = System::new(&tiny(), &program, &OPTIONS).unwrap_err().to_string();
    assert!(
        error.ends_with("its threads need 16384 bytes of stack each, and have 1024 on a board"),
        "{error}"
    );
}

#[test]
fn the_board_is_made_of_these_parts() {
    let parameters = BoardParameters {
        core: tiny(),
        pll: PllSettings::for_mhz(OPTIONS.mhz).unwrap(),
        uart_divider: 8,
        memory_bytes: OPTIONS.memory_bytes,
        image: vec![],
        entry: 0x8000_0000,
    };
    let parts =
        ["Pll", "PowerOnReset", "BoardMemory", "LoadedRam", "ExitReport", "UartTransmitter", "Blinker"];
    assert_parts_of(BoardTop::new(&parameters), &parts);
}
