//! SWaS: one scheduler for fetch and issue, beside every pair of the policies that it combines.

use super::definition::Of::{Each, One};
use super::definition::{
    single, Claim, Comparison, Fold, Machine, Paper, Program, Published, Published::*, Variant,
};
use super::metric::Metric;
use spec::config::CoreConfig;

/// Pairs by name, fetch before issue; the oracles count what they do against their policy.
const fn with_oracles(name: &'static str, fetch: &'static str, issue: &'static str) -> Variant {
    Variant { more: |core| core.oracle = true, ..Variant::new(name, fetch, issue) }
}

const fn unified(key: &'static str) -> Variant {
    with_oracles(key, key, key)
}

/// The pair that the paper calls the best, and the scheduler over its issue policy.
const BEST: &str = "lrr-gtlrr";
const OVER_BEST: &str = "swas:gtlrr";
const SWAS_OF_ALL: &[&str] = &["swas:lrr", OVER_BEST, "swas:gtlo"];
const FETCH_GTLO: &[&str] = &["gtlo-lrr", "gtlo-gtlrr", "gtlo-gtlo"];
const OTHER_FETCH: &[&str] = &["lrr-lrr", BEST, "lrr-gtlo", "gtlrr-lrr", "gtlrr-gtlrr", "gtlrr-gtlo"];
const PAIRS: &[&str] = &[
    "lrr-lrr",
    BEST,
    "lrr-gtlo",
    "gtlrr-lrr",
    "gtlrr-gtlrr",
    "gtlrr-gtlo",
    FETCH_GTLO[0],
    FETCH_GTLO[1],
    FETCH_GTLO[2],
];

/// Of the best pair with one program.
const fn of_best(
    what: &'static str,
    place: &'static str,
    published: Published,
    metric: Metric,
    over: &'static [&'static str],
) -> Claim {
    single(what, place, published, metric, BEST, over)
}

