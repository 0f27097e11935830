//! The registry: one entry a kernel. `sim` and `bench` list it, and the tests run all of it.

use super::{reference, Kernel, Size};

const fn size(default: u32, max: u32, meaning: &'static str) -> Option<Size> {
    Some(Size { default, max, meaning })
}

macro_rules! kernel {
    ($name:literal, $summary:literal, $size:expr, $reference:ident) => {
        Kernel {
            name: $name,
            summary: $summary,
            size: $size,
            source: include_str!(concat!("../../tests/kernels/", $name, ".c")),
            reference: reference::$reference,
        }
    };
}

/// Every kernel, the programs before the micro-benchmarks.
pub const KERNELS: &[Kernel] = &[
    kernel!("hello", "every thread leaves a mark, the first greets", None, hello),
    kernel!("empty", "start-up and exit alone", None, empty),
    kernel!("vecadd", "vector addition, one element a task", size(1024, 1 << 20, "elements"), vecadd),
    kernel!("sgemm", "integer matrix product, one element a task", size(32, 512, "rows and columns"), sgemm),
    kernel!("conv3", "3 x 3 convolution, one pixel a task", size(32, 512, "rows and columns"), conv3),
    kernel!("psort", "rank sort without divergence", size(256, 1 << 14, "keys"), sort),
    kernel!("psort_split", "rank sort with nested SPLIT and JOIN", size(256, 1 << 14, "keys"), sort),
    kernel!("diverge", "nested divergent branches and loops", size(256, 1 << 16, "values"), diverge),
    kernel!(
        "reduce",
        "sum and maximum: a barrier tree in local memory",
        size(1024, 1 << 20, "values"),
        reduce
    ),
    kernel!(
        "scan",
        "prefix sum: tiles in local memory between barriers",
        size(1024, 1 << 20, "values"),
        scan
    ),
    kernel!(
        "alu_independent",
        "one warp: cycles of an ALU operation that waits for nothing",
        None,
        alu_independent
    ),
    kernel!(
        "alu_dependent",
        "one warp: cycles of an ALU operation that waits for the last",
        None,
        alu_dependent
    ),
    kernel!("alu_all_warps", "all warps: ALU operations issued in a cycle", None, alu_all_warps),
    kernel!("latency", "one warp: cycles of a dependent operation, by kind", None, latency),
];
