//! Quotients and roots that are no rounded numbers.
use super::unpack::FpuUnpack;
use crate::prelude::*;

module! {
    /// NaNs, infinities and zeros of division and square root, and the fields of their operands.
    ///
    /// Ports: `active`, `a`, `b` 32, `root` -> `exponent_a`, `exponent_b` 8, `significand_a`, `significand_b` 24,
    /// `a_nan`, and the results that need no arithmetic: `nan`, `infinite`, `zero` (the first that is set holds),
    /// flags `invalid`, `by_zero`. Latency: combinational. Reset: none. Invariants: none. Critical path: unpacking.
    /// Source: IEEE 754-2019 6.1, 6.3, 7.2, 7.3. Mirror in the model: none.
    pub struct SlowSpecial() {
        /// There are operands; else `a_nan`, `nan`, `infinite`, `zero` and the flags are 0.
        pub active: Signal<In, Bit>,
        /// Dividend or radicand.
        pub a: Signal<In, Bits<32>>,
        /// Divisor.
        pub b: Signal<In, Bits<32>>,
        /// Square root rather than division.
        pub root: Signal<In, Bit>,
        /// Biased exponent of `a`, at least 1.
        pub exponent_a: Signal<Out, Bits<8>>,
        /// Biased exponent of `b`, at least 1.
        pub exponent_b: Signal<Out, Bits<8>>,
        /// Significand of `a`.
        pub significand_a: Signal<Out, Bits<24>>,
        /// Significand of `b`.
        pub significand_b: Signal<Out, Bits<24>>,
        /// `a` is a NaN.
        pub a_nan: Signal<Out, Bit>,
        /// The result is a NaN.
        pub nan: Signal<Out, Bit>,
        /// The result is infinite.
        pub infinite: Signal<Out, Bit>,
        /// The result is zero.
        pub zero: Signal<Out, Bit>,
        /// Flag NV.
        pub invalid: Signal<Out, Bit>,
        /// Flag DZ.
        pub by_zero: Signal<Out, Bit>,
        unpack_a, unpack_b: FpuUnpack = FpuUnpack::new(),
    }
}

impl Logic for SlowSpecial {
    #[hdl_gen]
    fn update(&mut self) {
        self.unpack_a.active.next = self.active.val();
        self.unpack_b.active.next = self.active.val();
        self.unpack_a.number.next = self.a.val();
        self.unpack_b.number.next = self.b.val();
        self.exponent_a.next = self.unpack_a.exponent.val();
        self.exponent_b.next = self.unpack_b.exponent.val();
        self.significand_a.next = self.unpack_a.significand.val();
        self.significand_b.next = self.unpack_b.significand.val();
        self.a_nan.next = self.unpack_a.class.nan.val();
        self.invalid.next = false;
        self.nan.next = false;
        self.infinite.next = false;
        self.zero.next = false;
        self.by_zero.next = false;
        if self.active.val() {
            if self.root.val() {
                self.invalid.next = self.unpack_a.class.signalling.val()
                    | (self.a.val().get_bit(31)
                        & !self.unpack_a.class.zero.val()
                        & !self.unpack_a.class.nan.val());
                self.nan.next = self.invalid.val() | self.unpack_a.class.nan.val();
                self.infinite.next = self.unpack_a.class.infinite.val();
                self.zero.next = self.unpack_a.class.zero.val();
            } else {
                self.invalid.next = self.unpack_a.class.signalling.val()
                    | self.unpack_b.class.signalling.val()
                    | (self.unpack_a.class.zero.val() & self.unpack_b.class.zero.val())
                    | (self.unpack_a.class.infinite.val() & self.unpack_b.class.infinite.val());
                self.nan.next =
                    self.invalid.val() | self.unpack_a.class.nan.val() | self.unpack_b.class.nan.val();
                self.infinite.next = self.unpack_a.class.infinite.val() | self.unpack_b.class.zero.val();
                self.zero.next = self.unpack_a.class.zero.val() | self.unpack_b.class.infinite.val();
                self.by_zero.next = self.unpack_b.class.zero.val()
                    & !self.unpack_a.class.zero.val()
                    & !self.unpack_a.class.infinite.val()
                    & !self.unpack_a.class.nan.val();
            }
        }
    }
}