/// Table I. Instructions of warps they must be: as threads' instructions, psort's would take fewer cycles than it has
/// errors, at any IPC of Fig. 4.
const fn instructions(what: &'static str, published: f64, over: &'static [&'static str]) -> Claim {
    of_best(what, "Table I", Value(published), Metric::ParallelInstructions, over)
}

const fn errors(what: &'static str, published: f64, over: &'static [&'static str]) -> Claim {
    of_best(what, "Table II", Value(published), Metric::Errors, over)
}

const fn load(what: &'static str, published: Published, over: &'static [&'static str]) -> Claim {
    of_best(what, "VI-B1", published, Metric::ParallelLoad, over)
}

/// Of SWaS to a pair, with one program.
const fn ratio(what: &'static str, published: f64, over: &'static [&'static str]) -> Claim {
    let (of, to) = (One(OVER_BEST), Some(One(BEST)));
    let published = Value(published);
    Claim { what, place: "Table II", published, metric: Metric::ParallelIpc, of, to, over, fold: Fold::Mean }
}

const fn over_gtlo(what: &'static str, over: &'static [&'static str]) -> Claim {
    Claim { place: "VI-B2", of: One("swas:gtlo"), to: Some(One("lrr-gtlo")), ..ratio(what, 0.37, over) }
}

/// "Twice lower".
const fn fetch_gtlo(what: &'static str, over: &'static [&'static str]) -> Claim {
    Claim { place: "VI-B1", of: Each(FETCH_GTLO), to: Some(Each(OTHER_FETCH)), ..ratio(what, 0.5, over) }
}

/// The lowest or highest of all pairs.
const fn of_pairs(
    what: &'static str,
    place: &'static str,
    published: f64,
    metric: Metric,
    over: &'static [&'static str],
    fold: Fold,
) -> Claim {
    Claim { what, place, published: Value(published), metric, of: Each(PAIRS), to: None, over, fold }
}

const fn to_pairs(place: &'static str, of: &'static str, to: &'static [&'static str]) -> Comparison {
    Comparison { place, metric: Metric::ParallelIpc, of, to }
}

fn paper_size() -> CoreConfig {
    CoreConfig::preset("paper").unwrap_or_default()
}

/// Loads of the programs whose latency is not told by itself (VI-B1).
const OTHERS: Published = Between(68.0, 98.0);
const SHAPE: [&str; 3] = ["warps x lanes", "32 x 32", "32 x 32"];

pub(in crate::cli::bench) const SWAS: Paper = Paper {
    key: "swas",
    summary: "the SWaS paper's: nine pairs of schedulers, their errors, and SWaS beside them",
    source: "Crouzet, Carle, Rochange: Coordinating the fetch and issue warp schedulers to increase the timing \
             predictability of GPUs, DSD 2024",
    machines: &[
        Machine {
            name: "with a data cache",
            core: paper_size,
            memory: "dram",
            memory_of_programs: "dram:hash=1",
            table: &[SHAPE, ["memory", "emulated DRAM", "DRAM behind a data cache"]],
        },
        Machine {
            name: "with slow loads",
            core: || {
                let mut core = paper_size();
                core.dcache.bytes = 0;
                core
            },
            memory: "fixed:60",
            memory_of_programs: "fixed:60",
            table: &[SHAPE, ["cycles of a load", "18 to 98", "67 to 137, without a data cache"]],
        },
    ],
    baseline: BEST,
    variants: &[
        with_oracles("lrr-lrr", "lrr", "lrr"),
        with_oracles(BEST, "lrr", "gtlrr"),
        with_oracles("lrr-gtlo", "lrr", "gtlo"),
        with_oracles("gtlrr-lrr", "gtlrr", "lrr"),
        with_oracles("gtlrr-gtlrr", "gtlrr", "gtlrr"),
        with_oracles("gtlrr-gtlo", "gtlrr", "gtlo"),
        with_oracles("gtlo-lrr", "gtlo", "lrr"),
        with_oracles("gtlo-gtlrr", "gtlo", "gtlrr"),
        with_oracles("gtlo-gtlo", "gtlo", "gtlo"),
        unified("swas:lrr"),
        unified(OVER_BEST),
        unified("swas:gtlo"),
    ],
    programs: &[
        Program::new("blackscholes", "blackscholes", 1024).published("samples", "BlackScholes", &["N=5000"]),
        Program::new("hotspot", "hotspot", 48).published("rodinia", "hotspot", &["SIDE=96"]),
        Program::new("hotspot3D", "hotspot3D", 32).published("rodinia", "hotspot3D", &[]),
        Program::new("kmeans", "kmeans", 1024).published("rodinia", "kmeans", &["POINTS=5000", "FEATURES=34"]),
        Program::new("psort", "psort", 1024),
        // The same as the plain loop that the paper describes (VI-B1): a taken branch after each key.
        Program::new("psort_loop", "psort_loop", 1024),
        Program::new("sgemm", "sgemm", 32),
    ],
    metrics: &[
        Metric::ParallelIpc,
        Metric::ErrorRate,
        Metric::Errors,
        Metric::Discrepancies,
        Metric::ParallelCycles,
        Metric::ParallelInstructions,
        Metric::ParallelLoad,
    ],
    comparisons: &[
        to_pairs("Fig. 6", OVER_BEST, &["lrr-gtlrr", "gtlrr-gtlrr", "gtlo-gtlrr"]),
        to_pairs("Fig. 7", "swas:gtlo", &["lrr-gtlo", "gtlrr-gtlo", "gtlo-gtlo"]),
        to_pairs("Fig. 8", "swas:lrr", &["lrr-lrr", "gtlrr-lrr", "gtlo-lrr"]),
    ],
    claims: &[
        ratio("blackscholes: IPC, swas:gtlrr to lrr-gtlrr", 1.02, &["blackscholes"]),
        ratio("hotspot: IPC, swas:gtlrr to lrr-gtlrr", 0.92, &["hotspot"]),
        ratio("hotspot3D: IPC, swas:gtlrr to lrr-gtlrr", 1.00, &["hotspot3D"]),
        ratio("kmeans: IPC, swas:gtlrr to lrr-gtlrr", 1.01, &["kmeans"]),
        ratio("psort: IPC, swas:gtlrr to lrr-gtlrr", 0.66, &["psort"]),
        ratio("psort_loop: IPC, swas:gtlrr to lrr-gtlrr", 0.66, &["psort_loop"]),
        ratio("sgemm: IPC, swas:gtlrr to lrr-gtlrr", 1.08, &["sgemm"]),
        over_gtlo("psort: IPC, swas:gtlo to lrr-gtlo", &["psort"]),
        over_gtlo("psort_loop: IPC, swas:gtlo to lrr-gtlo", &["psort_loop"]),
        fetch_gtlo("psort: IPC, fetch gtlo to the other two", &["psort"]),
        fetch_gtlo("psort_loop: IPC, fetch gtlo to the other two", &["psort_loop"]),
        of_pairs("lowest IPC of a pair", "Fig. 4", 1.07, Metric::ParallelIpc, &[], Fold::Lowest),
        of_pairs("highest IPC of a pair", "Fig. 4", 21.62, Metric::ParallelIpc, &[], Fold::Highest),
        of_pairs("lowest error rate of a pair, percent", "III-B", 0.10, Metric::ErrorRate, &[], Fold::Lowest),
        of_pairs("highest error rate of a pair, percent", "III-B", 81.12, Metric::ErrorRate, &[], Fold::Highest),
        of_pairs("hotspot3D: fewest errors of a pair", "VI-B1", 764.0, Metric::Errors, &["hotspot3D"], Fold::Lowest),
        of_pairs("hotspot3D: most errors of a pair", "VI-B1", 3037.0, Metric::Errors, &["hotspot3D"], Fold::Highest),
        Claim {
            what: "errors under SWaS, all programs and policies",
            place: "VI-B2",
            published: Value(0.0),
            metric: Metric::Errors,
            of: Each(SWAS_OF_ALL),
            to: None,
            over: &[],
            fold: Fold::Sum,
        },
        errors("blackscholes: errors of lrr-gtlrr", 16_657.0, &["blackscholes"]),
        errors("hotspot: errors of lrr-gtlrr", 3_147.0, &["hotspot"]),
        errors("hotspot3D: errors of lrr-gtlrr", 1_662.0, &["hotspot3D"]),
        errors("kmeans: errors of lrr-gtlrr", 23_643.0, &["kmeans"]),
        errors("psort: errors of lrr-gtlrr", 165_011.0, &["psort"]),
        errors("psort_loop: errors of lrr-gtlrr", 165_011.0, &["psort_loop"]),
        errors("sgemm: errors of lrr-gtlrr", 403.0, &["sgemm"]),
        instructions("blackscholes: warp instructions", 192_052.0, &["blackscholes"]),
        instructions("hotspot: warp instructions", 17_554.0, &["hotspot"]),
        instructions("hotspot3D: warp instructions", 39_971.0, &["hotspot3D"]),
        instructions("kmeans: warp instructions", 164_077.0, &["kmeans"]),
        instructions("psort: warp instructions", 492_237.0, &["psort"]),
        instructions("psort_loop: warp instructions", 492_237.0, &["psort_loop"]),
        instructions("sgemm: warp instructions", 1_728.0, &["sgemm"]),
        load("blackscholes: cycles of a load, lrr-gtlrr", OTHERS, &["blackscholes"]),
        load("hotspot: cycles of a load, lrr-gtlrr", OTHERS, &["hotspot"]),
        load("hotspot3D: cycles of a load, lrr-gtlrr", OTHERS, &["hotspot3D"]),
        load("kmeans: cycles of a load, lrr-gtlrr", Value(18.0), &["kmeans"]),
        load("psort: cycles of a load, lrr-gtlrr", Value(37.0), &["psort"]),
        load("psort_loop: cycles of a load, lrr-gtlrr", Value(37.0), &["psort_loop"]),
        load("sgemm: cycles of a load, lrr-gtlrr", OTHERS, &["sgemm"]),
    ],
    absent: &[],
    notes: &[
        "Pairs are fetch-issue. The paper's bars carry no numbers: of Figs. 4 to 8 there are those in its text and in \
         Table II, which stand in parentheses. It measured a variant of Vortex (v2) with other caches and latencies.",
        "IPC is in thread instructions a cycle. Counted are the cycles with more than one active warp, as the paper leaves the prologue out; where the issue \
         slots went, and the IPC to that of lrr-gtlrr beside it, are of whole runs.",
    ],
};
