//! The first stage of a lane: operands, special results, exponents.
use super::exponents::FmaExponents;
use super::simple::FpuSimple;
use super::special::FmaSpecial;
use super::unpack::FpuUnpack;
use crate::prelude::*;

module! {
    /// Chooses factors and addend of the multiply-add and settles what it cannot compute.
    ///
    /// Ports: `active`, `op`, and what the unit decodes from it: `adds` (the second factor is 1 and `b` the addend),
    /// `multiplies` (no addend), `fused` (`c` is the addend), `negate_product`, `negate_addend`; `a`, `b`, `c` 32 ->
    /// significands `factor_a`, `factor_b`, `addend` 24; `product_anchors`, `distance`, `exponent` as in
    /// [`FmaExponents`]; `product_negative`, `addend_negative`; `ready_made` (the result is `result`, with flag
    /// `invalid`, whatever the datapath computes). Latency: combinational. Reset: none. Invariants: without an addend
    /// its sign is the product's, so that zero keeps the product's sign. Critical path: choice, unpacking, special
    /// results. Source: RISC-V F 11.6 (FNMADD negates product and addend). Mirror in the model: the arithmetic of
    /// `model::exec`.
    pub struct FpuPrepare() {
        /// There is an operation; else its result means nothing.
        pub active: Signal<In, Bit>,
        /// What is to be done.
        pub operation_: LaneOperation<In> = LaneOperation::new(),
        /// Significand of the first factor.
        pub factor_a: Signal<Out, Bits<24>>,
        /// Significand of the second factor.
        pub factor_b: Signal<Out, Bits<24>>,
        /// To be aligned.
        pub terms_: FmaTerms<Out> = FmaTerms::new(),
        /// What is known without arithmetic.
        pub known_: KnownResult<Out> = KnownResult::new(),
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
        self.arithmetic.next =
            self.operation_.adds.val() | self.operation_.multiplies.val() | self.operation_.fused.val();
        self.second.next = self.operation_.b.val();
        if self.operation_.adds.val() {
            self.second.next = 0x3F80_0000.into();
        }
        self.third.next = self.operation_.b.val();
        if self.operation_.fused.val() {
            self.third.next = self.operation_.c.val();
        }
        if self.operation_.multiplies.val() {
            self.third.next = 0.into();
        }
        self.unpack_a.active.next = self.active.val();
        self.unpack_b.active.next = self.active.val();
        self.unpack_c.active.next = self.active.val();
        self.unpack_a.number.next = self.operation_.a.val();
        self.unpack_b.number.next = self.second.val();
        self.unpack_c.number.next = self.third.val();
        self.factor_a.next = self.unpack_a.significand.val();
        self.factor_b.next = self.unpack_b.significand.val();
        self.terms_.addend.next = self.unpack_c.significand.val();
        comment!("2. signs");
        self.terms_.product_negative.next = self.operation_.a.val().get_bit(31)
            ^ self.second.val().get_bit(31)
            ^ self.operation_.negate_product.val();
        self.terms_.addend_negative.next = self.third.val().get_bit(31) ^ self.operation_.negate_addend.val();
        if self.operation_.multiplies.val() {
            self.terms_.addend_negative.next = self.terms_.product_negative.val();
        }
        comment!("3. exponents");
        self.exponents.active.next = self.active.val();
        self.exponents.a.next = self.unpack_a.exponent.val();
        self.exponents.b.next = self.unpack_b.exponent.val();
        self.exponents.c.next = self.unpack_c.exponent.val();
        self.exponents.product_zero.next = self.unpack_a.class.zero.val() | self.unpack_b.class.zero.val();
        self.terms_.product_anchors.next = self.exponents.product_anchors.val();
        self.terms_.distance.next = self.exponents.distance.val();
        self.terms_.exponent.next = self.exponents.exponent.val();
        comment!("4. NaNs and infinities");
        self.special.active.next = self.active.val() & self.arithmetic.val();
        Wires::join(&mut self.unpack_a.class, &mut self.special.a);
        Wires::join(&mut self.unpack_b.class, &mut self.special.b);
        Wires::join(&mut self.unpack_c.class, &mut self.special.c);
        self.special.product_negative.next = self.terms_.product_negative.val();
        self.special.addend_negative.next = self.terms_.addend_negative.val();
        comment!("5. operations without arithmetic");
        self.simple.active.next = self.active.val() & !self.arithmetic.val();
        self.simple.op.next = self.operation_.op.val();
        self.simple.a.next = self.operation_.a.val();
        self.simple.b.next = self.operation_.b.val();
        Wires::join(&mut self.unpack_a.class, &mut self.simple.class_a);
        Wires::join(&mut self.unpack_c.class, &mut self.simple.class_b);
        self.known_.ready_made.next = self.special.special.val() | !self.arithmetic.val();
        comment!("One of the two is active; the other says 0.");
        self.known_.result.next = self.simple.result.val() | self.special.result.val();
        self.known_.invalid.next = self.simple.invalid.val() | self.special.invalid.val();
    }
}
