//! Grids: blocks of threads, and where a core places them (docs/ISA.md, section 7.1).

use crate::{members, PerWarp};
use spec::config::{warps_below, CoreConfig, WarpMask, MAX_BLOCK_THREADS};

/// A grid that is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridLaunch {
    /// Where every warp starts.
    pub entry: u32,
    /// What `mscratch` holds.
    pub arg: u32,
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of local memory that a block gets; 0: all blocks share the core's.
    pub local_bytes: u32,
}

/// Why a core cannot run a grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// It has no dispatcher.
    #[error("this core runs no grids: leave out --no-grid")]
    NoDispatcher,
    /// A length is 0.
    #[error("{0} must not be 0")]
    Empty(&'static str),
    /// More threads than lanes.
    #[error("a block of {threads} threads is larger than the core, which has {warps} warps of {lanes}")]
    Block {
        /// Threads of the block.
        threads: u64,
        /// Warps of the core.
        warps: usize,
        /// Lanes of a warp.
        lanes: usize,
    },
    /// More threads than a core may have for a block.
    #[error("a block of {0} threads is too large: at most {MAX_BLOCK_THREADS}")]
    Threads(u64),
    /// More threads than a number can tell apart.
    #[error("a grid of {0} threads is too large: at most 2^32")]
    Grid(u128),
    /// More local memory than there is.
    #[error("{bytes} bytes of local memory for a block are more than the core's {room}")]
    Local {
        /// What the block asks for.
        bytes: u32,
        /// What the core has.
        room: usize,
    },
    /// Local memory is given out in words.
    #[error("{0} bytes of local memory for a block: must be a multiple of 4")]
    Words(u32),
}

impl GridLaunch {
    /// Blocks of the grid, modulo 2^64.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().fold(1, |blocks, &length| blocks.wrapping_mul(length.into()))
    }

    /// Threads of a block.
    pub fn block_threads(&self) -> u64 {
        self.block.iter().fold(1, |threads, &length| threads.saturating_mul(length.into()))
    }

    /// Whether the core can run it.
    ///
    /// # Errors
    /// The first reason why it cannot.
    pub fn check(&self, cfg: &CoreConfig) -> Result<(), LaunchError> {
        if !cfg.grid {
            return Err(LaunchError::NoDispatcher);
        }
        for (lengths, what) in [(&self.grid, "the length of a grid"), (&self.block, "the length of a block")]
        {
            if lengths.contains(&0) {
                return Err(LaunchError::Empty(what));
            }
        }
        let threads = self.block_threads();
        if threads > (cfg.warps * cfg.threads) as u64 {
            return Err(LaunchError::Block { threads, warps: cfg.warps, lanes: cfg.threads });
        }
        if threads > MAX_BLOCK_THREADS as u64 {
            return Err(LaunchError::Threads(threads));
        }
        // Three lengths below 2^32 and a block of at most 1024 threads fit into 128 bits.
        let all = self.grid.iter().fold(u128::from(threads), |all, &length| all * u128::from(length));
        if all > 1 << 32 {
            return Err(LaunchError::Grid(all));
        }
        if self.local_bytes as usize > cfg.local_mem_bytes {
            return Err(LaunchError::Local { bytes: self.local_bytes, room: cfg.local_mem_bytes });
        }
        if !self.local_bytes.is_multiple_of(4) {
            return Err(LaunchError::Words(self.local_bytes));
        }
        Ok(())
    }
}

/// The place of number `n` in a box, x first.
fn place(n: u32, [x, y, _]: [u32; 3]) -> [u32; 3] {
    [n % x, n / x % y, n / x / y]
}

/// How the blocks of a grid lie on a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    lanes: usize,
    threads: usize,
    block: [u32; 3],
    warps: usize,
    /// CTA slots of the core.
    ctas: usize,
    /// CTA slots that blocks of the grid may have.
    slots: usize,
    /// Warps of a block.
    pub size: usize,
    /// Its warps start one by one, in any warp slots.
    by_warp: bool,
}

impl Placement {
    /// Where the blocks of a grid lie that the core can run.
    pub fn new(launch: &GridLaunch, cfg: &CoreConfig) -> Self {
        let threads = launch.block_threads() as usize;
        let size = threads.div_ceil(cfg.threads).max(1);
        let by_memory = cfg.local_mem_bytes.checked_div(launch.local_bytes as usize);
        let by_warps = if cfg.warp_dispatch { cfg.warps } else { cfg.warps / size };
        let (lanes, warps, ctas, block) = (cfg.threads, cfg.warps, cfg.ctas(), launch.block);
        let slots = by_warps.min(by_memory.unwrap_or(warps)).min(ctas);
        Self { lanes, threads, block, warps, ctas, slots, size, by_warp: cfg.warp_dispatch }
    }

    /// Lanes with which a warp of a rank starts.
    pub fn lanes_of(&self, rank: usize) -> u32 {
        let behind = self.threads.saturating_sub(rank * self.lanes).min(self.lanes);
        ((1u64 << behind) - 1) as u32
    }

    /// The thread in a lane of the warp of a rank; zeros behind the block's last.
    pub fn thread(&self, rank: usize, lane: usize) -> [u32; 3] {
        let number = rank * self.lanes + lane;
        if number < self.threads {
            place(number as u32, self.block)
        } else {
            [0; 3]
        }
    }
}

