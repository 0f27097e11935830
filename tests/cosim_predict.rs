//! The schedule under SWaS, predicted without the hardware: every cycle must be the hardware's. Kernels, random programs and
//! random grids are compared in `engine`, on these cores among others.

use crate::rtl_alu::CORNERS;
use crate::rtl_bench::Random;
use crate::sample::seeds;
use crate::simulators;
use cosim::memory::MemoryKind;
use cosim::{Comparison, RunOptions, Simulation};
use isa::asm::assemble;
use loader::Program;
use model::memory::STARTUP_ADDR;
use model::timing::Latencies;

fn compare(core: &Simulation, program: &Program, options: &RunOptions, latencies: Latencies) -> Comparison {
    let (report, comparison) = core.run_predicted(program, options, latencies, &mut |_| {}).unwrap();
    if let Some(failure) = &report.failure {
        panic!("{}: {failure}", report.program);
    }
    // The core is not busy while it takes a grid, and in the cycle between two grids in which the host sees that it rests.
    let rests = (2 * options.launches.len() as u64).saturating_sub(1);
    assert_eq!(comparison.cycles, report.stats.cycles + rests);
    comparison
}

pub fn kernel(text: &str) -> Program {
    let workload = kernels::select(text).unwrap();
    Program { name: text.into(), ..Program::from_path(&workload.build().unwrap()).unwrap() }
}

/// Predicts with the latencies of the generated cores, which must be right.
fn assert_equal(core: &Simulation, program: &Program, options: &RunOptions) {
    let comparison = compare(core, program, options, Latencies::of(core.config()));
    assert!(comparison.equal(), "{} under {}: {comparison:x?}", program.name, core.config().issue);
}

/// Lanes that share the slow floating-point unit take turns.
#[test]
fn every_slot_is_predicted_where_lanes_share_a_unit() {
    for core in ["swas slow lanes", "swas one line", "swas four lines"].map(simulators::core) {
        for text in ["blackscholes:16", "kmeans:8", "float_latency"] {
            assert_equal(core, &kernel(text), &RunOptions::default());
        }
    }
}

#[test]
fn every_slot_of_a_larger_core_is_predicted() {
    for core in simulators::cores("swas medium") {
        for text in ["psort:64", "sgemm_tiled:16"] {
            assert_equal(core, &kernel(text), &RunOptions::default());
        }
    }
}

#[test]
fn a_run_that_is_cut_is_cut_in_the_same_cycle_on_both() {
    let core = simulators::core("swas alone");
    let options = RunOptions { max_cycles: 300, ..RunOptions::default() };
    let latencies = Latencies::of(core.config());
    let (report, comparison) =
        core.run_predicted(&kernel("psort:64"), &options, latencies, &mut |_| {}).unwrap();
    assert!(report.failure.unwrap().to_string().contains("not finished after 300 cycles"));
    assert!(comparison.equal(), "{comparison:x?}");
    assert_eq!(comparison.modelled.stats.cycles, report.stats.cycles);
}

/// Single cores of the unified scheduler: several policies, caches of a few lines, warps in odd numbers.
const SINGLE: [&str; 5] =
    ["swas slow lanes", "swas four lines", "swas alone", "swas one line", "swas two ways"];

/// Blocks that come and go, meet at barriers and in local memory; grids one after another.
#[test]
fn every_slot_of_grids_is_predicted() {
    for (k, core) in ["swas four lines", "swas two ways"].map(simulators::core).into_iter().enumerate() {
        for text in ["grid_vecadd:50", "grid_reduce:90", "grid_histogram:60", "grid_sgemm:9", "grid_spmv:30"]
        {
            let workload = kernels::select(text).unwrap();
            let program = kernel(text);
            let launches = workload.launches(core.config(), &program.symbols).unwrap();
            let memory = [MemoryKind::Ideal, MemoryKind::Fixed(20)][k % 2];
            assert_equal(core, &program, &RunOptions { launches, memory, ..RunOptions::default() });
        }
    }
}

/// Where the prediction begins: not at the program's own entry if the run does not.
#[test]
fn a_start_elsewhere_is_predicted() {
    let image = assemble(STARTUP_ADDR, "here: j here\n li x5, 3\n mul x5, x5, x5\n vx_tmc x0").unwrap();
    let program = Program::from_image("elsewhere", &image).unwrap();
    let options = RunOptions { start_pc: Some(STARTUP_ADDR + 4), ..RunOptions::default() };
    assert_equal(simulators::core("swas alone"), &program, &options);
}

/// What the engine alone refuses, the comparison does not.
#[test]
fn a_run_with_random_registers_is_predicted() {
    let options = RunOptions { random_reset: true, ..RunOptions::default() };
    assert_equal(simulators::core("swas alone"), &kernel("vecadd:9"), &options);
}

/// All warps divide all corners by all corners, and numbers that differ from lane to lane, in some of their lanes.
fn divisions(core: &Simulation, seed: u64) -> Program {
    let cfg = core.config();
    let mut random = Random::new(seed);
    let mut text =
        format!("li x5, {}\n la x6, begin\n vx_wspawn x5, x6\n begin: csrr x5, 0xcc0\n", cfg.warps);
    let mut pairs: Vec<_> = CORNERS.into_iter().flat_map(|a| CORNERS.map(|b| (a, b))).collect();
    pairs.extend((0..50).map(|_| {
        let mut number = || random.next() as u32 >> random.below(32);
        (number(), number())
    }));
    for (dividend, divisor) in pairs {
        let mask = 1 + random.below((1 << cfg.threads) - 1);
        let operation = ["div", "divu", "rem", "remu"][random.below(4)];
        text += &format!("li x8, {mask}\n vx_tmc x8\n li x6, {dividend:#x}\n li x7, {divisor:#x}\n");
        if random.chance(50) {
            text += ["add x6, x6, x5\n", "add x7, x7, x5\n", "srl x6, x6, x5\n"][random.below(3)];
        }
        text += &format!("{operation} x{}, x6, x7\n", 9 + random.below(6));
    }
    let image = assemble(STARTUP_ADDR, &format!("{text} vx_tmc x0")).unwrap();
    Program::from_image(&format!("divisions {seed}"), &image).unwrap()
}

/// The time of a division follows from the numbers of the lanes that are on.
#[test]
fn every_slot_of_divisions_is_predicted() {
    for core in SINGLE.map(simulators::core).into_iter().chain(simulators::cores("swas")) {
        for seed in seeds(0, 2) {
            assert_equal(core, &divisions(core, seed), &RunOptions::default());
        }
    }
}

/// The comparison can fail: with any latency wrong by a cycle, slots differ.
#[test]
fn a_wrong_latency_is_found() {
    let core = simulators::under("swas", "swas:lrr");
    let right = Latencies::of(core.config());
    let wrong = [
        ("latency", Latencies { divide: right.divide - 1, ..right }),
        ("latency", Latencies { divide_fixed: !right.divide_fixed, ..right }),
        ("float_latency", Latencies { float: right.float + 1, ..right }),
        ("float_latency", Latencies { convert: right.convert + 1, ..right }),
        ("float_latency", Latencies { float_divide: right.float_divide - 1, ..right }),
    ];
    for (text, latencies) in wrong {
        let comparison = compare(core, &kernel(text), &RunOptions::default(), latencies);
        let first = comparison.first.as_ref().unwrap_or_else(|| panic!("{latencies:?} is not found"));
        assert!(!comparison.equal() && comparison.differing > 0 && first.modelled != first.measured);
        assert!(first.cycle < comparison.cycles);
    }
}
