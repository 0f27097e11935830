//! Launches of the kernels that the dispatcher starts: blocks of a size that the core has room for, and as many of them
//! as N needs.

use model::GridLaunch;
use spec::config::CoreConfig;

/// A launch whose entry has no address yet.
pub(super) struct Launch {
    /// Symbol of the entry.
    pub entry: &'static str,
    /// The word that the kernel gets.
    pub arg: u32,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    pub local_bytes: u32,
}

impl Launch {
    /// So many blocks of so many threads in a row, without an argument and local memory.
    pub(super) fn row(entry: &'static str, blocks: u32, threads: u32) -> Self {
        Self { entry, arg: 0, grid: [blocks, 1, 1], block: [threads, 1, 1], local_bytes: 0 }
    }

    /// Square blocks of `side` x `side` threads, as many as cover `n` x `n`.
    pub(super) fn tiles(entry: &'static str, n: u32, side: u32) -> Self {
        let blocks = n.div_ceil(side);
        Self { entry, arg: 0, grid: [blocks, blocks, 1], block: [side, side, 1], local_bytes: 0 }
    }

    /// The launch in a program whose symbols have the addresses that `address` gives; `Err` with a symbol that has none.
    pub(super) fn resolve(&self, address: &dyn Fn(&str) -> Option<u32>) -> Result<GridLaunch, &'static str> {
        Ok(GridLaunch {
            entry: address(self.entry).ok_or(self.entry)?,
            arg: self.arg,
            grid: self.grid,
            block: self.block,
            local_bytes: self.local_bytes,
        })
    }
}

/// Threads of as many whole warps, or of all that the core has.
pub(super) fn warps(cfg: &CoreConfig, count: usize) -> u32 {
    (count.min(cfg.warps) * cfg.threads) as u32
}

/// The largest block for which there are half the warps, so that two are on the core at a time, and local memory.
fn half(cfg: &CoreConfig, bytes_a_thread: u32, most: u32) -> u32 {
    let room = cfg.local_mem_bytes as u32 / bytes_a_thread;
    warps(cfg, (cfg.warps / 2).max(1)).min(room).min(most).max(1)
}

/// The largest block of which four are on the core at a time, but of two warps, that it has somebody to wait for.
pub(super) fn quarter(cfg: &CoreConfig) -> u32 {
    warps(cfg, (cfg.warps / 4).max(2))
}

/// The side of square blocks: the largest of which two are on the core at a time and have a barrier to wait at, or just
/// the largest.
pub(super) fn tile(cfg: &CoreConfig) -> u32 {
    let all = warps(cfg, cfg.warps);
    let two_fit = |tile: &u32| (tile * tile).div_ceil(cfg.threads as u32) as usize <= cfg.warps / 2;
    let has_warps = |tile: &u32| tile * tile > cfg.threads as u32;
    let tiles = || [8, 4, 2, 1].into_iter().filter(|tile| tile * tile <= all);
    tiles().find(|tile| two_fit(tile) && has_warps(tile)).or(tiles().next()).unwrap_or(1)
}

/// Blocks whose rows are warps, of which eight are on the core at a time, but of two rows at least, that they have somebody to
/// wait for: as many as cover `n` x `n`.
pub(super) fn strips(entry: &'static str, n: u32, cfg: &CoreConfig) -> Launch {
    let (width, height) = (cfg.threads as u32, (cfg.warps / 8).max(2).min(cfg.warps) as u32);
    Launch {
        entry,
        arg: 0,
        grid: [n.div_ceil(width), n.div_ceil(height), 1],
        block: [width, height, 1],
        local_bytes: 0,
    }
}

/// A thread for each of N, in blocks of two warps.
fn one_each(entry: &'static str, n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let block = warps(cfg, 2);
    vec![Launch::row(entry, n.div_ceil(block), block)]
}

pub(super) fn vecadd(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    one_each("add", n, cfg)
}

pub(super) fn spmv(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    one_each("rows", n, cfg)
}

pub(super) fn sgemm(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let side = tile(cfg);
    vec![Launch { local_bytes: 2 * 4 * side * side, ..Launch::tiles("multiply", n, side) }]
}

/// Most blocks for whose results the kernels have room.
const MOST_BLOCKS: u32 = 32;

/// A sum and a maximum for each thread; then one block for what the blocks have left.
pub(super) fn reduce(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let block = half(cfg, 8, 1024);
    let blocks = n.div_ceil(block).min(MOST_BLOCKS);
    let launch = |entry, arg, blocks| Launch {
        entry,
        arg,
        grid: [blocks, 1, 1],
        block: [block, 1, 1],
        local_bytes: 8 * block,
    };
    vec![launch("fold_values", 0, blocks), launch("fold_blocks", blocks, 1)]
}

/// Sixteen counts for each thread; then a thread for each of the sixteen sums, or fewer.
pub(super) fn histogram(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    const CLASSES: u32 = 16;
    let block = half(cfg, 4 * CLASSES, 128);
    let blocks = n.div_ceil(block).min(MOST_BLOCKS);
    let (counting, adding) = ([block, 1, 1], [CLASSES.min(warps(cfg, cfg.warps)), 1, 1]);
    vec![
        Launch {
            entry: "count",
            arg: 0,
            grid: [blocks, 1, 1],
            block: counting,
            local_bytes: 4 * CLASSES * block,
        },
        Launch { entry: "add_blocks", arg: blocks, grid: [1, 1, 1], block: adding, local_bytes: 0 },
    ]
}
