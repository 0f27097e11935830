//! Comparing two numbers.
use crate::prelude::*;

module! {
    /// The order of two numbers that are no NaNs.
    ///
    /// Ports: `a`, `b` 32, `both_zero` -> `equal`, `less` (`a < b`) as IEEE 754 compares, `first` (`a` comes before `b`
    /// where -0 comes before +0). Latency: combinational. Reset: none. Invariants: without meaning for NaNs.
    /// Critical path: a 32-bit comparison. Source: IEEE 754-2019 5.11, 9.6. Mirror in the model: none.
    pub struct FpuOrder() {
        /// First number.
        pub a: Signal<In, Bits<32>>,
        /// Second number.
        pub b: Signal<In, Bits<32>>,
        /// Both are zero.
        pub both_zero: Signal<In, Bit>,
        /// They are equal, whatever the signs of zeros.
        pub equal: Signal<Out, Bit>,
        /// The first is less.
        pub less: Signal<Out, Bit>,
        /// The first is less, or it is -0 and the second +0.
        pub first: Signal<Out, Bit>,
        below, same: Signal<Local, Bit>,
    }
}

impl Logic for FpuOrder {
    #[hdl_gen]
    fn update(&mut self) {
        self.below.next = self.a.val() < self.b.val();
        self.same.next = self.a.val() == self.b.val();
        self.first.next = self.below.val();
        comment!("Numbers are signed magnitudes: of two negative ones the larger pattern comes first.");
        if self.a.val().get_bit(31) {
            self.first.next = !self.b.val().get_bit(31) | (!self.below.val() & !self.same.val());
        } else if self.b.val().get_bit(31) {
            self.first.next = false;
        }
        self.less.next = self.first.val() & !self.both_zero.val();
        self.equal.next = self.same.val() | self.both_zero.val();
    }
}
