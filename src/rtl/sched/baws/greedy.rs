//! Most waiting first, inside a CTA greedy then oldest.
use super::{CtaState, LastOfCta, MostWaitingCta};
use crate::prelude::*;

module! {
    /// Chooses a warp of the CTA with most warps at a barrier: the last of that CTA that fired, or its oldest.
    ///
    /// Ports: `warps` (whom to choose from), `state`, the events `fired_oh`, `start_warps`, `kernel_start` -> `chosen_oh`.
    /// Latency: combinational; what fired last is remembered at the edge, the table follows a barrier's events.
    /// Reset: nobody waits, none has fired. Invariants: one warp if and only if there are warps.
    /// Critical path: `MostWaitingCta`, and an OR of W bits.
    /// Source: BAWS 4.1; docs/SCHEDULERS.md, section 4. While nobody waits greediness is that of `gtlo`; a CTA's own is kept
    /// beside it (ours). Mirror in the model: `model::sched::baws`.
    pub struct GreedyInCta(cfg: &CoreConfig) [clock, reset] {
        /// Whom to choose from.
        pub warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// What orders the CTAs.
        pub state: CtaState<In> = CtaState::new(cfg),
        /// The warp that fires, or none.
        pub fired_oh: Signal<In, WarpMask> = signal(cfg.warps),
        /// Activated this cycle.
        pub start_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// A kernel begins.
        pub kernel_start: Signal<In, Bit>,
        /// The choice, or none.
        pub chosen_oh: Signal<Out, WarpMask> = signal(cfg.warps),
        /// One-hot, or none.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
        first: MostWaitingCta = MostWaitingCta::new(cfg),
        of_cta: LastOfCta = LastOfCta::new(cfg),
        greedy: Signal<Local, WarpMask> = signal(cfg.warps),
    }
}

impl Logic for GreedyInCta {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the warps of the first CTA; of them the one that fired last there");
        self.first.warps.next = self.warps.val();
        Wires::join(&mut self.state, &mut self.first.state);
        self.greedy.next = self.first.candidates.val() & self.last_fired.q.val();
        if self.first.any_waiting.val() {
            self.greedy.next = self.first.candidates.val() & self.of_cta.last_warps.val();
        }
        comment!("2. that one, else the oldest");
        self.chosen_oh.next = self.first.oldest_oh.val();
        if self.greedy.val().any() {
            self.chosen_oh.next = self.greedy.val();
        }
        comment!("3. remember the warp that fired, of all and of its CTA");
        self.of_cta.fired_oh.next = self.fired_oh.val();
        self.of_cta.start_warps.next = self.start_warps.val();
        self.of_cta.kernel_start.next = self.kernel_start.val();
        Wires::join(&mut self.state.tables.members, &mut self.of_cta.members);
        if self.fired_oh.val().any() {
            self.last_fired.d.next = self.fired_oh.val();
        }
        if self.kernel_start.val() {
            self.last_fired.d.next = 0.into();
        }
    }
}
