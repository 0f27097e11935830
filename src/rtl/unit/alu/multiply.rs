//! One lane of the multiplier.
use crate::op::MULTIPLY_CONTROLS;
use crate::prelude::*;

module! {
    /// One lane of the multiplier: 33-bit factors make signed and unsigned alike, half of the product is the result. A shift
    /// by n to the left is the lower half of a product by 2^n, one to the right the upper half of one by 2^(32 - n), or for
    /// n = 0 the lower half of one by 1.
    ///
    /// Ports, from the unit: `load` (something enters), `multiplies` (it is for the multiplier), `control` 4 (the bits of
    /// [`MultiplyOp::control`](crate::op::MultiplyOp::control)), `a`, `b` -> `result` 32.
    /// Latency: 1; without `load` the result stays. Reset: none. Invariants: of what is not for it the result is 0.
    /// Critical path: amount, power of two, partial product; their sum, half. Source: RISC-V Unprivileged 2.4 and M.
    /// Mirror in the model: the arithmetic of `model::exec`.
    pub struct MultiplyLane() [clock] {
        /// The registers take what is here.
        pub load: Signal<In, Bit>,
        /// That is for the multiplier.
        pub multiplies: Signal<In, Bit>,
        /// What to do.
        pub control: Signal<In, Bits<4>> = signal(MULTIPLY_CONTROLS),
        /// First factor, or what is shifted.
        pub a: Signal<In, Bits<32>>,
        /// Second factor, or by how much.
        pub b: Signal<In, Bits<32>>,
        /// Half of the product.
        pub result: Signal<Out, Bits<32>>,
        multiplier: Multiplier = Multiplier::new(),
        shows_lower, shows_upper: Pipe<Bit>,
        upper, a_signed, b_signed, shift, in_upper: Signal<Local, Bit>,
        amount: Signal<Local, Bits<5>>,
        factor: Signal<Local, Bits<32>>,
        a_extended, b_extended: Signal<Local, Bits<33>>,
    }
}

impl Logic for MultiplyLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.upper.next = self.control.val().get_bit(0);
        self.a_signed.next = self.control.val().get_bit(1);
        self.b_signed.next = self.control.val().get_bit(2);
        self.shift.next = self.control.val().get_bit(3);
        comment!("1. factors; 32 less the amount is the amount's complement modulo 32");
        self.amount.next = self.b.val().get_bits::<5>(0);
        if self.upper.val() {
            self.amount.next = bits::<5>(0) - self.b.val().get_bits::<5>(0);
        }
        self.factor.next = self.b.val();
        if self.shift.val() {
            self.factor.next = bits::<32>(1) << self.amount.val();
        }
        self.a_extended.next = bit_cast::<33, 32>(self.a.val());
        if self.a_signed.val() & self.a.val().get_bit(31) {
            self.a_extended.next = bit_cast::<33, 32>(self.a.val()) | 0x1_0000_0000_u64;
        }
        self.b_extended.next = bit_cast::<33, 32>(self.factor.val());
        if self.b_signed.val() & self.b.val().get_bit(31) {
            self.b_extended.next = bit_cast::<33, 32>(self.factor.val()) | 0x1_0000_0000_u64;
        }
        self.multiplier.enable.next = self.load.val() & self.multiplies.val();
        self.multiplier.a.next = self.a_extended.val();
        self.multiplier.b.next = self.b_extended.val();
        comment!("2. the half where the result is; zeros are a choice of neither, so that commit adds them to other results");
        self.in_upper.next = self.upper.val() & !(self.shift.val() & (self.amount.val() == 0));
        if self.load.val() {
            self.shows_lower.d.next = self.multiplies.val() & !self.in_upper.val();
            self.shows_upper.d.next = self.multiplies.val() & self.in_upper.val();
        }
        self.result.next = 0.into();
        if self.shows_lower.q.val() {
            self.result.next = self.multiplier.product.val().get_bits::<32>(0);
        }
        if self.shows_upper.q.val() {
            self.result.next = self.result.val() | self.multiplier.product.val().get_bits::<32>(32);
        }
    }
}
