//! Most waiting first, inside a CTA loose round-robin.
use super::{CtaState, LastOfCta, MostWaitingCta};
use crate::prelude::*;

module! {
    /// Chooses a warp of the CTA with most warps at a barrier: the first one after the last of that CTA that fired.
    ///
    /// Ports: `warps` (whom to choose from), `state`, the events `fired_oh`, `start_warps`, `kernel_start` -> `chosen_oh`.
    /// Latency: combinational; pointers move at the edge, the table follows a barrier's events.
    /// Reset: nobody waits, scanning begins at warp 0. Invariants: one warp if and only if there are warps.
    /// Critical path: `MostWaitingCta`, then `NextInTurn`.
    /// Source: BAWS 4.1; docs/SCHEDULERS.md, section 4. While nobody waits the pointer is that of `lrr`, which every fire moves;
    /// a CTA's own is kept beside it (ours). Mirror in the model: `model::sched::baws`.
    pub struct TurnsInCta(cfg: &CoreConfig) [clock, reset] {
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
        /// One-hot.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::with_reset(cfg.warps, 1 << (cfg.warps - 1)),
        top: Const<WarpMask> = constant(cfg.warps, 1 << (cfg.warps - 1)),
        first: MostWaitingCta = MostWaitingCta::new(cfg),
        of_cta: LastOfCta = LastOfCta::new(cfg),
        turn: NextInTurn = NextInTurn::new(cfg.warps),
    }
}

impl Logic for TurnsInCta {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the warps of the first CTA");
        self.first.warps.next = self.warps.val();
        Wires::join(&mut self.state, &mut self.first.state);
        self.turn.candidates.next = self.first.candidates.val();
        comment!("2. the first of them after the last that fired there");
        self.turn.last_oh.next = self.last_fired.q.val();
        if self.first.any_waiting.val() {
            self.turn.last_oh.next = self.of_cta.last_warps.val() & self.first.cta_warps.val();
        }
        self.chosen_oh.next = self.turn.next_oh.val();
        comment!("3. remember the warp that fired, of all and of its CTA");
        self.of_cta.fired_oh.next = self.fired_oh.val();
        self.of_cta.start_warps.next = self.start_warps.val();
        self.of_cta.kernel_start.next = self.kernel_start.val();
        Wires::join(&mut self.state.tables.members, &mut self.of_cta.members);
        if self.fired_oh.val().any() {
            self.last_fired.d.next = self.fired_oh.val();
        }
        if self.kernel_start.val() {
            self.last_fired.d.next = self.top.val();
        }
    }
}
