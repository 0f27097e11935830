//! The engine without hardware: everything that a run reports must be what the hardware's run reports.

use crate::cosim_grid::{grid_programs, random_grid};
use crate::sample::{seeds, some};
use crate::simulators;
use cosim::memory::MemoryKind;
use cosim::{Engine, Program, Report, RunOptions, SimError, Simulation};
use isa::asm::assemble;
use isa::random::{program, Shape};
use model::memory::{HEAP_BASE, STARTUP_ADDR};
use spec::config::CoreConfig;

fn on_model(cfg: &CoreConfig, program: &Program, options: &RunOptions) -> Report {
    Engine::new(cfg).unwrap().run(program, options, &mut |_| {}).unwrap()
}

/// Both engines, and that they agree.
fn assert_alike(core: &Simulation, program: &Program, options: &RunOptions) {
    let hardware = core.run(program, options).unwrap();
    let model = on_model(core.config(), program, options);
    let CoreConfig { fetch, issue, .. } = core.config();
    let what = format!("{} under {fetch} and {issue}, {}", program.name, options.memory);
    assert_eq!(hardware.failure, None, "{what}");
    assert_eq!(model.failure, None, "{what}");
    for (counter, (here, there)) in
        isa::counter::COUNTERS.iter().zip(hardware.stats.counts.iter().zip(&model.stats.counts))
    {
        assert_eq!(here, there, "{what}: {}", counter.name);
    }
    assert_eq!(hardware.stats, model.stats, "{what}");
    assert_eq!(hardware.barriers, model.barriers, "{what}");
    assert_eq!(hardware.grids, model.grids, "{what}");
    assert_eq!(hardware.policy_phases, model.policy_phases, "{what}");
    assert_eq!(hardware.patterns, model.patterns, "{what}");
    assert_eq!(hardware.exit_code(), model.exit_code(), "{what}");
    assert_eq!(hardware.console(), model.console(), "{what}");
}

fn kernel(text: &str) -> Program {
    let workload = kernels::select(text).unwrap();
    Program { name: text.into(), ..Program::from_path(&workload.build().unwrap()).unwrap() }
}

const MEMORIES: [&str; 3] = ["ideal", "fixed:20", "dram"];

#[test]
fn kernels_are_alike_under_every_pair_of_policies() {
    let texts = ["psort:40", "sgemm_tiled:8", "vecadd:100", "diverge:16", "kmeans:8", "bfs:32", "reduce:64"];
    for (number, core) in simulators::cores("pairs").iter().enumerate() {
        let memory = MEMORIES[number % 3].parse().unwrap();
        for text in some(texts.to_vec(), 1, number) {
            assert_alike(core, &kernel(text), &RunOptions { memory, ..RunOptions::default() });
        }
    }
}
