//! One-hot masks: to an index, and back.
use crate::prelude::*;

module! {
    /// Index of the only bit set in a mask; 0 for an empty mask.
    ///
    /// Ports: `mask_oh` (`count` bits, at most one set) -> `index` (`clog2(count)` bits).
    /// Latency: combinational. Reset: none. Invariants: `mask_oh` has at most one bit set.
    /// Critical path: an OR over half of the bits. Source: none. Mirror in the model: `trailing_zeros`.
    pub struct OneHotIndex(count: usize) {
        /// Mask with at most one bit set.
        pub mask_oh: Signal<In, Mask> = signal(count),
        /// Its index.
        pub index: Signal<Out, Index> = signal(clog2(count.max(2))),
        _count: usize = count,
    }
}

impl Logic for OneHotIndex {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "An OR of the chosen constants, not a chain of multiplexers: at most one of them is chosen."
        );
        self.index.next = 0.into();
        for i in 0..self._count {
            if self.mask_oh.val().get_bit(i) {
                self.index.next = self.index.val() | i.to_bits::<INDEX_BITS>();
            }
        }
    }
}

module! {
    /// The mask with the bit of an index set, empty unless `valid`.
    ///
    /// Ports: `valid`, `index` (`clog2(count)` bits) -> `mask_oh` (`count` bits).
    /// Latency: combinational. Reset: none. Invariants: `mask_oh` has at most one bit set, none for an index beyond
    /// `count`. Critical path: one comparison. Source: none. Mirror in the model: `1 << index`.
    pub struct IndexOneHot(count: usize) {
        /// Whether a bit is set at all.
        pub valid: Signal<In, Bit>,
        /// The bit to set.
        pub index: Signal<In, Index> = signal(clog2(count.max(2))),
        /// The mask.
        pub mask_oh: Signal<Out, Mask> = signal(count),
        first: Const<Mask> = constant(count, 1),
    }
}

impl Logic for IndexOneHot {
    #[hdl_gen]
    fn update(&mut self) {
        self.mask_oh.next = 0.into();
        if self.valid.val() {
            self.mask_oh.next = self.first.val() << self.index.val();
        }
    }
}
