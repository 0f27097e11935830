//! Programs in the manner of Vortex 2.2 (`sim/kernels/vortex/`), with its start-up, launchers, printing and exit, on the
//! generated core in lock step with the model.

use std::path::{Path, PathBuf};

use crate::{sample, simulators};
use cosim::memory::{Disturbance, MemoryKind};
use cosim::{Report, RunOptions, Simulation};
use isa::counter::Index;
use loader::Program;
use spec::config::CoreConfig;
use tools::RISCV_CC;

const FLAGS: &[&str] = &[
    "-march=rv32im_zicsr_zifencei",
    "-mabi=ilp32",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-ffreestanding",
    "-nostdlib",
    // A SPLIT or JOIN must not be copied, nor a loop become a call of memset.
    "-fno-tree-ch",
    "-fno-thread-jumps",
    "-freorder-blocks-algorithm=simple",
    "-fno-tree-loop-distribute-patterns",
    "-fno-optimize-sibling-calls",
    "-Wl,--build-id=none,--no-warn-rwx-segments",
    "-Tlink.ld",
];

/// Compiles sources of `sim/kernels/vortex/` into `to`.
fn compile(sources: &[&str], to: &Path) -> PathBuf {
    let elf = to.join("program.elf");
    let output = RISCV_CC
        .find()
        .command()
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/kernels/vortex"))
        .args(FLAGS)
        .args(sources)
        .args(["-lgcc", "-o"])
        .arg(&elf)
        .output()
        .expect("a RISC-V compiler (scripts/setup.sh)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    elf
}

/// The program as an ELF file, and as the raw image that Vortex's tools make of it: without what the file lacks.
fn program(sources: &[&str]) -> (Program, Program) {
    let dir = tempfile::tempdir().unwrap();
    let elf = Program::from_path(&compile(sources, dir.path())).unwrap();
    let base = 0x8000_0000;
    let mut image = Vec::new();
    for segment in &elf.segments {
        image.resize((segment.address - base) as usize, 0);
        image.extend(&segment.bytes);
    }
    let raw = Program::from_bin("image", &image).unwrap();
    (elf, raw)
}

fn run(core: &Simulation, program: &Program, options: &RunOptions) -> Report {
    let report = core.run(program, options).unwrap();
    let shape = format!("{}x{}", core.config().warps, core.config().threads);
    if let Some(failure) = &report.failure {
        panic!("{shape}: {failure}");
    }
    assert_eq!(report.exit_code(), Some(0), "{shape}: {}", report.console());
    report
}

/// On one slice and on several: as they are, and as raw images beside a slow memory; a short run takes one of these on one
/// slice, and on several raw images beside a fast memory.
fn run_everywhere((elf, raw): (Program, Program), check: impl Fn(&CoreConfig, &Report)) {
    let disturbance = Disturbance { backpressure_percent: 20, jitter: 10 };
    let fast = RunOptions::default();
    let slow = RunOptions { memory: MemoryKind::Fixed(20), disturbance, ..RunOptions::default() };
    let slices = sample::some(vec!["slices", "four slices"], 1, 0);
    for core in ["small"].into_iter().chain(slices).map(simulators::one) {
        let runs = match core.config().slices {
            1 => sample::some(vec![(&elf, &fast), (&raw, &slow)], 1, 0),
            _ if sample::is_full() => vec![(&elf, &fast), (&raw, &slow)],
            _ => vec![(&raw, &fast)],
        };
        for (program, options) in runs {
            check(core.config(), &run(core, program, options));
        }
    }
}

#[test]
fn its_instructions_do_what_they_say() {
    run_everywhere(program(&["isa.S"]), |_, _| ());
}

#[test]
fn its_launchers_start_every_task_once() {
    run_everywhere(program(&["start.S", "launch.c", "launches.c"]), |_, _| ());
}

#[test]
fn warps_start_and_lanes_print_one_after_the_other() {
    run_everywhere(program(&["start.S", "launch.c", "warps.c"]), |cfg, report| {
        let greetings = (0..cfg.threads).map(|lane| format!("#{lane}: lane {lane:08x}\n"));
        assert_eq!(report.console(), greetings.collect::<String>());
    });
}

#[test]
fn the_dump_of_the_counters_is_where_vortexs_host_looks_for_it() {
    let core = simulators::core("small");
    let (elf, _) = program(&["start.S", "launch.c", "launches.c"]);
    let report = run(core, &elf, &RunOptions { mpm_class: 1, ..RunOptions::default() });
    let word = |address| u64::from(report.memory.read(address, 4).unwrap());
    let slot = |n: u32| word(0x80 + 8 * n) | word(0x84 + 8 * n) << 32;
    let stats = &report.stats;
    let near = |n: u32, end: u64| {
        let read = slot(n);
        assert!(read <= end && read > end - end / 10, "slot {n}: {read}, and {end} at the end");
    };
    near(0, stats.cycles);
    near(2, stats.thread_instructions);
    near(6, stats.count(Index::Scoreboard));
    near(15, stats.count(Index::Loads));
    near(18, stats.count(Index::LoadLatency));
    assert_eq!(slot(1) & 0xffff_ffff, 0, "the exit code");
    assert_eq!(slot(30), 0, "no such counter");
}
