//! Results of instructions that have issued, which the hardware has yet to write to its registers.

use isa::reg::REGISTERS;
use model::{Lanes, Retire};

use super::failure::{At, Checked, Mismatch};
use super::history::register;
use super::trace::Committed;
use super::unknown::{adopt, Unsure};

struct Pending {
    pc: u32,
    raw: u32,
    /// Lanes still missing: loads complete in parts.
    lanes: u32,
    values: Lanes,
    /// A load whose access has yet to act: `values` is not known.
    in_memory: bool,
    /// Depends on timing: the hardware's value is taken over.
    volatile: bool,
    /// What depends on registers that were never written: likewise.
    unsure: Unsure,
    /// Floating-point exceptions that come with it.
    fflags: u32,
}

/// The results that must follow.
pub(super) struct PendingResults {
    /// One slot a warp and register: the scoreboard allows one write in flight to each.
    slots: Vec<Option<Pending>>,
}

/// A result that was written, as expected.
pub(super) struct Taken {
    /// Of its instruction.
    pub(super) pc: u32,
    pub(super) raw: u32,
    /// Lanes whose value is the hardware's alone.
    pub(super) adopted: u32,
}

impl PendingResults {
    /// None yet, of so many warps.
    pub(super) fn new(warps: usize) -> Self {
        Self { slots: (0..warps * REGISTERS).map(|_| None).collect() }
    }

    /// Notes the register write that must follow.
    #[inline]
    pub(super) fn expect(&mut self, at: At, retire: &Retire, unsure: Unsure) -> Checked {
        let (wid, pc, raw) = (retire.wid, retire.pc, retire.raw);
        if let Some(rd) = retire.written() {
            let slot = &mut self.slots[wid * REGISTERS + usize::from(rd)];
            if slot.is_some() {
                let what = format!("issue while an earlier write to {} is in flight", register(rd));
                return Err(Mismatch::new(at, what, "stall_scoreboard", "issued"));
            }
            let Retire { tmask: lanes, values, volatile, fflags, .. } = *retire;
            let in_memory = retire.access().is_some();
            *slot = Some(Pending { pc, raw, lanes, values, in_memory, volatile, unsure, fflags });
        }
        Ok(())
    }

    /// A load has acted, with these values. Gives where to note what of them is unknown, if they are to be written.
    #[inline]
    pub(super) fn performed(&mut self, wid: usize, rd: u8, values: &Lanes) -> Option<&mut Unsure> {
        let pending = self.slots[wid * REGISTERS + usize::from(rd)].as_mut()?;
        pending.values = *values;
        pending.in_memory = false;
        Some(&mut pending.unsure)
    }

    /// A result is written to the register file; `None` if no instruction expects one there.
    #[inline]
    pub(super) fn commit(&mut self, committed: &Committed) -> Checked<Option<Taken>> {
        let Committed { wid, rd, tmask, last, flags, ref data, .. } = *committed;
        let Some(slot) = self.slots.get_mut(wid * REGISTERS + usize::from(rd) % REGISTERS) else {
            return Ok(None);
        };
        let Some(pending) = slot else { return Ok(None) };
        let (pc, raw) = (pending.pc, pending.raw);
        let at = At { wid, pc, raw: Some(raw) };
        if pending.in_memory {
            let what = format!("commit of {} before the load is performed", register(rd));
            return Err(Mismatch::new(at, what, "the load first", "the commit first"));
        }
        let missing = pending.lanes & !tmask;
        if tmask & !pending.lanes != 0 || last != (missing == 0) {
            let what = format!("lanes of the commit of {}", register(rd));
            let got = format!("{tmask:#x}{}", if last { ", the last part" } else { ", not the last part" });
            return Err(Mismatch::new(at, what, format!("out of {:#x}", pending.lanes), got));
        }
        let unsure = pending.unsure;
        let adopted = if pending.volatile { tmask } else { tmask & unsure.lanes };
        if adopted != 0 {
            adopt(adopted, &mut pending.values, data);
        }
        if let Some(lane) = differing_lane(tmask, &pending.values, data) {
            let what = format!("{} of lane {lane}", register(rd));
            let (expected, got) = (pending.values[lane], data[lane]);
            return Err(Mismatch::new(at, what, format!("{expected:#010x}"), format!("{got:#010x}")));
        }
        if pending.fflags != flags && !unsure.flags {
            let (expected, got) = (format!("{:#07b}", pending.fflags), format!("{flags:#07b}"));
            return Err(Mismatch::new(at, "flags NV DZ OF UF NX", expected, got));
        }
        pending.lanes = missing;
        if last {
            *slot = None;
        }
        Ok(Some(Taken { pc, raw, adopted }))
    }

    /// The program has ended: nothing may be left.
    pub(super) fn finish(&self) -> Checked {
        let left = self.slots.iter().enumerate().find_map(|(at, slot)| slot.as_ref().map(|slot| (at, slot)));
        let Some((index, &Pending { pc, raw, .. })) = left else { return Ok(()) };
        let (wid, rd) = (index / REGISTERS, (index % REGISTERS) as u8);
        let what = format!("result in {} that never was written", register(rd));
        Err(Mismatch::new(At { wid, pc, raw: Some(raw) }, what, "a commit", "none before the end"))
    }
}

/// The lowest lane of `tmask` whose values differ.
#[inline]
fn differing_lane(tmask: u32, model: &Lanes, hardware: &Lanes) -> Option<usize> {
    // All lanes without a branch, so that the comparison becomes vector code.
    let differing = (0..model.len()).fold(0, |mask, l| mask | u32::from(model[l] != hardware[l]) << l);
    let differing = differing & tmask;
    (differing != 0).then(|| differing.trailing_zeros() as usize)
}
