//! MOTRR: memory instructions first, the oldest warp's before others, then round-robin.

use super::definition::{ipc, ratio, Claim, Fold, Machine, Paper, Program, Published::*, Variant};
use super::machines::{self, BANDWIDTH, LANES, ONE, SECOND_CACHE, SLOW_FERMI_MEMORY, SLOW_FERMI_WITH_CACHE};
use super::metric::Metric;
use spec::config::CoreConfig;

const RECENCY: &str = "MOTRR+Recency";

pub(in crate::cli::bench) const MOTRR: Paper = Paper {
    key: "motrr",
    summary: "the MOTRR paper's: memory instructions first on kernels that memory limits",
    source: "Kim, Kim, Kim: Latency Hiding based Warp Scheduling Policy for High Performance GPUs, 2019",
    machines: &[Machine {
        name: "like a GTX 480",
        core: || CoreConfig { fetch_width: 2, ..machines::fermi(32, 1, 8 * 1024) },
        memory: SLOW_FERMI_MEMORY,
        memory_of_programs: SLOW_FERMI_WITH_CACHE,
        table: &[
            ["warps", "32 (1024 threads)", "32"],
            LANES,
            ["schedulers", "2", ONE],
            ["instructions queued for a warp", "2", "2"],
            ["instructions fetched at a time", "2, once those queued have gone (III.2)", "2 of a line, for empty queues"],
            ["data cache", "16 KB, 4 ways: 128 lines", "8 KB, 4 ways: 128 lines"],
            ["instruction cache", "2 KB, 4 ways", "2 KB, 4 ways"],
            BANDWIDTH,
            ["latency", "second cache over 100 cycles, DRAM 400 to 600 (III)", "500 cycles and queueing"],
            SECOND_CACHE,
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
        Program::new("LPS", "grid_laplace3d", 100).published("ispass2009", "LPS", &["SIDE_X=100", "SIDE_Y=100", "SIDE_Z=50"]),
        Program::new("STC", "grid_stencil", 112).published("parboil", "stencil", &["NX=128", "NY=128", "NZ=32"]),
        Program::new("ATAX", "grid_atax", 192).published("polybench", "atax", &["NX=1024", "NY=1024"]),
        Program::new("MVT", "grid_mvt", 192).published("polybench", "mvt", &["N=1024"]),
        Program::new("BICG", "grid_bicg", 192).published("polybench", "bicg", &["NX=1024", "NY=1024"]),
        Program::new("SQRNG", "grid_sobol", 1024).published("samples", "SobolQRNG", &["VECTORS=2000", "DIMENSIONS=20"]),
        Program::new("MC", "grid_montecarlo", 80).published("samples", "MonteCarlo", &["OPTIONS=24", "PATHS=5000", "BLOCKS=24"]),
        Program::new("PF", "grid_pathfinder", 10240).published("rodinia", "pathfinder", &["COLUMNS=10000"]),
        Program::new("BFS", "grid_bfs", 16384).published("ispass2009", "ispass-bfs", &["NODES=20000"]),
    ],
    metrics: &[Metric::UnderWay, Metric::Misses, Metric::Reservation, Metric::Pipeline],
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
        ipc("LPS, STC, SQRNG, MC: MTO to LRR", "IV.2", Less(1.0), "MTO", "LRR", &["LPS", "STC", "SQRNG", "MC"]),
        ratio("warps between issue and completion, LRR to GTO", "Fig. 2", Value(1.28), Metric::UnderWay, ["LRR", "GTO"], &[]),
        ratio("MC: miss rate of GTO to LRR", "Fig. 5", Value(2.8), Metric::Misses, ["GTO", "LRR"], &["MC"]),
        ratio("ATAX, MVT, BICG: miss rate of GTO to LRR", "Fig. 5", Less(1.0), Metric::Misses, ["GTO", "LRR"], &["ATAX", "MVT", "BICG"]),
        ratio("miss rate of MOTRR+Recency to LRR", "Fig. 5", Less(1.0), Metric::Misses, [RECENCY, "LRR"], &[]),
        Claim {
            fold: Fold::Total,
            ..ratio("reservation fails of all programs, MOTRR+Recency to LRR", "Fig. 6", Less(1.0), Metric::Reservation, [RECENCY, "LRR"], &[])
        },
        ratio("cycles without issue for want of a unit, MOTRR+Recency to LRR", "Fig. 7", Value(0.77), Metric::Pipeline, [RECENCY, "LRR"], &[]),
    ],
    absent: &[
        ["Fig. 1, Fig. 4", "drawings of the hardware"],
        ["Fig. 3", "a drawn example with unlimited resources; no program was run"],
        ["Fig. 6 with 16 MSHRs", "as many reads may be under way, and a line waits for those; no counter tells it. `--mshrs 8` has reservation fails"],
        ["Fig. 2, 5, 6, 7, 8, bars by program", "charts without numbers; what the text says of them is above"],
    ],
    notes: &[
        "IPC is put in relation to GTO, as in Fig. 8. ATAX, MVT and BICG have a thread for each row of a matrix, half as \
         many as fit; the 4096 rows of PolyBench's own inputs are no more for each shader of the paper's GPU, which \
         does not say how large its inputs are.",
    ],
};
