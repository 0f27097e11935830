//! Grids: from the launch port through the dispatcher of thread blocks to what a block needs (docs/ISA.md, section 7.1).
use crate::prelude::*;

/// Width of a thread's coordinate in its block.
pub const COORDINATE_BITS: usize = 10;

bundle! {
    /// How a core starts, and whether it runs.
    pub struct CoreControl() {
        forward {
            /// Where warp 0 starts.
            start_pc: Bits<32>,
            /// What mscratch holds after reset: the kernel's argument.
            start_arg: Bits<32>,
            /// Which performance counters the `mhpmcounter` CSRs are: docs/ISA.md, section 5.
            mpm_class: Bits<8>,
        }
        backward {
            /// A warp is active or an instruction is still on its way.
            busy: Bit,
        }
    }
}

bundle! {
    /// What a grid looks like; stable while it runs.
    pub struct GridShape() {
        forward {
            /// Blocks along x.
            grid_x: Bits<32>,
            /// Blocks along y.
            grid_y: Bits<32>,
            /// Blocks along z.
            grid_z: Bits<32>,
            /// Threads of a block along x.
            block_x: Bits<11>,
            /// Threads of a block along y.
            block_y: Bits<11>,
            /// Threads of a block along z.
            block_z: Bits<11>,
            /// Bytes of local memory that a block gets.
            local_bytes: Bits<15>,
        }
    }
}

bundle! {
    /// The launch port.
    pub struct GridLaunch() {
        forward {
            /// A grid is to run.
            valid: Bit,
            /// Its shape, which stays as it is until the grid has ended.
            shape_: bundle GridShape(),
        }
        backward {
            /// It is taken in this cycle.
            ready: Bit,
        }
    }
}

bundle! {
    /// Where one thread of a block is: each lane of each warp of a block is told once a launch.
    pub struct ThreadPlace(cfg: &CoreConfig) {
        forward {
            /// A place is told.
            valid: Bit,
            /// Rank of its warp in the block.
            rank: WarpId = cfg.wid_bits(),
            /// Its lane, one-hot.
            lane_oh: Bits<32> = cfg.threads,
            /// Its coordinates, 0 for a lane behind the block's last thread.
            x: Bits<10>,
            /// Along y.
            y: Bits<10>,
            /// Along z.
            z: Bits<10>,
        }
    }
}

bundle! {
    /// How the warp slots make up CTA slots: the same for all blocks of a grid, but with `--warp-dispatch`, where a warp that
    /// starts belongs to another CTA slot from the next cycle on.
    pub struct CtaMap(cfg: &CoreConfig) {
        forward {
            /// A grid was launched; nothing else here has a meaning before.
            in_grid: Bit,
            /// Warps of a block.
            size: WarpCount = cfg.warp_count_bits(),
            /// CTA slot of each warp slot.
            slot: [WarpId; cfg.warps] = cfg.cta_bits(),
            /// Rank of each warp in its block.
            rank: [WarpId; cfg.warps] = cfg.wid_bits(),
            /// The warps that are the last of their block.
            last_warps: WarpMask = cfg.warps,
            /// Lanes of such a warp.
            last_lanes: Bits<32> = cfg.threads,
            /// Where the local memory of each warp's block begins in that of the core.
            local_base: [Bits<14>; cfg.warps],
            /// Bytes of it; 0: all of the core's.
            local_bytes: Bits<15>,
            /// With fewer CTA slots than warps, where a block starts as a whole: those in front of the last CTA slot's end.
            placed_warps: if (cfg.leaves_warps()) WarpMask = cfg.warps,
            /// With `--warp-dispatch`: not all warps of the block that began last are active yet.
            partial: if (cfg.warp_dispatch) Bit,
            /// Its CTA slot.
            partial_slot: if (cfg.warp_dispatch) WarpId = cfg.cta_bits(),
        }
    }
}

bundle! {
    /// With `--warp-dispatch`: a warp that starts.
    pub struct WarpStart(cfg: &CoreConfig) {
        forward {
            /// The warp, or none.
            warp_oh: WarpMask = cfg.warps,
            /// Its CTA slot.
            slot: WarpId = cfg.cta_bits(),
            /// Its rank in its block.
            rank: WarpId = cfg.wid_bits(),
            /// It is the last of its block.
            last: Bit,
            /// Warps of the block are not active yet.
            partial: Bit,
        }
    }
}

bundle! {
    /// A block that starts.
    pub struct CtaStart(cfg: &CoreConfig) {
        forward {
            /// A block starts.
            valid: Bit,
            /// Its CTA slot.
            slot: WarpId = cfg.cta_bits(),
            /// The same, one-hot; 0 if there is none.
            slot_oh: WarpMask = cfg.ctas(),
            /// Its warps; 0 if there is none.
            warps: WarpMask = cfg.warps,
            /// Its number in the grid.
            id: Bits<32>,
            /// Its place along x.
            x: Bits<32>,
            /// Its place along y.
            y: Bits<32>,
            /// Its place along z.
            z: Bits<32>,
        }
    }
}

bundle! {
    /// All that the dispatcher tells of a grid.
    pub struct GridView(cfg: &CoreConfig) {
        forward {
            /// What it looks like.
            shape: bundle GridShape(),
            /// Where warps belong.
            map: bundle CtaMap(cfg),
            /// Where threads belong.
            thread: bundle ThreadPlace(cfg),
            /// The block that starts in this cycle.
            start: bundle CtaStart(cfg),
        }
    }
}
