//! Those of a set of warps that have the smallest count.
use crate::prelude::*;

module! {
    /// Keeps of the candidates those with the smallest count.
    ///
    /// Ports: `candidates` (`count` bits), `counts` (`count` numbers of `bits` bits) -> `fewest_warps` (`count` bits).
    /// Latency: combinational. Reset: none. Invariants: a subset of the candidates, and not empty unless they are.
    /// Critical path: `bits` steps, from the highest bit to the lowest, of an OR of `count` bits.
    /// Source: none. Mirror in the model: none.
    pub struct FewestOf(count: usize, bits: usize) {
        /// Whom to choose from.
        pub candidates: Signal<In, WarpMask> = signal(count),
        /// What each has.
        pub counts: Vec<Signal<In, Bits<32>>> = signals(count, bits),
        /// Candidates of whom no other has less.
        pub fewest_warps: Signal<Out, WarpMask> = signal(count),
        level, left: Signal<Local, WarpMask> = signal(count),
        probe: Signal<Local, Bits<32>> = signal(bits),
        highest: Const<Bits<32>> = constant(bits, 1 << (bits - 1)),
        _count: usize = count,
        _bits: usize = bits,
    }
}

impl Logic for FewestOf {
    #[hdl_gen]
    fn update(&mut self) {
        self.left.next = self.candidates.val();
        self.probe.next = self.highest.val();
        for _bit in 0..self._bits {
            comment!("Of those that are left, the ones with a 0 here have less than the others.");
            self.level.next = 0.into();
            for i in 0..self._count {
                if !(self.counts[i].val() & self.probe.val()).any() {
                    self.level.next = self.level.val().replace_bit(i, self.left.val().get_bit(i));
                }
            }
            if self.level.val().any() {
                self.left.next = self.level.val();
            }
            self.probe.next = self.probe.val() >> 1;
        }
        self.fewest_warps.next = self.left.val();
    }
}
