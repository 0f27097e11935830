//! Which warps may issue.

use super::instr::Instr;
use super::Result;
use crate::sched::CLASSES;
use spec::config::{WarpMask, MAX_WARPS};

/// Registers that wait for a value, and warps that wait for an instruction to be resolved.
pub(super) struct Scoreboard {
    /// One bit a register, set from the issue of the instruction that writes it until it is written.
    waiting: [u64; MAX_WARPS],
    /// The same of those that must not wait when the warp's head issues.
    needs: [u64; MAX_WARPS],
    /// Warps with an unresolved branch, mask change, barrier or fence.
    pub unresolved_warps: WarpMask,
    /// Warps whose head waits for a register.
    hazard_warps: WarpMask,
    /// Of each class, the warps whose head goes there; the others' is a NOP.
    class_warps: RoomyWarps,
}

/// Of each class, the warps of which an instruction that issues now finds room.
pub(super) type RoomyWarps = [WarpMask; CLASSES.len()];

impl Scoreboard {
    pub fn new() -> Self {
        Self {
            waiting: [0; MAX_WARPS],
            needs: [0; MAX_WARPS],
            unresolved_warps: 0,
            hazard_warps: 0,
            class_warps: [0; CLASSES.len()],
        }
    }

    /// Of the warps in `candidates`, which have a head, those that are data-ready, and those that are ready; a NOP always is.
    pub fn ready(&self, candidates: WarpMask, roomy_warps: &RoomyWarps) -> (WarpMask, WarpMask) {
        let data_ready = candidates & !(self.unresolved_warps | self.hazard_warps);
        let classes = self.class_warps.iter().zip(roomy_warps);
        let roomless_warps = classes.fold(0, |mask, (class, roomy)| mask | class & !roomy);
        (data_ready, data_ready & !roomless_warps)
    }

    /// The warp has another head, or none.
    #[inline(always)]
    pub fn head(&mut self, wid: usize, head: Option<&Instr>) {
        self.needs[wid] = head.map_or(0, |head| head.needs);
        self.compare(wid);
        let of_head = head.map_or(CLASSES.len(), |head| head.work.collector.class());
        for (class, warps) in self.class_warps.iter_mut().enumerate() {
            *warps = *warps & !(1 << wid) | WarpMask::from(of_head == class) << wid;
        }
    }

    /// Whether the warp's head waits for a register.
    #[inline(always)]
    fn compare(&mut self, wid: usize) {
        let hazard = self.waiting[wid] & self.needs[wid] != 0;
        self.hazard_warps = self.hazard_warps & !(1 << wid) | WarpMask::from(hazard) << wid;
    }

    /// The instruction issues: another head will be told.
    pub fn issue(&mut self, wid: usize, instr: &Instr) {
        if let Some(rd) = instr.rd {
            self.waiting[wid] |= 1 << rd;
        }
        if instr.blocks {
            self.unresolved_warps |= 1 << wid;
        }
    }

    /// The register has its value.
    pub fn written(&mut self, result: Result) {
        let wid = usize::from(result.wid);
        self.waiting[wid] &= !(1 << result.rd);
        self.compare(wid);
    }
}
