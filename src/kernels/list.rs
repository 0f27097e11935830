//! The registry: one entry a kernel. `sim` and `bench` list it, and the tests run all of it.

use super::grids::{barrier, compute, memory, sparse, vortex3};
use super::{float_reference, launch, reference, Kernel, Size};
use spec::config::CoreConfig;

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

/// An entry: the folder in `sim/kernels/` if it is in one, which is its family, `vortex` or `vortex3`; its name; what it computes;
/// its problem size as default, largest and what N counts, or `()`; `integer` or `float` with its results on the host; the
/// local memory that it uses; the grids that it runs as.
macro_rules! kernel {
    (vortex $name:literal: $($rest:tt)*) => {
        Kernel { like_vortex: true, ..kernel!(@entry "vortex/", $name, $($rest)*) }
    };
    (vortex3 $name:literal: $($rest:tt)*) => { kernel!(@entry "vortex3/", $name, $($rest)*) };
    ($family:ident $name:literal: $($rest:tt)*) => {
        Kernel {
            family: Some(stringify!($family)),
            ..kernel!(@entry concat!(stringify!($family), "/"), $name, $($rest)*)
        }
    };
    ($name:literal: $($rest:tt)*) => { kernel!(@entry "", $name, $($rest)*) };
    (@entry $folder:expr, $name:literal, $summary:literal, $size:tt, $numbers:ident $reference:expr
     $(, local $local_bytes:ident)? $(, grids $launches:expr)?) => {
        Kernel {
            name: $name,
            summary: $summary,
            size: kernel!(@size $size),
            needs_fpu: kernel!(@needs_fpu $numbers),
            local_bytes: kernel!(@local $($local_bytes)?),
            launches: kernel!(@launches $($launches)?),
            family: None,
            like_vortex: false,
            source: include_str!(concat!("../../sim/kernels/", $folder, $name, ".c")),
            reference: $reference,
        }
    };
    (@size ()) => { None };
    (@size ($default:literal, $max:expr, $meaning:literal)) => {
        Some(Size { default: $default, max: $max, meaning: $meaning })
    };
    (@needs_fpu integer) => { false };
    (@needs_fpu float) => { true };
    (@local) => { none };
    (@local $local_bytes:ident) => { $local_bytes };
    (@launches) => { None };
    (@launches $launches:expr) => { Some($launches) };
}

const GRID_SPMV: Kernel = kernel!("grid_spmv": "sparse matrix times vector as a grid: uneven blocks",
        (256, 1 << 16, "rows"), float float_reference::spmv, grids launch::spmv);

const GRID_SPMV_ROWS: Kernel = kernel!(memory "grid_spmv_rows":
        "sparse matrix in jagged diagonals times vector, neighbours in rows: reuse inside a warp",
        (256, 1 << 16, "rows"), float sparse::spmv_rows, grids sparse::spmv_launches);

const GRID_CLUSTER: Kernel = kernel!(memory "grid_cluster":
        "distances of streamcluster from points that all threads read",
        (64, 1 << 14, "points"), float memory::cluster, grids memory::cluster_launches);

const VORTEX3_VECADD: Kernel = kernel!(vortex3 "vortex3_vecadd":
        "vector addition like Vortex 3.0's, in blocks of the whole core",
        (4096, 1 << 20, "elements"), integer vortex3::vecadd, grids vortex3::vecadd_launches);

const VORTEX3_SGEMM: Kernel = kernel!(vortex3 "vortex3_sgemm":
        "product of float matrices like Vortex 3.0's, one element a thread",
        (32, 512, "rows and columns"), float vortex3::sgemm, grids vortex3::sgemm_launches);

