//! The order in which loads and stores act: the hardware's, as long as it is one that the architecture allows.
//!
//! The load-store unit takes accesses of several slices in an order that the model cannot know, so the trace port tells
//! it. A warp's own accesses act in program order; what a warp has issued before a barrier, and before it ends, acts
//! before all that the warps issue that this lets go on; and FENCE lets its warp go on when all of its accesses have
//! acted.

use std::collections::VecDeque;

use isa::Op;
use model::members;
use model::{MemoryAccess, Retire};
use spec::config::WarpMask;

use super::failure::{At, Checked, Mismatch};
use super::trace::Accessed;
use super::unknown::adopt;

/// What has issued and not acted. Numbers count accesses in the order of issue.
struct Waiting {
    number: u64,
    retire: Retire,
}

/// Accesses that must have acted first: those of these warps with lower numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ahead {
    warps: WarpMask,
    before: u64,
}

/// All warps' accesses that have issued and not acted.
pub(super) struct Order {
    issued: u64,
    waiting: Vec<VecDeque<Waiting>>,
    /// For each warp, what its next accesses come behind.
    ahead: Vec<Vec<Ahead>>,
    /// Warps whose last instruction is a fence.
    fenced: WarpMask,
}

impl Order {
    pub(super) fn new(warps: usize) -> Self {
        Self {
            issued: 0,
            waiting: (0..warps).map(|_| VecDeque::new()).collect(),
            ahead: vec![Vec::new(); warps],
            fenced: 0,
        }
    }

    /// An instruction has issued. Whether it may act at once: it is no access, and waits for none.
    #[inline]
    pub(super) fn issue(&mut self, at: At, retire: &Retire) -> Checked<bool> {
        let warp = 1 << retire.wid;
        let waiting = &mut self.waiting[retire.wid];
        if self.fenced & warp != 0 {
            self.fenced &= !warp;
            if let Some(first) = waiting.front() {
                let what = "issue behind a fence that waits for";
                return Err(Mismatch::new(at, what, place(&first.retire), "not performed"));
            }
        }
        if matches!(retire.op, Op::Fence | Op::FenceI) {
            self.fenced |= warp;
        }
        let acts = match retire.access() {
            // A load to x0 accesses nothing.
            Some(access) => access.store || retire.op.is_atomic() || retire.rd.is_some(),
            None => retire.op == Op::FenceI && !waiting.is_empty(),
        };
        if acts {
            waiting.push_back(Waiting { number: self.issued, retire: *retire });
            self.issued += 1;
        }
        Ok(!acts)
    }

    /// The warps `released` go on because the warps `by` have come where they are: what the latter have issued goes
    /// first, and what that came behind.
    #[cold]
    pub(super) fn release(&mut self, released: WarpMask, by: WarpMask) {
        let mut ahead = vec![Ahead { warps: by, before: self.issued }];
        for wid in (0..self.ahead.len()).filter(|wid| by >> wid & 1 != 0) {
            ahead.append(&mut self.ahead[wid].clone());
        }
        ahead.retain(|ahead| self.missing(ahead).is_some());
        ahead.dedup();
        for wid in (0..self.ahead.len()).filter(|wid| released >> wid & 1 != 0) {
            self.ahead[wid].clone_from(&ahead);
        }
    }

    /// The oldest that has not acted of what must be ahead.
    fn missing(&self, ahead: &Ahead) -> Option<&Retire> {
        let fronts = self.waiting.iter().enumerate().filter(|(wid, _)| ahead.warps >> wid & 1 != 0);
        let older = fronts.filter_map(|(_, waiting)| waiting.front()).filter(|w| w.number < ahead.before);
        older.min_by_key(|w| w.number).map(|w| &w.retire)
    }

    /// An access acts: that of the instruction that is returned, which is performed where it waits, until
    /// [`Self::performed`] takes it away. `None` if the warp has no access left. What the lanes `unknown` store is known
    /// to the hardware alone.
    #[inline]
    pub(super) fn act(&mut self, accessed: &Accessed, unknown: u32) -> Checked<Option<&mut Retire>> {
        let wid = accessed.wid;
        let Some(Waiting { number, retire }) = self.waiting.get_mut(wid).and_then(VecDeque::front_mut) else {
            return Ok(None);
        };
        if let Some(access) = retire.access_mut() {
            if unknown != 0 {
                adopt(unknown, &mut access.data, &accessed.data);
            }
        }
        if let Some(access) = retire.access() {
            compare(retire, access, accessed)?;
        }
        if !self.ahead[wid].is_empty() {
            let number = *number;
            self.check_ahead(number, wid)?;
        }
        Ok(self.waiting[wid].front_mut().map(|first| &mut first.retire))
    }

