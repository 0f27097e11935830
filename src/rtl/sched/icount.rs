//! Policy `icount`, fewest instructions fetched and not yet issued.
use crate::prelude::*;

scheduler! {
    /// Grants the ready warp with the fewest instructions fetched and not yet issued; of several, the oldest.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational. Reset: none; the counts, which follow
    /// fetches, issues, misses and flushes, are the stage's own (`unissued`), since it needs them for the room in the queue.
    /// Invariants: one grant if and only if some warp is ready, provided that no count exceeds the queue's depth. No bound on waiting: a warp whose queue issues as fast as
    /// it is filled starves those with more.
    /// Critical path: comparison with each count, an OR of W bits, priority over the counts, an OR of W bits, an encoder.
    /// Source: SWaS II-B; docs/SCHEDULERS.md, section 2. Mirror in the model: `model::sched::icount`.
    pub struct FewestUnissued(cfg) {
        level, candidates: Signal<Local, WarpMask> = signal(cfg.warps),
        found: Signal<Local, Bit> = Signal::default(),
        fewest: Signal<Local, Bits<4>> = signal(bits_for(cfg.queue_depth + 1)),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
        _counts: usize = cfg.queue_depth + 1,
    }
}

impl Logic for FewestUnissued {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clock, reset: policies have the same ports, and this one no state");
        comment!("1. candidates: the ready warps with the smallest count that any of them has");
        self.fewest.next = 0.into();
        self.found.next = false;
        for k in 0..self._counts {
            self.level.next = 0.into();
            for i in 0..self._warps {
                if self.stage.unissued[i].val() == k.to_bits::<4>() {
                    self.level.next =
                        self.level.val().replace_bit(i, self.stage.ready_warps.val().get_bit(i));
                }
            }
            if self.level.val().any() & !self.found.val() {
                self.fewest.next = k.to_bits::<4>();
                self.found.next = true;
            }
        }
        self.candidates.next = 0.into();
        for i in 0..self._warps {
            if self.stage.unissued[i].val() == self.fewest.val() {
                self.candidates.next =
                    self.candidates.val().replace_bit(i, self.stage.ready_warps.val().get_bit(i));
            }
        }
        comment!("2. pick the oldest");
        self.oldest.candidates.next = self.candidates.val();
        Wires::join(&mut self.core.older, &mut self.oldest.older);
        self.grant.oh.next = self.oldest.oldest_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. nothing to remember");
    }
}
