//! Results of the multiply-add that are no rounded numbers.
use crate::rtl::prelude::*;

module! {
    /// NaNs and infinities of `a * b + c`.
    ///
    /// Ports: classes of the operands, `product_negative`, `addend_negative` -> `special` (the result is a NaN or
    /// infinite, whatever the datapath computes), `result` 32, `invalid`. Latency: combinational. Reset: none.
    /// Invariants: every NaN is the canonical one. Critical path: five levels of logic.
    /// Source: IEEE 754-2019 6.1, 6.2, 7.2; RISC-V F 11.6 (infinity times zero is invalid even if the addend is a
    /// quiet NaN). Mirror in the model: none.
    pub struct FmaSpecial() {
        /// `a` is zero.
        pub a_zero: Signal<In, Bit>,
        /// `a` is infinite.
        pub a_infinite: Signal<In, Bit>,
        /// `b` is zero.
        pub b_zero: Signal<In, Bit>,
        /// `b` is infinite.
        pub b_infinite: Signal<In, Bit>,
        /// `c` is infinite.
        pub c_infinite: Signal<In, Bit>,
        /// One of them is a NaN.
        pub any_nan: Signal<In, Bit>,
        /// One of them is a signalling NaN.
        pub any_signalling: Signal<In, Bit>,
        /// Sign of the product.
        pub product_negative: Signal<In, Bit>,
        /// Sign of the addend.
        pub addend_negative: Signal<In, Bit>,
        /// The result is `result`.
        pub special: Signal<Out, Bit>,
        /// A NaN or an infinity.
        pub result: Signal<Out, Bits<32>>,
        /// Flag NV.
        pub invalid: Signal<Out, Bit>,
        product_infinite, no_product, cancel: Signal<Local, Bit>,
    }
}

impl Logic for FmaSpecial {
    #[hdl_gen]
    fn update(&mut self) {
        self.product_infinite.next = self.a_infinite.val() | self.b_infinite.val();
        self.no_product.next =
            (self.a_infinite.val() & self.b_zero.val()) | (self.a_zero.val() & self.b_infinite.val());
        self.cancel.next = self.product_infinite.val()
            & self.c_infinite.val()
            & (self.product_negative.val() ^ self.addend_negative.val())
            & !self.any_nan.val();
        self.invalid.next = self.any_signalling.val() | self.no_product.val() | self.cancel.val();
        self.special.next = self.any_nan.val() | self.product_infinite.val() | self.c_infinite.val();
        self.result.next = bits::<32>(0x7F80_0000).replace_bit(31, self.addend_negative.val());
        if self.product_infinite.val() {
            self.result.next = bits::<32>(0x7F80_0000).replace_bit(31, self.product_negative.val());
        }
        if self.any_nan.val() | self.invalid.val() {
            self.result.next = 0x7FC0_0000_u64.into();
        }
    }
}
