//! The check of the instruction queues under SWaS: in every cycle they are full, and what issues, NOPs among it, is
//! what the model of the queues has at its head.

use model::members;
use model::sched::{CoreView, Entry, Queues};
use model::timing::Record;
use spec::config::{CoreConfig, WarpMask};

use super::failure::{At, Checked, Mismatch};
use super::lockstep::Lockstep;
use super::ports::TracePorts;
use super::verilator::Model;

/// The model's queues beside the hardware's.
pub(super) struct UnifiedCheck {
    queues: Queues,
    /// Warps that have faulted: where they go on is not known.
    lost_warps: WarpMask,
    /// Of the cycle before: warps that waited for a line, and the one that was selected.
    held_warps: WarpMask,
    selected: Option<usize>,
}

impl UnifiedCheck {
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        Self { queues: Queues::new(cfg.warps), lost_warps: 0, held_warps: 0, selected: None }
    }

    /// Checks the cycle of a record, as the trace port shows it and `core` tells the schedulers, and moves the model's
    /// queues. `lockstep` has executed what issued in the cycles before.
    #[inline]
    pub(super) fn cycle(
        &mut self,
        record: &Record,
        core: &CoreView,
        model: &Model,
        trace: &TracePorts,
        lockstep: &Lockstep,
    ) -> Checked {
        // 1. a warp that is held from now on has missed with its request of the cycle before last
        for wid in members(core.held_warps & !self.held_warps) {
            self.queues.miss(wid, usize::from(self.selected == Some(wid)));
        }
        self.held_warps = core.held_warps;
        self.selected = None;
        // 2. the invariant: queue and requests in flight are t_F + 1, and there is a head
        let short = core.active_warps & !model.read(trace.full_queue_warps) | record.stall_ibuffer;
        if short != 0 {
            let what = "instruction queues under SWaS";
            return Err(Mismatch::new(None, what, "all full", format!("not full: warps {short:#x}")));
        }
        // 3. the head of the selected warp
        if trace.issue_sched.fire.get(model, 0) != 0 {
            // The scheduler's warp, which the instruction's must be.
            let wid = trace.issue_sched_grant_oh.get_wide(model, 0).trailing_zeros() as usize;
            let issued = record.slices[0].issued;
            self.selected = Some(wid);
            let expected = self.queues.select(wid);
            let got = issued.map_or(Entry::Nop, |issued| Entry::Instruction(issued.pc));
            if expected != got && self.lost_warps >> wid & 1 == 0 {
                let pc = trace.issue_pc.get(model, 0);
                let at = At { wid, pc, raw: issued.map(|issued| issued.raw) };
                let show = |entry| match entry {
                    Entry::Nop => "a NOP".to_owned(),
                    Entry::Instruction(pc) => format!("the instruction at {pc:#010x}"),
                };
                return Err(Mismatch::new(
                    at,
                    "head of the selected warp's queue",
                    show(expected),
                    show(got),
                ));
            }
        }
        // 4. who goes on elsewhere
        let redirected = model.read(trace.flush_warps) | core.start_warps;
        for wid in members(redirected) {
            self.lost_warps &= !(1 << wid);
            match lockstep.next_pc(wid) {
                Some(pc) => self.queues.redirect(wid, pc),
                None => self.lost_warps |= 1 << wid,
            }
        }
        Ok(())
    }
}
