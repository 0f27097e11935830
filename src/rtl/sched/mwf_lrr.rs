//! Policy `mwf-lrr`, most waiting first, then loose round-robin.
use super::baws::TurnsInCta;
use crate::prelude::*;

scheduler! {
    /// Grants a warp of the CTA with most warps at a barrier: the first ready one after the last of that CTA that fired.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; pointers move at the edge after `fire`, the
    /// table after a barrier's events. Reset, and the start of a kernel: nobody waits, scanning begins at warp 0.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting: a CTA with fewer warps at its barrier
    /// starves while others have ready warps; while nobody waits, that of `lrr`.
    /// Critical path: `TurnsInCta`, an encoder.
    /// Source: BAWS 4.1; docs/SCHEDULERS.md, section 4. Mirror in the model: `model::sched::mwf_lrr`.
    pub struct MostWaitingRoundRobin(cfg) {
        choice: TurnsInCta = TurnsInCta::new(cfg),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for MostWaitingRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the ready warps");
        self.choice.warps.next = self.stage.ready_warps.val();
        Wires::join(&mut self.core.older, &mut self.choice.state.older);
        Wires::join(&mut self.tables, &mut self.choice.state.tables);
        self.choice.kernel_start.next = self.core.kernel_start.val();
        comment!("2. pick of the first CTA the first after the last that fired there");
        self.grant.oh.next = self.choice.chosen_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that fired");
        self.choice.fired_oh.next = self.stage.fired_oh.val();
        self.choice.start_warps.next = self.core.start_warps.val();
    }
}
