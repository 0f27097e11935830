//! The simulators of whole cores that tests use, by name: each is built once, whoever asks first, and linted meanwhile.
//! `scripts/test.sh` builds them all before it runs the other tests, the largest first.
//!
//! A new configuration costs every later run some seconds: use one that is here, or say what it is for.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};

use cosim::verilator::{BuildOptions, Profile};
use cosim::{SideBySide, Simulation};
use files::default_cache_dir;
use spec::config::{BusKind, CacheConfig, CoreConfig, DataCacheConfig};
use spec::registry::{self, Stage};

use crate::sample;

/// How tests build: soon, and with Verilator's warnings as errors. From such a build an instance starts as zeros too.
pub fn options() -> BuildOptions {
    BuildOptions { lint: true, random_reset: true, ..BuildOptions::draft() }
}

/// Puts Verilator's run-time library into a cache of a test's own, as far as the usual cache has it: it takes longer to compile
/// than the simulator of a small core.
pub fn share_runtime(cache: &Path) {
    for entry in fs::read_dir(default_cache_dir().unwrap()).into_iter().flatten().flatten() {
        let (from, to) = (entry.path(), cache.join(entry.file_name()));
        if from.extension().is_some_and(|e| e == "runtime") && fs::create_dir_all(&to).is_ok() {
            for file in fs::read_dir(from).into_iter().flatten().flatten() {
                // Whole or not there: what is missing is compiled, and must not write into the usual cache.
                let _ = fs::copy(file.path(), to.join(file.file_name()));
            }
        }
    }
}

/// How those are built that run for more cycles than a slow simulator has time for.
fn options_of(name: &str) -> BuildOptions {
    let profile = if LONG_RUNS.contains(&name) { Profile::Quick } else { Profile::Draft };
    BuildOptions { profile, ..options() }
}

/// Those that run for longer than it takes to compile them better.
const LONG_RUNS: &[&str] = &["small", "alone", "swas", "pairs", "pairs of slices"];

/// A simulator, or several cores in one.
enum Simulator {
    Core(CoreConfig),
    /// Every unified scheduler of the registry, in its order.
    Unified(CoreConfig),
    /// Every pair of these fetch and issue policies.
    Pairs(CoreConfig, Vec<&'static str>, Vec<&'static str>),
}

