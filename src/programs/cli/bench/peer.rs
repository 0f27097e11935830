//! The figures of Vortex 2.2 and 3.0: their unmodified RTL under Verilator, one core, RV32IMF, a memory that answers after
//! 50 clocks (docs/RESULTS.md). Start-up code is included.

/// Cycles of a program; of Vortex 2.2 at 4x4, 8x8, 16x16 and 32x32.
pub(super) struct Program {
    /// The kernel here that computes the same.
    pub kernel: &'static str,
    /// The same in integers, for cores without a floating-point unit.
    pub integer: Option<&'static str>,
    pub cycles: [Option<u32>; 4],
    /// At 4x4 with the divider that Vortex synthesises, where that was measured; [`Program::cycles`] are with the
    /// divider of its simulation.
    pub serial: Option<u32>,
}

/// What Vortex divides with, as the tables say it.
pub(super) const DIVIDERS: &str =
    "with the simulation's divider: 4 cycles, pipelined; and with the serial one";

const fn all(cycles: [u32; 4]) -> [Option<u32>; 4] {
    let [a, b, c, d] = cycles;
    [Some(a), Some(b), Some(c), Some(d)]
}

const fn but_the_last([a, b, c]: [u32; 3]) -> [Option<u32>; 4] {
    [Some(a), Some(b), Some(c), None]
}

const fn program(kernel: &'static str, cycles: [Option<u32>; 4]) -> Program {
    Program { kernel, integer: Some(kernel), cycles, serial: None }
}

/// The programs of the comparison.
pub(super) const PROGRAMS: &[Program] = &[
    program("empty", all([1_969, 2_746, 5_591, 18_129])),
    program("vecadd:1024", all([30_631, 30_136, 42_387, 107_745])),
    program("vecadd:4096", all([120_463, 82_574, 69_359, 121_761])),
    Program {
        kernel: "sgemm:32",
        integer: Some("isgemm:32"),
        cycles: all([153_055, 78_471, 71_771, 121_889]),
        serial: None,
    },
    Program {
        kernel: "sgemm_tiled:32",
        integer: None,
        cycles: all([381_500, 169_661, 123_963, 154_045]),
        serial: None,
    },
    Program {
        kernel: "conv3:32",
        integer: Some("iconv3:32"),
        cycles: all([68_193, 48_162, 51_929, 111_933]),
        serial: None,
    },
    program("psort:256", but_the_last([423_594, 147_663, 86_433])),
    program("psort_split:256", but_the_last([992_382, 290_634, 126_133])),
];

/// A program in the manner of Vortex, which is not translated to integers.
const fn alike(kernel: &'static str, cycles: [Option<u32>; 4], serial: Option<u32>) -> Program {
    Program { kernel, integer: None, cycles, serial }
}

/// Programs in the manner of Vortex, beside the figures of Vortex's own programs, built by a plain GCC at -O2. The
/// stress of the memory has none: what size Vortex's had is not known.
pub(super) const ALIKE: &[Program] = &[
    Program {
        serial: Some(183_619),
        ..program("vortex_vecadd:4096", but_the_last([135_726, 92_019, 73_802]))
    },
    alike("vortex_sgemm:32", but_the_last([150_294, 80_152, 75_122]), Some(166_621)),
    alike("vortex_sgemm_local:32", but_the_last([388_843, 172_895, 126_057]), Some(415_565)),
    alike("vortex_conv3:32", but_the_last([73_392, 51_414, 54_759]), Some(89_329)),
    program("vortex_sort:256", but_the_last([419_012, 138_799, 87_000])),
    alike("vortex_stencil:8", but_the_last([117_920, 84_691, 75_296]), None),
    program("vortex_mstress:256", [None; 4]),
];

/// Programs that Vortex 3.0 starts as grids, as this core does; cycles by [`GRID_SHAPES`].
pub(super) const GRIDS: &[Program] = &[
    program("vortex3_vecadd:4096", all([75_479, 20_526, 9_362, 11_216])),
    program("vortex3_vecadd_pairs:4096", all([75_479, 20_242, 9_077, 7_980])),
    alike("vortex3_sgemm:32", all([153_544, 47_050, 28_553, 23_174]), None),
    alike("vortex3_sgemm_unrolled:32", all([112_941, 42_423, 27_449, 23_624]), None),
    alike("vortex3_sgemm_tiled:32", all([473_763, 168_029, 74_812, 55_278]), None),
    alike("vortex3_sgemm_tiled_whole:32", all([473_763, 149_777, 81_436, 56_535]), None),
    alike("vortex3_conv3:32", all([54_520, 17_305, 10_962, 8_195]), None),
    alike("vortex3_stencil:8", all([171_212, 71_676, 35_667, 22_019]), None),
];

/// Warps, lanes and issue slots of the columns of [`GRIDS`].
pub(super) const GRID_SHAPES: [(usize, usize, usize); 4] = [(4, 4, 1), (8, 8, 1), (16, 16, 1), (16, 16, 2)];

/// The shapes of the other programs' cycles, and how many of a throughput's first ones are known.
pub(super) const SHAPES: [(usize, usize); 4] = [(4, 4), (8, 8), (16, 16), (32, 32)];

/// Something that a kernel measures itself and prints.
pub(super) struct Measure {
    pub name: &'static str,
    pub kernel: &'static str,
    /// The name under which the kernel prints it.
    pub measure: &'static str,
    /// By shape, as far as known.
    pub figures: &'static [f64],
}

const fn measure(
    name: &'static str,
    kernel: &'static str,
    measure: &'static str,
    figures: &'static [f64],
) -> Measure {
    Measure { name, kernel, measure, figures }
}

/// One warp alone: cycles from an operation to the next; measured at 4x4.
pub(super) const LATENCIES: &[Measure] = &[
    measure("independent ALU operation", "alu_independent", "cycles_per_instruction", &[6.0]),
    measure("dependent ALU operation", "alu_dependent", "cycles_per_instruction", &[13.1]),
    measure("dependent MUL", "latency", "mul", &[17.1]),
    measure("load-use, memory", "latency", "load", &[24.8]),
    measure("load-use, local memory", "latency", "load_local", &[20.5]),
    measure("taken branch", "latency", "jump", &[19.0]),
    measure("uniform SPLIT and JOIN", "latency", "split_join", &[39.0]),
    measure("dependent FADD", "float_latency", "fadd", &[16.2]),
    measure("dependent FMADD", "float_latency", "fmadd", &[17.2]),
    measure("dependent FDIV", "float_latency", "fdiv", &[27.1]),
];

/// All warps: operations of warps that issue in a cycle.
pub(super) const THROUGHPUTS: &[Measure] = &[
    measure("ALU", "alu_all_warps", "instructions_per_cycle", &[0.553, 0.595]),
    measure("FMADD", "fma_all_warps", "instructions_per_cycle", &[0.311, 0.303]),
    measure("load that hits", "load_hit_all_warps", "instructions_per_cycle", &[0.149, 0.151]),
    measure("load from local memory", "local_load_all_warps", "instructions_per_cycle", &[]),
    measure("store", "store_all_warps", "instructions_per_cycle", &[0.239, 0.237]),
];
