//! Launch order of the warps.
use crate::prelude::*;
use spec::config::MAX_WARPS;

module! {
    /// Which warps are older than which, in order of their activation.
    ///
    /// Ports: `start_warps` (`count` bits, warps activated this cycle) -> `older` (`count` masks of `count` bits, bit `j`
    /// of `older[i]`: warp `j` is older than warp `i`). Latency: one cycle.
    /// Reset: a smaller slot is older. Invariants: a strict total order of all slots; warps that start together are
    /// younger than all others and ordered by slot among themselves; no counter, so nothing wraps.
    /// Critical path: one LUT from `start_warps`. Source: docs/SCHEDULERS.md, section 1 ("age"); an order matrix is one of the two
    /// forms it allows. Mirror in the model: the sequence number a warp takes when it is activated.
    pub struct AgeMatrix(count: usize) [clock, reset]
    let below = |i: usize| !(u64::MAX << i);
    {
        /// Warps activated this cycle.
        pub start_warps: Signal<In, WarpMask> = signal(count),
        /// Bit `j` of element `i`: warp `j` is older than warp `i`.
        pub older: Vec<Signal<Out, WarpMask>> = signals(count, count),
        order: Vec<Reg<WarpMask>> = (0..count).map(|i| Reg::<WarpMask>::with_reset(count, below(i))).collect(),
        /// Of each warp, the warps with smaller slots.
        below: Vec<Const<WarpMask>> = (0..count).map(|i| constant(count, below(i))).collect(),
        all: Const<WarpMask> = constant(count, u64::MAX >> (MAX_WARPS - count)),
        _count: usize = count,
    }
}

impl Logic for AgeMatrix {
    #[hdl_gen]
    fn update(&mut self) {
        Data::join(&mut self.order, &mut self.older);
        for i in 0..self._count {
            comment!("A starter is younger than everybody else; of those that start with it, the smaller slots are older.");
            self.order[i].d.next = self.order[i].q.val() & (!self.start_warps.val());
            if self.start_warps.val().get_bit(i) {
                self.order[i].d.next = (self.all.val() & (!self.start_warps.val()))
                    | (self.start_warps.val() & self.below[i].val());
            }
        }
    }
}
