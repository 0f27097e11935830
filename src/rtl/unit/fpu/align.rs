//! The sum of product and addend.
use super::shift::TraceShift;
use crate::prelude::*;

module! {
    /// Aligns product and addend in one frame and adds or subtracts them: the exact sum, but for a trace.
    ///
    /// The frame has 52 bits: bit 49 is worth `2^(exponent - 127)`, the product has three bits below its last digit.
    /// Ports: `active`, `product` 48, `addend` 24, `product_anchors`, `distance` 6, `subtract`, `product_negative`,
    /// `addend_negative` -> `magnitude` 52, `negative`. Latency: combinational. Reset: none. Invariants: the lowest
    /// bit stands for all that was shifted out of the frame. That is enough. If bits are lost while the addend is in
    /// place, it is normal and the product less than half of it, or it is subnormal and its last digit is the
    /// result's. If they are lost while the product is in place, the product has 24 digits or more (one factor is
    /// normal, or the addend's exponent would be the larger) and is at least eight times the addend. So cancellation
    /// takes one place at most and the trace stays below the digits that decide the rounding. Critical path: swap,
    /// six levels of shifting, a 52-bit addition, a multiplexer. Source: none. Mirror in the model: none.
    pub struct FmaAlign() {
        /// There is an operation; else the sum is 0.
        pub active: Signal<In, Bit>,
        /// Product of the significands; bit 46 is worth one.
        pub product: Signal<In, Bits<48>>,
        /// The addend, and how it lies relative to the product.
        pub terms_: FmaTerms<In> = FmaTerms::new(),
        /// The signs differ.
        pub subtract: Signal<In, Bit>,
        /// Magnitude of the sum.
        pub magnitude: Signal<Out, Bits<52>>,
        /// Sign of the sum, if it is not zero.
        pub negative: Signal<Out, Bit>,
        anchor, other: Signal<Local, Bits<51>>,
        shifter: TraceShift<51> = TraceShift::<51>::new(),
        operand, sum: Signal<Local, Bits<52>>,
        difference: Signal<Local, Bits<54>>,
    }
}

impl Logic for FmaAlign {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread difference: the lowest bit is the sum of the carry that goes in");
        comment!("1. who stays");
        self.anchor.next = bit_cast::<51, 24>(self.terms_.addend.val()) << bits::<6>(26);
        self.other.next = bit_cast::<51, 48>(self.product.val()) << bits::<6>(3);
        if self.terms_.product_anchors.val() {
            self.anchor.next = bit_cast::<51, 48>(self.product.val()) << bits::<6>(3);
            self.other.next = bit_cast::<51, 24>(self.terms_.addend.val()) << bits::<6>(26);
        }
        comment!("2. the other moves to the right and leaves a trace of what falls out");
        comment!("Always active: its gates, one a bit, would stand in front of the adder.");
        self.shifter.active.next = true;
        self.shifter.value.next = self.other.val();
        self.shifter.distance.next = self.terms_.distance.val();
        self.magnitude.next = 0.into();
        self.negative.next = false;
        if self.active.val() {
            self.operand.next = bit_cast::<52, 51>(self.shifter.shifted.val());
            if self.subtract.val() {
                self.operand.next = !self.operand.val();
            }
            comment!("3. anchor + operand, and the same with a carry into an extra lowest bit: for a subtraction these are the difference less one, and the difference with its borrow, inverted, in the highest bit");
            self.sum.next = bit_cast::<52, 51>(self.anchor.val()) + self.operand.val();
            self.difference.next = ((bit_cast::<54, 51>(self.anchor.val()) << bits::<6>(1)) | 1_u64)
                + ((bit_cast::<54, 52>(self.operand.val()) << bits::<6>(1)) | 1_u64);
            comment!(
            "4. magnitude: the difference the other way round is the complement of the difference less one"
        );
            self.magnitude.next = self.sum.val();
            self.negative.next = self.terms_.addend_negative.val();
            if self.terms_.product_anchors.val() {
                self.negative.next = self.terms_.product_negative.val();
            }
            if self.subtract.val() {
                self.magnitude.next = self.difference.val().get_bits::<52>(1);
                if !self.difference.val().get_bit(53) {
                    self.magnitude.next = !self.sum.val();
                    self.negative.next =
                        self.terms_.product_negative.val() ^ self.terms_.product_anchors.val();
                }
            }
        }
    }
}
