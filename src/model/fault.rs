//! Faults: what stops a warp instead of going wrong in silence.

use std::fmt;

/// Why an instruction could not be executed.
///
/// The discriminants up to 12 are the values of the hardware's `fault_cause`; the rest is seen by the
/// model or by the memory outside the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cause {
    /// The word is no instruction. The address field holds the word.
    IllegalInstruction = 1,
    /// A load's address is no multiple of its size.
    MisalignedLoad = 2,
    /// A store's address is no multiple of its size.
    MisalignedStore = 3,
    /// An address in the local memory's range, beyond its size.
    LocalMemoryRange = 4,
    /// SPLIT on a full divergence stack.
    DivergenceOverflow = 5,
    /// A barrier that waits for more warps than there are. The address field holds the count.
    BarrierCount = 6,
    /// No such CSR, or a write to a read-only one. The address field holds its number.
    IllegalCsr = 7,
    /// JOIN of a split that is not on the (empty) divergence stack.
    JoinOnEmpty = 8,
    /// Nothing is mapped at the address of a load, store or fetch. The hardware knows that of the first line, where
    /// null pointers lead; of other addresses the memory outside the core does.
    Unmapped = 9,
    /// A jump to an address that is no multiple of 4.
    MisalignedFetch = 10,
    /// A grid that this core cannot run: a dimension of 0, too many threads in a block, too much local memory for one.
    Launch = 11,
    /// A barrier of a grid's block in a warp whose divergence stack is not empty.
    DivergentBarrier = 12,
    /// The warp is inactive or waits for others: its caller should not have chosen it.
    NotRunnable = 13,
    /// An instruction that was stored, and executed without a FENCE.I in between.
    StaleFetch = 14,
}

impl Cause {
    /// The hardware's `fault_cause`, if the hardware detects this.
    pub fn code(self) -> Option<u8> {
        Some(self as u8).filter(|&code| code <= Cause::DivergentBarrier as u8)
    }

    /// The cause that the hardware reports as `code`.
    pub fn of_code(code: u8) -> Option<Self> {
        use Cause::*;
        let reported = [
            IllegalInstruction,
            MisalignedLoad,
            MisalignedStore,
            LocalMemoryRange,
            DivergenceOverflow,
            BarrierCount,
            IllegalCsr,
            JoinOnEmpty,
            Unmapped,
            MisalignedFetch,
            Launch,
            DivergentBarrier,
        ];
        reported.into_iter().find(|cause| cause.code() == Some(code))
    }

    /// Whether the address field of the fault is the address of a memory access.
    pub fn has_address(self) -> bool {
        use Cause::*;
        matches!(self, MisalignedLoad | MisalignedStore | LocalMemoryRange | Unmapped | MisalignedFetch)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::IllegalInstruction => "illegal instruction",
            Cause::MisalignedLoad => "misaligned load",
            Cause::MisalignedStore => "misaligned store",
            Cause::LocalMemoryRange => "address beyond the local memory",
            Cause::DivergenceOverflow => "divergence stack overflow",
            Cause::BarrierCount => "barrier count larger than the number of warps",
            Cause::IllegalCsr => "illegal CSR access",
            Cause::JoinOnEmpty => "join on an empty divergence stack",
            Cause::Unmapped => "access to unmapped memory",
            Cause::MisalignedFetch => "misaligned jump target",
            Cause::Launch => "a grid that this core cannot run",
            Cause::DivergentBarrier => "barrier in divergent code",
            Cause::StaleFetch => "instruction stored since the last fence.i",
            Cause::NotRunnable => "warp is inactive or waiting",
        })
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
