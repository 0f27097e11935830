//! Every pair of a fetch and an issue policy in the whole core, in lock step with the models of both.
//!
//! Building a simulator for each pair would take minutes. Here one core has all policies side by side; the other tests run
//! them alone in their place.

use std::collections::BTreeSet;

use heddle::config::{CacheConfig, CoreConfig};
use heddle::cosim::memory::{Disturbance, MemoryKind};
use heddle::cosim::verilator::BuildOptions;
use heddle::cosim::{Program, Report, RunOptions, SideBySide, Simulation};
use heddle::isa::random::{program, Shape};
use heddle::kernels;
use heddle::registry::{self, Stage};

/// A core of every pair of policies, and what selects it; all share one simulator.
fn pairs(base: &CoreConfig) -> Vec<(Simulation, u32)> {
    let cores =
        SideBySide::pairs(base, &registry::keys(Stage::Fetch), &registry::keys(Stage::Issue)).unwrap();
    let simulation = |core| cores.simulation(core, &BuildOptions::quick()).unwrap();
    (0..cores.cores().len()).map(|core| (simulation(core), cores.selection(core))).collect()
}

fn run(core: &Simulation, program: &Program, options: &RunOptions) -> Report {
    let cfg = core.config();
    let report = core.run(program, options).unwrap();
    if let Some(failure) = &report.failure {
        panic!("{} with {} and {}: {failure}", report.program, cfg.fetch, cfg.issue);
    }
    report
}

fn kernel(name: &str) -> Program {
    Program::from_path(&kernels::select(name).unwrap().build().unwrap()).unwrap()
}

fn small_caches(warps: usize, threads: usize, slices: usize) -> CoreConfig {
    let icache = CacheConfig { bytes: 1024, ways: 1 };
    CoreConfig { warps, threads, slices, icache, fpu: false, ..CoreConfig::default() }
}

#[test]
fn every_pair_runs_random_programs_in_lock_step() {
    for cfg in [small_caches(3, 2, 1), small_caches(6, 1, 2)] {
        for (core, start_arg) in pairs(&cfg) {
            for seed in 0..6 {
                let image = program(seed, &Shape::core(&cfg, 60));
                let program = Program::from_image(&format!("random program {seed}"), &image).unwrap();
                let memory = [MemoryKind::Ideal, MemoryKind::Fixed(20)][seed as usize % 2];
                let disturbance = Disturbance { backpressure_percent: 10, jitter: 5 };
                let options = RunOptions { memory, disturbance, seed, start_arg, ..RunOptions::default() };
                assert!(run(&core, &program, &options).passed(), "seed {seed}");
            }
        }
    }
}

/// Kernels with even work, divergence, and barriers. No pair may take much longer than the best: a loose policy that
/// leaves ready warps alone, or a strict one whose turns never meet the warps, would.
#[test]
fn every_pair_runs_kernels_in_reasonable_time() {
    let cores = pairs(&small_caches(3, 2, 1));
    for name in ["vecadd:32", "psort_split:8", "reduce:32"] {
        let program = kernel(name);
        let cycles: Vec<_> = cores
            .iter()
            .map(|(core, start_arg)| {
                let memory = MemoryKind::Fixed(10);
                let options = RunOptions { memory, start_arg: *start_arg, ..RunOptions::default() };
                let report = run(core, &program, &options);
                assert_eq!(report.exit_code(), Some(0), "{name}");
                report.stats.cycles
            })
            .collect();
        let best = *cycles.iter().min().unwrap();
        for ((core, _), cycles) in cores.iter().zip(&cycles) {
            let cfg = core.config();
            println!("{name} {} {} {cycles}", cfg.fetch, cfg.issue);
            assert!(*cycles < 2 * best, "{name} with {} and {}: {cycles}, best {best}", cfg.fetch, cfg.issue);
        }
        assert!(
            cycles.iter().collect::<BTreeSet<_>>().len() > 8,
            "{name}: the policies hardly differ: {cycles:?}"
        );
    }
}
