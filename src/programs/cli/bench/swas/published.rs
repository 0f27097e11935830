//! What the SWaS paper publishes of its evaluation: Crouzet, Carle, Rochange, "Coordinating the fetch and issue warp
//! schedulers to increase the timing predictability of GPUs", DSD 2024, sections V-C and VI. Its bars carry no numbers:
//! of Figs. 4 to 8 there are those in the text and in Table II.

/// The policies that it combines, as fetch and as issue scheduler.
pub(super) const POLICIES: [&str; 3] = ["lrr", "gtlrr", "gtlo"];

/// The baseline of Table II, fetch and issue.
pub(super) const BEST: (&str, &str) = ("lrr", "gtlrr");

/// Warps and threads of a warp (VI-A2).
pub(super) const SHAPE: (usize, usize) = (32, 32);

/// One of its programs.
pub(super) struct Published {
    pub kernel: &'static str,
    /// Table I. Instructions of warps they must be: as threads' instructions, psort's would take fewer cycles than it has
    /// errors, at any IPC of Fig. 4.
    pub instructions: u64,
    /// Average cycles of a load with the best baseline (VI-B1): one number, or the limits for several kernels.
    pub load_latency: (f64, f64),
    /// Table II: IPC of SWaS to that of the best baseline.
    pub ratio: f64,
    /// Table II: errors of that baseline.
    pub errors: u64,
    /// The size that is run here: work for all threads of the paper's core, in minutes.
    pub size: u32,
}

const fn program(
    kernel: &'static str,
    instructions: u64,
    load_latency: (f64, f64),
    (ratio, errors): (f64, u64),
    size: u32,
) -> Published {
    Published { kernel, instructions, load_latency, ratio, errors, size }
}

const OTHERS: (f64, f64) = (68.0, 98.0);

/// Tables I and II.
pub(super) const PROGRAMS: &[Published] = &[
    program("blackscholes", 192_052, OTHERS, (1.02, 16_657), 1024),
    program("hotspot", 17_554, OTHERS, (0.92, 3_147), 48),
    program("hotspot3D", 39_971, OTHERS, (1.00, 1_662), 32),
    program("kmeans", 164_077, (18.0, 18.0), (1.01, 23_643), 1024),
    program("psort", 492_237, (37.0, 37.0), (0.66, 165_011), 1024),
    // The same as the plain loop that the paper describes (VI-B1): a taken branch after each key.
    program("psort_loop", 492_237, (37.0, 37.0), (0.66, 165_011), 1024),
    program("sgemm", 1_728, OTHERS, (1.08, 403), 32),
];

/// Lowest and highest IPC of Fig. 4 (VI-B1).
pub(super) const IPC: [f64; 2] = [1.07, 21.62];
/// Lowest and highest error rate of Fig. 5, in percent (III).
pub(super) const ERROR_PERCENT: [f64; 2] = [0.10, 81.12];
/// Fewest and most errors of hotspot3D (VI-B1).
pub(super) const HOTSPOT_3D_ERRORS: [f64; 2] = [764.0, 3037.0];
/// IPC of psort with GTLO at fetch to that with others: "twice lower" (VI-B1).
pub(super) const PSORT_GTLO_FETCH: f64 = 0.5;
/// IPC of SWaS to that of fetch LRR, issue GTLO, for psort: -63.0 % (VI-B2).
pub(super) const PSORT_LRR_GTLO: f64 = 0.37;

/// What is published of a kernel, `NAME` or `NAME:SIZE`.
pub(super) fn find(kernel: &str) -> Option<&'static Published> {
    let name = kernel.split_once(':').map_or(kernel, |(name, _)| name);
    PROGRAMS.iter().find(|program| program.kernel == name)
}

/// The ratio of SWaS to a baseline that is published, if it is.
pub(super) fn ratio(kernel: &str, fetch: &str, issue: &str) -> Option<f64> {
    let program = find(kernel)?;
    match (program.kernel, (fetch, issue)) {
        (_, BEST) => Some(program.ratio),
        ("psort" | "psort_loop", ("lrr", "gtlo")) => Some(PSORT_LRR_GTLO),
        _ => None,
    }
}
