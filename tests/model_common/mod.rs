//! What the tests of the reference model share: assemble a program, run it, look at the result.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use isa::{asm::assemble, Image};
use model::memory::{HEAP_BASE, STARTUP_ADDR};
use model::{Cause, Fault, Machine, Memory, Outcome};
use spec::config::CoreConfig;

/// Stores x7 of every active lane to word `hartid` of the heap, and ends the warp.
pub const STORE_BY_HART: &str = "
    csrr x30, mhartid
    slli x30, x30, 2
    li x31, 0x10000
    add x30, x30, x31
    sw x7, 0(x30)
    vx_tmc x0";

/// What an untouched word of the heap reads.
pub const NONE: u32 = 0xbaad_f00d;

/// A core of so many warps and lanes, without floating point.
pub fn core(warps: usize, threads: usize) -> CoreConfig {
    let cfg = CoreConfig { warps, threads, fpu: false, ..CoreConfig::default() };
    cfg.validate().expect("a valid configuration");
    cfg
}

/// Assembles a program for the start-up address.
pub fn program(source: &str) -> Image {
    assemble(STARTUP_ADDR, source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// A machine about to start `source`.
pub fn machine(cfg: &CoreConfig, source: &str) -> Machine {
    let image = program(source);
    let mut memory = Memory::for_core(cfg);
    memory.load(image.base, &image.bytes);
    Machine::new(cfg, memory, image.base, 0)
}

/// Runs `source` to its end.
pub fn run(cfg: &CoreConfig, source: &str) -> Machine {
    let mut machine = machine(cfg, source);
    assert_eq!(machine.run(1_000_000), Outcome::Finished, "{source}");
    machine
}

/// Runs `source` to its fault.
pub fn fault(cfg: &CoreConfig, source: &str) -> Fault {
    match machine(cfg, source).run(1_000_000) {
        Outcome::Fault(fault) => fault,
        other => panic!("{other:?} instead of a fault:\n{source}"),
    }
}

/// Asserts how the program faults; `word` counts the program's words up to the faulting instruction.
pub fn assert_fault(cfg: &CoreConfig, source: &str, wid: usize, word: u32, cause: Cause, address: u32) {
    let expected = Fault { wid, pc: STARTUP_ADDR + 4 * word, cause, address, origin: None };
    assert_eq!(fault(cfg, source), expected, "{source}");
}

/// Runs a program for Linux user mode.
pub fn qemu(image: &Image) -> Output {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), image.to_elf()).expect("written");
    // QEMU takes executable files only, as a kernel does; and no file that is open for writing.
    std::fs::set_permissions(file.path(), Permissions::from_mode(0o700)).expect("permitted");
    let path = file.into_temp_path();
    Command::new("qemu-riscv32").arg(&path).output().unwrap_or_else(|error| {
        panic!("cannot run qemu-riscv32 ({error}): install it with apt-get install qemu-user")
    })
}

/// The first words of the heap.
pub fn heap<const N: usize>(machine: &Machine) -> [u32; N] {
    std::array::from_fn(|i| machine.memory.read(HEAP_BASE + 4 * i as u32, 4).expect("mapped"))
}
