//! Programs of Vortex 3.0 as grids: the same algorithms, sizes and blocks (`sim/kernels/vortex3/`). All blocks are whole.

use super::super::launch::{warps, Launch};
use super::super::reference::Reference;
use super::super::{float_reference, reference};
use spec::config::CoreConfig;

/// Sides of matrices and images are multiples of this, which is one of every block's side.
const SIDE: u32 = 32;
/// The sides of a cube are multiples of this.
const CUBE: u32 = 8;
/// The elements of a vector are a multiple of this, which is one of the threads of every core.
const ROOM: u32 = 2048;

pub(in super::super) fn vecadd(n: u32, cfg: &CoreConfig) -> Reference {
    reference::vecadd(n.next_multiple_of(ROOM), cfg)
}

pub(in super::super) fn sgemm(n: u32, cfg: &CoreConfig) -> Reference {
    float_reference::sgemm(n.next_multiple_of(SIDE), cfg)
}

pub(in super::super) fn conv3(n: u32, cfg: &CoreConfig) -> Reference {
    float_reference::conv3(n.next_multiple_of(SIDE), cfg)
}

pub(in super::super) fn stencil(n: u32, cfg: &CoreConfig) -> Reference {
    float_reference::mean(n.next_multiple_of(CUBE), cfg)
}

/// The largest power of two that is no larger.
fn power_below(count: u32) -> u32 {
    1 << count.ilog2()
}

/// Threads of a block that has the whole core.
fn whole(cfg: &CoreConfig) -> u32 {
    power_below(warps(cfg, cfg.warps))
}

/// The side of the largest square block of so many threads.
fn square(threads: u32) -> u32 {
    (1 << (threads.ilog2() / 2)).min(SIDE)
}

fn add(n: u32, block: u32) -> Vec<Launch> {
    vec![Launch::row("add", n.next_multiple_of(ROOM) / block, block)]
}

/// Blocks of the whole core.
pub(in super::super) fn vecadd_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    add(n, whole(cfg))
}

/// Blocks of two warps.
pub(in super::super) fn vecadd_pairs_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    add(n, power_below(warps(cfg, 2)))
}

/// Square blocks over a matrix or image.
fn squares(entry: &'static str, n: u32, side: u32) -> Launch {
    Launch::tiles(entry, n.next_multiple_of(SIDE), side)
}

pub(in super::super) fn sgemm_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    vec![squares("multiply", n, square(whole(cfg)))]
}

pub(in super::super) fn sgemm_unrolled_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    vec![squares("multiply_unrolled", n, square(whole(cfg)))]
}

/// Two tiles of local memory a block.
fn tiled(n: u32, side: u32) -> Vec<Launch> {
    vec![Launch { local_bytes: 2 * 4 * side * side, ..squares("multiply_tiles", n, side) }]
}

/// Tiles of a quarter of the core, but of 4 x 4 cells where there are threads.
pub(in super::super) fn sgemm_tiled_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let whole = whole(cfg);
    tiled(n, square((whole / 4).max(16).min(whole)))
}

/// Tiles of the core's size.
pub(in super::super) fn sgemm_tiled_whole_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    tiled(n, square(whole(cfg)))
}

pub(in super::super) fn conv3_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    vec![squares("convolve", n, square(whole(cfg)))]
}

/// Blocks of the whole core, or of a cube of eight.
pub(in super::super) fn stencil_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let whole = whole(cfg);
    let side = square(whole).min(CUBE);
    let planes = (whole / (side * side)).min(CUBE);
    let n = n.next_multiple_of(CUBE);
    let launch = Launch::tiles("average", n, side);
    vec![Launch { grid: [n / side, n / side, n / planes], block: [side, side, planes], ..launch }]
}

/// Local memory of the larger tiles.
pub(in super::super) fn tile_bytes(cfg: &CoreConfig) -> usize {
    let side = square(whole(cfg)) as usize;
    2 * 4 * side * side
}
