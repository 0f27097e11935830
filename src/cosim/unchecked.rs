//! A run without the model beside it: what a program does wrong and the hardware cannot see, or cannot place.
//!
//! An access to memory that does not exist reaches the bus as a line, long after the instruction has issued; code that
//! was stored and is executed without FENCE.I looks like any other. Registers as the trace port shows them are enough
//! to tell the addresses of loads and stores when they issue.

use isa::{decode, Op};
use model::memory::LOCAL_MEM_BASE;
use model::timing::{Issued, Kind};
use model::{Cause, Lanes, Memory, Origin, StoredCode};
use spec::config::CoreConfig;

use super::failure::{At, FailureKind};
use super::trace::Committed;
use super::traffic::MemoryOp;

/// Integer registers of a warp.
const REGISTERS: usize = 32;
/// The major opcode of FENCE and FENCE.I.
const MISC_MEM: u32 = 0x0f;

/// An access to memory that does not exist, on its way to the bus.
struct Stray {
    at: At,
    address: u32,
    write: bool,
}

/// What is remembered of a run.
pub(super) struct Unchecked {
    /// The integer registers of all warps, as far as results have been written to them.
    registers: Vec<Lanes>,
    stored_code: StoredCode,
    strays: Vec<Stray>,
}

impl Unchecked {
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        let registers = vec![[0; 32]; cfg.warps * REGISTERS];
        Self { registers, stored_code: StoredCode::new(), strays: Vec::new() }
    }

    /// A result, or a part of one, is written.
    #[inline]
    pub(super) fn commit(&mut self, committed: &Committed) {
        let Committed { wid, rd, tmask, ref data, .. } = *committed;
        // x0 gets none, and of the floating-point registers no address is made.
        if rd == 0 || usize::from(rd) >= REGISTERS {
            return;
        }
        let Some(register) = self.registers.get_mut(wid * REGISTERS + usize::from(rd)) else { return };
        for lane in lanes(tmask) {
            register[lane] = data[lane];
        }
    }

    /// An instruction issues. Returns the fault if it is one that was stored since the last FENCE.I.
    #[inline]
    pub(super) fn issue(&mut self, issued: &Issued, memory: &Memory) -> Option<FailureKind> {
        let Issued { wid, pc, raw, tmask } = *issued;
        if let Some(store) = self.stored_code.stored_by(pc) {
            return Some(stale(issued, store, memory));
        }
        self.stored_code.fetched(pc);
        if raw & 0x7f == MISC_MEM && decode(raw) == Some(Op::FenceI) {
            self.stored_code.clear();
        }
        let op = MemoryOp::decode(raw)?;
        let registers = self.registers.get(wid * REGISTERS..)?;
        let addresses = op.addresses(memory.stacks(), |number| &registers[number]);
        // The bus meets an atomic instruction first as a load.
        let (write, stores) = (op.kind == Kind::Store, op.kind != Kind::Load);
        for address in lanes(tmask).map(|lane| addresses[lane]).filter(|&a| a < LOCAL_MEM_BASE) {
            if stores {
                self.stored_code.store(address, Origin { wid, pc });
            }
            if !memory.is_mapped(address) {
                self.strays.push(Stray { at: At { wid, pc, raw: Some(raw) }, address, write });
            }
        }
        None
    }

    /// The memory reports an access to a line that does not exist: whose it was, and at which address.
    pub(super) fn unmapped(&self, line: u32, write: bool) -> Option<FailureKind> {
        let stray = self.strays.iter().find(|s| (s.address & !63, s.write) == (line, write));
        stray.map(Stray::fault)
    }

    /// What a warp that reports a fault at `pc` has done before: the bus has not met it yet.
    pub(super) fn stray_before(&self, wid: usize, pc: u32) -> Option<FailureKind> {
        self.strays.iter().find(|s| s.at.wid == wid && s.at.pc != pc).map(Stray::fault)
    }
}

impl Stray {
    fn fault(&self) -> FailureKind {
        let what = format!("{} at {:#010x}", Cause::Unmapped, self.address);
        FailureKind::Fault { at: Some(self.at), what, origin: None }
    }
}

/// The lanes of a mask.
fn lanes(tmask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| tmask >> lane & 1 != 0)
}

#[cold]
fn stale(issued: &Issued, store: Origin, memory: &Memory) -> FailureKind {
    let Origin { wid, pc } = store;
    let by = At { wid, pc, raw: memory.read(pc & !3, 4).ok() };
    FailureKind::Fault {
        at: Some(At { wid: issued.wid, pc: issued.pc, raw: Some(issued.raw) }),
        what: Cause::StaleFetch.to_string(),
        origin: Some(format!("stored by {by}")),
    }
}