/// All of them, the slowest to build first.
fn all() -> Vec<(&'static str, Simulator)> {
    use Simulator::{Core, Pairs, Unified};
    let small = CoreConfig::default();
    let integer = CoreConfig { fpu: false, ..small.clone() };
    let medium = CoreConfig::preset("medium").unwrap();
    let icache = |bytes, ways| CacheConfig { bytes, ways };
    let dcache = |bytes, ways, write_back| DataCacheConfig { bytes, ways, write_back };
    let scheduled =
        |fetch: &str, issue: &str, cfg| CoreConfig { fetch: fetch.into(), issue: issue.into(), ..cfg };
    let swas = |key: &str, cfg| CoreConfig { oracle: true, ..scheduled(key, key, cfg) };
    let all = |warps, threads, slices, fpu| {
        let base = CoreConfig { warps, threads, slices, fpu, icache: icache(1024, 1), ..small.clone() };
        Pairs(base, registry::keys(Stage::Fetch), registry::keys(Stage::Issue))
    };
    let shared = |register_banks, simulator| match simulator {
        Pairs(base, fetch, issue) => Pairs(
            CoreConfig {
                kaws_sharing: Some(true),
                register_banks,
                collectors: 1,
                warp_dispatch: true,
                cta_slots: 5,
                ..base
            },
            fetch,
            issue,
        ),
        other => other,
    };
    let oracle = CoreConfig { oracle: true, ..small.clone() };
    let axi = CoreConfig { bus: BusKind::Axi4, grid: false, ..integer.clone() };
    let counted = CoreConfig { warps: 2, threads: 2, ..integer.clone() };
    vec![
        ("swas medium", Unified(CoreConfig { oracle: true, ..medium.clone() })),
        ("medium", Core(medium)),
        ("swas", Unified(oracle.clone())),
        ("oracles", Pairs(oracle, vec!["lrr", "gtlo"], vec!["lrr", "gtlo"])),
        ("small", Core(small.clone())),
        // The slow floating-point unit serves one lane of four at a time, below two of four and one of two. Other dividers
        // than the usual one.
        (
            "swas slow lanes",
            Core(swas("swas:gtlrr", CoreConfig { fpu_slow_lanes: 1, div_bits: 1, ..small.clone() })),
        ),
        // Two slices that share warps, fewer CTA slots than warps, small caches and queues, two banks of the data cache that serve
        // two accesses at once, branch prediction, skewed local memory.
        (
            "wide",
            Core(CoreConfig {
                warps: 8,
                stack_interleave: true,
                cross_lane: true,
                local_mem_skew: true,
                slices: 2,
                cta_slots: 3,
                queue_depth: 2,
                icache: icache(256, 1),
                dcache: dcache(512, 2, false),
                cache_banks: 2,
                lsu_accesses: 2,
                mshrs: 3,
                fpu_slow_lanes: 2,
                btfn: true,
                kaws_sharing: Some(true),
                ..scheduled("icount", "gtlo", small.clone())
            }),
        ),
        // Registers in banks behind operand collectors, branch prediction, two words an access to the instruction cache.
        (
            "banked",
            Core(CoreConfig {
                warps: 8,
                cross_lane: true,
                threads: 2,
                slices: 2,
                btfn: true,
                atomics: true,
                warp_dispatch: true,
                cta_slots: 3,
                register_banks: 4,
                fetch_width: 2,
                dcache: dcache(512, 2, false),
                mshrs: 3,
                ..scheduled("lrr", "gtlo", small.clone())
            }),
        ),
        // One warp of one lane: with a data cache and without.
        (
            "alone",
            Core(CoreConfig {
                warps: 1,
                cross_lane: true,
                threads: 1,
                icache: icache(128, 1),
                dcache: dcache(0, 1, false),
                load_slots: 1,
                ..scheduled("srr", "lo", small.clone())
            }),
        ),
        (
            "swas alone",
            Core(CoreConfig {
                warps: 1,
                threads: 1,
                icache: icache(128, 1),
                load_slots: 1,
                ..swas("swas:lrr", small.clone())
            }),
        ),
        // An odd number of warps, write-back.
        (
            "odd",
            Core(CoreConfig {
                warps: 3,
                stack_interleave: true,
                threads: 2,
                cta_slots: 2,
                atomics: true,
                dcache: dcache(256, 4, true),
                mshrs: 2,
                ..scheduled("fixed", "fixed", integer.clone())
            }),
        ),
        // Instruction caches of one, two and four lines.
        (
            "swas one line",
            Core(CoreConfig {
                warps: 3,
                icache: icache(64, 1),
                dcache: dcache(0, 1, false),
                fpu_slow_lanes: 2,
                ..swas("swas:gtlo", small.clone())
            }),
        ),
        (
            "swas two ways",
            Core(CoreConfig {
                warps: 8,
                threads: 2,
                icache: icache(256, 2),
                dcache: dcache(256, 2, false),
                mshrs: 2,
                div_bits: 4,
                ..swas("swas:gtlrr", small.clone())
            }),
        ),
        (
            "swas four lines",
            Core(CoreConfig {
                stack_interleave: true,
                threads: 2,
                cross_lane: true,
                icache: icache(256, 1),
                fpu_slow_lanes: 1,
                div_fixed: true,
                ..swas("swas:lrr", small.clone())
            }),
        ),
        // Every fetch policy with every issue policy.
        ("pairs", all(3, 2, 1, true)),
        // The same with warps shared between two slices, which have one operand collector a class.
        ("pairs of slices", shared(2, all(6, 1, 2, false))),
        ("slices", Core(CoreConfig { warps: 8, threads: 2, slices: 2, ..integer.clone() })),
        // And between four, which is the same to all policies: one that goes round, one that is greedy, and those that know blocks.
        // Two words an access, as many as a queue holds.
        (
            "four slices",
            shared(
                0,
                Pairs(
                    CoreConfig {
                        warps: 8,
                        threads: 1,
                        slices: 4,
                        atomics: true,
                        queue_depth: 2,
                        fetch_width: 2,
                        icache: icache(1024, 1),
                        dcache: dcache(512, 2, false),
                        cache_banks: 2,
                        lsu_accesses: 2,
                        ..integer.clone()
                    },
                    vec!["lrr"],
                    vec!["lrr", "gtlo", "mwf-gto", "kaws"],
                ),
            ),
        ),
        // More warps than a word has bits: shared between slices, and under one scheduler for both stages.
        (
            "many",
            Core(CoreConfig {
                warps: 64,
                threads: 1,
                slices: 2,
                counters: false,
                warp_dispatch: true,
                cta_slots: 33,
                kaws_sharing: Some(true),
                ..scheduled("lrr", "lrr", integer.clone())
            }),
        ),
        ("many swas", Core(CoreConfig { warps: 33, threads: 1, ..swas("swas:gtlo", integer.clone()) })),
        // What else may lie between slices and memory.
        (
            "slices write-back axi",
            Core(CoreConfig {
                threads: 1,
                slices: 2,
                dcache: dcache(256, 2, true),
                cache_banks: 2,
                lsu_accesses: 2,
                atomics: true,
                mshrs: 2,
                bus: BusKind::Axi4,
                ..integer.clone()
            }),
        ),
        (
            "slices uncached",
            Core(CoreConfig {
                threads: 1,
                slices: 4,
                btfn: true,
                dcache: dcache(0, 1, false),
                // Without effect where all accesses go the same way.
                lsu_accesses: 2,
                ..integer.clone()
            }),
        ),
        ("axi", Core(axi.clone())),
        ("axi 512", Core(CoreConfig { threads: 2, axi_data_bits: 512, ..axi.clone() })),
        // Blocks of many lanes: write-back in four banks, branch prediction, skewed local memory, and no floating point.
        (
            "grid",
            Core(CoreConfig {
                stack_interleave: true,
                threads: 8,
                cross_lane: true,
                local_mem_skew: true,
                btfn: true,
                warp_dispatch: true,
                dcache: dcache(512, 2, true),
                cache_banks: 4,
                mshrs: 2,
                ..scheduled("gtlo", "gtlo", integer.clone())
            }),
        ),
        // Small cores whose events can be counted by hand.
        ("counted slices", Core(CoreConfig { slices: 2, ..counted.clone() })),
        (
            "counted axi",
            Core(CoreConfig { dcache: dcache(256, 1, false), bus: BusKind::Axi4, ..counted.clone() }),
        ),
        (
            "counted axi alone",
            Core(CoreConfig { dcache: dcache(0, 1, false), bus: BusKind::Axi4, ..counted.clone() }),
        ),
        ("counted write-back", Core(CoreConfig { dcache: dcache(16 * 1024, 1, true), ..counted.clone() })),
        ("counted one MSHR", Core(CoreConfig { mshrs: 1, ..counted.clone() })),
        ("counted", Core(counted.clone())),
        ("without counters", Core(CoreConfig { counters: false, grid: false, ..counted })),
    ]
}

