//! What happens in a cycle, as observers are told it: of the hardware the trace port shows the same.

use super::Result;
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

/// Lanes of a result that are written to the register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its warp.
    pub wid: usize,
    /// The register, 32 and up for the floating-point ones.
    pub rd: u8,
    /// How many lanes.
    pub lanes: u32,
    /// The result is complete.
    pub last: bool,
}

impl Written {
    /// All of a result.
    pub(super) fn whole(Result { wid, rd, lanes }: Result) -> Self {
        Self { wid: wid.into(), rd, lanes: lanes.into(), last: true }
    }
}

/// A load or store that the load-store unit begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Its warp.
    pub wid: usize,
    /// Its address.
    pub pc: u32,
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
    /// The warp that has the issue slot, for an instruction or for a NOP of SWaS.
    pub fires: Option<usize>,
    /// The instruction.
    pub issued: Option<Issued>,
    /// A warp can fetch.
    pub can_fetch: bool,
    /// One does.
    pub fetches: bool,
    /// A lookup of the instruction cache, and whether it hits.
    pub icache: Option<bool>,
    /// Its operand collectors.
    pub collect: CollectRecord,
    /// What is written to its registers.
    pub written: Option<Written>,
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

impl CacheRecord {
    /// What another bank does.
    pub(super) fn add(&mut self, bank: &Self) {
        let Self { reads, writes, read_misses, write_misses, bank_stalls, mshr_stalls, mshrs } = self;
        *reads += bank.reads;
        *writes += bank.writes;
        *read_misses += bank.read_misses;
        *write_misses += bank.write_misses;
        *bank_stalls += bank.bank_stalls;
        *mshr_stalls += bank.mshr_stalls;
        *mshrs += bank.mshrs;
    }
}

/// What local memory does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalRecord {
    /// Threads that load.
    pub reads: u32,
    /// Threads that store.
    pub writes: u32,
    /// Threads wait for others that use the same bank.
    pub stalls: bool,
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
    /// Active warps.
    pub active_warps: WarpMask,
    /// Wait at a barrier.
    pub barrier_warps: WarpMask,
    /// Wait for a line of instructions.
    pub held_warps: WarpMask,
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
    /// What the load-store unit begins, in order.
    pub begun: [Option<Begun>; MAX_SLICES],
    /// The data cache.
    pub cache: CacheRecord,
    /// Local memory.
    pub local: LocalRecord,
    /// The bus.
    pub bus: BusRecord,
}

/// What differs between two of a kind: the field's name, and its value in each.
macro_rules! first_difference {
    ($this:ident, $other:ident, $($field:ident),*) => {{
        // All fields, so that a new one is not forgotten.
        let Self { $($field),* } = $this;
        $(if *$field != $other.$field {
            return Some((stringify!($field).to_owned(), format!("{:x?}", $field), format!("{:x?}", $other.$field)));
        })*
        None
    }};
}

impl SliceRecord {
    fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        first_difference!(self, other, issued, fires, collect, written, can_fetch, fetches, icache, departs)
    }
}

impl Record {
    /// Forgets what a cycle of a core of so many slices may not write or adds to; all else is written over.
    #[inline]
    pub(super) fn clear(&mut self, slices: usize) {
        for of_slice in &mut self.slices[..slices] {
            (of_slice.issued, of_slice.written) = (None, None);
        }
        (self.stall_scoreboard, self.stall_pipeline) = (0, 0);
    }

    /// The first signal in which `other` differs: its name, its value here, its value there.
    pub fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        for (slice, (this, other)) in self.slices.iter().zip(&other.slices).enumerate() {
            if let Some((name, here, there)) = this.difference(other) {
                return Some((format!("slice {slice}: {name}"), here, there));
            }
        }
        first_difference!(
            self,
            other,
            slices,
            busy,
            active_warps,
            barrier_warps,
            held_warps,
            stall_control,
            stall_ibuffer,
            stall_scoreboard,
            stall_pipeline,
            fetch_waits,
            begun,
            cache,
            local,
            bus
        )
    }
}
