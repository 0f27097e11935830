//! The youngest of a set of warps.
use crate::prelude::*;

module! {
    /// Picks the youngest of the candidates.
    ///
    /// Ports: `candidates` (`count` bits), `older` (`count` masks of `count` bits, as [`AgeMatrix`](super::AgeMatrix) gives
    /// them) -> `youngest_oh` (`count` bits). Latency: combinational. Reset: none. Invariants: one warp if and only if there
    /// is a candidate, provided that `older` is a strict total order of the candidates.
    /// Critical path: an OR of `count` bits. Source: docs/SCHEDULERS.md, section 1 ("age"). Mirror in the model: none.
    pub struct YoungestWarp(count: usize) {
        /// Whom to choose from.
        pub candidates: Signal<In, WarpMask> = signal(count),
        /// Bit `j` of element `i`: warp `j` is older than warp `i`.
        pub older: Vec<Signal<In, WarpMask>> = signals(count, count),
        /// The youngest candidate, or none.
        pub youngest_oh: Signal<Out, WarpMask> = signal(count),
        others: Signal<Local, WarpMask> = signal(count),
        _count: usize = count,
    }
}

impl Logic for YoungestWarp {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread older: a warp alone has none");
        self.youngest_oh.next = 0.into();
        for i in 0..self._count {
            self.others.next = self.candidates.val().replace_bit(i, false);
            if self.candidates.val().get_bit(i) & ((self.others.val() & (!self.older[i].val())) == 0) {
                self.youngest_oh.next = self.youngest_oh.val().replace_bit(i, true);
            }
        }
    }
}
