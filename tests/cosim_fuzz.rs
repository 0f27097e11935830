//! Random cores: each seed is a configuration, on which random programs run in lock step on random memories.
//!
//! It is one core in a short run, for building one takes much longer than running it, and ten in a full one.

use crate::engine::assert_alike;
use crate::sample::{is_full, seeds};
use crate::simulators;
use cosim::memory::{Disturbance, MemoryKind};
use cosim::{Engine, Program, Rng, RunOptions, Simulation};
use isa::random::{program, Shape};
use spec::config::{CoreConfig, PARAMETERS};

/// Programs on each core, at most.
const PROGRAMS: u64 = 100;

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
    let reordering = "dram:frfcfs=1,banks=2,row=128".parse().unwrap();
    let disturbance = Disturbance { backpressure_percent: rng.below(90), jitter: rng.below(40) };
    RunOptions {
        memory: pick(rng, &[MemoryKind::Ideal, MemoryKind::Fixed(1 + seed as u32 % 60), reordering]),
        disturbance: pick(rng, &[Disturbance::default(), disturbance]),
        seed,
        random_reset: rng.percent(50),
        max_cycles: 5_000_000,
        ..RunOptions::default()
    }
}

#[test]
fn random_programs_agree_with_the_model_on_random_cores() {
    for core_seed in seeds(0, 1) {
        let mut rng = Rng::new(core_seed);
        let cfg = random_core(&mut rng);
        assert_eq!(cfg.validate(), Ok(()));
        println!("core {core_seed}: {cfg:?}");
        let core = Simulation::new(&cfg, &simulators::options()).unwrap();
        for index in 0..if is_full() { PROGRAMS } else { 40 } {
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
