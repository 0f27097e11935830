//! iPAWS: greedy or round-robin, by the pattern in which instructions issue.

use super::definition::Of::One;
use super::definition::{
    ipc, ratio, single, Claim, Fold, Machine, Paper, Program, Published, Published::*, Variant,
};
use super::machines::{
    self, BANDWIDTH, BLOCKS, FERMI_MEMORY, FERMI_WITH_CACHE, LANES, LATENCY, ONE, SECOND_CACHE,
};
use super::metric::Metric;
use spec::config::CoreConfig;

/// The decision that the paper shows: the pattern is concave (below 1) or convex.
const fn decision(what: &'static str, convex: bool, over: &'static [&'static str]) -> Claim {
    let published = if convex { More(1.0) } else { Less(1.0) };
    Claim { place: "Fig. 13", ..convexity(what, published, over, Fold::Mean) }
}

/// The warps of interest that the paper found, in parts of the most that were resident.
const fn interest(what: &'static str, part: f64, over: &'static [&'static str]) -> Claim {
    single(what, "Table 3", Value(part), Metric::Interest, "iPAWS", over)
}

/// The limit of the degree of convexity of programs of one kind.
const fn convexity(
    what: &'static str,
    published: Published,
    over: &'static [&'static str],
    fold: Fold,
) -> Claim {
    Claim {
        what,
        place: "Fig. 14",
        published,
        metric: Metric::Convexity,
        of: One("iPAWS"),
        to: None,
        over,
        fold,
    }
}

/// What the paper calls friendly to GTO, and to round-robin.
const GTO_FRIENDLY: &[&str] = &["KMN", "SPMV", "LBM", "BFS", "BPT", "EIP", "SRAD"];
const RR_FRIENDLY: &[&str] = &["LPS", "3DFD", "STN", "BLK", "CFD", "LEU", "SC"];
const NEUTRAL: &[&str] = &["VADD", "BKP", "MMUL", "PDFR", "RAY", "SCAN", "SAD", "BNEUO"];
const GTO_TO_RR: [&str; 2] = ["GTO", "RR"];
const RR_TO_GTO: [&str; 2] = ["RR", "GTO"];

pub(in crate::cli::bench) const IPAWS: Paper = Paper {
    key: "ipaws",
    summary: "the iPAWS paper's: greedy or round-robin by the pattern, and what it decided",
    source: "Lee and others: iPAWS: Instruction-Issue Pattern-based Adaptive Warp Scheduling for GPGPUs, HPCA 2016",
    machines: &[Machine {
        name: "like a GTX 480 with more cache",
        core: || machines::fermi(32, 1, 16 * 1024),
        memory: FERMI_MEMORY,
        memory_of_programs: FERMI_WITH_CACHE,
        table: &[
            ["warps", "48, most programs 28 to 48", "32"],
            BLOCKS,
            LANES,
            ["schedulers", "not said; a GTX 480 has 2", ONE],
            ["instructions queued for a warp", "not said", "2"],
            ["instructions fetched at a time", "not said", "1"],
            ["data cache", "32 KB, 8 ways: 256 lines", "16 KB, 4 ways: 256 lines"],
            ["instruction cache", "not said", "2 KB, 4 ways"],
            ["shared memory", "48 KB", "16 KB"],
            BANDWIDTH,
            LATENCY,
            SECOND_CACHE,
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
        Variant {
            more: |core: &mut CoreConfig| core.ipaws_block_counts = true,
            ..Variant::new("iPAWS, counts by block", "lrr", "ipaws")
        },
    ],
    programs: &[
        Program::new("KMN", "grid_kmeans", 10240).published("rodinia", "kmeans", &["POINTS=10000", "FEATURES=34"]),
        Program::new("SPMV", "grid_spmv_rows", 10240).published("parboil", "spmv", &["ROWS=10001"]),
        Program::new("BFS", "grid_bfs", 32768).by_longest().published("rodinia", "bfs", &["NODES=20000"]),
        Program::new("BPT", "grid_btree", 1536).published("rodinia", "b+tree", &["RECORDS=100000", "SEARCHES=600"]),
        Program::new("SRAD", "grid_srad", 112).published("rodinia", "srad", &["ROWS=112", "COLUMNS=112"]),
        Program::new("LPS", "grid_laplace3d", 100).published("ispass2009", "LPS", &["SIDE_X=100", "SIDE_Y=100", "SIDE_Z=50"]),
        Program::new("STN", "grid_stencil_cached", 128).published("parboil", "stencil", &["NX=128", "NY=128", "NZ=32"]),
        Program::new("BLK", "grid_blackscholes", 10240).published("samples", "BlackScholes", &["N=20000"]),
        Program::new("SC", "grid_cluster", 10240).published("rodinia", "streamcluster", &["POINTS=8000", "DIMENSIONS=256"]),
        Program::new("SC-few", "grid_cluster_few", 10240).published_as("rodinia", "streamcluster", &["POINTS=8000", "DIMENSIONS=8"], "streamcluster of 8"),
        Program::new("SPMV-columns", "grid_spmv_columns", 10240),
        Program::new("VADD", "grid_vecadd", 16384).published("samples", "vectorAdd", &[]),
        Program::new("MMUL", "grid_sgemm", 104).published("samples", "matrixMul", &["HA=128", "WA=96", "WB=128"]),
        Program::new("PDFR", "grid_pathfinder", 10240).published("rodinia", "pathfinder", &["COLUMNS=10000"]),
        Program::itself("LBM", "parboil", "lbm", &["SIZE_X=60", "SIZE_Y=8", "SIZE_Z=8"]),
        Program::itself("EIP", "samples", "MC_EstimatePiInlineP", &["POINTS=100000", "BLOCKS=16"]),
        Program::itself("3DFD", "samples", "FDTD3d", &["NX=96", "NY=48", "NZ=8", "BLOCK_Y=8"]),
        Program::itself("CFD", "rodinia", "cfd", &["CUBES_X=8", "CUBES_Y=6", "CUBES_Z=4"]).by_longest(),
        Program::itself("LEU", "rodinia", "leukocyte", &["M=110", "N=80"]),
        Program::itself("BKP", "rodinia", "backprop", &[]),
        Program::itself("RAY", "ispass2009", "RAY", &["WIDTH=64", "HEIGHT=32"]),
        Program::itself("SCAN", "samples", "scan", &["BATCHES=32"]),
        Program::itself("SAD", "parboil", "sad", &["WIDTH=8", "HEIGHT=6"]),
        Program::itself("BNEUO", "samples", "binomialOptions", &["OPTIONS=8"]),
    ],
    metrics: &[Metric::Convex, Metric::Interest, Metric::Convexity, Metric::Adapting, Metric::Misses, Metric::OpenRows, Metric::Read],
    comparisons: &[],
    claims: &[
        ipc("friendly to RR: RR to GTO", "1", Value(1.43), "RR", "GTO", RR_FRIENDLY),
        ipc("friendly to GTO: GTO to RR", "1", Value(1.60), "GTO", "RR", GTO_FRIENDLY),
        ipc("SC: RR to GTO", "1", Value(4.3), "RR", "GTO", &["SC"]),
        Claim { fold: Fold::Highest, ..ipc("the highest of them", "1", Value(3.2), "GTO", "RR", GTO_FRIENDLY) },
        ipc("BPT and SRAD: GTO to RR", "2.2", Value(1.2), "GTO", "RR", &["BPT", "SRAD"]),
        ipc("LEU: RR to GTO", "4.1", More(1.0), "RR", "GTO", &["LEU"]),
        ipc("friendly to RR: iPAWS without Recover to GTO", "4.1", Value(1.69), "iPAWS without Recover", "GTO", RR_FRIENDLY),
        ipc("friendly to RR: iPAWS without Recover to RR", "4.1", Value(0.85), "iPAWS without Recover", "RR", RR_FRIENDLY),
        ipc("friendly to RR: iPAWS to iPAWS without Recover", "4.1", Value(1.15), "iPAWS", "iPAWS without Recover", RR_FRIENDLY),
        ipc("SC: iPAWS to iPAWS without Recover", "4.1", Value(2.3), "iPAWS", "iPAWS without Recover", &["SC"]),
        ipc("SC: iPAWS to RR", "4.1", Value(0.91), "iPAWS", "RR", &["SC"]),
        ipc("friendly to GTO: iPAWS to RR", "4.1", Value(1.38), "iPAWS", "RR", GTO_FRIENDLY),
        ipc("friendly to GTO: iPAWS to GTO", "4.1", Value(1.0), "iPAWS", "GTO", GTO_FRIENDLY),
        ipc("friendly to RR: counts by block to by warp", "3.5", Value(1.0), "iPAWS, counts by block", "iPAWS", RR_FRIENDLY),
        ipc("friendly to GTO: counts by block to by warp", "3.5", Value(1.0), "iPAWS, counts by block", "iPAWS", GTO_FRIENDLY),
        ipc("neutral: RR to GTO", "Table 2", Value(1.0), "RR", "GTO", NEUTRAL),
        ipc("SPMV with neighbours in columns: RR to GTO", "5.2", More(1.0), "RR", "GTO", &["SPMV-columns"]),
        ipc("SC with few coordinates: GTO to RR", "Fig. 17, 5.2", More(1.0), "GTO", "RR", &["SC-few"]),
        single("SC: lookups that miss, RR", "1", Value(0.62), Metric::Misses, "RR", &["SC"]),
        single("SC: lookups that miss, GTO", "1", Value(0.91), Metric::Misses, "GTO", &["SC"]),
        ratio("KMN, SPMV, BFS: miss rate of GTO to RR", "Fig. 4a", Less(1.0), Metric::Misses, GTO_TO_RR, &["KMN", "SPMV", "BFS"]),
        ratio("BPT, SRAD: miss rate of GTO to RR", "Fig. 4a", Value(1.0), Metric::Misses, GTO_TO_RR, &["BPT", "SRAD"]),
        ratio("LPS: miss rate of GTO to RR (misses of lines that other warps use: 1.22)", "Fig. 4b", More(1.0), Metric::Misses, GTO_TO_RR, &["LPS"]),
        ratio("SC: miss rate of GTO to RR (misses of lines that other warps use: 1.21)", "Fig. 4b", More(1.0), Metric::Misses, GTO_TO_RR, &["SC"]),
        ratio("CFD: miss rate of GTO to RR", "2.2, Fig. 4b", More(1.0), Metric::Misses, GTO_TO_RR, &["CFD"]),
        ratio("BLK: requests that find the row open, RR to GTO", "Fig. 5a", More(1.0), Metric::OpenRows, RR_TO_GTO, &["BLK"]),
        ratio("BPT, SRAD: cycles of a read from memory, GTO to RR", "Fig. 5b", Less(1.0), Metric::Read, GTO_TO_RR, &["BPT", "SRAD"]),
        single("SC: part of the cycles in Adapt and Recover", "Fig. 12", More(0.3), Metric::Adapting, "iPAWS", &["SC"]),
        single("LEU", "Fig. 12", More(0.3), Metric::Adapting, "iPAWS", &["LEU"]),
        Claim {
            fold: Fold::Highest,
            ..single("all others but LEU: highest part in Adapt and Recover", "Fig. 12", Less(0.1), Metric::Adapting, "iPAWS", &["KMN", "SPMV", "LBM", "BFS", "BPT", "EIP", "SRAD", "LPS", "3DFD", "STN", "BLK", "CFD"])
        },
        decision("KMN, first grid: degree of convexity", false, &["KMN"]),
        decision("SPMV", false, &["SPMV"]),
        decision("LBM", false, &["LBM"]),
        decision("BFS, widest level", false, &["BFS"]),
        decision("BPT", false, &["BPT"]),
        decision("EIP", false, &["EIP"]),
        decision("SRAD", false, &["SRAD"]),
        decision("LPS", true, &["LPS"]),
        decision("3DFD", true, &["3DFD"]),
        decision("STN", true, &["STN"]),
        decision("BLK", true, &["BLK"]),
        decision("CFD, longest grid", true, &["CFD"]),
        decision("LEU", true, &["LEU"]),
        decision("SC", true, &["SC"]),
        convexity("friendly to RR: lowest degree of convexity", More(1.3), RR_FRIENDLY, Fold::Lowest),
        convexity("friendly to GTO: highest degree of convexity", Less(0.85), GTO_FRIENDLY, Fold::Highest),
        convexity("neutral: degree of convexity", Value(1.0), NEUTRAL, Fold::Mean),
        ratio("KMN, first grid: cycles of RR to GTO", "Fig. 17, 5.1", More(1.0), Metric::FirstGrid, RR_TO_GTO, &["KMN"]),
        ratio("KMN, second grid: cycles of RR to GTO", "Fig. 17, 5.1", Less(1.0), Metric::LastGrid, RR_TO_GTO, &["KMN"]),
        single("KMN: decisions for RR of its two grids", "5.1", Between(0.5, 0.5), Metric::Convex, "iPAWS", &["KMN"]),
        ipc("KMN of 32 dimensions: iPAWS to GTO", "5.1", Value(1.1), "iPAWS", "GTO", &["KMN"]),
        interest("KMN: warps of interest of those resident", 24.0 / 48.0, &["KMN"]),
        interest("SPMV", 32.0 / 48.0, &["SPMV"]),
        interest("LBM", 18.0 / 28.0, &["LBM"]),
        interest("BFS", 32.0 / 48.0, &["BFS"]),
        interest("BPT", 1.0, &["BPT"]),
        interest("EIP", 21.0 / 40.0, &["EIP"]),
        interest("SRAD", 42.0 / 48.0, &["SRAD"]),
        interest("LPS", 24.0 / 32.0, &["LPS"]),
        interest("3DFD", 22.0 / 32.0, &["3DFD"]),
        interest("STN", 17.0 / 32.0, &["STN"]),
        interest("BLK", 18.0 / 32.0, &["BLK"]),
        interest("CFD", 14.0 / 18.0, &["CFD"]),
        interest("LEU", 9.0 / 10.0, &["LEU"]),
        interest("SC", 24.0 / 48.0, &["SC"]),
    ],
    absent: &[
        ["Fig. 2, 3, 6, 7", "drawings and the text of a loop"],
        ["Fig. 4, 18, 20", "hits by which warp loaded the line, and hits of a second cache by warp: no counter tells them"],
        ["Fig. 8", "a worked example, which is a test of the scheduler"],
        ["Fig. 9", "PFT's program is not named; the page draws the patterns of the programs with barriers that are here"],
        ["Fig. 10", "the pattern after Recover is not recorded; the page draws those after Adapt"],
        ["Fig. 15, 19", "CCWS, MASCAR and the adaptation by locality do not exist here"],
        ["Fig. 16, Table 4", "a core runs one grid at a time"],
        ["Fig. 17, other inputs", "no numbers in the text; those whose sides it tells are above"],
        ["iPAWS_ind_cores (5.4)", "there is one core"],
        ["LBM, EIP, 3DFD, CFD, LEU; BKP, RAY, SCAN, SAD, BNEUO", "no kernels stand for them: with --suites alone"],
        ["MUM, FFT", "there are no such programs"],
    ],
    notes: &[
        "IPC is put in relation to GTO, as in Fig. 11; all fetch round-robin. A grid is a kernel: iPAWS adapts in each; \
         what it decided by is that of the first grid, of BFS and CFD that of the longest, for BFS its widest level.",
    ],
};
