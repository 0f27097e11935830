//! KAWS: another priority once the last block is dispatched, and warps shared between schedulers.

use super::definition::Of::One;
use super::definition::{
    ipc, ratio, Claim, Comparison, Machine, Paper, Program, Published, Published::*, Variant,
};
use super::machines::{self, PASCAL_MEMORY, PASCAL_WITH_CACHE};
use super::metric::Metric;

/// An issue policy whose slices share no warps.
const fn alone(name: &'static str, issue: &'static str) -> Variant {
    Variant { name, fetch: "lrr", issue, more: |core| core.kaws_sharing = Some(false) }
}

const fn last_block(what: &'static str, published: f64, over: &'static [&'static str]) -> Claim {
    ratio(what, "Table 2", Value(published), Metric::LastBlock, ["KAWS", "GTO"], over)
}

const fn cycles(
    what: &'static str,
    published: f64,
    of: &'static str,
    over: &'static [&'static str],
) -> Claim {
    Claim { what, published: Value(published), of: One(of), to: None, ..last_block("", 0.0, over) }
}

const fn stalls(
    what: &'static str,
    published: Published,
    metric: Metric,
    over: &'static [&'static str],
) -> Claim {
    ratio(what, "4.2, Fig. 6", published, metric, ["KAWS", "LRR"], over)
}

const fn to_lrr(metric: Metric) -> Comparison {
    Comparison { place: "Fig. 6", metric, of: "KAWS", to: &["LRR"] }
}

