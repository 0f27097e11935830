//! Policy `mwf-lrr`, most waiting first, then loose round-robin.
use super::baws::{LastOfCta, MostWaitingCta};
use crate::prelude::*;

scheduler! {
    /// Grants a warp of the CTA with most warps at a barrier: the first ready one after the last of that CTA that fired.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; pointers move at the edge after `fire`, the
    /// table after a barrier's events. Reset, and the start of a kernel: nobody waits, scanning begins at warp 0.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting: a CTA with fewer warps at its barrier
    /// starves while others have ready warps; while nobody waits, that of `lrr`.
    /// Critical path: `MostWaitingCta`, then that of `lrr`.
    /// Source: BAWS 4.1; docs/SCHEDULERS.md, section 4. While nobody waits the pointer is that of `lrr`, which every fire moves;
    /// a CTA's own is kept beside it (ours). Mirror in the model: `model::sched::mwf_lrr`.
    pub struct MostWaitingRoundRobin(cfg) {
        /// One-hot.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::with_reset(cfg.warps, 1 << (cfg.warps - 1)),
        first: MostWaitingCta = MostWaitingCta::new(cfg),
        of_cta: LastOfCta = LastOfCta::new(cfg),
        top: Const<WarpMask> = constant(cfg.warps, 1 << (cfg.warps - 1)),
        turn: NextInTurn = NextInTurn::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for MostWaitingRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the ready warps of the first CTA");
        self.first.warps.next = self.stage.ready_warps.val();
        self.first.cta_start.next = self.core.cta_start.val();
        self.first.kernel_start.next = self.core.kernel_start.val();
        self.first.arrive_warps.next = self.core.barrier.arrive_warps.val();
        self.first.release_warps.next = self.core.barrier.release_warps.val();
        Wires::join(&mut self.core.cta, &mut self.first.cta);
        self.turn.candidates.next = self.first.candidates.val();
        comment!("2. pick the first of them after the last that fired there");
        self.turn.last_oh.next = self.last_fired.q.val();
        if self.first.any_waiting.val() {
            self.turn.last_oh.next = self.of_cta.last_warps.val() & self.first.cta_warps.val();
        }
        self.grant.oh.next = self.turn.next_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that fired, of all and of its CTA");
        self.of_cta.fired_oh.next = self.stage.fired_oh.val();
        self.of_cta.start_warps.next = self.core.start_warps.val();
        self.of_cta.cta_start.next = self.core.cta_start.val();
        self.of_cta.kernel_start.next = self.core.kernel_start.val();
        Wires::join(&mut self.first.members, &mut self.of_cta.members);
        if self.stage.fire.val() {
            self.last_fired.d.next = self.stage.fired_oh.val();
        }
        if self.core.kernel_start.val() {
            self.last_fired.d.next = self.top.val();
        }
    }
}
