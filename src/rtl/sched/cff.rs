//! Policy `cff`, critical fetch first, in the order of `mwf-gto`.
use super::baws::{CriticalWarps, MostWaitingCta};
use crate::prelude::*;

scheduler! {
    /// Fetches for an empty queue first, and of several for the warp that `mwf-gto` would issue next, the oldest.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the table follows a barrier's events one
    /// cycle later. Reset: none.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting.
    /// Critical path: `CriticalWarps`, `MostWaitingCta`, an encoder.
    /// Source: BAWS 1 and abstract; docs/SCHEDULERS.md, section 4. The table is the core's ([`CtaTracker`](super::CtaTracker)),
    /// so any policy may issue. Mirror in the model: `model::sched::cff`.
    pub struct CriticalFetchFirst(cfg) {
        critical: CriticalWarps = CriticalWarps::new(cfg),
        first: MostWaitingCta = MostWaitingCta::new(cfg),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for CriticalFetchFirst {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clock, reset: policies have the same ports, and this one no state");
        comment!("1. candidates: not at a barrier and the queue empty; if there is none, not at a barrier; if there is none, all");
        self.critical.ready_warps.next = self.stage.ready_warps.val();
        self.critical.empty_warps.next = self.stage.empty_warps.val();
        self.critical.barrier_warps.next = self.core.barrier.warps.val();
        self.first.warps.next = self.critical.critical_warps.val();
        Wires::join(&mut self.core.older, &mut self.first.state.older);
        Wires::join(&mut self.tables, &mut self.first.state.tables);
        comment!("2. pick of the first CTA the oldest");
        self.grant.oh.next = self.first.oldest_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember: the table does");
    }
}
