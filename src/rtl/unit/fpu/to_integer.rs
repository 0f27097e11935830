//! Rounding to an integer.
use crate::prelude::*;

module! {
    /// Rounds a magnitude with two bits behind the point and gives it its sign, or saturates.
    ///
    /// Ports: `active`, `magnitude` 34 (32 bits, guard, and a bit for the rest), `too_large` (it is 2^32 or more),
    /// `negative` (0 for a NaN, which counts as large), `is_signed`, `rounding` 3 -> `result` 32, `invalid`,
    /// `inexact`. Latency: combinational. Reset: none. Invariants: the increment does not carry out of 32 bits,
    /// because a number with digits behind the point has at most 24 before it. Critical path: the decision, a 32-bit
    /// increment, the test of the result. Source: RISC-V F 11.7: saturation with NV and without NX. Mirror in the
    /// model: the arithmetic of `model::exec`.
    pub struct RoundToInteger() {
        /// There is a number to round; else result and flags are 0.
        pub active: Signal<In, Bit>,
        /// 32 bits before the point, two behind it.
        pub magnitude: Signal<In, Bits<34>>,
        /// It does not even fit in 32 bits.
        pub too_large: Signal<In, Bit>,
        /// Sign.
        pub negative: Signal<In, Bit>,
        /// The integer is signed.
        pub is_signed: Signal<In, Bit>,
        /// Rounding mode.
        pub rounding: Signal<In, Bits<3>>,
        /// The integer.
        pub result: Signal<Out, Bits<32>>,
        /// Flag NV.
        pub invalid: Signal<Out, Bit>,
        /// Flag NX.
        pub inexact: Signal<Out, Bit>,
        lost, up, not_zero, outside: Signal<Local, Bit>,
        signed_digits, rounded: Signal<Local, Bits<32>>,
    }
}

impl Logic for RoundToInteger {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = 0.into();
        self.invalid.next = false;
        self.inexact.next = false;
        if self.active.val() {
            comment!("1. which way");
            self.lost.next = self.magnitude.val().get_bits::<2>(0).any();
            self.up.next = self.lost.val()
                & (((self.rounding.val() == 2) & self.negative.val())
                    | ((self.rounding.val() == 3) & !self.negative.val()));
            if self.rounding.val() == 0 {
                self.up.next = self.magnitude.val().get_bit(1)
                    & (self.magnitude.val().get_bit(0) | self.magnitude.val().get_bit(2));
            }
            if self.rounding.val() == 4 {
                self.up.next = self.magnitude.val().get_bit(1);
            }
            comment!("2. -(m + up) is !m + 1 - up");
            self.signed_digits.next = self.magnitude.val().get_bits::<32>(2);
            if self.negative.val() {
                self.signed_digits.next = !self.magnitude.val().get_bits::<32>(2);
            }
            self.rounded.next =
                self.signed_digits.val() + bits::<32>(0).replace_bit(0, self.up.val() ^ self.negative.val());
            comment!("3. range: a sign that came out wrong, or any negative number where none is possible");
            self.not_zero.next = self.magnitude.val().get_bits::<32>(2).any() | self.up.val();
            self.outside.next = self.too_large.val() | (self.negative.val() & self.not_zero.val());
            if self.is_signed.val() {
                self.outside.next = self.too_large.val()
                    | (self.not_zero.val() & (self.rounded.val().get_bit(31) != self.negative.val()));
            }
            comment!("4. result");
            self.invalid.next = self.outside.val();
            self.inexact.next = self.lost.val() & !self.outside.val();
            self.result.next = self.rounded.val();
            if self.outside.val() {
                self.result.next = 0xFFFF_FFFF_u64.into();
                if self.negative.val() {
                    self.result.next = 0.into();
                }
                self.result.next =
                    self.result.val().replace_bit(31, self.is_signed.val() == self.negative.val());
            }
        }
    }
}
