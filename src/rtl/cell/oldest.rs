//! The oldest of a set of warps.
use crate::prelude::*;

module! {
    /// Picks the oldest of the candidates.
    ///
    /// Ports: `candidates` (`count` bits), `older` (`count` masks of `count` bits, as [`AgeMatrix`](super::AgeMatrix) gives
    /// them) -> `oldest_oh` (`count` bits). Latency: combinational. Reset: none. Invariants: one warp if and only if there is
    /// a candidate, provided that `older` is a strict total order of the candidates.
    /// Critical path: an OR of `count` bits. Source: docs/SCHEDULERS.md, section 1 ("age"). Mirror in the model: `model::sched::oldest`.
    pub struct OldestWarp(count: usize) {
        /// Whom to choose from.
        pub candidates: Signal<In, WarpMask> = signal(count),
        /// Bit `j` of element `i`: warp `j` is older than warp `i`.
        pub older: Vec<Signal<In, WarpMask>> = signals(count, count),
        /// The oldest candidate, or none.
        pub oldest_oh: Signal<Out, WarpMask> = signal(count),
        _count: usize = count,
    }
}

impl Logic for OldestWarp {
    #[hdl_gen]
    fn update(&mut self) {
        self.oldest_oh.next = 0.into();
        for i in 0..self._count {
            if self.candidates.val().get_bit(i) & ((self.candidates.val() & self.older[i].val()) == 0) {
                self.oldest_oh.next = self.oldest_oh.val().replace_bit(i, true);
            }
        }
    }
}
