//! What a slice's issue says to the operand stage, the counters and the trace.
use crate::rtl::prelude::*;

bundle! {
    /// An instruction that issues.
    pub struct Issue(cfg: &CoreConfig) {
        forward {
            /// There is one, which a NOP is not.
            valid: reset Bit,
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// Its address.
            pc: Bits<32>,
            /// Its word.
            instr: Bits<32>,
            /// Its active lanes.
            tmask: Bits<32> = cfg.threads,
        }
    }
}

bundle! {
    /// Why warps do not issue, W bits each.
    pub struct Stalls(cfg: &CoreConfig) {
        forward {
            /// The queue is empty.
            ibuffer: WarpMask = cfg.warps,
            /// A branch, warp control, fence or barrier is unresolved.
            control: WarpMask = cfg.warps,
            /// A register of the head waits for its value.
            scoreboard: WarpMask = cfg.warps,
            /// The collector of the head's class is not free.
            unit: WarpMask = cfg.warps,
        }
    }
}

bundle! {
    /// What the operand stage holds.
    pub struct HeldOperands(cfg: &CoreConfig) {
        forward {
            /// An instruction of class sp.
            sp: bundle SpInstruction(cfg),
            /// With a floating-point unit: its third operand of each lane.
            c: if (cfg.fpu) [Bits<32>; cfg.threads],
            /// One of class mem.
            mem: bundle MemInstruction(cfg),
            /// One of class sfu.
            sfu: bundle SfuInstruction(cfg),
            /// First register of each lane.
            rs1: [Bits<32>; cfg.threads],
            /// Second register of each lane.
            rs2: [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// What the back half of a slice says to the front half.
    pub struct BackState(cfg: &CoreConfig) {
        forward {
            /// The sp collector takes what the operand stage holds.
            sp_free: Bit,
            /// What issues in this cycle will find room in the mem collector.
            mem_free: Bit,
            /// What issues in this cycle will find room in the sfu collector.
            sfu_free: Bit,
            /// The branch in the sp collector leaves it and is not taken.
            passed_valid: Bit,
            /// Its warp.
            passed_wid: WarpId = cfg.wid_bits(),
            /// A branch or jump was resolved in the cycle before.
            branch: bundle Branch(cfg),
            /// What is written to the register file.
            commit: bundle RegisterWrite(cfg),
        }
    }
}
