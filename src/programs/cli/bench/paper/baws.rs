//! BAWS: barrier-aware warp scheduling.

use super::definition::Of::One;
use super::definition::{ipc, Claim, Fold, Machine, Paper, Program, Published::*, Variant};
use super::machines::{self, BANDWIDTH, FERMI_MEMORY, LANES, LATENCY, QUEUE};
use super::metric::Metric;
use spec::config::CoreConfig;

const fn at_barriers(what: &'static str, published: f64, of: &'static str) -> Claim {
    let (published, of) = (Value(published), One(of));
    Claim {
        what,
        place: "Fig. 1",
        published,
        metric: Metric::Barriers,
        of,
        to: None,
        over: &[],
        fold: Fold::Mean,
    }
}

const fn best(what: &'static str, published: f64, to: &'static str) -> Claim {
    Claim { fold: Fold::Highest, ..ipc(what, "abstract", Value(published), "BAWS", to, &[]) }
}

pub(in crate::cli::bench) const BAWS: Paper = Paper {
    key: "baws",
    summary: "the BAWS paper's: most waiting first and critical fetch first on kernels with many barriers",
    source: "Liu and others: Barrier-Aware Warp Scheduling for Throughput Processors, ICS 2016",
    machines: &[Machine {
        name: "like a GTX 480",
        core: || CoreConfig { fetch_width: 2, ..machines::fermi(48, 2, 8 * 1024) },
        memory: FERMI_MEMORY,
        table: &[
            ["warps", "48, in up to 8 blocks", "48, most programs in 4 blocks of 12"],
            LANES,
            ["schedulers", "2", "2"],
            QUEUE,
            ["instructions fetched at a time", "2, for empty queues (2.2)", "2 of a line, for empty queues"],
            ["data cache", "16 KB, 4 ways: 128 lines", "8 KB, 4 ways: 128 lines"],
            ["instruction cache", "2 KB, 4 ways", "2 KB, 4 ways, for each scheduler"],
            ["shared memory", "48 KB", "16 KB"],
            BANDWIDTH,
            LATENCY,
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
        Program::new("SP", "grid_dot", 8192),
        Program::new("MS", "grid_merge", 2048),
        Program::new("FWT", "grid_fwt", 8192),
        Program::new("MM", "grid_sgemm", 48),
        Program::new("STN", "grid_stencil", 128),
        Program::new("BT", "grid_btree", 1536),
        Program::new("HISTO", "grid_histogram", 16384),
        Program::new("SRAD2", "grid_srad", 64),
    ],
    metrics: &[Metric::Barriers, Metric::Exit, Metric::Rtru, Metric::Inactive],
    comparisons: &[],
    claims: &[
        ipc("IPC of BAWS to LRR", "abstract", Value(1.17), "BAWS", "LRR", &[]),
        best("the highest of them", 1.35, "LRR"),
        ipc("IPC of BAWS to GTO", "abstract", Value(1.09), "BAWS", "GTO", &[]),
        best("the highest of them", 1.30, "GTO"),
        ipc("IPC of GTO to LRR (1.17 / 1.09)", "abstract", Value(1.073), "GTO", "LRR", &[]),
        ipc("IPC of CFF at fetch to MWF alone", "1", More(1.0), "BAWS", "MWF(GTO)", &[]),
        at_barriers("part of the time at barriers, LRR", 0.30, "LRR"),
        at_barriers("part of the time at barriers, GTO", 0.37, "GTO"),
    ],
    notes: &[
        "BAWS is most-waiting-first at issue with GTO inside a block and critical-fetch-first at fetch; all others fetch \
         round-robin. The paper's per-program figures are charts without numbers. The time at barriers has that at the end \
         of a block in it, as in the paper. Of its 13 programs those are here whose algorithms the names tell: not TP, \
         OC, PVC, PVR, SS, MG.",
    ],
};
