//! Launch order of the warps.
use super::{constant, signal, signals, Const, Reg};
use crate::comment;
use rust_hdl::prelude::*;

/// Which warps are older than which, in order of their activation.
///
/// Ports: `start_warps` (`count` bits, warps activated this cycle) -> `older` (`count` masks of `count` bits, bit `j`
/// of `older[i]`: warp `j` is older than warp `i`). Latency: one cycle.
/// Reset: a smaller slot is older. Invariants: a strict total order of all slots; warps that start together are
/// younger than all others and ordered by slot among themselves; no counter, so nothing wraps.
/// Critical path: one LUT from `start_warps`. Source: SCHEDULERS section 1 ("age"); an order matrix is one of the two
/// forms it allows. Mirror in the model: the sequence number a warp takes when it is activated.
#[derive(LogicBlock)]
pub struct AgeMatrix {
    /// Rising edge updates the order.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// Warps activated this cycle.
    pub start_warps: Signal<In, Bits<32>>,
    /// Bit `j` of element `i`: warp `j` is older than warp `i`.
    pub older: Vec<Signal<Out, Bits<32>>>,
    order: Vec<Reg<Bits<32>>>,
    below: Vec<Const<Bits<32>>>,
    all: Const<Bits<32>>,
    _count: usize,
}

impl AgeMatrix {
    /// The order of `count` warps, at most 32.
    pub fn new(count: usize) -> Self {
        let below = |i: usize| (1u64 << i) - 1;
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            start_warps: signal(count),
            older: signals(count, count),
            order: (0..count).map(|i| Reg::<Bits<32>>::with_reset(count, below(i))).collect(),
            below: (0..count).map(|i| constant(count, below(i))).collect(),
            all: constant(count, below(count)),
            _count: count,
        }
    }
}

impl Logic for AgeMatrix {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AgeMatrix: Which warps are older than which, in order of their activation.");
        for i in 0..self._count {
            self.order[i].clock.next = self.clock.val();
            self.older[i].next = self.order[i].q.val();
            // A starter is younger than everybody else; of those that start with it, the smaller slots are older.
            self.order[i].d.next = self.order[i].q.val() & (!self.start_warps.val());
            if self.start_warps.val().get_bit(i) {
                self.order[i].d.next = (self.all.val() & (!self.start_warps.val()))
                    | (self.start_warps.val() & self.below[i].val());
            }
        }
    }
}
