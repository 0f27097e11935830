//! What happens in a cycle, as observers are told it: of the hardware the trace port shows the same.

use spec::config::{WarpMask, MAX_SLICES};

/// An instruction that issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// Its warp.
    pub wid: usize,
    /// Its address.
    pub pc: u32,
    /// The instruction word.
    pub raw: u32,
    /// The active lanes.
    pub tmask: u32,
}

/// Lanes of a load that are written to the register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Its warp.
    pub wid: usize,
    /// The register, 32 and up for the floating-point ones.
    pub rd: u8,
    /// How many lanes.
    pub lanes: u32,
    /// The load is complete.
    pub last: bool,
}

/// What the operand collectors of a slice do; zeros if it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollectRecord {
    /// Registers of the instructions in them that no bank reads in this cycle.
    pub waits: u32,
    /// None is free: of memory, special, arithmetic.
    pub full: [bool; 3],
}

/// What a slice does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceRecord {
    /// What issues.
    pub issued: Option<Issued>,
    /// The issue slot is taken, by an instruction of its warps or by a NOP of SWaS.
    pub fires: bool,
    /// A warp can fetch.
    pub can_fetch: bool,
    /// One does.
    pub fetches: bool,
    /// A lookup of the instruction cache, and whether it hits.
    pub icache: Option<bool>,
    /// Its operand collectors.
    pub collect: CollectRecord,
    /// What is written for a load.
    pub loaded: Option<Loaded>,
    /// Whether `osched1` and `osched2` choose another warp than the issue scheduler, if there are oracles.
    pub departs: [bool; 2],
}

/// What the data cache does, of all banks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheRecord {
    /// Lines that loads look up.
    pub reads: u32,
    /// Lines that stores look up.
    pub writes: u32,
    /// Of the first those that are not there.
    pub read_misses: u32,
    /// Of the second.
    pub write_misses: u32,
    /// Banks in which a line waits for anything but an MSHR.
    pub bank_stalls: u32,
    /// Banks in which one waits for an MSHR.
    pub mshr_stalls: u32,
    /// MSHRs in use.
    pub mshrs: u32,
}

/// What happens on the memory bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusRecord {
    /// A read is accepted.
    pub read: bool,
    /// A write is.
    pub write: bool,
    /// A line is taken.
    pub response: bool,
}

/// A cycle of a core. Masks have a bit a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The core has something to do.
    pub busy: bool,
    /// By slice.
    pub slices: [SliceRecord; MAX_SLICES],
    /// Wait for a branch, a mask change, a barrier or a fence.
    pub stall_control: WarpMask,
    /// Have nothing in their queues.
    pub stall_ibuffer: WarpMask,
    /// Wait for a register.
    pub stall_scoreboard: WarpMask,
    /// Wait for nothing but a unit.
    pub stall_pipeline: WarpMask,
    /// Do not fetch until an instruction is resolved.
    pub fetch_waits: WarpMask,
    /// The data cache.
    pub cache: CacheRecord,
    /// The bus.
    pub bus: BusRecord,
}
