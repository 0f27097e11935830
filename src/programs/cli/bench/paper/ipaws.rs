//! iPAWS: greedy or round-robin, by the pattern in which instructions issue.

use super::definition::Of::One;
use super::definition::{ipc, Claim, Fold, Machine, Paper, Program, Published, Published::*, Variant};
use super::machines::{self, BANDWIDTH, FERMI_MEMORY, LANES, LATENCY, POLICIES, QUEUE};
use super::metric::Metric;
use spec::config::CoreConfig;

/// A decision that the paper shows: the pattern is concave (0) or convex (1).
const fn decision(what: &'static str, convex: bool, over: &'static [&'static str]) -> Claim {
    let published = if convex { More(0.5) } else { Less(0.5) };
    let place = "Fig. 13";
    Claim {
        what,
        place,
        published,
        metric: Metric::Convex,
        of: One("iPAWS"),
        to: None,
        over,
        fold: Fold::Mean,
    }
}

/// The warps of interest that the paper found, in parts of the most that were resident.
const fn interest(what: &'static str, part: f64, over: &'static [&'static str]) -> Claim {
    Claim {
        what,
        place: "Table 3",
        published: Value(part),
        metric: Metric::Interest,
        of: One("iPAWS"),
        to: None,
        over,
        fold: Fold::Mean,
    }
}

/// The limit of the degree of convexity of programs of one kind.
const fn convexity(
    what: &'static str,
    published: Published,
    over: &'static [&'static str],
    fold: Fold,
) -> Claim {
    Claim { what, place: "4.1", published, metric: Metric::Convexity, of: One("iPAWS"), to: None, over, fold }
}

/// What the paper calls friendly to GTO, and to round-robin.
const GTO_FRIENDLY: &[&str] = &["KMN", "SPMV", "BFS", "BPT", "SRAD"];
const RR_FRIENDLY: &[&str] = &["LPS", "STN", "BLK", "SC"];
const NEUTRAL: &[&str] = &["VADD", "MMUL", "PDFR"];

pub(in crate::cli::bench) const IPAWS: Paper = Paper {
    key: "ipaws",
    summary: "the iPAWS paper's: greedy or round-robin by the pattern, and what it decided",
    source: "Lee and others: iPAWS: Instruction-Issue Pattern-based Adaptive Warp Scheduling for GPGPUs, HPCA 2016",
    machines: &[Machine {
        name: "like a GTX 480 with more cache",
        core: || machines::fermi(32, 1, 16 * 1024),
        memory: FERMI_MEMORY,
        table: &[
            ["warps", "48, most programs 28 to 48", "32"],
            LANES,
            POLICIES,
            QUEUE,
            ["data cache", "32 KB, 8 ways: 256 lines", "16 KB, 4 ways: 256 lines"],
            ["instruction cache", "not said", "2 KB, 4 ways"],
            ["shared memory", "48 KB", "16 KB"],
            BANDWIDTH,
            LATENCY,
        ],
    }],
    baseline: "GTO",
    variants: &[
        Variant::new("RR", "lrr", "lrr"),
        Variant::new("GTO", "lrr", "gtlo"),
        Variant::new("iPAWS", "lrr", "ipaws"),
        Variant {
            more: |core: &mut CoreConfig| core.ipaws_recover = false,
            ..Variant::new("iPAWS without Recover", "lrr", "ipaws")
        },
    ],
    programs: &[
        Program::new("KMN", "grid_kmeans", 2048),
        Program::new("SPMV", "grid_spmv_rows", 2048),
        Program::new("BFS", "grid_bfs", 2048),
        Program::new("BPT", "grid_btree", 1536),
        Program::new("SRAD", "grid_srad", 64),
        Program::new("LPS", "grid_laplace3d", 32),
        Program::new("STN", "grid_stencil", 128),
        Program::new("BLK", "grid_blackscholes", 2048),
        Program::new("SC", "grid_cluster", 2048),
        Program::new("SPMV-columns", "grid_spmv_columns", 2048),
        Program::new("VADD", "grid_vecadd", 8192),
        Program::new("MMUL", "grid_sgemm", 48),
        Program::new("PDFR", "grid_pathfinder", 1536),
    ],
    metrics: &[Metric::Convex, Metric::Interest, Metric::Convexity, Metric::Adapting, Metric::Misses],
    comparisons: &[],
    claims: &[
        ipc("friendly to RR: RR to GTO", "1", Value(1.43), "RR", "GTO", RR_FRIENDLY),
        ipc("friendly to GTO: GTO to RR", "1", Value(1.60), "GTO", "RR", GTO_FRIENDLY),
        ipc("SC: RR to GTO", "1", Value(4.3), "RR", "GTO", &["SC"]),
        ipc("KMN: GTO to RR", "1", Value(3.2), "GTO", "RR", &["KMN"]),
        ipc("BPT and SRAD: GTO to RR", "2.2", Value(1.2), "GTO", "RR", &["BPT", "SRAD"]),
        ipc("friendly to RR: iPAWS without Recover to GTO", "4.1", Value(1.69), "iPAWS without Recover", "GTO", RR_FRIENDLY),
        ipc("friendly to RR: iPAWS without Recover to RR", "4.1", Value(0.85), "iPAWS without Recover", "RR", RR_FRIENDLY),
        ipc("friendly to RR: iPAWS to iPAWS without Recover", "4.1", Value(1.15), "iPAWS", "iPAWS without Recover", RR_FRIENDLY),
        ipc("SC: iPAWS to iPAWS without Recover", "4.1", Value(2.3), "iPAWS", "iPAWS without Recover", &["SC"]),
        ipc("SC: iPAWS to RR", "4.1", Value(0.91), "iPAWS", "RR", &["SC"]),
        ipc("friendly to GTO: iPAWS to RR", "4.1", Value(1.38), "iPAWS", "RR", GTO_FRIENDLY),
        ipc("friendly to GTO: iPAWS to GTO", "4.1", Value(1.0), "iPAWS", "GTO", GTO_FRIENDLY),
        ipc("neutral: RR to GTO", "Table 2", Value(1.0), "RR", "GTO", NEUTRAL),
        ipc("SPMV with neighbours in columns: RR to GTO", "5.2", More(1.0), "RR", "GTO", &["SPMV-columns"]),
        decision("KMN: decisions for RR (its first grid; the second should be)", false, &["KMN"]),
        decision("SPMV: decisions for RR", false, &["SPMV"]),
        decision("BFS: decisions for RR", false, &["BFS"]),
        decision("BPT: decisions for RR", false, &["BPT"]),
        decision("SRAD: decisions for RR", false, &["SRAD"]),
        decision("LPS: decisions for RR", true, &["LPS"]),
        decision("STN: decisions for RR", true, &["STN"]),
        decision("BLK: decisions for RR", true, &["BLK"]),
        decision("SC: decisions for RR", true, &["SC"]),
        convexity("friendly to RR: lowest degree of convexity", More(1.3), RR_FRIENDLY, Fold::Lowest),
        convexity("friendly to GTO: highest degree of convexity", Less(0.85), GTO_FRIENDLY, Fold::Highest),
        interest("KMN: warps of interest of those resident", 24.0 / 48.0, &["KMN"]),
        interest("SPMV", 32.0 / 48.0, &["SPMV"]),
        interest("BFS", 32.0 / 48.0, &["BFS"]),
        interest("BPT", 1.0, &["BPT"]),
        interest("SRAD", 42.0 / 48.0, &["SRAD"]),
        interest("LPS", 24.0 / 32.0, &["LPS"]),
        interest("STN", 17.0 / 32.0, &["STN"]),
        interest("BLK", 18.0 / 32.0, &["BLK"]),
        interest("SC", 24.0 / 48.0, &["SC"]),
    ],
    notes: &[
        "IPC is put in relation to GTO, as in Fig. 11; all fetch round-robin. LBM, EIP, 3DFD, CFD and LEU are not here. A \
         grid is a kernel: iPAWS adapts in each.",
    ],
};
