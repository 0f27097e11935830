//! MOTRR: memory instructions first, the oldest warp's before others, then round-robin.

use super::definition::Of::One;
use super::definition::{ipc, Claim, Fold, Machine, Paper, Program, Published::*, Variant};
use super::machines::{self, BANDWIDTH, FERMI_MEMORY, LANES, LATENCY, POLICIES, QUEUE};
use super::metric::Metric;

const RECENCY: &str = "MOTRR+Recency";

pub(in crate::cli::bench) const MOTRR: Paper = Paper {
    key: "motrr",
    summary: "the MOTRR paper's: memory instructions first on kernels that memory limits",
    source: "Kim, Kim, Kim: Latency Hiding based Warp Scheduling Policy for High Performance GPUs, 2019",
    machines: &[Machine {
        name: "like a GTX 480",
        core: || machines::fermi(32, 1, 8 * 1024),
        memory: FERMI_MEMORY,
        table: &[
            ["warps", "32 (1024 threads)", "32"],
            LANES,
            POLICIES,
            QUEUE,
            ["data cache", "16 KB, 4 ways: 128 lines", "8 KB, 4 ways: 128 lines"],
            ["instruction cache", "2 KB, 4 ways", "2 KB, 4 ways"],
            BANDWIDTH,
            LATENCY,
        ],
    }],
    baseline: "GTO",
    variants: &[
        Variant::new("LRR", "lrr", "lrr"),
        Variant::new("GTO", "lrr", "gtlo"),
        Variant::new("MTO", "lrr", "mto"),
        Variant::new("MOTRR", "lrr", "motrr"),
        Variant::new(RECENCY, "lrr", "motrr-recency"),
    ],
    programs: &[
        Program::new("LPS", "grid_laplace3d", 32),
        Program::new("STC", "grid_stencil", 128),
        Program::new("ATAX", "grid_atax", 192),
        Program::new("MVT", "grid_mvt", 192),
        Program::new("BICG", "grid_bicg", 192),
        Program::new("SQRNG", "grid_sobol", 1024),
        Program::new("MC", "grid_montecarlo", 32),
        Program::new("PF", "grid_pathfinder", 1536),
        Program::new("BFS", "grid_bfs", 2048),
    ],
    metrics: &[Metric::Misses, Metric::Pipeline],
    comparisons: &[],
    claims: &[
        ipc("IPC of MOTRR to LRR", "IV.2", Value(1.115), "MOTRR", "LRR", &[]),
        ipc("IPC of MOTRR to GTO", "IV.2", Value(1.044), "MOTRR", "GTO", &[]),
        ipc("IPC of MOTRR+Recency to LRR", "IV.2", Value(1.127), RECENCY, "LRR", &[]),
        ipc("IPC of MOTRR+Recency to GTO", "IV.2", Value(1.056), RECENCY, "GTO", &[]),
        ipc("MVT: MOTRR+Recency to MOTRR", "IV.2", Value(1.031), RECENCY, "MOTRR", &["MVT"]),
        ipc("IPC of MOTRR to MTO", "IV.2", More(1.0), "MOTRR", "MTO", &[]),
        ipc("LPS: GTO to LRR", "IV.2", Less(1.0), "GTO", "LRR", &["LPS"]),
        ipc("STC: GTO to LRR", "IV.2", Less(1.0), "GTO", "LRR", &["STC"]),
        ipc("SQRNG: GTO to LRR", "IV.2", Less(1.0), "GTO", "LRR", &["SQRNG"]),
        ipc("MC: GTO to LRR", "IV.2", Less(1.0), "GTO", "LRR", &["MC"]),
        ipc("ATAX: MOTRR+Recency to LRR", "IV.2", More(1.0), RECENCY, "LRR", &["ATAX"]),
        ipc("MVT: MOTRR+Recency to LRR", "IV.2", More(1.0), RECENCY, "LRR", &["MVT"]),
        ipc("BICG: MOTRR+Recency to LRR", "IV.2", More(1.0), RECENCY, "LRR", &["BICG"]),
        Claim {
            what: "cycles without issue for want of a unit, MOTRR+Recency to LRR",
            place: "Fig. 7",
            published: Value(0.77),
            metric: Metric::Pipeline,
            of: One(RECENCY),
            to: Some(One("LRR")),
            over: &[],
            fold: Fold::Mean,
        },
        Claim {
            what: "MC: miss rate of GTO to LRR",
            place: "Fig. 5",
            published: Value(2.8),
            metric: Metric::Misses,
            of: One("GTO"),
            to: Some(One("LRR")),
            over: &["MC"],
            fold: Fold::Mean,
        },
        Claim {
            what: "ATAX, MVT, BICG: miss rate of GTO to LRR",
            place: "Fig. 5",
            published: Less(1.0),
            metric: Metric::Misses,
            of: One("GTO"),
            to: Some(One("LRR")),
            over: &["ATAX", "MVT", "BICG"],
            fold: Fold::Mean,
        },
    ],
    notes: &[
        "IPC is put in relation to GTO, as in Fig. 8. ATAX, MVT and BICG have a thread for each row of a matrix, half as \
         many as fit; on the paper's GPU their 4096 rows are no more for each shader.",
    ],
};