/// Warps of a block that start together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartingWarps {
    /// Their CTA slot.
    pub slot: usize,
    /// Rank of that with the smallest number; the others follow.
    pub rank: usize,
    /// The warps, one bit each.
    pub warps: WarpMask,
}

/// Which warp slots hold which warps of which CTA slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Residents {
    placement: Placement,
    slots: PerWarp<u8>,
    ranks: PerWarp<u8>,
    /// The warp slots of each CTA slot, one bit each.
    members: PerWarp<WarpMask>,
    /// CTA slot of the block that started last and the rank that is to start next, unless all its warps have.
    partial: Option<(usize, usize)>,
}

impl Residents {
    /// Before the first block: each warp in the CTA slot that it has without a grid; where a block starts as a whole, at its
    /// place, and behind the last CTA slot's warps those that are in none count to it.
    pub fn new(placement: Placement) -> Self {
        let Placement { ctas, size, by_warp, .. } = placement;
        let mut members = PerWarp::<WarpMask>::default();
        let slots = PerWarp(std::array::from_fn(|wid| {
            let slot = if by_warp { wid % ctas } else { wid / size };
            if slot < ctas {
                members[slot] |= 1 << wid;
            }
            slot.min(ctas - 1) as u8
        }));
        Self { placement, slots, ranks: PerWarp::default(), members, partial: None }
    }

    /// How the blocks lie.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The warps to start next while those of `taken` are active or starting, if there is room: further ones of the last block,
    /// or if there are `more` blocks, the first ones of another.
    pub fn next(&self, taken: WarpMask, more: bool) -> Option<StartingWarps> {
        let Placement { slots, by_warp, warps, .. } = self.placement;
        let (slot, rank) = match self.partial {
            Some(partial) => partial,
            None if more => ((0..slots).find(|&slot| taken & self.members[slot] == 0)?, 0),
            None => return None,
        };
        let free = warps_below(warps) & !taken;
        let warps = if by_warp { 1 << members(free).next()? } else { self.members[slot] };
        Some(StartingWarps { slot, rank, warps })
    }

    /// Warps start.
    pub fn start(&mut self, starting: StartingWarps) {
        for (wid, rank) in members(starting.warps).zip(starting.rank..) {
            self.members[usize::from(self.slots[wid])] &= !(1 << wid);
            self.members[starting.slot] |= 1 << wid;
            self.slots[wid] = starting.slot as u8;
            self.ranks[wid] = rank as u8;
        }
        let started = starting.rank + starting.warps.count_ones() as usize;
        self.partial = (started < self.placement.size).then_some((starting.slot, started));
    }

    /// CTA slot of a warp, or that which it had.
    pub fn slot_of(&self, wid: usize) -> usize {
        self.slots[wid].into()
    }

    /// Rank of a warp in its block.
    pub fn rank_of(&self, wid: usize) -> usize {
        self.ranks[wid].into()
    }

    /// The warps in the CTA slot of a warp, itself and those that have ended there included, one bit each.
    pub fn peers(&self, wid: usize) -> WarpMask {
        self.members[self.slot_of(wid)]
    }

    /// Whether warps have yet to start of the last block.
    pub fn has_partial(&self) -> bool {
        self.partial.is_some()
    }

    /// Whether warps have yet to start of the block of a warp.
    pub fn is_partial(&self, wid: usize) -> bool {
        self.partial.is_some_and(|(slot, _)| slot == self.slot_of(wid))
    }
}

/// The grid that a machine runs.
#[derive(Clone, Debug)]
pub(super) struct Resident {
    pub launch: GridLaunch,
    pub warps: Residents,
    /// Blocks of which a warp has started.
    started: u64,
    /// Number of the block in each CTA slot.
    blocks: PerWarp<u32>,
}

impl Resident {
    pub fn new(launch: &GridLaunch, cfg: &CoreConfig) -> Self {
        let warps = Residents::new(Placement::new(launch, cfg));
        Self { launch: launch.clone(), warps, started: 0, blocks: PerWarp::default() }
    }

    /// Whether warps have yet to start.
    pub fn has_more(&self) -> bool {
        self.warps.has_partial() || self.started < self.launch.blocks()
    }

    /// The warps to start next while those of `taken` are active, if there are any and there is room.
    pub fn next(&self, taken: WarpMask) -> Option<StartingWarps> {
        self.warps.next(taken, self.started < self.launch.blocks())
    }

    /// Warps start: of the next block, or further ones of the last.
    pub fn start(&mut self, starting: StartingWarps) {
        if starting.rank == 0 {
            self.blocks[starting.slot] = self.started as u32;
            self.started += 1;
        }
        self.warps.start(starting);
    }

    /// Number of the block of a warp.
    pub fn block_of(&self, wid: usize) -> u32 {
        self.blocks[self.warps.slot_of(wid)]
    }

    /// Its place in the grid.
    pub fn place_of(&self, wid: usize) -> [u32; 3] {
        place(self.block_of(wid), self.launch.grid)
    }

    /// Bytes between the begin of the local memory of the core and that of the block of a warp.
    pub fn local_base(&self, wid: usize) -> u32 {
        self.warps.slot_of(wid) as u32 * self.launch.local_bytes
    }
}
