//! Policy `lo`, loose oldest.
use crate::prelude::*;

scheduler! {
    /// Grants the oldest ready warp.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational. Reset: none, it has no state beyond the
    /// ages, which the stage gives it. Invariants: one grant if and only if some warp is ready. No bound on waiting: an old
    /// warp that stays ready starves all younger ones. Critical path: an OR of W bits and an encoder.
    /// Source: SWaS II-B ("oldest-first", loose); docs/SCHEDULERS.md, section 2. Mirror in the model: `model::sched::lo`.
    pub struct LooseOldest(cfg) {
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for LooseOldest {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clock, reset: policies have the same ports, and this one no state");
        comment!("1. candidates: the ready warps");
        self.oldest.candidates.next = self.stage.ready_warps.val();
        comment!("2. pick the oldest");
        Wires::join(&mut self.core.older, &mut self.oldest.older);
        self.grant.oh.next = self.oldest.oldest_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. nothing to remember");
    }
}
