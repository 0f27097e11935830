//! Rounding to binary32.
use crate::prelude::*;

module! {
    /// Shifts the last two places, rounds and packs a number; the end of every arithmetic operation.
    ///
    /// Ports: `active`, `negative`, `exponent` 10 (of bit 29 of the significand, at least 1), `significand` 30 (fewer
    /// than four zeros lead it unless `limit_left` forbids to shift that far; the lowest bit and `trace` stand for
    /// all below), `limit_left` 2 and `unlimited`, `rounding` 3 (RNE RTZ RDN RUP RMM as in `frm`), `cancels` (a
    /// result of exactly zero is a difference of equals) -> `result` 32, `flags` 5. Latency: combinational. Reset:
    /// none. Invariants: a significand whose leading digit is 0 has exponent 1. Critical path: two shifts, the
    /// decision, a 33-bit increment, the overflow's multiplexer. Source: IEEE 754-2019 4.3, 6.3, 7.4 to 7.6; tininess
    /// is detected after rounding (RISC-V F 11.2). Mirror in the model: the arithmetic of `model::exec`.
    pub struct FpuRound() {
        /// There is a number to round; else result and flags are 0.
        pub active: Signal<In, Bit>,
        /// The number.
        pub number_: Unrounded<In> = Unrounded::new(),
        /// There is something below all its digits.
        pub trace: Signal<In, Bit>,
        /// Rounding mode.
        pub rounding: Signal<In, Bits<3>>,
        /// The rounded number.
        pub result: Signal<Out, Bits<32>>,
        /// Its flags OF, UF and NX; NV and DZ are 0.
        pub flags: Signal<Out, Bits<5>>,
        shift_2, shift_1, leading, guard, after_guard, rest, away, up, up_after_guard, to_infinity, lost,
        overflow, underflow, inexact, sign: Signal<Local, Bit>,
        by_2, by_1: Signal<Local, Bits<30>>,
        shifted_exponent, field: Signal<Local, Bits<10>>,
        assembled: Signal<Local, Bits<33>>,
    }
}

impl Logic for FpuRound {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = 0.into();
        self.flags.next = 0.into();
        if self.active.val() {
            comment!("1. the last two places of the shift");
            self.shift_2.next = !self.number_.significand.val().get_bits::<2>(28).any()
                & (self.number_.unlimited.val() | self.number_.limit_left.val().get_bit(1));
            self.by_2.next = self.number_.significand.val();
            if self.shift_2.val() {
                self.by_2.next = self.number_.significand.val() << bits::<5>(2);
            }
            self.shift_1.next = !self.by_2.val().get_bit(29)
                & (self.number_.unlimited.val()
                    | self.number_.limit_left.val().get_bit(0)
                    | (self.number_.limit_left.val().get_bit(1) & !self.shift_2.val()));
            self.by_1.next = self.by_2.val();
            if self.shift_1.val() {
                self.by_1.next = self.by_2.val() << bits::<5>(1);
            }
            self.shifted_exponent.next = self.number_.exponent.val()
                - bits::<10>(0).replace_bit(0, self.shift_1.val()).replace_bit(1, self.shift_2.val());
            comment!("2. which way: RDN and RUP round away from zero on their own side of it");
            self.leading.next = self.by_1.val().get_bit(29);
            self.guard.next = self.by_1.val().get_bit(5);
            self.after_guard.next = self.by_1.val().get_bit(4);
            self.rest.next = self.by_1.val().get_bits::<4>(0).any() | self.trace.val();
            self.lost.next = self.guard.val() | self.after_guard.val() | self.rest.val();
            self.away.next = ((self.rounding.val() == 2) & self.number_.negative.val())
                | ((self.rounding.val() == 3) & !self.number_.negative.val());
            self.up.next = self.away.val() & self.lost.val();
            self.up_after_guard.next = self.away.val() & (self.after_guard.val() | self.rest.val());
            if self.rounding.val() == 0 {
                self.up.next = self.guard.val()
                    & (self.by_1.val().get_bit(6) | self.after_guard.val() | self.rest.val());
                self.up_after_guard.next = self.after_guard.val();
            }
            if self.rounding.val() == 4 {
                self.up.next = self.guard.val();
                self.up_after_guard.next = self.after_guard.val();
            }
            comment!(
                "3. exponent field and fraction in one: a carry out of the fraction does the right thing"
            );
            self.field.next = 0.into();
            if self.leading.val() {
                self.field.next = self.shifted_exponent.val();
            }
            self.assembled.next = ((bit_cast::<33, 10>(self.field.val()) << bits::<6>(23))
                | bit_cast::<33, 23>(self.by_1.val().get_bits::<23>(6)))
                + bits::<33>(0).replace_bit(0, self.up.val());
            comment!("4. flags. What rounds up to the smallest normal number is not tiny if it would do so with one more digit, which is the guard (and 1, as there was a carry).");
            self.overflow.next = self.assembled.val().get_bits::<10>(23) > bits::<10>(254);
            self.inexact.next = self.lost.val() | self.overflow.val();
            self.underflow.next = self.lost.val()
                & !self.leading.val()
                & !(self.assembled.val().get_bit(23) & self.guard.val() & self.up_after_guard.val());
            self.flags.next = bits::<5>(0)
                .replace_bit(2, self.overflow.val())
                .replace_bit(1, self.underflow.val())
                .replace_bit(0, self.inexact.val());
            comment!("5. result");
            self.sign.next = self.number_.negative.val();
            if self.number_.cancels.val() & !self.leading.val() & !self.by_1.val().any() {
                self.sign.next = self.rounding.val() == 2;
            }
            self.to_infinity.next = self.away.val() | (self.rounding.val() == 0) | (self.rounding.val() == 4);
            self.result.next = bit_cast::<32, 31>(self.assembled.val().get_bits::<31>(0));
            if self.overflow.val() {
                self.result.next = 0x7F7F_FFFF.into();
                if self.to_infinity.val() {
                    self.result.next = 0x7F80_0000.into();
                }
            }
            self.result.next = self.result.val().replace_bit(31, self.sign.val());
        }
    }
}
