//! Whose turn it is among a set of warps.
use crate::prelude::*;

module! {
    /// Picks the first candidate after a given warp, in slot order, wrapping.
    ///
    /// Ports: `candidates`, `last_oh` (`count` bits; one-hot, or 0, from which scanning begins at slot 0) -> `next_oh`
    /// (`count` bits). Latency: combinational. Reset: none. Invariants: one warp if and only if there is a candidate.
    /// Critical path: two increments of `count` bits in parallel and a multiplexer.
    /// Source: docs/SCHEDULERS.md, section 2 (`lrr`). Mirror in the model: none.
    pub struct NextInTurn(count: usize) {
        /// Whom to choose from.
        pub candidates: Signal<In, WarpMask> = signal(count),
        /// Who had the last turn.
        pub last_oh: Signal<In, WarpMask> = signal(count),
        /// The next candidate, or none.
        pub next_oh: Signal<Out, WarpMask> = signal(count),
        after_last: Signal<Local, WarpMask> = signal(count),
        one: Const<WarpMask> = constant(count, 1),
    }
}

impl Logic for NextInTurn {
    #[hdl_gen]
    fn update(&mut self) {
        self.after_last.next =
            self.candidates.val() & (!(self.last_oh.val() | (self.last_oh.val() - self.one.val())));
        self.next_oh.next = self.after_last.val() & ((!self.after_last.val()) + self.one.val());
        if !self.after_last.val().any() {
            self.next_oh.next = self.candidates.val() & ((!self.candidates.val()) + self.one.val());
        }
    }
}
