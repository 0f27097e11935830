//! The registry: one entry a kernel. `sim` and `bench` list it, and the tests run all of it.

use super::grids::{barrier, compute, memory};
use super::{float_reference, launch, reference, Kernel, Size};
use spec::config::CoreConfig;

const fn size(default: u32, max: u32, meaning: &'static str) -> Option<Size> {
    Some(Size { default, max, meaning })
}

/// Bytes of local memory: none.
fn none(_: &CoreConfig) -> usize {
    0
}

/// A word for each lane of a warp.
fn word_a_lane(cfg: &CoreConfig) -> usize {
    4 * cfg.threads
}

/// Two words for each thread.
fn two_words_a_thread(cfg: &CoreConfig) -> usize {
    8 * cfg.warps * cfg.threads
}

/// A word for each thread, and behind them one for each that has a cell of a tile: the tiles are the largest of 4 x 4,
/// 2 x 2 and 1 x 1 for which there are threads, and all are whole.
fn two_tiles(cfg: &CoreConfig) -> usize {
    let threads = cfg.warps * cfg.threads;
    let cells = [16, 4, 1].into_iter().find(|&cells| cells <= threads).unwrap_or(1);
    4 * (threads + threads / cells * cells)
}

/// Two tiles for each group of warps that has one: of 4 x 4 cells, or 2 x 2, or none on a core of fewer threads.
fn two_tiles_a_group(cfg: &CoreConfig) -> usize {
    let tile = [16, 4].into_iter().find(|&cells| cells <= cfg.warps * cfg.threads);
    tile.map_or(0, |cells| cfg.warps / cells.div_ceil(cfg.threads) * 2 * 4 * cells)
}

macro_rules! kernel {
    ($name:literal, $summary:literal, $size:expr, $reference:ident) => {
        kernel!($name, $summary, $size, $reference, none)
    };
    ($name:literal, $summary:literal, $size:expr, $reference:ident, $local_bytes:ident) => {
        kernel!($name, $summary, $size, false, reference::$reference, $local_bytes)
    };
    ($name:literal, $summary:literal, $size:expr, $needs_fpu:literal, $reference:path, $local_bytes:ident) => {
        kernel!("sim/kernels/", $name, $summary, $size, $needs_fpu, $reference, $local_bytes)
    };
    ($folder:expr, $name:literal, $summary:literal, $size:expr, $needs_fpu:literal, $reference:expr,
     $local_bytes:ident) => {
        Kernel {
            name: $name,
            summary: $summary,
            size: $size,
            needs_fpu: $needs_fpu,
            local_bytes: $local_bytes,
            launches: None,
            family: None,
            like_vortex: false,
            source: include_str!(concat!("../../", $folder, $name, ".c")),
            reference: $reference,
        }
    };
}

macro_rules! float_kernel {
    ($name:literal, $summary:literal, $size:expr, $reference:ident) => {
        float_kernel!($name, $summary, $size, $reference, none)
    };
    ($name:literal, $summary:literal, $size:expr, $reference:ident, $local_bytes:ident) => {
        kernel!($name, $summary, $size, true, float_reference::$reference, $local_bytes)
    };
}

/// A kernel for the dispatcher, which has a function in `launch`.
macro_rules! grid_kernel {
    ($name:literal, $summary:literal, $size:expr, $needs_fpu:literal, $reference:path, $launches:ident) => {
        Kernel {
            launches: Some(launch::$launches),
            ..kernel!($name, $summary, $size, $needs_fpu, $reference, none)
        }
    };
}

/// A kernel for the dispatcher in the folder of its family, with its name in the families' modules.
macro_rules! family_kernel {
    ($family:ident, $name:literal, $summary:literal, ($default:literal, $max:expr, $meaning:literal), $needs_fpu:literal,
     $reference:expr, $launches:expr) => {
        Kernel {
            launches: Some($launches),
            family: Some(stringify!($family)),
            ..kernel!(
                concat!("sim/kernels/", stringify!($family), "/"),
                $name,
                $summary,
                size($default, $max, $meaning),
                $needs_fpu,
                $reference,
                none
            )
        }
    };
}