type Simulators = BTreeMap<&'static str, (Simulator, OnceLock<Vec<Simulation>>)>;
static SIMULATORS: LazyLock<Simulators> = LazyLock::new(|| {
    all().into_iter().map(|(name, simulator)| (name, (simulator, OnceLock::new()))).collect()
});

/// Every core of a simulator.
pub fn cores(name: &str) -> &'static [Simulation] {
    let (simulator, built) =
        SIMULATORS.get(name).unwrap_or_else(|| panic!("{name} is not in the simulators"));
    built.get_or_init(|| match simulator {
        Simulator::Core(cfg) => {
            assert_eq!(cfg.validate(), Ok(()), "{name}");
            vec![Simulation::new(cfg, &options_of(name)).unwrap_or_else(|e| panic!("{name}: {e}"))]
        }
        Simulator::Unified(base) => {
            let keys: Vec<_> = registry::unified().map(|policy| policy.key).collect();
            side_by_side(name, SideBySide::unified(base, &keys).unwrap())
        }
        Simulator::Pairs(base, fetches, issues) => {
            side_by_side(name, SideBySide::pairs(base, fetches, issues).unwrap())
        }
    })
}

fn side_by_side(name: &str, cores: SideBySide) -> Vec<Simulation> {
    cores.simulations(&options_of(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Every policy of the issue stage on a core of that shape, each with all of the fetch stage or for both: for long runs.
pub fn every_policy(base: &CoreConfig) -> Vec<Simulation> {
    let (fetches, issues) = (registry::keys(Stage::Fetch), registry::keys(Stage::Issue));
    let unified: Vec<_> = registry::unified().map(|policy| policy.key).collect();
    let both = [SideBySide::pairs(base, &fetches, &issues), SideBySide::unified(base, &unified)];
    let options = BuildOptions { profile: Profile::Quick, ..options() };
    both.into_iter().flat_map(|cores| cores.unwrap().simulations(&options).unwrap()).collect()
}

/// A simulator's only core.
pub fn core(name: &str) -> &'static Simulation {
    match cores(name) {
        [core] => core,
        _ => panic!("{name} has several cores"),
    }
}

/// One of a simulator's cores, which the seed chooses.
pub fn one(name: &str) -> &'static Simulation {
    let cores = cores(name);
    &cores[sample::seed() as usize % cores.len()]
}

/// The core of a simulator under a policy at the issue stage and, if it is not a pair, at both.
pub fn under(name: &str, key: &str) -> &'static Simulation {
    let is = |core: &&Simulation| core.config().issue == key && core.config().fetch == key;
    cores(name).iter().find(is).unwrap_or_else(|| panic!("{name} has no {key}"))
}

#[test]
fn every_simulator_can_be_built_without_a_warning() {
    let names: Vec<_> = all().into_iter().map(|(name, _)| name).collect();
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let built = cores(name).iter().any(|core| core.built_now);
                    let time = cores(name)[0].build_time.as_secs_f64();
                    println!("{name}: {time:.1} s{}", if built { "" } else { ", from the cache" });
                }
            });
        }
    });
}
