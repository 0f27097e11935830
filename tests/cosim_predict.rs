//! The schedule under SWaS, predicted without the hardware: every issue slot must be the hardware's.

use heddle::config::{CacheConfig, CoreConfig, DataCacheConfig};
use heddle::cosim::memory::{Disturbance, MemoryKind};
use heddle::cosim::verilator::BuildOptions;
use heddle::cosim::{Comparison, Program, Reservation, RunOptions, SideBySide, Simulation};
use heddle::isa::random::{program, Shape};
use heddle::kernels;
use heddle::model::timing::Latencies;
use heddle::registry::UNIFIED;

fn under(key: &str, cfg: CoreConfig) -> CoreConfig {
    CoreConfig { fetch: key.into(), issue: key.into(), ..cfg }
}

fn simulation(cfg: &CoreConfig) -> Simulation {
    assert_eq!(cfg.validate(), Ok(()));
    Simulation::new(cfg, &BuildOptions::quick()).unwrap()
}

fn compare(core: &Simulation, program: &Program, options: &RunOptions, latencies: Latencies) -> Comparison {
    let (report, comparison) = core.run_predicted(program, options, latencies, &mut |_| {}).unwrap();
    if let Some(failure) = &report.failure {
        panic!("{}: {failure}", report.program);
    }
    let comparison = comparison.expect("a core of the unified scheduler");
    assert_eq!(comparison.slots, report.stats.cycles);
    comparison
}

fn kernel(text: &str) -> Program {
    let workload = kernels::select(text).unwrap();
    Program { name: text.into(), ..Program::from_path(&workload.build().unwrap()).unwrap() }
}

/// Predicts with the latencies of the generated cores, which must be right.
fn assert_equal(core: &Simulation, program: &Program, options: &RunOptions) {
    let comparison = compare(core, program, options, Latencies::of(core.config()));
    assert!(comparison.equal(), "{} under {}: {comparison:x?}", program.name, core.config().issue);
    assert_eq!(comparison.reservations, [], "{}", program.name);
}

#[test]
fn every_slot_of_the_kernels_is_predicted_under_every_policy_inside() {
    for policy in UNIFIED {
        let cfg = under(policy.key, CoreConfig { oracle: true, fpu: true, ..CoreConfig::default() });
        let core = simulation(&cfg);
        for memory in [MemoryKind::Ideal, MemoryKind::Fixed(20)] {
            let options = RunOptions { memory, ..RunOptions::default() };
            for text in
                ["psort:40", "sgemm_tiled:8", "vecadd:100", "diverge:16", "kmeans:8", "blackscholes:8"]
            {
                assert_equal(&core, &kernel(text), &options);
            }
        }
    }
}

/// Lanes that share the slow floating-point unit take turns.
#[test]
fn every_slot_is_predicted_where_lanes_share_a_unit() {
    for fpu_slow_lanes in [1, 2] {
        let core = simulation(&under("swas:gtlrr", CoreConfig { fpu_slow_lanes, ..CoreConfig::default() }));
        for text in ["blackscholes:16", "kmeans:8", "float_latency"] {
            assert_equal(&core, &kernel(text), &RunOptions::default());
        }
    }
}

#[test]
fn every_slot_of_a_larger_core_is_predicted() {
    let base = CoreConfig { fpu: true, ..CoreConfig::preset("medium").unwrap() };
    let keys: Vec<_> = UNIFIED.iter().map(|policy| policy.key).collect();
    let cores = SideBySide::unified(&base, &keys).unwrap();
    for number in 0..keys.len() {
        let core = cores.simulation(number, &BuildOptions::quick()).unwrap();
        let options = RunOptions { start_arg: cores.selection(number), ..RunOptions::default() };
        for text in ["psort:64", "sgemm_tiled:16"] {
            assert_equal(&core, &kernel(text), &options);
        }
    }
}

/// What random programs do, no kernel does: caches of a few lines, misses of all kinds, mask changes and fences anywhere.
#[test]
fn every_slot_of_random_programs_is_predicted_on_small_caches() {
    let icache = |bytes, ways| CacheConfig { bytes, ways };
    let dcache = |bytes, ways| DataCacheConfig { bytes, ways, write_back: false };
    let small = CoreConfig::default();
    let shapes = [
        CoreConfig { warps: 1, threads: 1, icache: icache(128, 1), load_slots: 1, ..small.clone() },
        CoreConfig {
            warps: 8,
            threads: 2,
            icache: icache(256, 2),
            dcache: dcache(256, 2),
            mshrs: 2,
            ..small.clone()
        },
        CoreConfig { warps: 3, threads: 4, icache: icache(64, 1), dcache: dcache(0, 1), fpu: true, ..small },
    ];
    for (cfg, policy) in shapes.into_iter().zip(UNIFIED.iter().cycle()) {
        let cfg = under(policy.key, cfg);
        let core = simulation(&cfg);
        for seed in 0..18 {
            let image = program(seed, &Shape::core(&cfg, 60));
            let random = Program::from_image(&format!("random program {seed}"), &image).unwrap();
            let memory =
                [MemoryKind::Ideal, MemoryKind::Fixed(17), "dram".parse().unwrap()][seed as usize % 3];
            let options = RunOptions { memory, seed, ..RunOptions::default() };
            let comparison = compare(&core, &random, &options, Latencies::of(core.config()));
            assert!(
                comparison.equal() || comparison.reservations == [Reservation::Counters],
                "seed {seed} under {}: {comparison:x?}",
                policy.key
            );
        }
    }
}

/// The comparison can fail: with any latency wrong by a cycle, slots differ.
#[test]
fn a_wrong_latency_is_found() {
    let core =
        simulation(&under("swas:lrr", CoreConfig { oracle: true, fpu: true, ..CoreConfig::default() }));
    let right = Latencies::of(core.config());
    let wrong = [
        ("latency", Latencies { multiply: right.multiply + 1, ..right }),
        ("latency", Latencies { divide: right.divide - 1, ..right }),
        ("float_latency", Latencies { float: right.float + 1, ..right }),
        ("float_latency", Latencies { convert: right.convert + 1, ..right }),
        ("float_latency", Latencies { float_divide: right.float_divide - 1, ..right }),
    ];
    for (text, latencies) in wrong {
        let comparison = compare(&core, &kernel(text), &RunOptions::default(), latencies);
        let first = comparison.first.unwrap_or_else(|| panic!("{latencies:?} is not found"));
        assert!(comparison.broken() && comparison.differing > 0 && first.predicted != first.measured);
        assert!(first.cycle < comparison.slots);
    }
}

#[test]
fn what_cannot_be_predicted_is_said() {
    let cfg = under("swas:lrr", CoreConfig { oracle: true, fpu: true, ..CoreConfig::default() });
    let disturbance = Disturbance { backpressure_percent: 30, jitter: 5 };
    let options = RunOptions { disturbance, ..RunOptions::default() };
    let comparison = compare(&simulation(&cfg), &kernel("vecadd:100"), &options, Latencies::of(&cfg));
    assert_eq!(comparison.reservations, [Reservation::Disturbance]);
    assert!(!comparison.equal() && !comparison.broken());
}