/// Every kernel, the programs before the micro-benchmarks.
pub const KERNELS: &[Kernel] = &[
    kernel!("hello": "every thread leaves a mark, the first greets", (), integer reference::hello),
    kernel!("empty": "start-up and exit alone", (), integer reference::empty),
    kernel!("vecadd": "vector addition, one element a task",
        (1024, 1 << 20, "elements"), integer reference::vecadd),
    kernel!("isgemm": "integer matrix product, one element a task",
        (32, 512, "rows and columns"), integer reference::isgemm),
    kernel!("iconv3": "3 x 3 convolution of integers, one pixel a task",
        (32, 512, "rows and columns"), integer reference::iconv3),
    kernel!("psort": "rank sort without divergence", (256, 1 << 14, "keys"), integer reference::sort),
    kernel!("psort_loop": "rank sort as a plain loop: a taken branch a key",
        (256, 1 << 14, "keys"), integer reference::sort),
    kernel!("psort_split": "rank sort with nested SPLIT and JOIN",
        (256, 1 << 14, "keys"), integer reference::sort),
    kernel!("diverge": "nested divergent branches and loops",
        (256, 1 << 16, "values"), integer reference::diverge),
    kernel!("reduce": "sum and maximum: a barrier tree in local memory",
        (1024, 1 << 20, "values"), integer reference::reduce, local two_words_a_thread),
    kernel!("scan": "prefix sum: tiles in local memory between barriers",
        (1024, 1 << 20, "values"), integer reference::scan, local two_words_a_thread),
    kernel!("bfs": "breadth-first search: uneven nested loops, a launch a level",
        (256, 1 << 16, "nodes"), integer reference::bfs),
    kernel!("saxpy": "a x + y, one element a task",
        (1024, 1 << 20, "elements"), float float_reference::saxpy),
    kernel!("sgemm": "product of float matrices, one element a task",
        (32, 512, "rows and columns"), float float_reference::sgemm),
    kernel!("sgemm_tiled": "product of float matrices by tiles in local memory between barriers",
        (32, 512, "rows and columns"), float float_reference::sgemm, local two_tiles),
    kernel!("conv3": "3 x 3 convolution, one pixel a task",
        (32, 512, "rows and columns"), float float_reference::conv3),
    kernel!("spmv": "sparse matrix times vector: uneven rows",
        (256, 1 << 16, "rows"), float float_reference::spmv),
    kernel!("stencil": "7-point stencil in a cube",
        (10, 64, "cells along each edge"), float float_reference::stencil),
    kernel!("hotspot": "heat of a chip", (24, 512, "cells along each edge"), float float_reference::hotspot),
    kernel!("hotspot3D": "heat of four stacked chips",
        (12, 256, "cells along each edge"), float float_reference::hotspot3d),
    kernel!("kmeans": "clustering: distances, then means",
        (256, 1 << 14, "points"), float float_reference::kmeans),
    kernel!("blackscholes": "option prices: exponential, logarithm, root, division",
        (256, 1 << 16, "options"), float float_reference::blackscholes),
    kernel!("grid_vecadd": "vector addition as a grid, one element a thread",
        (1024, 1 << 20, "elements"), integer reference::vecadd, grids launch::vecadd),
    kernel!("grid_reduce": "sum and maximum as two grids: barriers of blocks",
        (1024, 1 << 20, "values"), integer reference::reduce, grids launch::reduce),
    kernel!("grid_histogram": "counts of 16 classes as two grids: local memory of blocks",
        (1024, 1 << 20, "values"), integer reference::histogram, grids launch::histogram),
    kernel!("grid_sgemm": "product of float matrices as a grid of tiles between barriers",
        (32, 512, "rows and columns"), float float_reference::sgemm, grids launch::sgemm),
    GRID_SPMV,
    kernel!(barrier "grid_fwt": "fast Walsh transform: stages in local memory, then of pairs far apart",
        (1024, 1 << 18, "values"), integer barrier::fwt, grids barrier::fwt_launches),
    kernel!(barrier "grid_stencil": "7-point stencil in three dimensions, plane by plane",
        (16, 512, "rows and columns of a plane"), float barrier::stencil, grids barrier::stencil_launches),
    kernel!(barrier "grid_dot": "scalar products of pairs of vectors, a tree a block",
        (1024, 1 << 18, "elements"), float barrier::dot, grids barrier::dot_launches),
    kernel!(barrier "grid_srad": "speckle-reducing diffusion by tiles with their halo",
        (32, 512, "rows and columns"), float barrier::srad, grids barrier::srad_launches),
    kernel!(barrier "grid_merge": "merge sort of tiles in local memory",
        (512, 1 << 18, "keys"), integer barrier::merge, grids barrier::merge_launches),
    kernel!(barrier "grid_btree": "searches in a B+ tree, a block a query",
        (512, 1 << 18, "keys"), integer barrier::btree, grids barrier::btree_launches),
    kernel!(memory "grid_atax": "A' (A x): along rows, then down columns",
        (64, 1024, "rows and columns"), float memory::atax, grids memory::rows_then_columns),
    kernel!(memory "grid_mvt": "x1 + A y1 and x2 + A' y2: along rows, then down columns",
        (64, 1024, "rows and columns"), float memory::mvt, grids memory::rows_then_columns),
    kernel!(memory "grid_bicg": "A' r and A p: down columns, then along rows",
        (64, 1024, "rows and columns"), float memory::bicg, grids memory::columns_then_rows),
    GRID_SPMV_ROWS,
    Kernel {
        name: "grid_spmv_columns",
        summary: "grid_spmv_rows with neighbours in columns: reuse between warps",
        reference: sparse::spmv_columns,
        ..GRID_SPMV_ROWS
    },
    kernel!(memory "grid_kmeans": "clustering: points turned around, then distances",
        (256, 1 << 16, "points"), float memory::kmeans, grids memory::kmeans_launches),
    GRID_CLUSTER,
    Kernel {
        name: "grid_cluster_few",
        summary: "grid_cluster with few coordinates a point",
        reference: memory::cluster_few,
        launches: Some(memory::cluster_few_launches),
        ..GRID_CLUSTER
    },
    kernel!(memory "grid_sobol": "points of a Sobol sequence",
        (256, 1 << 16, "points"), integer memory::sobol, grids memory::sobol_launches),
    kernel!(memory "grid_montecarlo": "option prices by simulation, a block an option",
        (4, 4096, "options"), float memory::montecarlo, grids memory::montecarlo_launches),
    kernel!(memory "grid_pathfinder": "cheapest ways down a field, four rows a grid",
        (512, 1 << 16, "columns"), integer memory::pathfinder, grids memory::pathfinder_launches),
    kernel!(memory "grid_stencil_cached": "grid_stencil without local memory: neighbours through the data cache",
        (16, 512, "rows and columns of a plane"), float barrier::stencil, grids memory::stencil_cached_launches),
    kernel!(memory "grid_laplace3d": "Laplace's equation in three dimensions, plane by plane",
        (16, 512, "rows and columns of a plane"), float memory::laplace3d, grids memory::laplace3d_launches),
    kernel!(memory "grid_bfs": "breadth-first search, a grid a level",
        (256, 1 << 16, "nodes"), integer memory::bfs, grids memory::bfs_launches),
    kernel!(compute "grid_conv3d": "3 x 3 x 3 convolution, a grid a plane",
        (16, 256, "rows and columns"), float compute::conv3d, grids compute::conv3d_launches),
    kernel!(compute "grid_3mm": "product of two products of matrices, a cell a thread",
        (16, 256, "rows and columns"), float compute::three_mm, grids compute::three_mm_launches),
    kernel!(compute "grid_mriq": "sums of waves: sine and cosine",
        (32, 1 << 16, "places"), float compute::mriq, grids compute::mriq_launches),
    kernel!(compute "grid_quasirandom": "Niederreiter sequence and normal deviates",
        (128, 1 << 16, "points"), float compute::quasirandom, grids compute::quasirandom_launches),
    kernel!(compute "grid_hotspot": "heat of a chip by tiles with their halo",
        (32, 512, "cells along each edge"), float compute::hotspot, grids compute::hotspot_launches),
    kernel!(compute "grid_blackscholes": "option prices, one option a thread",
        (128, 1 << 16, "options"), float float_reference::blackscholes, grids compute::blackscholes_launches),
    kernel!(compute "grid_convlayer": "layer of a convolutional network",
        (16, 256, "rows and columns"), float compute::convlayer, grids compute::convlayer_launches),
    kernel!(vortex "vortex_vecadd":
        "vector addition like a program for Vortex: a launcher that divides, a stack a thread",
        (4096, 1 << 20, "elements"), integer reference::vecadd),
    kernel!(vortex "vortex_sgemm": "product of float matrices like a program for Vortex, one element a task",
        (32, 512, "rows and columns"), float float_reference::sgemm),
    kernel!(vortex "vortex_sgemm_local":
        "product of float matrices like a program for Vortex, by tiles in local memory",
        (32, 512, "rows and columns"), float float_reference::sgemm_of_tiles, local two_tiles_a_group),
    kernel!(vortex "vortex_conv3": "3 x 3 convolution like a program for Vortex, one pixel a task",
        (32, 512, "rows and columns"), float float_reference::conv3),
    kernel!(vortex "vortex_sort": "rank sort like a program for Vortex, without branches",
        (256, 1 << 14, "keys"), integer reference::sort),
    kernel!(vortex "vortex_stencil": "27-point mean in a cube like a program for Vortex, without branches",
        (8, 64, "cells along each edge"), float float_reference::mean),
    kernel!(vortex "vortex_mstress": "sums of values at random places like a program for Vortex",
        (256, 1 << 16, "tasks"), integer reference::gather),
    VORTEX3_VECADD,
    Kernel {
        name: "vortex3_vecadd_pairs",
        summary: "vortex3_vecadd in blocks of two warps",
        launches: Some(vortex3::vecadd_pairs_launches),
        ..VORTEX3_VECADD
    },
    VORTEX3_SGEMM,
    Kernel {
        name: "vortex3_sgemm_unrolled",
        summary: "vortex3_sgemm with eight rounds of its loop at a time",
        launches: Some(vortex3::sgemm_unrolled_launches),
        ..VORTEX3_SGEMM
    },
    Kernel {
        name: "vortex3_sgemm_tiled",
        summary: "vortex3_sgemm by tiles of a quarter of the core in local memory",
        launches: Some(vortex3::sgemm_tiled_launches),
        local_bytes: vortex3::tile_bytes,
        ..VORTEX3_SGEMM
    },
    Kernel {
        name: "vortex3_sgemm_tiled_whole",
        summary: "vortex3_sgemm by tiles of the core's size in local memory",
        launches: Some(vortex3::sgemm_tiled_whole_launches),
        local_bytes: vortex3::tile_bytes,
        ..VORTEX3_SGEMM
    },
    kernel!(vortex3 "vortex3_conv3": "3 x 3 convolution like Vortex 3.0's, one pixel a thread",
        (32, 512, "rows and columns"), float vortex3::conv3, grids vortex3::conv3_launches),
    kernel!(vortex3 "vortex3_stencil": "27-point mean in a cube like Vortex 3.0's, one cell a thread",
        (8, 64, "cells along each edge"), float vortex3::stencil, grids vortex3::stencil_launches),
    kernel!("alu_independent": "one warp: cycles of an ALU operation that waits for nothing",
        (), integer reference::alu_independent),
    kernel!("alu_dependent": "one warp: cycles of an ALU operation that waits for the last",
        (), integer reference::alu_dependent),
    kernel!("alu_all_warps": "all warps: ALU operations issued in a cycle", (), integer reference::all_warps),
    kernel!("load_hit_all_warps": "all warps: loads that hit the data cache issued in a cycle",
        (), integer reference::all_warps),
    kernel!("store_all_warps": "all warps: stores issued in a cycle", (), integer reference::all_warps),
    kernel!("local_load_all_warps": "all warps: loads from local memory issued in a cycle",
        (), integer reference::all_warps, local word_a_lane),
    kernel!("latency": "one warp: cycles of a dependent operation, by kind",
        (), integer reference::latency, local word_a_lane),
    kernel!("float_latency": "one warp: cycles of a dependent float operation, by kind",
        (), float float_reference::latency),
    kernel!("fma_all_warps": "all warps: fused multiply-adds issued in a cycle",
        (), float reference::all_warps),
];
