//! Random cores: each seed is a configuration, on which random programs run in lock step on random memories.
//!
//! It is one core in a short run, for building one takes much longer than running it, and ten in a full one.

use crate::fleet;
use crate::sample::{is_full, seeds};
use cosim::memory::{Disturbance, MemoryKind};
use cosim::{Program, Rng, RunOptions, Simulation};
use isa::random::{program, Shape};
use spec::config::{CacheConfig, CoreConfig, DataCacheConfig, MAX_MSHRS};
use spec::registry::{self, Stage};

/// Programs on each core, at most.
const PROGRAMS: u64 = 100;

fn pick<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.below(choices.len() as u32) as usize]
}

/// A valid configuration, small enough to be built in half a minute, or in full two.
pub fn random_core(rng: &mut Rng) -> CoreConfig {
    let slices = pick(rng, &[1, 1, 1, 2, 4]);
    let (most_warps, most_threads) = if is_full() { (12, 8) } else { (8, 4) };
    let threads = pick(rng, &[1, 2, 4, 8]).min(most_threads);
    let ways = pick(rng, &[1, 2, 4]);
    let dcache =
        DataCacheConfig { bytes: 64 * ways * pick(rng, &[0, 1, 4, 64]), ways, write_back: rng.percent(50) };
    let cache_banks = pick(rng, &[1, 1, 2, 4].map(|banks: usize| banks.min(dcache.bytes / 64 / ways).max(1)));
    let cfg = CoreConfig {
        warps: (1 + rng.below(most_warps) as usize).next_multiple_of(slices),
        threads,
        slices,
        queue_depth: pick(rng, &[2, 4, 8]),
        icache: CacheConfig { bytes: 64 * ways * pick(rng, &[16, 64]), ways },
        local_mem_bytes: pick(rng, &[64, 256, 1024, 16384]).max(8 * threads),
        dcache,
        cache_banks,
        mshrs: pick(rng, &[1, 2, 3, 8, 16]).min(MAX_MSHRS / cache_banks),
        load_slots: pick(rng, &[1, 2, 3, 8, 16]),
        div_bits: pick(rng, &[1, 2, 4]),
        div_fixed: rng.percent(20),
        fpu: rng.percent(70),
        fpu_slow_lanes: if rng.percent(30) { 1 } else { threads },
        fetch: pick(rng, &registry::keys(Stage::Fetch)).into(),
        issue: pick(rng, &registry::keys(Stage::Issue)).into(),
        kaws_sharing: pick(rng, &[None, None, (slices > 1).then_some(true), Some(false)]),
        collectors: 1 + rng.below(4) as usize,
        ..CoreConfig::default()
    };
    let fixed = cfg.unified().is_some();
    let register_banks = pick(rng, &[0, 0, 2, 4, 8]);
    let btfn = !fixed && rng.percent(30);
    CoreConfig { register_banks: if fixed { 0 } else { register_banks }, btfn, ..cfg }
}

fn random_run(rng: &mut Rng, seed: u64) -> RunOptions {
    let disturbance = Disturbance { backpressure_percent: rng.below(90), jitter: rng.below(40) };
    RunOptions {
        memory: pick(rng, &[MemoryKind::Ideal, MemoryKind::Fixed(1 + seed as u32 % 60)]),
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
        let core = Simulation::new(&cfg, &fleet::options()).unwrap();
        for index in 0..if is_full() { PROGRAMS } else { 40 } {
            let seed = core_seed * PROGRAMS + index;
            let shape = Shape::core(&cfg, 30 + rng.below(100) as usize);
            let program = Program::from_image(&format!("program {seed}"), &program(seed, &shape)).unwrap();
            let report = core.run(&program, &random_run(&mut rng, seed)).unwrap();
            if let Some(failure) = &report.failure {
                panic!("core {core_seed}: {cfg:?}\n{failure}");
            }
            assert_eq!(report.exit_code(), Some(0), "core {core_seed}, program {seed}");
        }
    }
}