/// A program in the manner of Vortex.
macro_rules! vortex_kernel {
    ($name:literal, $summary:literal, $size:expr, $needs_fpu:literal, $reference:path) => {
        vortex_kernel!($name, $summary, $size, $needs_fpu, $reference, none)
    };
    ($name:literal, $summary:literal, $size:expr, $needs_fpu:literal, $reference:path, $local_bytes:ident) => {
        Kernel {
            like_vortex: true,
            ..kernel!("sim/kernels/vortex/", $name, $summary, $size, $needs_fpu, $reference, $local_bytes)
        }
    };
}

const GRID_SPMV: Kernel = grid_kernel!(
    "grid_spmv",
    "sparse matrix times vector as a grid: uneven blocks",
    size(256, 1 << 16, "rows"),
    true,
    float_reference::spmv,
    spmv
);

/// Every kernel, the programs before the micro-benchmarks.
pub const KERNELS: &[Kernel] = &[
    kernel!("hello", "every thread leaves a mark, the first greets", None, hello),
    kernel!("empty", "start-up and exit alone", None, empty),
    kernel!("vecadd", "vector addition, one element a task", size(1024, 1 << 20, "elements"), vecadd),
    kernel!(
        "isgemm",
        "integer matrix product, one element a task",
        size(32, 512, "rows and columns"),
        isgemm
    ),
    kernel!(
        "iconv3",
        "3 x 3 convolution of integers, one pixel a task",
        size(32, 512, "rows and columns"),
        iconv3
    ),
    kernel!("psort", "rank sort without divergence", size(256, 1 << 14, "keys"), sort),
    kernel!(
        "psort_loop",
        "rank sort as a plain loop: a taken branch a key",
        size(256, 1 << 14, "keys"),
        sort
    ),
    kernel!("psort_split", "rank sort with nested SPLIT and JOIN", size(256, 1 << 14, "keys"), sort),
    kernel!("diverge", "nested divergent branches and loops", size(256, 1 << 16, "values"), diverge),
    kernel!(
        "reduce",
        "sum and maximum: a barrier tree in local memory",
        size(1024, 1 << 20, "values"),
        reduce,
        two_words_a_thread
    ),
    kernel!(
        "scan",
        "prefix sum: tiles in local memory between barriers",
        size(1024, 1 << 20, "values"),
        scan,
        two_words_a_thread
    ),
    kernel!(
        "bfs",
        "breadth-first search: uneven nested loops, a launch a level",
        size(256, 1 << 16, "nodes"),
        bfs
    ),
    float_kernel!("saxpy", "a x + y, one element a task", size(1024, 1 << 20, "elements"), saxpy),
    float_kernel!(
        "sgemm",
        "product of float matrices, one element a task",
        size(32, 512, "rows and columns"),
        sgemm
    ),
    float_kernel!(
        "sgemm_tiled",
        "product of float matrices by tiles in local memory between barriers",
        size(32, 512, "rows and columns"),
        sgemm,
        two_tiles
    ),
    float_kernel!("conv3", "3 x 3 convolution, one pixel a task", size(32, 512, "rows and columns"), conv3),
    float_kernel!("spmv", "sparse matrix times vector: uneven rows", size(256, 1 << 16, "rows"), spmv),
    float_kernel!("stencil", "7-point stencil in a cube", size(10, 64, "cells along each edge"), stencil),
    float_kernel!("hotspot", "heat of a chip", size(24, 512, "cells along each edge"), hotspot),
    float_kernel!(
        "hotspot3D",
        "heat of four stacked chips",
        size(12, 256, "cells along each edge"),
        hotspot3d
    ),
    float_kernel!("kmeans", "clustering: distances, then means", size(256, 1 << 14, "points"), kmeans),
    float_kernel!(
        "blackscholes",
        "option prices: exponential, logarithm, root, division",
        size(256, 1 << 16, "options"),
        blackscholes
    ),
    grid_kernel!(
        "grid_vecadd",
        "vector addition as a grid, one element a thread",
        size(1024, 1 << 20, "elements"),
        false,
        reference::vecadd,
        vecadd
    ),
    grid_kernel!(
        "grid_reduce",
        "sum and maximum as two grids: barriers of blocks",
        size(1024, 1 << 20, "values"),
        false,
        reference::reduce,
        reduce
    ),
    grid_kernel!(
        "grid_histogram",
        "counts of 16 classes as two grids: local memory of blocks",
        size(1024, 1 << 20, "values"),
        false,
        reference::histogram,
        histogram
    ),
    grid_kernel!(
        "grid_sgemm",
        "product of float matrices as a grid of tiles between barriers",
        size(32, 512, "rows and columns"),
        true,
        float_reference::sgemm,
        sgemm
    ),
    GRID_SPMV,
    family_kernel!(
        barrier,
        "grid_fwt",
        "fast Walsh transform: stages in local memory, then of pairs far apart",
        (1024, 1 << 18, "values"),
        false,
        barrier::fwt,
        barrier::fwt_launches
    ),
    family_kernel!(
        barrier,
        "grid_stencil",
        "5-point stencil by rows with their halo in local memory",
        (32, 512, "rows and columns"),
        true,
        barrier::stencil,
        barrier::stencil_launches
    ),
    family_kernel!(
        barrier,
        "grid_dot",
        "scalar products of pairs of vectors, a tree a block",
        (1024, 1 << 18, "elements"),
        true,
        barrier::dot,
        barrier::dot_launches
    ),
    family_kernel!(
        barrier,
        "grid_srad",
        "speckle-reducing diffusion by tiles with their halo",
        (32, 512, "rows and columns"),
        true,
        barrier::srad,
        barrier::srad_launches
    ),
    family_kernel!(
        barrier,
        "grid_merge",
        "merge sort of tiles in local memory",
        (512, 1 << 18, "keys"),
        false,
        barrier::merge,
        barrier::merge_launches
    ),
    family_kernel!(
        barrier,
        "grid_btree",
        "searches in a B+ tree, a block a query",
        (512, 1 << 18, "keys"),
        false,
        barrier::btree,
        barrier::btree_launches
    ),
    family_kernel!(
        memory,
        "grid_atax",
        "A' (A x): along rows, then down columns",
        (64, 1024, "rows and columns"),
        true,
        memory::atax,
        memory::rows_then_columns
    ),
    family_kernel!(
        memory,
        "grid_mvt",
        "x1 + A y1 and x2 + A' y2: along rows, then down columns",
        (64, 1024, "rows and columns"),
        true,
        memory::mvt,
        memory::rows_then_columns
    ),
    family_kernel!(
        memory,
        "grid_bicg",
        "A' r and A p: down columns, then along rows",
        (64, 1024, "rows and columns"),
        true,
        memory::bicg,
        memory::columns_then_rows
    ),
    Kernel {
        name: "grid_spmv_rows",
        summary: "grid_spmv with neighbours in rows: reuse inside a warp",
        launches: Some(memory::spmv_launches),
        family: Some("memory"),
        reference: memory::spmv_rows,
        ..GRID_SPMV
    },
    Kernel {
        name: "grid_spmv_columns",
        summary: "grid_spmv with neighbours in columns: reuse between warps",
        launches: Some(memory::spmv_launches),
        family: Some("memory"),
        reference: memory::spmv_columns,
        ..GRID_SPMV
    },
    family_kernel!(
        memory,
        "grid_kmeans",
        "clustering: points turned around, then distances",
        (256, 1 << 16, "points"),
        true,
        memory::kmeans,
        memory::kmeans_launches
    ),
    family_kernel!(
        memory,
        "grid_cluster",
        "distances of streamcluster from points that all threads read",
        (256, 1 << 16, "points"),
        true,
        memory::cluster,
        memory::cluster_launches
    ),
    family_kernel!(
        memory,
        "grid_sobol",
        "points of a Sobol sequence",
        (512, 1 << 18, "points"),
        false,
        memory::sobol,
        memory::sobol_launches
    ),
    family_kernel!(
        memory,
        "grid_montecarlo",
        "option prices by simulation, a block an option",
        (16, 4096, "options"),
        true,
        memory::montecarlo,
        memory::montecarlo_launches
    ),
    family_kernel!(
        memory,
        "grid_pathfinder",
        "cheapest ways down a field, four rows a grid",
        (512, 1 << 16, "columns"),
        false,
        memory::pathfinder,
        memory::pathfinder_launches
    ),
    family_kernel!(
        memory,
        "grid_laplace3d",
        "Laplace's equation in a cube, plane by plane",
        (16, 64, "cells along each edge"),
        true,
        memory::laplace3d,
        memory::laplace3d_launches
    ),
    family_kernel!(
        memory,
        "grid_bfs",
        "breadth-first search, a grid a level",
        (256, 1 << 16, "nodes"),
        false,
        reference::bfs,
        memory::bfs_launches
    ),
    family_kernel!(
        compute,
        "grid_conv3d",
        "3 x 3 x 3 convolution, a grid a plane",
        (16, 256, "rows and columns"),
        true,
        compute::conv3d,
        compute::conv3d_launches
    ),
    family_kernel!(
        compute,
        "grid_3mm",
        "product of two products of matrices, a cell a thread",
        (16, 256, "rows and columns"),
        true,
        compute::three_mm,
        compute::three_mm_launches
    ),
    family_kernel!(
        compute,
        "grid_mriq",
        "sums of waves: sine and cosine",
        (128, 1 << 16, "places"),
        true,
        compute::mriq,
        compute::mriq_launches
    ),
    family_kernel!(
        compute,
        "grid_quasirandom",
        "Niederreiter sequence and normal deviates",
        (128, 1 << 16, "points"),
        true,
        compute::quasirandom,
        compute::quasirandom_launches
    ),
    family_kernel!(
        compute,
        "grid_hotspot",
        "heat of a chip by tiles with their halo",
        (32, 512, "cells along each edge"),
        true,
        compute::hotspot,
        compute::hotspot_launches
    ),
    family_kernel!(
        compute,
        "grid_blackscholes",
        "option prices, one option a thread",
        (128, 1 << 16, "options"),
        true,
        float_reference::blackscholes,
        compute::blackscholes_launches
    ),
    family_kernel!(
        compute,
        "grid_convlayer",
        "layer of a convolutional network",
        (16, 256, "rows and columns"),
        true,
        compute::convlayer,
        compute::convlayer_launches
    ),
    vortex_kernel!(
        "vortex_vecadd",
        "vector addition like a program for Vortex: a launcher that divides, a stack a thread",
        size(4096, 1 << 20, "elements"),
        false,
        reference::vecadd
    ),
    vortex_kernel!(
        "vortex_sgemm",
        "product of float matrices like a program for Vortex, one element a task",
        size(32, 512, "rows and columns"),
        true,
        float_reference::sgemm
    ),
    vortex_kernel!(
        "vortex_sgemm_local",
        "product of float matrices like a program for Vortex, by tiles in local memory",
        size(32, 512, "rows and columns"),
        true,
        float_reference::sgemm_of_tiles,
        two_tiles_a_group
    ),
    vortex_kernel!(
        "vortex_conv3",
        "3 x 3 convolution like a program for Vortex, one pixel a task",
        size(32, 512, "rows and columns"),
        true,
        float_reference::conv3
    ),
    vortex_kernel!(
        "vortex_sort",
        "rank sort like a program for Vortex, without branches",
        size(256, 1 << 14, "keys"),
        false,
        reference::sort
    ),
    vortex_kernel!(
        "vortex_stencil",
        "27-point mean in a cube like a program for Vortex, without branches",
        size(8, 64, "cells along each edge"),
        true,
        float_reference::mean
    ),
    vortex_kernel!(
        "vortex_mstress",
        "sums of values at random places like a program for Vortex",
        size(256, 1 << 16, "tasks"),
        false,
        reference::gather
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
    kernel!("alu_all_warps", "all warps: ALU operations issued in a cycle", None, all_warps),
    kernel!(
        "load_hit_all_warps",
        "all warps: loads that hit the data cache issued in a cycle",
        None,
        all_warps
    ),
    kernel!("store_all_warps", "all warps: stores issued in a cycle", None, all_warps),
    kernel!(
        "local_load_all_warps",
        "all warps: loads from local memory issued in a cycle",
        None,
        all_warps,
        word_a_lane
    ),
    kernel!("latency", "one warp: cycles of a dependent operation, by kind", None, latency, word_a_lane),
    float_kernel!("float_latency", "one warp: cycles of a dependent float operation, by kind", None, latency),
    kernel!(
        "fma_all_warps",
        "all warps: fused multiply-adds issued in a cycle",
        None,
        true,
        reference::all_warps,
        none
    ),
];
