//! What a program asks of the data cache and of local memory, told from the addresses that the model computes.

use isa::{self, Latency};
use model::timing::{Access, Kind};
use model::{Lanes, Warp};

/// Lines below this one are the I/O region, which no cache keeps (docs/ISA.md, section 6).
const FIRST_CACHED_LINE: u32 = 0x1_0000 / spec::config::LINE_BYTES as u32;

/// Counts of all memory instructions so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traffic {
    /// Lines that loads look up in the data cache.
    pub(super) lines_read: u64,
    /// Lines that stores look up.
    pub(super) lines_written: u64,
    /// Threads that load from local memory.
    pub(super) local_reads: u64,
    /// Threads that store to it.
    pub(super) local_writes: u64,
    /// Cycles in which threads wait for others that use the same bank.
    pub(super) local_bank_stalls: u64,
}

/// What a load or store says of its addresses.
pub(super) struct MemoryOp {
    pub(super) kind: Kind,
    /// Where a load goes.
    rd: Option<u8>,
    rs1: usize,
    offset: u32,
}

impl MemoryOp {
    /// `None` unless the instruction accesses memory; a load to x0 does not.
    #[inline]
    pub(super) fn decode(raw: u32) -> Option<Self> {
        // Most instructions are told apart by their opcode's upper bits: 0x03, 0x07, 0x23, 0x27.
        if raw & 0x5b != 0x03 {
            return None;
        }
        let op = isa::decode(raw)?;
        let (kind, rd) = match op.info().latency {
            Latency::Load => (Kind::Load, Some(op.format().rd(raw)? as u8)),
            Latency::Store => (Kind::Store, None),
            _ => return None,
        };
        Some(Self { kind, rd, rs1: op.format().rs1(raw)?, offset: op.imm(raw) })
    }

    /// The lanes' addresses; `register` gives the lanes' values of a register.
    #[inline]
    pub(super) fn addresses<'a>(&self, register: impl FnOnce(usize) -> &'a Lanes) -> Lanes {
        register(self.rs1).map(|base| base.wrapping_add(self.offset))
    }
}

/// What the next instruction of a warp of `threads` lanes will ask; `None` unless it accesses memory.
#[inline]
pub(super) fn access(threads: usize, warp: &Warp, raw: u32) -> Option<Access> {
    let op = MemoryOp::decode(raw)?;
    let addresses = op.addresses(|number| warp.register(number));
    Some(Access::new(0, op.rd, op.kind, &addresses, warp.tmask(), threads))
}

impl Traffic {
    /// Counts an instruction that has executed.
    #[inline]
    pub(super) fn add(&mut self, access: &Access) {
        let load = access.kind == Kind::Load;
        for group in &access.groups {
            let (lines, threads) = match (group.line, load) {
                (Some(line), _) if line < FIRST_CACHED_LINE => continue,
                (_, true) => (&mut self.lines_read, &mut self.local_reads),
                (_, false) => (&mut self.lines_written, &mut self.local_writes),
            };
            if group.line.is_some() {
                *lines += 1;
            } else {
                *threads += u64::from(group.lanes.count_ones());
                self.local_bank_stalls += u64::from(group.passes) - 1;
            }
        }
    }
}
