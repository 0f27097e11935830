//! The trace port: what a core tells of itself, cycle by cycle.
use crate::prelude::*;
use crate::sched::{CoreView, StageView};

bundle! {
    /// A scheduler.
    pub struct TraceSched(cfg: &CoreConfig) {
        forward {
            /// What it sees of its stage.
            view_: bundle StageView(cfg),
            /// Its choice.
            grant_oh: WarpMask = cfg.warps,
        }
    }
}

bundle! {
    /// What oracles say of a scheduler.
    pub struct OracleView() {
        forward {
            /// The scheduler that knows of all instructions, fetched or not, grants another warp.
            discrepancy: Bit,
            /// So does the one that excuses what has not been fetched in time.
            error: Bit,
            /// Cycles with a discrepancy so far.
            discrepancies: Bits<32>,
            /// Cycles with an error so far.
            errors: Bits<32>,
        }
    }
}

bundle! {
    /// All of it; absent with `--no-trace-port`. Arrays are over slices; S slices, W warps.
    pub struct Trace(cfg: &CoreConfig) {
        let (warps, slices) = (cfg.warps, cfg.slices);
        forward {
            /// What issues.
            issue: [bundle Issue(cfg); slices],
            /// What is written to the register file.
            commit: [bundle RegisterWrite(cfg); slices],
            /// The schedulers of the issue stage.
            issue_sched: [bundle TraceSched(cfg); slices],
            /// A bit a slice: whatever is chosen, nothing can leave the queue.
            operand_stall: [Bit; slices],
            /// What the oracles say, with `--oracle`.
            oracles_: [bundle OracleView(); if cfg.oracle { slices } else { 0 }],
            /// The operand collectors, where there are any.
            collect: [bundle CollectView(cfg); usize::from(cfg.collects()) * slices],
            /// What warps are shared by, in a core that shares them.
            sharing: if (cfg.shares_warps()) bundle SharingView(cfg),
            /// A load or store that the load/store unit begins: they act in this order, of several in a cycle the lower number first.
            access: [bundle Access(cfg); cfg.accesses()],
            /// The schedulers of the fetch stage.
            fetch: [bundle TraceSched(cfg); slices],
            /// What all schedulers see alike.
            core_: bundle CoreView(cfg),
            /// Why warps do not issue, in any slice.
            stall: bundle Stalls(cfg),
            /// Queue and fetches in flight make up the queue depth.
            full_queue_warps: WarpMask = warps,
            /// What the warp has fetched is void.
            flush_warps: WarpMask = warps,
            /// Not fetching until an instruction is resolved.
            waiting_warps: WarpMask = warps,
            /// What lookups of the instruction caches find.
            icache: [bundle Lookup(); slices],
            /// The performance counter whose total is brought up to date.
            counter: if (cfg.counters) bundle CounterTotal(),
            /// What the data cache and local memory do.
            memory_: bundle MemoryActivity(cfg),
            /// What happens on the bus.
            bus: bundle BusEvents(),
            /// A load instruction enters the load/store unit.
            load_started: [Bit; cfg.accesses()],
            /// A load instruction's last result is taken.
            load_done: [Bit; cfg.load_results()],
        }
    }
}
