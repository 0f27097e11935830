//! From the warp table through the instruction cache and the decoder to the heads of the instruction queues.
use crate::prelude::*;

bundle! {
    /// What a lookup of an instruction cache finds.
    pub struct Lookup() {
        forward {
            /// The line is there.
            hit: reset Bit,
            /// It is not.
            miss: reset Bit,
        }
    }
}

bundle! {
    /// An instruction that is fetched: on request, on its way, or there.
    pub struct Fetch(cfg: &CoreConfig) {
        forward {
            /// An instruction is fetched.
            valid: reset Bit,
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// Its address.
            pc: Bits<32>,
        }
    }
}

bundle! {
    /// What a decoder predicts of a branch or jump.
    pub struct FetchAhead() {
        forward {
            /// Fetching goes on at its target.
            valid: Bit,
            /// That less its address.
            offset: Bits<32>,
        }
    }
}

bundle! {
    /// What becomes of the requests in the instruction cache, for the warp table.
    pub struct FetchEvents(cfg: &CoreConfig) {
        forward {
            /// Stages 1 and 2 hold a request.
            stage_valid: [Bit; 2],
            /// Their warps.
            stage_wid: [WarpId; 2] = cfg.wid_bits(),
            /// With `--fetch-width 2`, a bit each: they are for two words.
            stage_pair: if (cfg.fetches_pairs()) Bits<2>,
            /// The request that was in stage 1 a cycle ago missed. A request of the same warp that was made then is void.
            missed: bundle Fetch(cfg),
            /// A bit a warp: warps whose line has arrived, or that should try again.
            wake_warps: WarpMask = cfg.warps,
        }
    }
}

bundle! {
    /// The word behind the one that was fetched, with `--fetch-width 2`.
    pub struct SecondWord() {
        forward {
            /// It is of the same line, and was fetched with the first.
            there: Bit,
            /// The word.
            instr: Bits<32>,
        }
    }
}

/// How many registers an instruction names at most.
pub(crate) fn named_registers(cfg: &CoreConfig) -> usize {
    3 + usize::from(cfg.reads_three())
}

bundle! {
    /// The registers that an instruction names: 0 is its destination, 1 to 3 are its sources, the third of which only
    /// fused products and AMOCAS have.
    pub struct Registers(cfg: &CoreConfig) {
        forward {
            /// Their numbers; bit 5 is set for those of the floating-point file.
            number: [Bits<6>; named_registers(cfg)],
            /// It uses them, and they are not x0.
            used: [Bit; named_registers(cfg)],
        }
    }
}

bundle! {
    /// What the decoder finds, and issue must know.
    pub struct IssueFacts(cfg: &CoreConfig) {
        forward {
            /// Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake, and so do
            /// atomic ones, which are done when they have their result.
            registers: bundle Registers(cfg),
            /// Nothing younger of the warp issues until it is resolved: branches, jumps, warp control, barriers, fences,
            /// illegal instructions.
            blocks_issue: Bit,
            /// Reads or writes memory.
            memory: Bit,
            /// Issues only when all older instructions of its warp have their results: access to a floating-point CSR.
            drains: if (cfg.fpu) Bit,
            /// The warp's `frm` is its rounding mode; else `funct3` is, if it has one.
            dynamic_rounding: if (cfg.fpu) Bit,
        }
    }
}

bundle! {
    /// What the decoder says of an instruction to the instruction queues.
    pub struct DecodedInstruction(cfg: &CoreConfig) {
        forward {
            /// What issue must know.
            facts_: fields IssueFacts(cfg),
            /// Collector through which it gets to its unit.
            collector: Collector,
        }
    }
}

bundle! {
    /// An instruction as it waits in its queue. All zeros are a NOP, which uses no register and goes to no collector.
    pub struct QueueEntry(cfg: &CoreConfig) {
        forward {
            /// What issue must know.
            facts_: fields IssueFacts(cfg),
            /// It goes to collector SP.
            sp: Bit,
            /// It goes to collector SFU.
            sfu: Bit,
            /// It goes to collector MEM.
            mem: Bit,
        }
    }
}

bundle! {
    /// The heads of all instruction queues, for issue; what is said of a head means nothing where there is none.
    pub struct QueueHeads(cfg: &CoreConfig) {
        forward {
            /// A bit a warp: the queue is not empty.
            valid_warps: WarpMask = cfg.warps,
            /// A bit a warp: a first instruction enters the empty queue.
            enters_warps: WarpMask = cfg.warps,
            /// The heads' registers.
            registers: [bundle Registers(cfg); cfg.warps],
            /// Registers of what is at the head in the next cycle, if the present head issues or one enters.
            following: [bundle Registers(cfg); cfg.warps],
            /// A bit a warp: it has a destination.
            write_warps: WarpMask = cfg.warps,
            /// A bit a warp: it goes to collector SFU.
            sfu_warps: WarpMask = cfg.warps,
            /// A bit a warp: it goes to collector MEM.
            mem_warps: WarpMask = cfg.warps,
            /// A bit a warp: nothing younger issues until it is resolved.
            blocks_warps: WarpMask = cfg.warps,
            /// A bit a warp: it is a load or a store.
            memory_warps: WarpMask = cfg.warps,
            /// A bit a warp: it waits until its warp has nothing in flight.
            drains_warps: if (cfg.fpu) WarpMask = cfg.warps,
            /// A bit a warp: its rounding mode is its warp's `frm`.
            dynamic_rounding_warps: if (cfg.fpu) WarpMask = cfg.warps,
            /// A bit a warp: it is a NOP, which issues without any unit (SWaS only).
            nop_warps: if (cfg.unified().is_some()) WarpMask = cfg.warps,
        }
    }
}
