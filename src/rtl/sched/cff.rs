//! Policy `cff`, critical fetch first.
use super::baws::MostWaitingCta;
use crate::prelude::*;

scheduler! {
    /// Fetches for an empty queue first, and in the order of the CTAs that most-waiting-first issues from; of a CTA's warps for
    /// the oldest.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the table follows a barrier's events one
    /// cycle later. Reset, and the start of a kernel: nobody waits.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting.
    /// Critical path: an OR of W bits, `MostWaitingCta`, an OR of W bits, an encoder.
    /// Source: BAWS 1 and abstract; docs/SCHEDULERS.md, section 4. The table is this scheduler's own, so that any policy may
    /// issue; that of `mwf-lrr` and `mwf-gto` holds the same (ours). Mirror in the model: `model::sched::cff`.
    pub struct CriticalFetchFirst(cfg) {
        running, starved, candidates: Signal<Local, WarpMask> = signal(cfg.warps),
        first: MostWaitingCta = MostWaitingCta::new(cfg),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for CriticalFetchFirst {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clock, reset: policies have the same ports, and this one no state");
        comment!("1. candidates: not at a barrier and the queue empty; if there is none, not at a barrier; if there is none, all");
        self.running.next = self.stage.ready_warps.val() & !self.core.barrier.warps.val();
        self.starved.next = self.running.val() & self.stage.empty_warps.val();
        self.first.warps.next = self.running.val();
        if self.starved.val().any() {
            self.first.warps.next = self.starved.val();
        }
        self.first.cta_start.next = self.core.cta_start.val();
        self.first.kernel_start.next = self.core.kernel_start.val();
        self.first.arrive_warps.next = self.core.barrier.arrive_warps.val();
        self.first.release_warps.next = self.core.barrier.release_warps.val();
        Wires::join(&mut self.core.cta, &mut self.first.cta);
        Wires::join(&mut self.core.older, &mut self.oldest.older);
        self.candidates.next = self.stage.ready_warps.val();
        if self.running.val().any() {
            self.candidates.next = self.first.candidates.val();
        }
        comment!("2. pick the oldest");
        self.oldest.candidates.next = self.candidates.val();
        self.grant.oh.next = self.oldest.oldest_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember: the table does");
    }
}
