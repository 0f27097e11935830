//! Results of the multiply-add that are no rounded numbers.
use crate::prelude::*;

module! {
    /// NaNs and infinities of `a * b + c`.
    ///
    /// Ports: `active`, what the operands are, `product_negative`, `addend_negative` -> `special` (the result is a
    /// NaN or infinite, whatever the datapath computes), `result` 32, `invalid`. Latency: combinational. Reset: none.
    /// Invariants: every NaN is the canonical one. Critical path: five levels of logic. Source: IEEE 754-2019 6.1,
    /// 6.2, 7.2; RISC-V F 11.6 (infinity times zero is invalid even if the addend is a quiet NaN). Mirror in the
    /// model: none.
    pub struct FmaSpecial() {
        /// There is an operation; else all results are 0.
        pub active: Signal<In, Bit>,
        /// What `a` is.
        pub a: NumberClass<In> = NumberClass::new(),
        /// What `b` is.
        pub b: NumberClass<In> = NumberClass::new(),
        /// What `c` is.
        pub c: NumberClass<In> = NumberClass::new(),
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
        any_nan, any_signalling, product_infinite, no_product, cancel: Signal<Local, Bit>,
    }
}

impl Logic for FmaSpecial {
    #[hdl_gen]
    fn update(&mut self) {
        self.special.next = false;
        self.result.next = 0.into();
        self.invalid.next = false;
        if self.active.val() {
            self.any_nan.next = self.a.nan.val() | self.b.nan.val() | self.c.nan.val();
            self.any_signalling.next =
                self.a.signalling.val() | self.b.signalling.val() | self.c.signalling.val();
            self.product_infinite.next = self.a.infinite.val() | self.b.infinite.val();
            self.no_product.next =
                (self.a.infinite.val() & self.b.zero.val()) | (self.a.zero.val() & self.b.infinite.val());
            self.cancel.next = self.product_infinite.val()
                & self.c.infinite.val()
                & (self.product_negative.val() ^ self.addend_negative.val())
                & !self.any_nan.val();
            self.invalid.next = self.any_signalling.val() | self.no_product.val() | self.cancel.val();
            self.special.next = self.any_nan.val() | self.product_infinite.val() | self.c.infinite.val();
            self.result.next = bits::<32>(0x7F80_0000).replace_bit(31, self.addend_negative.val());
            if self.product_infinite.val() {
                self.result.next = bits::<32>(0x7F80_0000).replace_bit(31, self.product_negative.val());
            }
            if self.any_nan.val() | self.invalid.val() {
                self.result.next = 0x7FC0_0000_u64.into();
            }
        }
    }
}
