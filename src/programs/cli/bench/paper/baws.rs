//! BAWS: barrier-aware warp scheduling.

use super::definition::Of::Each;
use super::definition::{
    ipc, ratio, single, Claim, Fold, Machine, Paper, Program, Published, Published::*, Variant,
};
use super::machines::{
    self, BANDWIDTH, BLOCKS, FERMI_MEMORY, FERMI_WITH_CACHE, LANES, LATENCY, SECOND_CACHE,
};
use super::metric::Metric;
use spec::config::CoreConfig;

const fn at_barriers(what: &'static str, published: f64, of: &'static str) -> Claim {
    single(what, "Fig. 1", Value(published), Metric::Barriers, of, WITH_BARRIERS)
}

/// A metric of GTO to that of LRR.
const fn gto(
    what: &'static str,
    place: &'static str,
    published: Published,
    metric: Metric,
    over: &'static [&'static str],
) -> Claim {
    ratio(what, place, published, metric, ["GTO", "LRR"], over)
}

/// The highest of LRR's and GTO's.
const fn highest(what: &'static str, place: &'static str, published: f64, metric: Metric) -> Claim {
    let (published, of) = (Value(published), Each(&["LRR", "GTO"]));
    Claim { what, place, published, metric, of, to: None, over: WITH_BARRIERS, fold: Fold::Highest }
}

const fn best(what: &'static str, published: f64, to: &'static str) -> Claim {
    Claim { fold: Fold::Highest, ..ipc(what, "abstract", Value(published), "BAWS", to, WITH_BARRIERS) }
}

const WITH_BARRIERS: &[&str] = &["SP", "MS", "FWT", "MM", "STN", "BT", "HISTO", "SRAD2"];
/// The paper does not name those that it measured.
const WITHOUT_BARRIERS: &[&str] = &["VADD", "SPMV", "BLK", "BFS", "ATAX"];

