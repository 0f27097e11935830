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
