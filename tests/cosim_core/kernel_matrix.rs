//! Every kernel, with the memories that have latencies: what it leaves behind is what the host computes, and the
//! micro-benchmarks reach their rates.

use cosim::memory::{DramConfig, MemoryKind};
use cosim::{Program, RunOptions, Simulation};
use kernels::{self, Kernel};

use super::{assert_kernel_passes, assert_passed};
use crate::{sample, simulators};

fn memories() -> Vec<MemoryKind> {
    vec![MemoryKind::Fixed(50), MemoryKind::Dram(DramConfig::default())]
}

/// Runs a kernel at a fraction of its usual size, in lock step.
fn check(core: &Simulation, kernel: &Kernel, divisor: u32, memories: &[MemoryKind]) {
    let name = match kernel.size {
        Some(size) => format!("{}:{}", kernel.name, (size.default / divisor).max(3)),
        None => kernel.name.to_owned(),
    };
    for &memory in memories {
        assert_kernel_passes(core, &name, &RunOptions { memory, ..RunOptions::default() });
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

#[test]
fn every_kernel_gives_the_hosts_results() {
    let core = simulators::core("small");
    possible(core).into_iter().for_each(|kernel| check(core, kernel, 16, &memories()));
}

#[test]
fn grids_give_the_hosts_results() {
    for core in ["grid", "odd", "slices", "slices uncached", "alone"].map(simulators::core) {
        let grids: Vec<_> = possible(core).into_iter().filter(|kernel| kernel.runs_as_grids()).collect();
        assert!(grids.len() >= 3);
        grids.into_iter().for_each(|kernel| check(core, kernel, 16, &memories()));
    }
}

#[test]
fn programs_give_the_hosts_results_on_a_larger_core() {
    let core = simulators::core("medium");
    let programs = possible(core).into_iter().filter(|kernel| kernel.size.is_some());
    for (number, kernel) in programs.enumerate() {
        check(core, kernel, 4, &sample::some(memories(), 1, number));
    }
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