pub(in crate::cli::bench) const BAWS: Paper = Paper {
    key: "baws",
    summary: "the BAWS paper's: most waiting first and critical fetch first on kernels with many barriers",
    source: "Liu and others: Barrier-Aware Warp Scheduling for Throughput Processors, ICS 2016",
    machines: &[Machine {
        name: "like a GTX 480",
        core: || CoreConfig { fetch_width: 2, ..machines::fermi(48, 2, 8 * 1024) },
        memory: FERMI_MEMORY,
        memory_of_programs: FERMI_WITH_CACHE,
        table: &[
            ["warps", "48, in up to 8 blocks", "48, most programs in 4 blocks of 12"],
            BLOCKS,
            LANES,
            ["schedulers", "not said; a GTX 480 has 2", "2"],
            ["instructions queued for a warp", "for example 2 (2.1)", "2"],
            ["instructions fetched at a time", "not said; for empty queues (2.2)", "2 of a line, for empty queues"],
            ["data cache", "16 KB, 4 ways: 128 lines", "8 KB, 4 ways: 128 lines"],
            ["instruction cache", "2 KB, 4 ways", "2 KB, 4 ways, for each scheduler"],
            ["shared memory", "48 KB", "16 KB"],
            BANDWIDTH,
            LATENCY,
            SECOND_CACHE,
        ],
    }],
    baseline: "LRR",
    variants: &[
        Variant::new("LRR", "lrr", "lrr"),
        Variant::new("GTO", "lrr", "gtlo"),
        Variant::new("MWF(LRR)", "lrr", "mwf-lrr"),
        Variant::new("MWF(GTO)", "lrr", "mwf-gto"),
        Variant::new("BAWS(LRR)", "cff-lrr", "mwf-lrr"),
        Variant::new("BAWS", "cff", "mwf-gto"),
    ],
    programs: &[
        Program::new("SP", "grid_dot", 16384).published("samples", "scalarProd", &["VECTORS=48", "ELEMENTS=2000"]),
        Program::new("MS", "grid_merge", 16384).published("samples", "mergeSort", &["STAGES=3"]),
        Program::new("FWT", "grid_fwt", 32768).published("samples", "fastWalshTransform", &["LOG=13"]),
        Program::new("MM", "grid_sgemm", 104).published("samples", "matrixMul", &["HA=128", "WA=96", "WB=128"]),
        Program::new("STN", "grid_stencil", 112).published("parboil", "stencil", &["NX=128", "NY=128", "NZ=32"]),
        Program::new("BT", "grid_btree", 2048).published("rodinia", "b+tree", &["RECORDS=100000", "SEARCHES=600"]),
        Program::new("HISTO", "grid_histogram", 32768).published("samples", "histogram64", &["BYTES=262144", "PARTS=16"]),
        Program::new("SRAD2", "grid_srad", 112).published("rodinia", "srad", &["ROWS=112", "COLUMNS=112"]),
        Program::new("VADD", "grid_vecadd", 16384).published("samples", "vectorAdd", &[]),
        Program::new("SPMV", "grid_spmv_rows", 15360).published("parboil", "spmv", &["ROWS=10001"]),
        Program::new("BLK", "grid_blackscholes", 15360).published("samples", "BlackScholes", &["N=20000"]),
        Program::new("BFS", "grid_bfs", 8192).published("rodinia", "bfs", &["NODES=20000"]),
        Program::new("ATAX", "grid_atax", 192).published("polybench", "atax", &["NX=1024", "NY=1024"]),
    ],
    metrics: &[Metric::Barriers, Metric::Exit, Metric::Rtru, Metric::Inactive, Metric::Pipeline],
    comparisons: &[],
    claims: &[
        ipc("IPC of BAWS to LRR", "abstract", Value(1.17), "BAWS", "LRR", WITH_BARRIERS),
        best("the highest of them", 1.35, "LRR"),
        ipc("IPC of BAWS to GTO", "abstract", Value(1.09), "BAWS", "GTO", WITH_BARRIERS),
        best("the highest of them", 1.30, "GTO"),
        ipc("IPC of GTO to LRR (1.17 / 1.09)", "abstract", Value(1.073), "GTO", "LRR", WITH_BARRIERS),
        ipc("IPC of CFF at fetch to MWF alone", "1", More(1.0), "BAWS", "MWF(GTO)", WITH_BARRIERS),
        ratio("slots without an instruction, BAWS to MWF(GTO)", "1", Less(1.0), Metric::Idle, ["BAWS", "MWF(GTO)"], WITH_BARRIERS),
        ipc("without barriers: BAWS to GTO", "abstract", Value(1.0), "BAWS", "GTO", WITHOUT_BARRIERS),
        ipc("without barriers: BAWS to LRR", "abstract", Value(1.057), "BAWS", "LRR", WITHOUT_BARRIERS),
        Claim { over: WITHOUT_BARRIERS, ..best("the highest of them", 1.22, "LRR") },
        at_barriers("part of the time at barriers and ends of blocks, LRR", 0.30, "LRR"),
        at_barriers("part of the time at barriers and ends of blocks, GTO", 0.37, "GTO"),
        highest("the highest of them", "Fig. 1", 0.61, Metric::Barriers),
        ipc("FWT: GTO to LRR", "Fig. 4", More(1.0), "GTO", "LRR", &["FWT"]),
        gto("RTRU of GTO to LRR", "Fig. 5", More(1.0), Metric::Rtru, WITH_BARRIERS),
        gto("FWT", "Fig. 5", More(1.0), Metric::Rtru, &["FWT"]),
        gto("MM", "Fig. 5", More(1.0), Metric::Rtru, &["MM"]),
        gto("STN", "Fig. 5", More(1.0), Metric::Rtru, &["STN"]),
        highest("highest RTRU of LRR and GTO", "Fig. 5", 0.60, Metric::Rtru),
        gto("slots that wait for a unit, GTO to LRR", "2.2", Less(1.0), Metric::Pipeline, WITH_BARRIERS),
    ],
    absent: &[
        ["Fig. 1, Fig. 5, bars by program", "charts without numbers; what the text says of them is above, and ours by program on the page (`--out`)"],
        ["Fig. 2, 7, Table 1", "drawings; the order of Fig. 7 is a test of the scheduler"],
        ["Fig. 3, 4, 6", "time lines of single blocks: `sim --perfetto` draws such"],
        ["BAWS to SAWS", "SAWS does not exist here"],
        ["what follows 4.1.2", "the text that there is ends there"],
        ["OCTP, PVC, PVR, SS, MG", "the names do not tell the algorithms"],
    ],
    notes: &[
        "BAWS is most-waiting-first at issue with GTO inside a block and critical-fetch-first at fetch; all others fetch \
         round-robin. The paper's per-program figures are charts without numbers. The time at barriers has that at the end \
         of a block in it, as in the paper. Which programs \
         without barriers it measured it does not say; those here are ours.",
    ],
};
