//! Every kernel, with the memories that have latencies: what it leaves behind is what the host computes.

use heddle::config::CoreConfig;
use heddle::cosim::memory::{DramConfig, MemoryKind};
use heddle::cosim::verilator::BuildOptions;
use heddle::cosim::{Program, RunOptions, Simulation};
use heddle::kernels::{self, Kernel, Outcome};

use super::{assert_passed, simulation};

/// Runs a kernel at a fraction of its usual size, in lock step.
fn check(core: &Simulation, kernel: &Kernel, divisor: u32) {
    let name = match kernel.size {
        Some(size) => format!("{}:{}", kernel.name, (size.default / divisor).max(3)),
        None => kernel.name.to_owned(),
    };
    let workload = kernels::select(&name).unwrap();
    let program = Program::from_path(&workload.build().unwrap()).unwrap();
    for memory in [MemoryKind::Fixed(50), MemoryKind::Dram(DramConfig::default())] {
        let report = core.run(&program, &RunOptions { memory, ..RunOptions::default() }).unwrap();
        assert_passed(&report);
        let outcome = Outcome {
            config: core.config(),
            symbols: &program.symbols,
            word: &|address| report.memory.read(address, 4).unwrap(),
            console: report.console(),
        };
        workload.check(&outcome).unwrap_or_else(|e| panic!("{name}, {memory}: {e}"));
    }
}

#[test]
fn every_kernel_gives_the_hosts_results() {
    let core = simulation(&CoreConfig::default(), &BuildOptions::quick());
    kernels::KERNELS.iter().for_each(|kernel| check(&core, kernel, 16));
}

/// Eight warps of eight lanes with floating point and both caches: tasks that are no multiple of the lanes, too.
#[test]
fn programs_give_the_hosts_results_on_a_larger_core() {
    let medium = CoreConfig::preset("medium").unwrap();
    let core = simulation(&medium, &BuildOptions::quick());
    let programs = kernels::KERNELS.iter().filter(|kernel| kernel.size.is_some());
    programs.for_each(|kernel| check(&core, kernel, 4));
}
