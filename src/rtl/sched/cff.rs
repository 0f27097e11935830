//! Policy `cff`, critical fetch first, in the order of `mwf-gto`.
use super::baws::{CriticalWarps, MostWaitingCta};
use crate::prelude::*;

scheduler! {
    /// Fetches for an empty queue first, and of several for the warp that `mwf-gto` would issue next, the oldest.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the table follows a barrier's events one
    /// cycle later. Reset: nobody waits.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting.
    /// Critical path: `CriticalWarps`, `MostWaitingCta`, an encoder.
    /// Source: BAWS 1 and abstract; docs/SCHEDULERS.md, section 4. The table is this scheduler's own, so that any policy may
    /// issue; that of `mwf-gto` holds the same (ours). Mirror in the model: `model::sched::cff`.
    pub struct CriticalFetchFirst(cfg) {
        critical: CriticalWarps = CriticalWarps::new(cfg),
        first: MostWaitingCta = MostWaitingCta::new(cfg),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for CriticalFetchFirst {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: not at a barrier and the queue empty; if there is none, not at a barrier; if there is none, all");
        self.critical.ready_warps.next = self.stage.ready_warps.val();
        self.critical.empty_warps.next = self.stage.empty_warps.val();
        self.critical.barrier_warps.next = self.core.barrier.warps.val();
        self.first.warps.next = self.critical.critical_warps.val();
        Wires::join(&mut self.core.cta, &mut self.first.state.cta);
        Wires::join(&mut self.core.older, &mut self.first.state.older);
        Wires::join(&mut self.core.barrier, &mut self.first.state.barrier);
        self.first.state.active_warps.next = self.core.active_warps.val();
        self.first.state.exit_warps.next = self.core.exit_warps.val();
        comment!("2. pick of the first CTA the oldest");
        self.grant.oh.next = self.first.oldest_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember: the table does");
    }
}
