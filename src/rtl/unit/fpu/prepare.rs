//! The first stage of a lane: operands, special results, exponents.
use super::exponents::FmaExponents;
use super::simple::FpuSimple;
use super::special::FmaSpecial;
use super::unpack::FpuUnpack;
use crate::rtl::prelude::*;

module! {
    /// Chooses factors and addend of the multiply-add and settles what it cannot compute.
    ///
    /// Ports: `op`, and what the unit decodes from it: `adds` (the second factor is 1 and `b` the addend), `multiplies`
    /// (no addend), `fused` (`c` is the addend), `negate_product`, `negate_addend`; `a`, `b`, `c` 32 ->
    /// significands `factor_a`, `factor_b`, `addend` 24; `product_anchors`, `distance`, `exponent` as in
    /// [`FmaExponents`]; `product_negative`, `addend_negative`; `ready_made` (the result is `result`, with flag
    /// `invalid`, whatever the datapath computes). Latency: combinational. Reset: none.
    /// Invariants: without an addend its sign is the product's, so that zero keeps the product's sign.
    /// Critical path: choice, unpacking, special results. Source: RISC-V F 11.6 (FNMADD negates product and addend).
    /// Mirror in the model: the arithmetic of `model::exec`.
    pub struct FpuPrepare() {
        /// Operation.
        pub op: Signal<In, FpuOp>,
        /// Addition or subtraction.
        pub adds: Signal<In, Bit>,
        /// Multiplication.
        pub multiplies: Signal<In, Bit>,
        /// Multiply-add.
        pub fused: Signal<In, Bit>,
        /// The sign of the product is inverted.
        pub negate_product: Signal<In, Bit>,
        /// The sign of the addend is inverted.
        pub negate_addend: Signal<In, Bit>,
        /// First operand.
        pub a: Signal<In, Bits<32>>,
        /// Second operand.
        pub b: Signal<In, Bits<32>>,
        /// Third operand.
        pub c: Signal<In, Bits<32>>,
        /// Significand of the first factor.
        pub factor_a: Signal<Out, Bits<24>>,
        /// Significand of the second factor.
        pub factor_b: Signal<Out, Bits<24>>,
        /// Significand of the addend.
        pub addend: Signal<Out, Bits<24>>,
        /// The product stays in place.
        pub product_anchors: Signal<Out, Bit>,
        /// How far the other goes to the right.
        pub distance: Signal<Out, Bits<6>>,
        /// Biased exponent of the one in place.
        pub exponent: Signal<Out, Bits<9>>,
        /// Sign of the product.
        pub product_negative: Signal<Out, Bit>,
        /// Sign of the addend.
        pub addend_negative: Signal<Out, Bit>,
        /// The result is known.
        pub ready_made: Signal<Out, Bit>,
        /// It is this.
        pub result: Signal<Out, Bits<32>>,
        /// Its flag NV.
        pub invalid: Signal<Out, Bit>,
        second, third: Signal<Local, Bits<32>>,
        arithmetic: Signal<Local, Bit>,
        unpack_a, unpack_b, unpack_c: FpuUnpack = FpuUnpack::new(),
        simple: FpuSimple = FpuSimple::new(),
        special: FmaSpecial = FmaSpecial::new(),
        exponents: FmaExponents = FmaExponents::new(),
    }
}

impl Logic for FpuPrepare {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. factors and addend; in operations without arithmetic b takes the way of an addend");
        self.arithmetic.next = self.adds.val() | self.multiplies.val() | self.fused.val();
        self.second.next = self.b.val();
        if self.adds.val() {
            self.second.next = 0x3F80_0000.into();
        }
        self.third.next = self.b.val();
        if self.fused.val() {
            self.third.next = self.c.val();
        }
        if self.multiplies.val() {
            self.third.next = 0.into();
        }
        self.unpack_a.number.next = self.a.val();
        self.unpack_b.number.next = self.second.val();
        self.unpack_c.number.next = self.third.val();
        self.factor_a.next = self.unpack_a.significand.val();
        self.factor_b.next = self.unpack_b.significand.val();
        self.addend.next = self.unpack_c.significand.val();
        comment!("2. signs");
        self.product_negative.next =
            self.a.val().get_bit(31) ^ self.second.val().get_bit(31) ^ self.negate_product.val();
        self.addend_negative.next = self.third.val().get_bit(31) ^ self.negate_addend.val();
        if self.multiplies.val() {
            self.addend_negative.next = self.product_negative.val();
        }
        comment!("3. exponents");
        self.exponents.a.next = self.unpack_a.exponent.val();
        self.exponents.b.next = self.unpack_b.exponent.val();
        self.exponents.c.next = self.unpack_c.exponent.val();
        self.exponents.product_zero.next = self.unpack_a.zero.val() | self.unpack_b.zero.val();
        self.product_anchors.next = self.exponents.product_anchors.val();
        self.distance.next = self.exponents.distance.val();
        self.exponent.next = self.exponents.exponent.val();
        comment!("4. NaNs and infinities");
        self.special.a_zero.next = self.unpack_a.zero.val();
        self.special.a_infinite.next = self.unpack_a.infinite.val();
        self.special.b_zero.next = self.unpack_b.zero.val();
        self.special.b_infinite.next = self.unpack_b.infinite.val();
        self.special.c_infinite.next = self.unpack_c.infinite.val();
        self.special.any_nan.next =
            self.unpack_a.nan.val() | self.unpack_b.nan.val() | self.unpack_c.nan.val();
        self.special.any_signalling.next =
            self.unpack_a.signalling.val() | self.unpack_b.signalling.val() | self.unpack_c.signalling.val();
        self.special.product_negative.next = self.product_negative.val();
        self.special.addend_negative.next = self.addend_negative.val();
        comment!("5. operations without arithmetic");
        self.simple.op.next = self.op.val();
        self.simple.a.next = self.a.val();
        self.simple.b.next = self.b.val();
        self.simple.a_zero.next = self.unpack_a.zero.val();
        self.simple.a_subnormal.next = self.unpack_a.subnormal.val();
        self.simple.a_infinite.next = self.unpack_a.infinite.val();
        self.simple.a_nan.next = self.unpack_a.nan.val();
        self.simple.a_signalling.next = self.unpack_a.signalling.val();
        self.simple.b_zero.next = self.unpack_c.zero.val();
        self.simple.b_nan.next = self.unpack_c.nan.val();
        self.simple.b_signalling.next = self.unpack_c.signalling.val();
        self.ready_made.next = self.special.special.val() | !self.arithmetic.val();
        self.result.next = self.simple.result.val();
        self.invalid.next = self.simple.invalid.val();
        if self.arithmetic.val() {
            self.result.next = self.special.result.val();
            self.invalid.next = self.special.invalid.val();
        }
    }
}
