//! Between the slices' collectors, the units and commit.
use crate::bundle;
use crate::config::CoreConfig;
use rust_hdl::prelude::*;

bundle! {
    /// A load, store or fence, from a slice's collector to the load-store unit.
    pub struct MemInstruction(cfg: &CoreConfig) {
        forward {
            /// There is one.
            valid: reset Bit,
            /// Its warp.
            wid: Bits<5> = cfg.wid_bits(),
            /// Its lanes.
            tmask: Bits<32> = cfg.threads,
            /// Its address.
            pc: Bits<32>,
            /// Destination register.
            rd: Bits<6>,
            /// It has a destination.
            use_rd: Bit,
            /// Minor opcode: width and sign.
            funct3: Bits<3>,
            /// It is a store.
            store: Bit,
            /// It is FENCE.
            fence: Bit,
            /// It is FENCE.I.
            fence_i: Bit,
            /// Offset.
            imm: Bits<32>,
            /// Base address of each lane.
            rs1: [Bits<32>; cfg.threads],
            /// Value to store of each lane.
            rs2: [Bits<32>; cfg.threads],
        }
        backward {
            /// It is taken in this cycle.
            ready: Bit,
        }
    }
}

bundle! {
    /// What a unit writes to the register file. Whether there is one, and whether it is taken, stands beside it: some
    /// units offer one result to several slices.
    pub struct UnitResult(cfg: &CoreConfig) {
        forward {
            /// Its warp.
            wid: Bits<5> = cfg.wid_bits(),
            /// Destination register.
            rd: Bits<6>,
            /// Lanes to write.
            tmask: Bits<32> = cfg.threads,
            /// Value of each lane.
            data: [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// A branch or jump that is resolved, from a slice's ALU to the warp table.
    pub struct Branch(cfg: &CoreConfig) {
        forward {
            /// There is one.
            valid: reset Bit,
            /// Its warp.
            wid: Bits<5> = cfg.wid_bits(),
            /// It is taken.
            taken: Bit,
            /// Where to.
            target: Bits<32>,
        }
    }
}

bundle! {
    /// A warp-control instruction that is done, from the special unit to the warp table.
    pub struct MaskChange(cfg: &CoreConfig) {
        forward {
            /// There is one.
            valid: reset Bit,
            /// Its warp.
            wid: Bits<5> = cfg.wid_bits(),
            /// The warp's lanes from now on; 0 ends it.
            tmask: Bits<32> = cfg.threads,
            /// The warp goes on at `pc` (JOIN), else behind the instruction.
            jump: Bit,
            /// Where, if `jump`.
            pc: Bits<32>,
        }
    }
}
