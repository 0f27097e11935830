//! Faults: what stops a warp instead of going wrong in silence.

use std::fmt;

/// The table: each cause with its number and what a report calls it.
macro_rules! causes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal, $text:literal;)*) => {
        /// Why an instruction could not be executed.
        ///
        /// The discriminants up to 12 are the values of the hardware's `fault_cause`; the rest is seen by the
        /// model or by the memory outside the core.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Cause {
            $($(#[doc = $doc])* $name = $code,)*
        }

        impl Cause {
            const ALL: &[Self] = &[$(Self::$name,)*];
        }

        impl fmt::Display for Cause {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$name => $text,)*
                })
            }
        }
    };
}

causes! {
    /// The word is no instruction. The address field holds the word.
    IllegalInstruction = 1, "illegal instruction";
    /// A load's address is no multiple of its size.
    MisalignedLoad = 2, "misaligned load";
    /// A store's address is no multiple of its size.
    MisalignedStore = 3, "misaligned store";
    /// An address in the local memory's range, beyond its size.
    LocalMemoryRange = 4, "address beyond the local memory";
    /// SPLIT on a full divergence stack.
    DivergenceOverflow = 5, "divergence stack overflow";
    /// A barrier that waits for more warps than there are. The address field holds the count.
    BarrierCount = 6, "barrier count larger than the number of warps";
    /// No such CSR, or a write to a read-only one. The address field holds its number.
    IllegalCsr = 7, "illegal CSR access";
    /// JOIN of a split that is not on the (empty) divergence stack.
    JoinOnEmpty = 8, "join on an empty divergence stack";
    /// Nothing is mapped at the address of a load, store or fetch. The hardware knows that of the first line, where
    /// null pointers lead; of other addresses the memory outside the core does.
    Unmapped = 9, "access to unmapped memory";
    /// A jump to an address that is no multiple of 4.
    MisalignedFetch = 10, "misaligned jump target";
    /// A grid that this core cannot run: a dimension of 0, too many threads in a block, too much local memory for one.
    Launch = 11, "a grid that this core cannot run";
    /// A barrier of a grid's block in a warp whose divergence stack is not empty.
    DivergentBarrier = 12, "barrier in divergent code";
    /// The warp is inactive or waits for others: its caller should not have chosen it.
    NotRunnable = 13, "warp is inactive or waiting";
    /// An instruction that was stored, and executed without a FENCE.I in between.
    StaleFetch = 14, "instruction stored since the last fence.i";
}

impl Cause {
    /// The hardware's `fault_cause`, if the hardware detects this.
    pub fn code(self) -> Option<u8> {
        Some(self as u8).filter(|&code| code <= Cause::DivergentBarrier as u8)
    }

    /// The cause that the hardware reports as `code`.
    pub fn of_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|cause| cause.code() == Some(code))
    }

    /// Whether the address field of the fault is the address of a memory access.
    pub fn has_address(self) -> bool {
        use Cause::*;
        matches!(self, MisalignedLoad | MisalignedStore | LocalMemoryRange | Unmapped | MisalignedFetch)
    }
}

/// The instruction behind a fault that shows elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its warp.
    pub wid: usize,
    /// Its address.
    pub pc: u32,
}

/// A fault and where it happened. The machine's state is as before the faulting instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cause} (warp {wid}, pc {pc:#010x}, {address:#010x})")]
pub struct Fault {
    /// The warp.
    pub wid: usize,
    /// The faulting instruction.
    pub pc: u32,
    /// What went wrong.
    pub cause: Cause,
    /// The address that the lowest offending lane accessed; see [`Cause`] for other meanings, and 0
    /// where there is none.
    pub address: u32,
    /// For a fetch from an address that is misaligned or not mapped, the instruction from which the warp came; for
    /// an instruction that was stored without FENCE.I, the store.
    pub origin: Option<Origin>,
}

/// A fault on its way out of an instruction, before warp and pc are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trap {
    pub cause: Cause,
    pub address: u32,
    pub origin: Option<Origin>,
}

impl Trap {
    pub fn new(cause: Cause, address: u32) -> Self {
        Self { cause, address, origin: None }
    }

    pub fn because_of(self, origin: Option<Origin>) -> Self {
        Self { origin, ..self }
    }
}
