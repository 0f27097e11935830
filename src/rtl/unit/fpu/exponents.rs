//! Where product and addend lie relative to each other.
use crate::prelude::*;

module! {
    /// The exponent of product or addend, whichever is larger, and the distance of the other.
    ///
    /// Ports: `active`, `a`, `b`, `c` (biased exponents, at least 1) and `product_zero` -> `product_anchors` (the
    /// addend is to be shifted, else the product), `distance` 6 (to the right, at most 63), `exponent` 9 (of the one
    /// that stays). Latency: combinational. Reset: none. Invariants: `exponent` is at least 1 (the addend's is), so a
    /// subnormal result needs no right shift; a product of zero never pushes the addend away. Critical path: two
    /// additions and the saturation. Source: none. Mirror in the model: none.
    pub struct FmaExponents() {
        /// There is an operation; else all results are 0.
        pub active: Signal<In, Bit>,
        /// Exponent of the first factor.
        pub a: Signal<In, Bits<8>>,
        /// Exponent of the second factor.
        pub b: Signal<In, Bits<8>>,
        /// Exponent of the addend.
        pub c: Signal<In, Bits<8>>,
        /// The product is zero.
        pub product_zero: Signal<In, Bit>,
        /// The product stays in place.
        pub product_anchors: Signal<Out, Bit>,
        /// How far the other goes to the right.
        pub distance: Signal<Out, Bits<6>>,
        /// Biased exponent of the one in place.
        pub exponent: Signal<Out, Bits<9>>,
        total, biased_addend, ahead, behind, gap, product_exponent: Signal<Local, Bits<10>>,
    }
}

impl Logic for FmaExponents {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread product_exponent: where the product anchors, it is between 1 and 381");
        self.product_anchors.next = false;
        self.distance.next = 0.into();
        self.exponent.next = 0.into();
        if self.active.val() {
            comment!("1. both differences, modulo 1024; bit 9 is the sign");
            self.total.next = bit_cast::<10, 8>(self.a.val()) + bit_cast::<10, 8>(self.b.val());
            self.biased_addend.next = bit_cast::<10, 8>(self.c.val()) + 127;
            self.ahead.next = self.total.val() - self.biased_addend.val();
            self.behind.next = self.biased_addend.val() - self.total.val();
            self.product_anchors.next = !self.ahead.val().get_bit(9) & !self.product_zero.val();
            comment!("2. the larger exponent");
            self.product_exponent.next = self.total.val() - 127;
            self.exponent.next = bit_cast::<9, 8>(self.c.val());
            self.gap.next = self.behind.val();
            if self.product_anchors.val() {
                self.exponent.next = self.product_exponent.val().get_bits::<9>(0);
                self.gap.next = self.ahead.val();
            }
            comment!("3. beyond 63 places only the trace in the lowest bit is left anyway");
            self.distance.next = self.gap.val().get_bits::<6>(0);
            if self.gap.val().get_bits::<4>(6).any() {
                self.distance.next = 63.into();
            }
        }
    }
}