pub(in crate::cli::bench) const KAWS: Paper = Paper {
    key: "kaws",
    summary: "the KAWS paper's: the kernel-aware priority, and the time of the last block",
    source: "Vo, Kim: KAWS: Coordinate Kernel-Aware Warp Scheduling and Warp Sharing Mechanism for Advanced GPUs, JIPS 2021",
    machines: &[Machine {
        name: "like a Titan X",
        core: machines::pascal,
        memory: PASCAL_MEMORY,
        memory_of_programs: PASCAL_WITH_CACHE,
        table: &[
            ["warps", "64, in up to 32 blocks", "64, in up to 32 blocks"],
            ["lanes of a warp", "32", "16, and lines of 64 bytes instead of 128"],
            ["schedulers", "4", "4"],
            ["instructions issued at a time", "up to 2 of a warp (2.1)", "1"],
            ["instructions queued for a warp", "not said", "4"],
            ["operand collectors of a scheduler", "one for each unit (3, Fig. 4b)", "4 for each class, 8 register banks"],
            ["data cache", "24 KB, 48 ways: 192 lines", "16 KB, 4 ways: 256 lines"],
            ["instruction cache", "4 KB, 48 ways", "4 KB, 4 ways, for each scheduler"],
            ["bandwidth a shader", "480 GB/s, 28 shaders, 1.417 GHz: 12.1 bytes a cycle", "12.8 bytes a cycle"],
            ["latency", "not said", "195 cycles and queueing"],
            [
                "second cache",
                "3 MB for 28 shaders",
                "none; for the programs themselves 128 KB, which answers after 105 cycles",
            ],
        ],
    }],
    baseline: "LRR",
    variants: &[
        alone("LRR", "lrr"),
        alone("GTO", "gtlo"),
        // Its two halves together, and the first by itself.
        Variant::new("KAWS", "lrr", "kaws"),
        alone("KAWS without sharing", "kaws"),
    ],
    programs: &[
        Program::new("SC", "grid_cluster", 1280).published("rodinia", "streamcluster", &["POINTS=3000"]),
        Program::new("PF", "grid_pathfinder", 4352).published("rodinia", "pathfinder", &["COLUMNS=4000"]),
        Program::new("BT", "grid_btree", 3424).published("rodinia", "b+tree", &["RECORDS=50000", "SEARCHES=300"]),
        Program::new("HS", "grid_hotspot", 96).published("rodinia", "hotspot", &["SIDE=128"]),
        Program::new("MRI", "grid_mriq", 640).published("parboil", "mri-q", &["SAMPLES=64", "POINTS=4096"]),
        Program::new("QRG", "grid_quasirandom", 2048).published("samples", "quasirandomGenerator", &["COUNT=20000", "BLOCKS=32"]),
        Program::new("3DCV", "grid_conv3d", 48).published("polybench", "3dconv", &["NI=96", "NJ=96", "NK=96"]),
        Program::new("3MM", "grid_3mm", 80).published("polybench", "3mm", &["NI=160", "NJ=160", "NK=160", "NL=160", "NM=160"]),
        Program::new("RN", "grid_convlayer", 24),
    ],
    metrics: &[Metric::LastBlock, Metric::Inactive, Metric::Idle, Metric::Scoreboard, Metric::Pipeline, Metric::Misses],
    comparisons: &[
        to_lrr(Metric::Inactive),
        to_lrr(Metric::Idle),
        to_lrr(Metric::Scoreboard),
        to_lrr(Metric::Pipeline),
    ],
    claims: &[
        ipc("IPC of KAWS to LRR", "4.1", Value(1.0797), "KAWS", "LRR", &[]),
        ipc("IPC of KAWS to GTO", "4.1", Value(1.0326), "KAWS", "GTO", &[]),
        ipc("IPC of GTO to LRR", "4.1", Value(1.047), "GTO", "LRR", &[]),
        ipc("RN: KAWS to LRR", "4.1", Value(1.1991), "KAWS", "LRR", &["RN"]),
        ipc("HS: KAWS to LRR", "4.1", Value(1.1964), "KAWS", "LRR", &["HS"]),
        ipc("3DCV: KAWS to LRR", "4.1", Value(1.1388), "KAWS", "LRR", &["3DCV"]),
        ipc("MRI: KAWS to LRR", "4.2", Value(0.9526), "KAWS", "LRR", &["MRI"]),
        ipc("MRI: KAWS to GTO", "4.1", Value(1.075), "KAWS", "GTO", &["MRI"]),
        ipc("3MM: KAWS to GTO", "4.1", Value(1.073), "KAWS", "GTO", &["3MM"]),
        ipc("QRG: KAWS to GTO", "4.2", Value(1.0481), "KAWS", "GTO", &["QRG"]),
        ipc("BT: KAWS to GTO", "4.1", Value(1.0), "KAWS", "GTO", &["BT"]),
        last_block("cycles of the last block, KAWS to GTO", 0.9491, &[]),
        last_block("SC", 0.9808, &["SC"]),
        last_block("PF", 0.9763, &["PF"]),
        last_block("BT", 0.9983, &["BT"]),
        last_block("HS", 0.8535, &["HS"]),
        last_block("MRI", 0.9291, &["MRI"]),
        last_block("QRG", 0.8334, &["QRG"]),
        last_block("3DCV", 0.9550, &["3DCV"]),
        last_block("3MM", 0.9819, &["3MM"]),
        last_block("RN", 1.0335, &["RN"]),
        cycles("SC: cycles of the last block, GTO", 119_511.6, "GTO", &["SC"]),
        cycles("SC, KAWS", 117_218.33, "KAWS", &["SC"]),
        cycles("PF, GTO", 11_914.4, "GTO", &["PF"]),
        cycles("PF, KAWS", 11_631.6, "KAWS", &["PF"]),
        cycles("BT, GTO", 5300.0, "GTO", &["BT"]),
        cycles("BT, KAWS", 5291.0, "KAWS", &["BT"]),
        cycles("HS, GTO", 3372.0, "GTO", &["HS"]),
        cycles("HS, KAWS", 2878.0, "KAWS", &["HS"]),
        cycles("MRI, GTO", 200_378.3, "GTO", &["MRI"]),
        cycles("MRI, KAWS", 186_167.67, "KAWS", &["MRI"]),
        cycles("QRG, GTO", 57_937.19, "GTO", &["QRG"]),
        cycles("QRG, KAWS", 48_287.57, "KAWS", &["QRG"]),
        cycles("3DCV, GTO", 2994.29, "GTO", &["3DCV"]),
        cycles("3DCV, KAWS", 2859.68, "KAWS", &["3DCV"]),
        cycles("3MM, GTO", 199_260.7, "GTO", &["3MM"]),
        cycles("3MM, KAWS", 195_657.33, "KAWS", &["3MM"]),
        cycles("RN, GTO", 300_766.9, "GTO", &["RN"]),
        cycles("RN, KAWS", 310_851.34, "KAWS", &["RN"]),
        stalls("slots that wait for a unit, KAWS to LRR", Value(0.8265), Metric::Pipeline, &[]),
        stalls("slots without issue, KAWS to LRR", Value(0.9818), Metric::Inactive, &[]),
        stalls("HS", Less(1.0), Metric::Inactive, &["HS"]),
        stalls("QRG", Less(1.0), Metric::Inactive, &["QRG"]),
        stalls("MRI", More(1.0), Metric::Inactive, &["MRI"]),
        stalls("slots in which a warp waits for a register, KAWS to LRR", More(1.0), Metric::Scoreboard, &[]),
    ],
    absent: &[
        ["Fig. 1 to 4", "drawings; the example of Fig. 3 is a test of the sharing"],
        ["Fig. 5, Fig. 6, bars by program", "charts without numbers but for those in the text, which are above; ours by program are on the page (`--out`)"],
    ],
    notes: &[
        "KAWS is both of its halves, as in the paper's figures; the last block is what the paper puts down to the \
         kernel-aware half, which is measured by itself too. SC, PF, MRI and 3DCV have as \
         many blocks for the shader as table 2 tells.",
    ],
};
