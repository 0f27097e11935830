//! Between the issue slices and what lets them share warps (KAWS).
use crate::prelude::*;

/// The classes of collectors, in the order in which warps are shared: memory, special, arithmetic.
pub const CLASSES: usize = 3;

bundle! {
    /// A warp of another slice that issues through this one.
    pub struct Visit(cfg: &CoreConfig) {
        forward {
            /// It issues in this cycle. Late, for it knows whether the slice's operand stage holds.
            valid: Bit,
            /// The warp, or none; known before `valid`.
            oh: WarpMask = cfg.warps,
            /// Its number; 0 without one.
            wid: WarpId = cfg.wid_bits(),
        }
    }
}

bundle! {
    /// What the operand stage reads: a word for each lane and register.
    pub struct OperandWords(cfg: &CoreConfig) {
        forward {
            /// First register of each lane.
            rs1: [Bits<32>; cfg.threads],
            /// Second register of each lane.
            rs2: [Bits<32>; cfg.threads],
            /// Third register of each lane.
            rs3: if (cfg.reads_three()) [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// What a slice tells of itself, so that warps can be shared.
    pub struct SliceState(cfg: &CoreConfig) {
        forward {
            /// The collector of each class has room for certain. From registers.
            room: [Bit; CLASSES],
            /// It has none: the opposite of `room`, but for arithmetic without operand collectors, whose operand stage held in the
            /// cycle before.
            full: [Bit; CLASSES],
            /// A bit a warp: its warps that are issue-ready.
            ready_warps: WarpMask = cfg.warps,
            /// A bit a warp: its warps that are data-ready.
            data_ready_warps: WarpMask = cfg.warps,
            /// A bit a warp: heads of all queues that go to collector sfu.
            special_warps: WarpMask = cfg.warps,
            /// Its operand stage holds in this cycle.
            stalled: Bit,
            /// With operand collectors, a bit a warp: warps with an instruction in one of its own.
            collecting_warps: if (cfg.collects()) WarpMask = cfg.warps,
            /// A bit a warp: what issues through it, its own or shared.
            fire_warps: WarpMask = cfg.warps,
            /// Registers of what is granted in it.
            registers: bundle Registers(cfg),
            /// An instruction leaves the collector of class mem.
            mem_leaves: Bit,
            /// Its warp.
            mem_leaves_wid: WarpId = cfg.wid_bits(),
            /// One leaves that of class sfu.
            sfu_leaves: Bit,
            /// Its warp.
            sfu_leaves_wid: WarpId = cfg.wid_bits(),
            /// A branch is not taken.
            passed_valid: Bit,
            /// Its warp.
            passed_wid: WarpId = cfg.wid_bits(),
            /// A branch was taken in the cycle before.
            taken_valid: Bit,
            /// Its warp.
            taken_wid: WarpId = cfg.wid_bits(),
            /// What is written to its registers.
            commit: bundle RegisterWrite(cfg),
        }
    }
}

bundle! {
    /// What is shared by, for the trace; arrays are over the classes: memory, special, arithmetic.
    pub struct SharingView(cfg: &CoreConfig) {
        forward {
            /// A bit a slice: slices whose collector of the class has room.
            room: [Bits<32>; CLASSES] = cfg.slices,
            /// A bit a slice: slices whose collector has none.
            full: [Bits<32>; CLASSES] = cfg.slices,
            /// A bit a warp: warps with a load, store or fence, or with a special instruction, in some collector.
            waiting_warps: [WarpMask; 2] = cfg.warps,
        }
    }
}

bundle! {
    /// What a slice is told of its own warps in other slices.
    pub struct AbsentWarps(cfg: &CoreConfig) {
        forward {
            /// A bit a warp: they issue through another slice in this cycle; one at most.
            departs_warps: WarpMask = cfg.warps,
            /// Destination of that one.
            departs_rd: Bits<6>,
            /// A bit a warp: their loads and stores wait in another slice.
            mem_warps: WarpMask = cfg.warps,
            /// A bit a warp: a special instruction of theirs waits in another slice.
            sfu_warps: WarpMask = cfg.warps,
            /// With operand collectors, a bit a warp: warps with an instruction in one of some slice.
            collecting_warps: if (cfg.collects()) WarpMask = cfg.warps,
            /// A bit a warp: warps whose branch some slice has resolved.
            resolved_warps: WarpMask = cfg.warps,
        }
    }
}

bundle! {
    /// What a slice is told by that through which warps are shared.
    pub struct SliceOrders(cfg: &CoreConfig) {
        forward {
            /// The warp of another slice that issues through this one.
            visit: bundle Visit(cfg),
            /// A cycle after it has issued: its registers.
            words: bundle OperandWords(cfg),
            /// Of its own warps.
            absent: bundle AbsentWarps(cfg),
            /// A bit a warp: warps of all slices with a load, store or fence in some collector.
            accessing_warps: WarpMask = cfg.warps,
        }
    }
}
