//! Which warps may issue.

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
}

/// Of each class, the warps of which an instruction that issues now finds room.
pub(super) type RoomyWarps = [WarpMask; CLASSES.len()];

impl Scoreboard {
    pub fn new() -> Self {
        Self { waiting: [0; MAX_WARPS], unresolved_warps: 0 }
    }

    /// Of the warps in `candidates`, which have a head, those that are data-ready, and those that are ready; a NOP always is.
    pub fn ready(
        &self,
        candidates: WarpMask,
        heads: &[Option<Instr>],
        roomy_warps: &RoomyWarps,
    ) -> (WarpMask, WarpMask) {
        let (mut data_ready, mut ready) = (0, 0);
        for wid in members(candidates & !self.unresolved_warps) {
            let Some(head) = &heads[wid] else {
                data_ready |= 1 << wid;
                ready |= 1 << wid;
                continue;
            };
            let waiting = self.waiting[wid];
            if waiting & head.needs != 0 || (head.drains && waiting != 0) {
                continue;
            }
            data_ready |= 1 << wid;
            ready |= roomy_warps[head.collector.class()] & 1 << wid;
        }
        (data_ready, ready)
    }

    /// The instruction issues.
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
        self.waiting[usize::from(result.wid)] &= !(1 << result.rd);
    }
}
