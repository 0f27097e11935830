//! Pairs of a fetch and an issue policy in the whole core, in lock step with the models of both: in full every pair, else
//! every policy at each stage, with partners that the seed chooses.
//!
//! Building a simulator for each pair would take minutes. Here one core has all policies side by side; the other tests run
//! them alone in their place.

use std::collections::{BTreeMap, BTreeSet};

use crate::cosim_grid::{grid_programs, neighbours, random_grid, random_program};
use crate::rtl_bench::Random;
use crate::runs::{assert_kernel_passes, kernel};
use crate::sample::{few, is_full, seed, seeds, some};
use crate::simulators;
use cosim::memory::{Disturbance, DramConfig, MemoryKind};
use cosim::{Report, RunOptions, Simulation};
use isa::random::{program, Shape};
use loader::Program;
use model::memory::HEAP_BASE;
use spec::config::CoreConfig;
use spec::registry;

/// One slice, two and four; several share their warps.
const PAIRS: [&str; 3] = ["pairs", "pairs of slices", "four slices"];

fn run(core: &Simulation, program: &Program, options: &RunOptions) -> Report {
    let cfg = core.config();
    let report = core.run(program, options).unwrap();
    if let Some(failure) = &report.failure {
        panic!("{} with {} and {}: {failure}", report.program, cfg.fetch, cfg.issue);
    }
    report
}

/// The pairs of a simulator that a run tries: by the second argument, each policy has other partners.
fn pairs(name: &str, place: usize) -> Vec<&'static Simulation> {
    let all = simulators::cores(name);
    let by_fetch = all.iter().fold(BTreeMap::<_, Vec<_>>::new(), |mut by, core| {
        by.entry(&core.config().fetch).or_default().push(core);
        by
    });
    let rows: Vec<_> = by_fetch.into_values().collect();
    let columns = rows[0].len();
    if is_full() {
        return all.iter().collect();
    }
    let shift = seed() as usize % columns + place;
    (0..rows.len().max(columns)).map(|n| rows[n % rows.len()][(n + shift) % columns]).collect()
}

#[test]
fn a_short_run_meets_every_policy_at_both_stages() {
    for name in PAIRS {
        let policies = |cores: Vec<&'static Simulation>| -> (BTreeSet<_>, BTreeSet<_>) {
            cores.iter().map(|core| core.config()).map(|cfg| (&cfg.fetch, &cfg.issue)).unzip()
        };
        assert_eq!(policies(pairs(name, 0)), policies(simulators::cores(name).iter().collect()));
    }
}

#[test]
fn pairs_run_random_programs_in_lock_step() {
    for (place, name) in PAIRS.into_iter().enumerate() {
        for (number, core) in pairs(name, place).into_iter().enumerate() {
            for seed in few(1, seeds(0, 2)) {
                let image = program(seed, &Shape::core(core.config(), 60));
                let program = Program::from_image(&format!("random program {seed}"), &image).unwrap();
                let memory = [MemoryKind::Ideal, MemoryKind::Fixed(20)][(number + seed as usize) % 2];
                let disturbance = Disturbance { backpressure_percent: 10, jitter: 5 };
                let options = RunOptions { memory, disturbance, seed, ..RunOptions::default() };
                assert!(run(core, &program, &options).passed(), "seed {seed}");
            }
        }
    }
}

/// Grids under every policy, whose blocks come and go, and meet at barriers.
#[test]
fn pairs_run_random_grids_in_lock_step() {
    let [program, _] = grid_programs();
    for (place, name) in PAIRS.into_iter().enumerate() {
        for (number, core) in pairs(name, place).into_iter().enumerate() {
            for seed in few(1, seeds(50, 2)) {
                let (random, launch) = random_program(core, seed);
                let launches = vec![launch];
                run(core, &random, &RunOptions { launches, seed, ..RunOptions::default() });
                let launch = random_grid(core, &mut Random::new(seed), HEAP_BASE);
                let memory = [MemoryKind::Ideal, MemoryKind::Fixed(20)][(number + seed as usize) % 2];
                let launches = vec![launch.clone()];
                let options = RunOptions { launches, memory, seed, ..RunOptions::default() };
                let report = run(core, &program, &options);
                for n in 0..(launch.blocks() * launch.block_threads()) as u32 {
                    let word = report.memory.read(HEAP_BASE + 4 * n, 4);
                    assert_eq!(word, Ok(neighbours(&launch, n)), "seed {seed}, {launch:?}, thread {n}");
                }
            }
        }
    }
}

/// Kernels that are grids, under some issue policies and two memories; under all, and on cores of 4 x 4, 8 x 8 and 16 x 16
/// too, by `HEDDLE_TEST_FULL=1 cargo test --test suite grid_kernels_under_every_policy`.
#[test]
fn grid_kernels_under_every_policy() {
    let alone = |core: &&Simulation| core.config().fetch == registry::at_fetch(&core.config().issue);
    let small = simulators::cores("pairs").iter().chain(simulators::cores("swas")).filter(alone).collect();
    some(small, 3, 0).into_iter().for_each(grid_kernels);
    if is_full() {
        for (warps, threads) in [(4, 4), (8, 8), (16, 16)] {
            let base = CoreConfig { warps, threads, ..CoreConfig::default() };
            simulators::every_policy(&base).iter().filter(alone).for_each(grid_kernels);
        }
    }
}

fn grid_kernels(core: &Simulation) {
    for name in ["grid_vecadd:200", "grid_sgemm:10", "grid_reduce:300", "grid_histogram:200", "grid_spmv:50"]
    {
        for memory in [MemoryKind::Fixed(50), MemoryKind::Dram(DramConfig::default())] {
            assert_kernel_passes(core, name, &RunOptions { memory, ..RunOptions::default() });
        }
    }
}

/// Kernels with even work, divergence, and barriers. No pair may take much longer than the best: a loose policy that
/// leaves ready warps alone, or a strict one whose turns never meet the warps, would.
#[test]
fn pairs_run_kernels_in_reasonable_time() {
    let cores = pairs("pairs", 2);
    for name in ["vecadd:32", "psort_split:8", "reduce:32"] {
        let program = kernel(name);
        let cycles: Vec<_> = cores
            .iter()
            .map(|core| {
                let memory = MemoryKind::Fixed(10);
                let report = run(core, &program, &RunOptions { memory, ..RunOptions::default() });
                assert_eq!(report.exit_code(), Some(0), "{name}");
                report.stats.cycles
            })
            .collect();
        let best = *cycles.iter().min().unwrap();
        for (core, cycles) in cores.iter().zip(&cycles) {
            let cfg = core.config();
            println!("{name} {} {} {cycles}", cfg.fetch, cfg.issue);
            assert!(*cycles < 2 * best, "{name} with {} and {}: {cycles}, best {best}", cfg.fetch, cfg.issue);
        }
        assert!(
            cycles.iter().collect::<BTreeSet<_>>().len() > cores.len().min(16) / 2,
            "{name}: the policies hardly differ: {cycles:?}"
        );
    }
}
