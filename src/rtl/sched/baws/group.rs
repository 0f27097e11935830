//! The CTA that BAWS serves first.
use super::CtaState;
use crate::prelude::*;

module! {
    /// Narrows warps down to those of the CTA that has most warps waiting at a barrier.
    ///
    /// Ports: `warps` (whom to choose from), `state` -> `any_waiting` (CTAs are told apart), `candidates` (the given warps of
    /// the first CTA that has one; all of them while nobody waits), `oldest_oh` (the oldest of these), `cta_warps` (all slots of
    /// that CTA). Latency: combinational. Reset: none.
    /// Invariants: there are candidates if and only if there are warps.
    /// Critical path: `warps` -> an OR over each CTA's -> an OR over the CTAs ahead -> an OR over the CTAs -> `OldestWarp` -> an
    /// OR over each CTA's warps and over the CTAs. The comparisons of counts, one a pair of CTAs, come from registers beside
    /// them: dearer than a tree of W-1, which would add its log2 W comparisons to the path. The order of equal CTAs comes out of
    /// that of their warps, and has no state of its own.
    /// Source: BAWS 4.1.1; docs/SCHEDULERS.md, section 4. Mirror in the model: `model::sched::baws`.
    pub struct MostWaitingCta(cfg: &CoreConfig) {
        /// Whom to choose from.
        pub warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// What orders the CTAs.
        pub state: CtaState<In> = CtaState::new(cfg),
        /// Some warp waits at a barrier.
        pub any_waiting: Signal<Out, Bit>,
        /// Those of `warps` that are to be chosen from.
        pub candidates: Signal<Out, WarpMask> = signal(cfg.warps),
        /// The oldest of them, or none.
        pub oldest_oh: Signal<Out, WarpMask> = signal(cfg.warps),
        /// All warps of the CTA that was chosen.
        pub cta_warps: Signal<Out, WarpMask> = signal(cfg.warps),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        present, ahead: Signal<Local, WarpMask> = signal(cfg.ctas()),
        leaders: Signal<Local, WarpMask> = signal(cfg.warps),
        _ctas: usize = cfg.ctas(),
    }
}

impl Logic for MostWaitingCta {
    #[hdl_gen]
    fn update(&mut self) {
        Wires::join(&mut self.state.older, &mut self.oldest.older);
        comment!("1. the CTAs that have a warp to choose");
        self.any_waiting.next = false;
        self.present.next = 0.into();
        for c in 0..self._ctas {
            self.any_waiting.next = self.any_waiting.val() | self.state.tables.waiting[c].val().any();
            self.present.next = self
                .present
                .val()
                .replace_bit(c, (self.warps.val() & self.state.tables.members[c].val()).any());
        }
        comment!("2. the warps of those with most waiting, and the oldest of them, whose CTA is the oldest");
        self.leaders.next = 0.into();
        for c in 0..self._ctas {
            self.ahead.next = 0.into();
            for d in 0..self._ctas {
                if self.state.tables.waiting[d].val() > self.state.tables.waiting[c].val() {
                    self.ahead.next = self.ahead.val().replace_bit(d, true);
                }
            }
            if !(self.present.val() & self.ahead.val()).any() {
                self.leaders.next = self.leaders.val() | self.state.tables.members[c].val();
            }
        }
        self.oldest.candidates.next = self.warps.val() & self.leaders.val();
        self.oldest_oh.next = self.oldest.oldest_oh.val();
        self.cta_warps.next = 0.into();
        for c in 0..self._ctas {
            if (self.oldest.oldest_oh.val() & self.state.tables.members[c].val()).any() {
                self.cta_warps.next = self.cta_warps.val() | self.state.tables.members[c].val();
            }
        }
        comment!("3. its warps; while nobody waits, CTAs are all the same");
        self.candidates.next = self.warps.val();
        if self.any_waiting.val() {
            self.candidates.next = self.warps.val() & self.cta_warps.val();
        }
    }
}
