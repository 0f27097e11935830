//! What the performance counters count.
use crate::prelude::*;
use isa::counter::{COUNTER_BITS, ROTATION};

/// Width of a counter's number.
pub const COUNTER_NUMBER_BITS: usize = ROTATION.next_power_of_two().trailing_zeros() as usize;

bundle! {
    /// Of a slice.
    pub struct CountedSlice(cfg: &CoreConfig) {
        forward {
            /// An instruction issues, which a NOP is not.
            issue_fire: reset Bit,
            /// The warp whose head leaves its queue, or none.
            issue_fire_warps: WarpMask = cfg.warps,
            /// Its lanes.
            issue_tmask: Bits<32> = cfg.threads,
            /// Bit 5 of its word: it is a store, if it is a load or store.
            issue_store: reset Bit,
            /// Why warps do not issue.
            stall_on: bundle Stalls(cfg),
            /// Warps that could fetch.
            fetch_ready_warps: WarpMask = cfg.warps,
            /// One does.
            fetch_fire: reset Bit,
            /// Lookups of the instruction cache.
            icache: bundle Lookup(),
        }
    }
}

bundle! {
    /// A result of a load: of all slices together, or of each one.
    pub struct LoadCommit(cfg: &CoreConfig) {
        forward {
            /// Lanes of a load are written back.
            load_commit_valid: reset Bit,
            /// The load's warp.
            load_commit_wid: WarpId = cfg.wid_bits(),
            /// The lanes.
            load_commit_tmask: Bits<32> = cfg.threads,
            /// They are the last ones.
            load_commit_last: reset Bit,
        }
    }
}

bundle! {
    /// All of it.
    pub struct Counted(cfg: &CoreConfig) {
        forward {
            /// The core runs.
            busy: reset Bit,
            /// Of each slice.
            slices_: [bundle CountedSlice(cfg); cfg.slices],
            /// The head of the queue is a load or store.
            head_memory_warps: WarpMask = cfg.warps,
            /// The head writes a register.
            head_use_rd_warps: WarpMask = cfg.warps,
            /// Warps that wait at a barrier.
            barrier_warps: WarpMask = cfg.warps,
            /// What is written back of loads: by all slices together, or by each.
            load_: [bundle LoadCommit(cfg); cfg.load_results()],
            /// What the data cache and local memory do.
            memory: bundle MemoryActivity(cfg),
            /// Warps that wait for a line of instructions.
            suspended_warps: WarpMask = cfg.warps,
            /// What happens on the bus.
            bus: bundle BusEvents(),
        }
    }
}

bundle! {
    /// The total that is brought up to date.
    pub struct CounterTotal() {
        forward {
            /// Number of the counter.
            number: Bits<16> = COUNTER_NUMBER_BITS,
            /// What it has counted.
            total: Bits<44> = COUNTER_BITS,
        }
    }
}