    /// The instruction whose access is the warp's next.
    pub(super) fn next(&self, wid: usize) -> Option<Op> {
        self.waiting.get(wid)?.front().map(|first| first.retire.op)
    }

    /// The warp's access that has acted is done.
    #[inline]
    pub(super) fn performed(&mut self, wid: usize) {
        self.waiting[wid].pop_front();
    }

    /// Nothing that the warp's access of that number comes behind may be missing.
    #[cold]
    fn check_ahead(&mut self, number: u64, wid: usize) -> Checked {
        let ahead = std::mem::take(&mut self.ahead[wid]);
        let (later, due): (Vec<_>, Vec<_>) = ahead.into_iter().partition(|ahead| ahead.before > number);
        self.ahead[wid] = later;
        let missing = due.iter().find_map(|ahead| self.missing(ahead));
        let (Some(missing), Some(first)) = (missing, self.waiting[wid].front()) else { return Ok(()) };
        let what = "order of accesses on the two sides of a barrier, or of a warp's start";
        Err(Mismatch::new(at(&first.retire), what, format!("{} first", place(missing)), "this one first"))
    }

    /// The FENCE.I that waited for the warp's last access to act, if there is one.
    #[inline]
    pub(super) fn fence_i(&mut self, wid: usize) -> Option<Retire> {
        let next = self.waiting[wid].front()?;
        next.retire.access().is_none().then(|| self.waiting[wid].pop_front().map(|w| w.retire))?
    }

    /// Nothing may be left at the end.
    pub(super) fn finish(&self) -> Checked {
        match self.waiting.iter().find_map(VecDeque::front) {
            Some(Waiting { retire, .. }) => {
                let what = format!("{} that never was performed", name(retire));
                Err(Mismatch::new(at(retire), what, "an access", "none before the end"))
            }
            None => Ok(()),
        }
    }
}

fn at(retire: &Retire) -> At {
    At { wid: retire.wid, pc: retire.pc, raw: Some(retire.raw) }
}

fn place(retire: &Retire) -> String {
    at(retire).to_string()
}

fn name(retire: &Retire) -> &'static str {
    kind(retire.access().is_some_and(|access| access.store))
}

/// What reports call an access.
pub(super) fn kind(store: bool) -> &'static str {
    if store {
        "store"
    } else {
        "load"
    }
}

/// Instruction, lanes, addresses and stored bytes.
fn compare(retire: &Retire, access: &MemoryAccess, accessed: &Accessed) -> Checked {
    let Accessed { pc, store, tmask, funct3, .. } = *accessed;
    let size = funct3 & 3;
    if (retire.pc, access.store, retire.tmask, access.funct3) != (pc, store, tmask, size) {
        let head = |store: bool, pc: u32, tmask: u32, size: u8| {
            format!("{} at pc {pc:#010x}, lanes {tmask:#x}, size {size}", kind(store))
        };
        let model = head(access.store, retire.pc, retire.tmask, access.funct3);
        return Err(Mismatch::new(at(retire), "load or store", model, head(store, pc, tmask, size)));
    }
    let stored = if store || retire.op.is_atomic() { u32::MAX >> (32 - (8 << size)) } else { 0 };
    for (what, model, hardware, used) in [
        ("address", &access.addr, &accessed.addresses, u32::MAX),
        ("data", &access.data, &accessed.data, stored),
    ] {
        if let Some(lane) = members(tmask).find(|&l| (model[l] ^ hardware[l]) & used != 0) {
            let (model, hardware) = (model[lane] & used, hardware[lane] & used);
            let what = format!("{} {what} of lane {lane}", kind(store));
            return Err(Mismatch::new(
                at(retire),
                what,
                format!("{model:#010x}"),
                format!("{hardware:#010x}"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
