//! What loads, stores and atomic instructions ask, told from the addresses that the model computes.

use isa::{self, Latency};
use model::memory::Stacks;
use model::timing::{Access, Banks, Kind};
use model::{Lanes, Machine};

/// What a load, store or atomic instruction says of its addresses.
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
        // Most instructions are told apart by their opcode's upper bits: 0x03, 0x07, 0x23, 0x27; 0x2f.
        if raw & 0x5b != 0x03 && raw & 0x7f != 0x2f {
            return None;
        }
        let op = isa::decode(raw)?;
        let (kind, rd) = match op.info().latency {
            Latency::Load => (Kind::Load, Some(op.format().rd(raw)? as u8)),
            Latency::Store => (Kind::Store, None),
            Latency::Atomic => (Kind::Atomic, Some(op.format().rd(raw).unwrap_or(0) as u8)),
            _ => return None,
        };
        Some(Self { kind, rd, rs1: op.format().rs1(raw)?, offset: op.offset(raw) })
    }

    /// Where in memory the lanes' accesses are; `register` gives the lanes' values of a register.
    #[inline]
    pub(super) fn addresses<'a>(&self, stacks: Stacks, register: impl FnOnce(usize) -> &'a Lanes) -> Lanes {
        register(self.rs1).map(|base| stacks.place(base.wrapping_add(self.offset)))
    }
}

/// What the next instruction of a warp will ask of the banks that it has; `None` unless it accesses memory.
#[inline]
pub(super) fn access(machine: &Machine, banks: Banks, wid: usize, raw: u32) -> Option<Access> {
    let op = MemoryOp::decode(raw)?;
    let warp = machine.warp(wid);
    let addresses = op.addresses(machine.memory.stacks(), |number| warp.register(number));
    let banks = banks.of_block(machine.local_base(wid));
    Some(Access::new(0, op.rd, op.kind, &addresses, warp.tmask(), banks))
}
