//! Every kernel, with the memories that have latencies: what it leaves behind is what the host computes, and the
//! micro-benchmarks reach their rates. On one core kernels run in lock step, on the others on the timing model and a few of
//! them in lock step too.

use cosim::memory::{DramConfig, MemoryKind};
use cosim::{RunOptions, Simulation};
use kernels::{self, Kernel};
use loader::Program;

use crate::runs::{assert_kernel_passes, assert_kernel_passes_on_model, assert_passed};
use crate::{sample, simulators};

fn memories() -> Vec<MemoryKind> {
    vec![MemoryKind::Fixed(50), MemoryKind::Dram(DramConfig::default())]
}

/// A kernel at a fraction of its usual size.
fn sized(kernel: &Kernel, divisor: u32) -> String {
    match kernel.size {
        Some(size) => format!("{}:{}", kernel.name, (size.default / divisor).max(3)),
        None => kernel.name.to_owned(),
    }
}

/// Runs it in lock step.
fn check(core: &Simulation, kernel: &Kernel, divisor: u32, memories: &[MemoryKind]) {
    for &memory in memories {
        assert_kernel_passes(core, &sized(kernel, divisor), &RunOptions { memory, ..RunOptions::default() });
    }
}

/// Runs all on the timing model, a short run each with one of the memories, and a few in lock step.
fn check_all(core: &Simulation, kernels: Vec<&Kernel>, divisor: u32) {
    let place = core.config().threads;
    for (number, kernel) in kernels.iter().enumerate() {
        for memory in sample::some(memories(), 1, number + place) {
            let options = RunOptions { memory, ..RunOptions::default() };
            assert_kernel_passes_on_model(core.config(), &sized(kernel, divisor), &options);
        }
    }
    for (number, kernel) in sample::some(kernels, 3, place).into_iter().enumerate() {
        check(core, kernel, divisor, &sample::some(memories(), 1, number));
    }
}

/// The kernels that a core can run; of those of published evaluations, which all run on the model, a sample.
fn possible(core: &Simulation) -> Vec<&'static Kernel> {
    let can_run = |kernel: &&Kernel| kernels::select(kernel.name).unwrap().check_core(core.config()).is_ok();
    let (published, mut all): (Vec<_>, Vec<_>) =
        kernels::KERNELS.iter().filter(can_run).partition(|kernel| kernel.family.is_some());
    all.extend(sample::some(published, 3, core.config().warps * core.config().threads));
    all
}

/// A short run takes half of them.
#[test]
fn every_kernel_gives_the_hosts_results() {
    let core = simulators::core("small");
    let kernels = possible(core);
    let half = kernels.len().div_ceil(2);
    for (number, kernel) in sample::some(kernels, half, 0).into_iter().enumerate() {
        check(core, kernel, 16, &sample::some(memories(), 1, number));
    }
}

#[test]
fn grids_give_the_hosts_results() {
    let cores = vec!["grid", "odd", "slices", "slices uncached", "alone"];
    for core in sample::some(cores, 3, 0).into_iter().map(simulators::core) {
        let mut grids: Vec<_> = possible(core).into_iter().filter(|kernel| kernel.runs_as_grids()).collect();
        assert!(grids.len() >= 3);
        if core.config().warps * core.config().threads == 1 {
            // One lane runs for long, and meets nobody; longest it runs for squares of 32 x 32, the least of these kernels.
            let (squares, others): (Vec<_>, _) =
                grids.into_iter().partition(|kernel| kernel.name.starts_with("vortex3_"));
            grids = sample::some(others, 4, 0);
            grids.extend(squares.into_iter().filter(|_| sample::is_full()));
        }
        check_all(core, grids, 16);
    }
}

#[test]
fn programs_give_the_hosts_results_on_a_larger_core() {
    let core = simulators::core("medium");
    check_all(core, possible(core).into_iter().filter(|kernel| kernel.size.is_some()).collect(), 4);
}

/// Instructions of warps that issue in a cycle, of 1, when nothing but the units limits them.
#[test]
fn all_warps_together_keep_the_units_busy() {
    for core in ["small", "medium"].map(simulators::core) {
        for name in [
            "alu_all_warps",
            "fma_all_warps",
            "load_hit_all_warps",
            "store_all_warps",
            "local_load_all_warps",
        ] {
            let program = Program::from_path(&kernels::select(name).unwrap().build().unwrap()).unwrap();
            let memory = MemoryKind::Fixed(50);
            let report = core.run(&program, &RunOptions { memory, ..RunOptions::default() }).unwrap();
            assert_passed(&report);
            let rate = kernels::measures(report.console())["instructions_per_cycle"];
            assert!((0.95..=1.0).contains(&rate), "{name} with {} warps: {rate}", core.config().warps);
        }
    }
}
