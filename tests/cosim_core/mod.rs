//! The generated core against the reference model: random programs and kernels, on several shapes, schedulers
//! and memories.

mod kernel_matrix;
mod load_store;
mod random_reset;

use crate::rtl_bench::assert_parts_of;
use crate::runs::{assert_kernel_passes, assert_passed};
use crate::sample::{few, seeds};
use crate::simulators;
use cosim::memory::{Disturbance, DramConfig, MemoryKind};
use cosim::{Check, RunOptions};
use isa::asm::assemble;
use isa::random::{program, Shape};
use loader::Program;
use rtl::core::AxiCore;
use spec::config::CoreConfig;

/// Shapes with one warp, one lane, an odd number of warps and no floating point, several slices, registers in banks, small caches and queues,
/// and data caches of all kinds and none; every warp scheduler but those of the default somewhere.
const SHAPES: [&str; 5] = ["small", "alone", "odd", "wide", "banked"];

/// Memories from the fastest to the most disorderly.
fn memories() -> [(MemoryKind, Disturbance); 3] {
    let disturbance = |backpressure_percent, jitter| Disturbance { backpressure_percent, jitter };
    [
        (MemoryKind::Ideal, Disturbance::default()),
        (MemoryKind::Fixed(20), Disturbance::default()),
        (MemoryKind::Fixed(3), disturbance(40, 30)),
    ]
}

fn random_program(cfg: &CoreConfig, seed: u64) -> Program {
    let image = program(seed, &Shape::core(cfg, 60));
    Program::from_image(&format!("random program {seed}"), &image).unwrap()
}

#[test]
fn random_programs_agree_with_the_model_on_every_shape_and_memory() {
    for core in SHAPES.map(simulators::core) {
        let cfg = core.config();
        for seed in few(6, seeds(0, 12)) {
            let (memory, disturbance) = memories()[seed as usize % 3];
            let options = RunOptions { memory, disturbance, seed, ..RunOptions::default() };
            let report = core.run(&random_program(cfg, seed), &options).unwrap();
            assert_passed(&report);
            assert_eq!(report.stats.slots.total(), report.stats.cycles * cfg.slices as u64);
            assert_eq!(report.stats.slots.issued, report.stats.warp_instructions);
        }
    }
}

#[test]
fn no_result_depends_on_the_state_before_reset() {
    let core = simulators::core("small");
    for seed in few(4, seeds(100, 10)) {
        let program = random_program(core.config(), seed);
        let options = RunOptions { seed, ..RunOptions::default() };
        let report = core.run(&program, &RunOptions { random_reset: true, ..options.clone() }).unwrap();
        assert_passed(&report);
        let same = core.run(&program, &options).unwrap();
        assert_eq!(report.stats, same.stats, "timing is the same from any state before reset");
    }
}

/// Instructions, stores, fences and local memory over AXI4: every result, and both sides' protocol, are checked.
#[test]
fn programs_and_kernels_run_over_axi4() {
    for core in ["axi", "axi 512"].map(simulators::core) {
        assert_parts_of(AxiCore::new(core.config()), &["Core", "AxiMaster"]);
        for seed in few(6, seeds(200, 20)) {
            let (memory, disturbance) = memories()[seed as usize % 3];
            let options = RunOptions { memory, disturbance, seed, ..RunOptions::default() };
            assert_passed(&core.run(&random_program(core.config(), seed), &options).unwrap());
        }
        for name in ["vecadd:128", "psort_split:16", "reduce:64", "hello"] {
            let program = Program::from_path(&kernels::select(name).unwrap().build().unwrap()).unwrap();
            for memory in [MemoryKind::Fixed(20), MemoryKind::Dram(DramConfig::default())] {
                let report = core.run(&program, &RunOptions { memory, ..RunOptions::default() }).unwrap();
                assert_passed(&report);
            }
        }
    }
}

/// A program whose fences and end come while writes are unanswered.
#[test]
fn fences_and_the_end_wait_for_the_answers_to_writes() {
    let core = simulators::core("axi");
    let cycles = |text: &str| {
        let image = assemble(0x8000_0000, text).unwrap();
        let options = RunOptions { memory: MemoryKind::Fixed(300), ..RunOptions::default() };
        let report = core.run(&Program::from_image("p", &image).unwrap(), &options).unwrap();
        assert_passed(&report);
        report.stats.cycles
    };
    let [empty, store, fenced] = ["", "sw x0, 0(x1)", "sw x0, 0(x1)\nfence\nsw x0, 0(x1)"]
        .map(|body| cycles(&format!("lui x1, 0x10\n{body}\nvx_tmc x0")));
    assert!(store > empty + 280, "busy falls with the answer: {store}, {empty}");
    assert!(fenced > store + 280, "the second store waits for the first: {fenced}, {store}");
}

#[test]
fn the_same_run_takes_the_same_cycles() {
    let core = simulators::core("small");
    let (memory, disturbance) = memories()[2];
    let program = random_program(core.config(), 7);
    let run = |seed| {
        let options = RunOptions { memory, disturbance, seed, ..RunOptions::default() };
        core.run(&program, &options).unwrap().stats
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// A store to memory that does not exist may stay in a write-back cache for as long as the program runs.
#[test]
fn a_stray_store_is_reported_however_long_the_cache_keeps_it() {
    let core = simulators::core("odd");
    assert!(core.config().dcache.write_back);
    let source =
        "lui x1, 0x20000\n sw x1, 8(x1)\n li x2, 20000\n 1: addi x2, x2, -1\n bnez x2, 1b\n vx_tmc x0";
    let program = Program::from_image("stray", &assemble(0x8000_0000, source).unwrap()).unwrap();
    for check in [Check::Lockstep, Check::Off] {
        let failure = core.run(&program, &RunOptions { check, ..RunOptions::default() }).unwrap().failure;
        let failure = failure.expect("a fault").to_string();
        for part in ["fault in cycle", "unmapped memory at 0x20000008", "warp 0, pc 0x80000004: sw ra,8(ra)"]
        {
            assert!(failure.contains(part), "{check}: {failure}");
        }
    }
}
