//! Policy `mwf-gto`, most waiting first, then greedy then oldest.
use super::baws::{LastOfCta, MostWaitingCta};
use crate::prelude::*;

scheduler! {
    /// Grants a warp of the CTA with most warps at a barrier: the last of that CTA that fired, or its oldest ready one.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; what fired last is remembered at the edge
    /// after `fire`, the table follows a barrier's events. Reset, and the start of a kernel: nobody waits, none has fired.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting.
    /// Critical path: `MostWaitingCta`, then that of `gtlo`.
    /// Source: BAWS 4.1; docs/SCHEDULERS.md, section 4. While nobody waits greediness is that of `gtlo`; a CTA's own is kept
    /// beside it (ours). Mirror in the model: `model::sched::mwf_gto`.
    pub struct MostWaitingGreedyOldest(cfg) {
        /// One-hot, or none.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
        first: MostWaitingCta = MostWaitingCta::new(cfg),
        of_cta: LastOfCta = LastOfCta::new(cfg),
        greedy: Signal<Local, WarpMask> = signal(cfg.warps),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for MostWaitingGreedyOldest {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the ready warps of the first CTA; of them the one that fired last there");
        self.first.warps.next = self.stage.ready_warps.val();
        self.first.cta_start.next = self.core.cta_start.val();
        self.first.kernel_start.next = self.core.kernel_start.val();
        self.first.arrive_warps.next = self.core.barrier.arrive_warps.val();
        self.first.release_warps.next = self.core.barrier.release_warps.val();
        self.greedy.next = self.first.candidates.val() & self.last_fired.q.val();
        if self.first.any_waiting.val() {
            self.greedy.next = self.first.candidates.val() & self.of_cta.last_warps.val();
        }
        self.oldest.candidates.next = self.first.candidates.val();
        Wires::join(&mut self.core.cta, &mut self.first.cta);
        Wires::join(&mut self.core.older, &mut self.oldest.older);
        comment!("2. pick the greedy warp, else the oldest");
        self.grant.oh.next = self.oldest.oldest_oh.val();
        if self.greedy.val().any() {
            self.grant.oh.next = self.greedy.val();
        }
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
            self.last_fired.d.next = 0.into();
        }
    }
}
