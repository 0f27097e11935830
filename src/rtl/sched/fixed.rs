//! Policy `fixed`.
use crate::prelude::*;

scheduler! {
    /// Grants the smallest ready warp slot.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational. Reset: none, it has no state.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting: a low slot that stays ready starves
    /// all others. Critical path: one increment of W bits and an encoder.
    /// Source: Vortex 2.2, VX_schedule.sv; docs/SCHEDULERS.md, section 2. Mirror in the model: `model::sched::fixed`.
    pub struct FixedPriority(cfg) {
        one: Const<WarpMask> = constant(cfg.warps, 1),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for FixedPriority {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clock, reset: policies have the same ports, and this one no state");
        comment!("1. candidates: the ready warps");
        comment!("2. pick the smallest slot");
        self.grant.oh.next =
            self.stage.ready_warps.val() & ((!self.stage.ready_warps.val()) + self.one.val());
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. nothing to remember");
    }
}
