//! Policy `mto`, memory then oldest.
use crate::prelude::*;

scheduler! {
    /// Grants the oldest ready warp whose head is a load or a store; if there is none, the oldest ready warp.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational. Reset: none, it has no state beyond the
    /// ages. Invariants: one grant if and only if some warp is ready. No bound on waiting.
    /// Critical path: whether any ready warp accesses memory, an OR of W bits and an encoder.
    /// Source: MOTRR IV; docs/SCHEDULERS.md, section 7. Mirror in the model: `model::sched::mto`.
    pub struct MemoryThenOldest(cfg) {
        memory: Signal<Local, WarpMask> = signal(cfg.warps),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for MemoryThenOldest {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clock, reset: policies have the same ports, and this one no state");
        comment!(
            "1. candidates: the ready warps with a load or a store, or all ready ones when there is none"
        );
        self.memory.next = self.stage.ready_warps.val() & self.stage.memory_warps.val();
        self.oldest.candidates.next = self.memory.val();
        if !self.memory.val().any() {
            self.oldest.candidates.next = self.stage.ready_warps.val();
        }
        comment!("2. pick the oldest");
        Wires::join(&mut self.core.older, &mut self.oldest.older);
        self.grant.oh.next = self.oldest.oldest_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. nothing to remember");
    }
}
