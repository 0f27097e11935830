//! Random cores: each seed is a configuration, on which random programs run in lock step on random memories.
//!
//! It is one core in a short run, for building one takes much longer than running it, and ten in a full one. With
//! `$HEDDLE_CYCLES` it is as many as so many cycles need, as CONTRIBUTING.md, "Many cycles of random programs", says.

use std::panic::{catch_unwind, AssertUnwindSafe};

use crate::cosim_grid::random_program;
use crate::engine::assert_alike;
use crate::sample::{self, is_full, seeds};
use crate::simulators;
use cosim::memory::{Disturbance, MemoryKind};
use cosim::verilator::{BuildOptions, Profile};
use cosim::{Engine, Rng, RunOptions, Simulation};
use isa::random::{program, Shape};
use loader::Program;
use spec::config::{CoreConfig, PARAMETERS};

/// Programs on each core, at most.
const PROGRAMS: u64 = 100;
/// Cycles on each core of a long run: they take some minutes, and building the core half a minute.
const CYCLES_OF_A_CORE: u64 = 10_000_000;
/// Items of a program of a long run, at most.
const LONGEST: u32 = 600;
/// A long run ends when so many cores have failed: then it is everything, not one of them.
const MOST_FAILURES: usize = 10;

fn pick<T: Clone>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.below(choices.len() as u32) as usize].clone()
}

/// A valid configuration, small enough to be built in half a minute, or in full two: of each parameter in every second core
/// one of the values that the data sheet has for that.
pub fn random_core(rng: &mut Rng) -> CoreConfig {
    let (most_warps, most_threads) = if is_full() { (12, 8) } else { (8, 4) };
    let mut cfg = CoreConfig::default();
    for parameter in PARAMETERS {
        let values = parameter.tried();
        if !values.is_empty() && rng.percent(50) {
            cfg = parameter.set(&cfg, &pick(rng, &values)).unwrap();
        }
    }
    cfg.warps = cfg.warps.min(most_warps);
    cfg.threads = cfg.threads.min(most_threads);
    // What does not go together with the rest is as usual.
    while let Err(violations) = cfg.validate() {
        let broken =
            |name: &str| violations.iter().any(|violation| violation.field.split('.').next() == Some(name));
        cfg = PARAMETERS
            .iter()
            .filter(|parameter| broken(parameter.name))
            .fold(cfg, |cfg, parameter| parameter.reset(&cfg));
    }
    cfg
}

fn random_run(rng: &mut Rng, seed: u64) -> RunOptions {
    let [dram, reordering, cached] =
        ["dram", "dram:frfcfs=1,banks=2,row=128", "dram:l2=2048,l2ways=4,l2hit=9"]
            .map(|text| text.parse().unwrap());
    let disturbance = Disturbance { backpressure_percent: rng.below(90), jitter: rng.below(40) };
    RunOptions {
        memory: pick(
            rng,
            &[MemoryKind::Ideal, MemoryKind::Fixed(1 + seed as u32 % 60), dram, reordering, cached],
        ),
        disturbance: pick(rng, &[Disturbance::default(), disturbance]),
        seed,
        random_reset: rng.percent(50),
        max_cycles: 5_000_000,
        ..RunOptions::default()
    }
}

/// A random program, or a grid of random blocks, on any memory; gives the cycles in which both engines were alike.
fn compare_one(core: &Simulation, rng: &mut Rng, seed: u64) -> u64 {
    let cfg = core.config();
    let (program, launches) = if cfg.grid && rng.percent(30) {
        let (program, launch) = random_program(core, seed);
        (program, vec![launch])
    } else {
        let image = program(seed, &Shape::core(cfg, 30 + rng.below(LONGEST) as usize));
        (Program::from_image(&format!("program {seed}"), &image).unwrap(), vec![])
    };
    let options = random_run(rng, seed);
    let options = RunOptions { launches, random_reset: false, mpm_class: seed as u8 % 4, ..options };
    assert_alike(core, &program, &options)
}

/// Programs on a core until both engines were compared for `wanted` cycles, which are counted in `cycles`.
fn compare_on_core(core_seed: u64, wanted: u64, cycles: &mut u64) {
    let mut rng = Rng::new(core_seed);
    let cfg = random_core(&mut rng);
    println!("core {core_seed}: {cfg:?}");
    let options = BuildOptions { profile: Profile::Fast, ..simulators::options() };
    let core = Simulation::new(&cfg, &options).unwrap();
    for index in 0.. {
        if *cycles >= wanted {
            break;
        }
        *cycles += compare_one(&core, &mut rng, (core_seed << 20) + index);
    }
}

/// Both engines for so many cycles, on core after core from that of `$HEDDLE_TEST_SEED` on.
fn compare_cycles(wanted: u64) {
    let (mut core_seed, mut compared, mut failed) = (sample::seed(), 0, vec![]);
    while compared < wanted && failed.len() < MOST_FAILURES {
        let mut cycles = 0;
        let most = CYCLES_OF_A_CORE.min(wanted - compared);
        if catch_unwind(AssertUnwindSafe(|| compare_on_core(core_seed, most, &mut cycles))).is_err() {
            failed.push(core_seed);
        }
        compared += cycles;
        core_seed += 1;
        println!("{compared} cycles compared, the next seed is {core_seed}, failed: {failed:?}");
    }
    assert!(failed.is_empty(), "seeds of cores that failed: {failed:?}");
}

#[test]
fn random_programs_agree_with_the_model_on_random_cores() {
    if let Ok(cycles) = std::env::var("HEDDLE_CYCLES") {
        compare_cycles(cycles.parse().expect("HEDDLE_CYCLES is a number of cycles"));
        return;
    }
    for core_seed in seeds(0, 1) {
        let mut rng = Rng::new(core_seed);
        let cfg = random_core(&mut rng);
        assert_eq!(cfg.validate(), Ok(()));
        println!("core {core_seed}: {cfg:?}");
        let core = Simulation::new(&cfg, &simulators::options()).unwrap();
        for index in 0..if is_full() { PROGRAMS } else { 25 } {
            let seed = core_seed * PROGRAMS + index;
            let shape = Shape::core(&cfg, 30 + rng.below(100) as usize);
            let program = Program::from_image(&format!("program {seed}"), &program(seed, &shape)).unwrap();
            let options = random_run(&mut rng, seed);
            if Engine::check(&options).is_ok() {
                assert_alike(&core, &program, &options);
                continue;
            }
            let report = core.run(&program, &options).unwrap();
            if let Some(failure) = &report.failure {
                panic!("core {core_seed}: {cfg:?}\n{failure}");
            }
            assert_eq!(report.exit_code(), Some(0), "core {core_seed}, program {seed}");
        }
    }
}
