//! From the units to what stops the core.
use crate::prelude::*;

bundle! {
    /// An instruction that cannot be executed, in the cycle in which a unit finds it.
    pub struct Fault(cfg: &CoreConfig) {
        forward {
            /// There is a fault.
            valid: reset Bit,
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// Its address.
            pc: Bits<32>,
            /// The cause, numbered as in docs/ISA.md, section 8.
            cause: Bits<4>,
            /// The address, instruction word, count or CSR number at fault; 0 where there is none.
            addr: Bits<32>,
        }
    }
}
