//! Policy `mwf-gto`, most waiting first, then greedy then oldest.
use super::baws::GreedyInCta;
use crate::prelude::*;

scheduler! {
    /// Grants a warp of the CTA with most warps at a barrier: the last of that CTA that fired, or its oldest ready one.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; what fired last is remembered at the edge
    /// after `fire`, the table follows a barrier's events. Reset, and the start of a kernel: nobody waits, none has fired.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting.
    /// Critical path: `GreedyInCta`, an encoder.
    /// Source: BAWS 4.1; docs/SCHEDULERS.md, section 4. Mirror in the model: `model::sched::mwf_gto`.
    pub struct MostWaitingGreedyOldest(cfg) {
        choice: GreedyInCta = GreedyInCta::new(cfg),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for MostWaitingGreedyOldest {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the ready warps");
        self.choice.warps.next = self.stage.ready_warps.val();
        Wires::join(&mut self.core.older, &mut self.choice.state.older);
        Wires::join(&mut self.tables, &mut self.choice.state.tables);
        self.choice.kernel_start.next = self.core.kernel_start.val();
        comment!("2. pick of the first CTA the greedy warp, else the oldest");
        self.grant.oh.next = self.choice.chosen_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that fired");
        self.choice.fired_oh.next = self.stage.fired_oh.val();
        self.choice.start_warps.next = self.core.start_warps.val();
    }
}
