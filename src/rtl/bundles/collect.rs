//! Inside the operand collectors of a slice, and what they show of themselves.
use crate::prelude::*;

/// Registers that an instruction may read.
pub(crate) fn sources(cfg: &CoreConfig) -> usize {
    super::named_registers(cfg) - 1
}

/// Width of a bank's number.
pub(crate) fn bank_bits(cfg: &CoreConfig) -> usize {
    spec::config::bits_for(cfg.register_banks)
}

bundle! {
    /// A register of all lanes.
    pub struct LaneWords(cfg: &CoreConfig) {
        forward {
            /// The word of each lane.
            data: [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// An instruction in an operand collector.
    pub struct Collected(cfg: &CoreConfig) {
        forward {
            /// The instruction.
            issue_: fields Issue(cfg),
            /// Its destination.
            rd: Bits<6>,
            /// It has one.
            use_rd: Bit,
        }
    }
}

bundle! {
    /// What the operand collectors of a slice do in a cycle; arrays of three are over memory, special, arithmetic.
    pub struct CollectView(cfg: &CoreConfig) {
        forward {
            /// An instruction leaves them.
            leaves: Bit,
            /// Its warp.
            leaves_wid: WarpId = cfg.wid_bits(),
            /// A collector of the class is free.
            free: [Bit; super::CLASSES],
            /// What leaves in this cycle finds room behind them.
            room: [Bit; super::CLASSES],
            /// How many of its collectors' registers no bank serves in this cycle.
            waits: Bits<8>,
        }
    }
}
