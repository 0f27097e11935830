//! Grids: blocks of threads, and where a core places them (docs/ISA.md, section 7.1).

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

/// Where the blocks of a grid lie on a core, the same for all that have a CTA slot one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    lanes: usize,
    threads: usize,
    block: [u32; 3],
    /// CTA slots.
    pub slots: usize,
    /// Warps of a block.
    pub size: usize,
}

impl Placement {
    /// Where the blocks of a grid lie that the core can run.
    pub fn new(launch: &GridLaunch, cfg: &CoreConfig) -> Self {
        let threads = launch.block_threads() as usize;
        let size = threads.div_ceil(cfg.threads).max(1);
        let by_memory = cfg.local_mem_bytes.checked_div(launch.local_bytes as usize);
        let slots = (cfg.warps / size).min(by_memory.unwrap_or(cfg.warps));
        Self { lanes: cfg.threads, threads, block: launch.block, slots, size }
    }

    /// CTA slot of a warp.
    pub fn slot_of(&self, wid: usize) -> usize {
        wid / self.size
    }

    /// Rank of a warp in its block.
    pub fn rank_of(&self, wid: usize) -> usize {
        wid % self.size
    }

    /// The warps of a CTA slot, one bit each.
    pub fn warps_of(&self, slot: usize) -> WarpMask {
        warps_below(self.size) << (slot * self.size)
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

    /// The smallest CTA slot none of whose warps is in `taken`.
    pub fn free_slot(&self, taken: WarpMask) -> Option<usize> {
        (0..self.slots).find(|&slot| taken & self.warps_of(slot) == 0)
    }
}

/// The grid that a machine runs.
#[derive(Clone, Debug)]
pub(super) struct Resident {
    pub launch: GridLaunch,
    pub placement: Placement,
    /// Blocks that have started.
    pub started: u64,
    /// Number of the block in each CTA slot.
    blocks: Vec<u32>,
}

impl Resident {
    pub fn new(launch: &GridLaunch, cfg: &CoreConfig) -> Self {
        let placement = Placement::new(launch, cfg);
        let blocks = vec![0; placement.slots];
        Self { launch: launch.clone(), placement, started: 0, blocks }
    }

    /// Whether blocks have yet to start.
    pub fn has_more(&self) -> bool {
        self.started < self.launch.blocks()
    }

    /// Gives the next block a slot.
    pub fn start(&mut self, slot: usize) {
        self.blocks[slot] = self.started as u32;
        self.started += 1;
    }

    /// Number of the block of a warp.
    pub fn block_of(&self, wid: usize) -> u32 {
        self.blocks.get(self.placement.slot_of(wid)).copied().unwrap_or_default()
    }

    /// Its place in the grid.
    pub fn place_of(&self, wid: usize) -> [u32; 3] {
        place(self.block_of(wid), self.launch.grid)
    }

    /// The warps of the block of a warp, one bit each.
    pub fn peers(&self, wid: usize) -> WarpMask {
        self.placement.warps_of(self.placement.slot_of(wid))
    }

    /// Bytes between the begin of the local memory of the core and that of the block of a warp.
    pub fn local_base(&self, wid: usize) -> u32 {
        self.placement.slot_of(wid) as u32 * self.launch.local_bytes
    }
}
