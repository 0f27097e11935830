//! What options make of a core.

use clap::Parser;
use spec::config::{BusKind, CacheConfig, DataCacheConfig};

use super::*;

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    core: ConfigArgs,
}

fn parse(arguments: &[&str]) -> Result<ConfigArgs, clap::Error> {
    Program::try_parse_from([&["program"], arguments].concat()).map(|program| program.core)
}

fn resolve(arguments: &[&str]) -> Result<CoreConfig, UsageError> {
    parse(arguments).expect("arguments").resolve()
}

#[test]
fn without_arguments_it_is_the_default() {
    assert_eq!(resolve(&[]).unwrap(), CoreConfig::default());
}

#[test]
fn presets_give_way_to_files_and_files_to_options() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("core.toml");
    std::fs::write(&file, "warps = 6\nthreads = 8\nissue = \"fixed\"\n[icache]\nbytes = 4096\n").unwrap();
    let file = file.to_str().unwrap();
    let cfg = resolve(&["--preset", "large", "--config", file, "--threads", "2", "--icache", "8K"]).unwrap();
    let expected = CoreConfig {
        warps: 6,
        threads: 2,
        issue: "fixed".into(),
        icache: CacheConfig { bytes: 8192, ways: 1 },
        ..CoreConfig::preset("large").unwrap()
    };
    assert_eq!(cfg, expected);
}

#[test]
fn options_reach_their_fields() {
    let arguments =
        "--warps 8 --threads 2 --slices 2 --fetch fixed --issue lrr --queue 8 --icache 2048:4 --fetch-width 2 \
                     --local-mem 1K --kaws-sharing on --load-slots 4 --div-bits 4 --div-fixed --btfn --dcache 4K:2:wb --cache-banks 2 --mshrs 6 --bus axi4 --axi-data-bits 128 --no-counters \
                     --no-fpu --no-grid --no-trace-port";
    let cfg = resolve(&arguments.split_whitespace().collect::<Vec<_>>()).unwrap();
    let expected = CoreConfig {
        warps: 8,
        threads: 2,
        slices: 2,
        queue_depth: 8,
        icache: CacheConfig { bytes: 2048, ways: 4 },
        fetch_width: 2,
        local_mem_bytes: 1024,
        dcache: DataCacheConfig { bytes: 4096, ways: 2, write_back: true },
        cache_banks: 2,
        mshrs: 6,
        load_slots: 4,
        div_bits: 4,
        div_fixed: true,
        btfn: true,
        fpu: false,
        fetch: "fixed".into(),
        issue: "lrr".into(),
        kaws_sharing: Some(true),
        bus: BusKind::Axi4,
        axi_data_bits: 128,
        grid: false,
        counters: false,
        trace_port: false,
        ..CoreConfig::default()
    };
    assert_eq!(cfg, expected);
    for (value, recovers) in [("off", false), ("on", true)] {
        let cfg = resolve(&["--issue", "ipaws", "--ipaws-recover", value]).unwrap();
        assert_eq!(cfg.ipaws_recover, recovers);
    }
    assert!(resolve(&["--ipaws-recover", "off"]).unwrap_err().0.contains("--issue ipaws"));
    for (value, aware) in [("off", false), ("on", true)] {
        let cfg = resolve(&["--sched", "kaws", "--kaws-kernel-aware", value]).unwrap();
        assert_eq!(cfg.kaws_kernel_aware, aware);
    }
    assert!(resolve(&["--kaws-kernel-aware", "off"]).unwrap_err().0.contains("--issue kaws"));
    assert!(resolve(&["--kaws-sharing", "on"]).unwrap_err().0.contains("2 or 4 slices"));
    assert!(resolve(&["--sched", "kaws", "--slices", "2"]).unwrap().shares_warps());
    assert!(!resolve(&["--sched", "kaws", "--slices", "2", "--kaws-sharing", "off"]).unwrap().shares_warps());
    assert!(!resolve(&["--sched", "kaws"]).unwrap().shares_warps());
    let banked = resolve(&["--register-banks", "4", "--collectors", "3"]).unwrap();
    assert_eq!((banked.register_banks, banked.collectors), (4, 3));
    assert!(resolve(&["--collectors", "3"]).unwrap_err().0.contains("--register-banks"));
    assert_eq!(resolve(&["--threads", "8", "--fpu-slow-lanes", "2"]).unwrap().slow_lanes(), 2);
}

/// What random cores have of each parameter, spelled and read again.
#[test]
fn the_command_line_of_a_core_makes_it_again() {
    let usual = CoreConfig::default();
    for parameter in PARAMETERS {
        for value in parameter.tried() {
            let core = parameter.set(&usual, &value).unwrap();
            let Some(spelled) = parameter.spelled(&core) else { continue };
            let options: Vec<_> = spelled.split(' ').collect();
            let again = parse(&options).unwrap().resolve_but(usual.clone(), |_| true);
            match core.validate() {
                Ok(()) => assert_eq!(again.unwrap(), core, "{spelled}"),
                Err(_) => assert!(again.is_err(), "{spelled}"),
            }
        }
    }
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for both in [
        &["--fpu", "--no-fpu"][..],
        &["--dcache", "4K", "--no-dcache"],
        &["--sched", "lrr", "--fetch", "lrr"],
    ] {
        assert!(parse(both).is_err(), "{both:?}");
    }
}

#[test]
fn one_policy_for_both_stages() {
    for policy in registry::POLICIES {
        let arguments = ["program", "--sched", policy.key];
        assert_eq!(Program::try_parse_from(arguments).is_ok(), policy.stages.contains(&Stage::Issue));
    }
    for key in registry::keys(Stage::Issue) {
        let cfg = resolve(&["--sched", key]).unwrap();
        assert_eq!(cfg.issue, key);
        let policy = registry::find(key).unwrap();
        let fetches = policy.stages.contains(&Stage::Fetch);
        assert_eq!(cfg.fetch, if fetches { key } else { policy.at_fetch });
        assert!(registry::keys(Stage::Fetch).contains(&cfg.fetch.as_str()), "{}", cfg.fetch);
    }
}

#[test]
fn the_unified_scheduler_is_one_for_both_stages() {
    for (argument, key) in [("swas", registry::SWAS_DEFAULT)]
        .into_iter()
        .chain(registry::unified().map(|policy| (policy.key, policy.key)))
    {
        let cfg = resolve(&["--sched", argument]).unwrap();
        assert_eq!((cfg.fetch.as_str(), cfg.issue.as_str()), (key, key));
        assert_eq!(cfg.unified(), key.strip_prefix("swas:"));
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("core.toml");
    std::fs::write(&file, "fetch = \"swas:lrr\"\n").unwrap();
    let message = resolve(&["--config", file.to_str().unwrap()]).unwrap_err().0;
    assert!(message.contains("swas is one scheduler for both stages"), "{message}");
}

#[test]
fn all_violations_are_told_at_once() {
    let message = resolve(&["--warps", "65", "--threads", "3", "--queue", "5"]).unwrap_err().0;
    for field in ["warps", "threads", "queue_depth"] {
        assert!(message.contains(field), "{message}");
    }
}
