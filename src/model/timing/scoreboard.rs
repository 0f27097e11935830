//! Which warps may issue.

use super::heads::Heads;
use super::instr::Instr;
use super::{members, Result};
use crate::sched::CLASSES;
use spec::config::{WarpMask, MAX_WARPS};

/// Registers that wait for a value, and warps that wait for an instruction to be resolved.
pub(super) struct Scoreboard {
    /// One bit a register, set from the issue of the instruction that writes it until it is written.
    waiting: [u64; MAX_WARPS],
    /// Warps with an unresolved branch, mask change, barrier or fence.
    pub unresolved_warps: WarpMask,
    /// Warps whose head waits for a register.
    hazard_warps: WarpMask,
    /// Of each class, the warps whose head goes there; the others' is a NOP.
    class_warps: RoomyWarps,
    /// Those of which this must be found out again: their head, or what their registers wait for, is another one.
    changed_warps: WarpMask,
}

/// Of each class, the warps of which an instruction that issues now finds room.
pub(super) type RoomyWarps = [WarpMask; CLASSES.len()];

impl Scoreboard {
    pub fn new() -> Self {
        Self {
            waiting: [0; MAX_WARPS],
            unresolved_warps: 0,
            hazard_warps: 0,
            class_warps: [0; CLASSES.len()],
            changed_warps: 0,
        }
    }

    /// Of the warps in `candidates`, which have a head, those that are data-ready, and those that are ready; a NOP always is.
    pub fn ready(&self, candidates: WarpMask, roomy_warps: &RoomyWarps) -> (WarpMask, WarpMask) {
        let data_ready = candidates & !(self.unresolved_warps | self.hazard_warps);
        let classes = self.class_warps.iter().zip(roomy_warps);
        let roomless_warps = classes.fold(0, |mask, (class, roomy)| mask | class & !roomy);
        (data_ready, data_ready & !roomless_warps)
    }

    /// Looks at the heads of `head_warps`, which may be others than before, and of those whose registers have changed.
    #[inline(always)]
    pub fn look(&mut self, head_warps: WarpMask, heads: &Heads) {
        for wid in members(head_warps | std::mem::take(&mut self.changed_warps)) {
            let waiting = self.waiting[wid];
            let waits = |head: &Instr| waiting & head.needs != 0 || (head.drains && waiting != 0);
            let hazard = heads.get(wid).is_some_and(waits);
            self.hazard_warps = self.hazard_warps & !(1 << wid) | WarpMask::from(hazard) << wid;
            let of_head = heads.get(wid).map_or(CLASSES.len(), |head| head.work.collector.class());
            for (class, warps) in self.class_warps.iter_mut().enumerate() {
                *warps = *warps & !(1 << wid) | WarpMask::from(of_head == class) << wid;
            }
        }
    }

    /// The instruction issues.
    pub fn issue(&mut self, wid: usize, instr: &Instr) {
        if let Some(rd) = instr.rd {
            self.waiting[wid] |= 1 << rd;
            self.changed_warps |= 1 << wid;
        }
        if instr.blocks {
            self.unresolved_warps |= 1 << wid;
        }
    }

    /// The register has its value.
    pub fn written(&mut self, result: Result) {
        self.waiting[usize::from(result.wid)] &= !(1 << result.rd);
        self.changed_warps |= 1 << result.wid;
    }
}
