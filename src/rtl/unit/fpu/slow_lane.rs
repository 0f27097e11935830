//! One lane of the slow floating-point unit.
use super::recurrence::FpuRecurrence;
use super::round::FpuRound;
use super::shift::{LeadingShift, TraceShift};
use super::slow_special::SlowSpecial;
use super::to_integer::RoundToInteger;
use crate::prelude::*;

module! {
    /// Conversions, division and square root of one lane, step by step as the unit says.
    ///
    /// Ports: the steps `start`, `divisor`, `normalise`, `scale`, `iterate`, `align`, `round` (one at a time; conversions
    /// alone align, and do without `divisor`, `scale` and `iterate`), the operation (steady from `start` to `round`) as
    /// `from_integer`, `to_integer`, `root` (none of them: division), `is_signed`, `rounding` 3; `first` 28 (see
    /// [`FpuRecurrence`]), `a`, `b` 32 (looked at in `start` only) -> `result` 32, `flags` 5 (NV DZ OF UF NX, NV the
    /// highest).
    /// Latency: `result` is registered at the end of `round`. Reset: none (the unit knows when a result is there).
    /// Invariants: `value` holds 32 bits before and two behind the place to which `align` moves it; digits enter it
    /// so that after 13 times two the first one is at the top. A quotient below 1 has 0 there, with its exponent counted as
    /// if it had not: the rounding shifts by one place, if the exponent allows it. A subnormal quotient has fewer digits:
    /// the lane begins with them later, and with half of the dividend if their number is odd.
    /// Critical path: count of leading zeros and the shift by it. Source: RISC-V F 2.2.
    /// Mirror in the model: the arithmetic of `model::exec`.
    pub struct SlowLane() [clock] {
        /// Takes the operands: special results, magnitude of an integer.
        pub start: Signal<In, Bit>,
        /// Normalises the divisor.
        pub divisor: Signal<In, Bit>,
        /// Normalises the first operand.
        pub normalise: Signal<In, Bit>,
        /// Exponent of quotient or root, and the dividend's place for it.
        pub scale: Signal<In, Bit>,
        /// Two digits of quotient or root.
        pub iterate: Signal<In, Bit>,
        /// Shift to the right: subnormal results, fractions of integers.
        pub align: Signal<In, Bit>,
        /// Result.
        pub round: Signal<In, Bit>,
        /// `a` is an integer.
        pub from_integer: Signal<In, Bit>,
        /// The result is an integer.
        pub to_integer: Signal<In, Bit>,
        /// Square root.
        pub root: Signal<In, Bit>,
        /// The integer is signed.
        pub is_signed: Signal<In, Bit>,
        /// Rounding mode.
        pub rounding: Signal<In, Bits<3>>,
        /// Worth of the next digit of a root.
        pub first: Signal<In, Bits<28>>,
        /// First operand.
        pub a: Signal<In, Bits<32>>,
        /// Second operand.
        pub b: Signal<In, Bits<32>>,
        /// Result.
        pub result: Signal<Out, Bits<32>>,
        /// Its flags.
        pub flags: Signal<Out, Bits<5>>,
        operand: Pipe<Bits<32>>,
        negative, nan, infinite, zero, invalid, by_zero: Pipe<Bit>,
        exponent: Pipe<Bits<10>>,
        zeros: Pipe<Bits<5>>,
        remainder, subtrahend: Pipe<Bits<28>>,
        value: Pipe<Bits<34>>,
        in_place: Pipe<Bit>,
        rounded: Pipe<Bits<32>>,
        raised: Pipe<Bits<5>>,
        special: SlowSpecial = SlowSpecial::new(),
        leading: LeadingShift = LeadingShift::new(),
        recurrence: FpuRecurrence = FpuRecurrence::new(),
        right: TraceShift<34> = TraceShift::<34>::new(),
        number: FpuRound = FpuRound::new(),
        whole_number: RoundToInteger = RoundToInteger::new(),
        converts, odd, normal: Signal<Local, Bit>,
        bias_less_b, total, gap: Signal<Local, Bits<10>>,
        digits_of_a: Signal<Local, Bits<28>>,
    }
}

impl Logic for SlowLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.converts.next = self.from_integer.val() | self.to_integer.val();
        comment!("1. start: special results, and what normalising needs");
        self.special.active.next = self.start.val();
        self.special.a.next = self.a.val();
        self.special.b.next = self.b.val();
        self.special.root.next = self.root.val();
        comment!("127 - e is !e - 128: the complement with its highest bit inverted, as a signed number.");
        self.bias_less_b.next = bit_cast::<10, 8>(!self.special.exponent_b.val())
            .replace_bit(7, self.special.exponent_b.val().get_bit(7))
            .replace_bit(8, self.special.exponent_b.val().get_bit(7))
            .replace_bit(9, self.special.exponent_b.val().get_bit(7));
        if self.start.val() {
            self.nan.d.next = self.special.nan.val() & !self.converts.val();
            self.infinite.d.next = self.special.infinite.val() & !self.converts.val();
            self.zero.d.next = self.special.zero.val() & !self.converts.val();
            self.invalid.d.next = self.special.invalid.val();
            self.by_zero.d.next = self.special.by_zero.val();
            self.negative.d.next = self.a.val().get_bit(31) ^ self.b.val().get_bit(31);
            if self.root.val() | self.to_integer.val() {
                self.negative.d.next = self.a.val().get_bit(31) & !self.special.a_nan.val();
            }
            self.operand.d.next = bit_cast::<32, 24>(self.special.significand_a.val()) << bits::<5>(8);
            comment!("An integer gives way to its magnitude.");
            if self.from_integer.val() {
                self.negative.d.next = self.a.val().get_bit(31) & self.is_signed.val();
                self.operand.d.next = self.a.val();
                if self.a.val().get_bit(31) & self.is_signed.val() {
                    self.operand.d.next = (!self.a.val()) + 1;
                }
            }
            self.subtrahend.d.next = bit_cast::<28, 24>(self.special.significand_b.val()) << bits::<5>(2);
            self.exponent.d.next = bit_cast::<10, 8>(self.special.exponent_a.val()) + self.bias_less_b.val();
            self.zeros.d.next = 0.into();
            if self.root.val() {
                self.subtrahend.d.next = 0x200_0000.into();
                self.exponent.d.next = bit_cast::<10, 8>(self.special.exponent_a.val()) + bits::<10>(127);
            }
            if self.to_integer.val() {
                self.exponent.d.next = bit_cast::<10, 8>(self.special.exponent_a.val());
            }
            if self.from_integer.val() {
                self.exponent.d.next = 158.into();
            }
        }
        comment!("2. normalise the divisor (in a root it is normal), then the first operand; exponents follow a step later");
        self.leading.active.next = self.divisor.val() | self.normalise.val();
        self.leading.value.next =
            bit_cast::<32, 24>(self.subtrahend.q.val().get_bits::<24>(2)) << bits::<5>(8);
        if self.normalise.val() {
            self.leading.value.next = self.operand.q.val();
        }
        if self.divisor.val() {
            self.subtrahend.d.next =
                bit_cast::<28, 24>(self.leading.normalised.val().get_bits::<24>(8)) << bits::<5>(2);
            self.zeros.d.next = self.leading.zeros.val();
        }
        if self.normalise.val() {
            self.exponent.d.next = self.exponent.q.val() + bit_cast::<10, 5>(self.zeros.q.val());
            self.value.d.next = bit_cast::<34, 32>(self.leading.normalised.val()) << bits::<6>(2);
            self.remainder.d.next = 0.into();
            self.zeros.d.next = self.leading.zeros.val();
        }
        comment!("3. scale: up to exponent 1, two places a step, and one by halving the dividend");
        self.total.next = self.exponent.q.val() - bit_cast::<10, 5>(self.zeros.q.val());
        self.odd.next = self.exponent.q.val().get_bit(0) ^ self.zeros.q.val().get_bit(0);
        self.normal.next = !self.total.val().get_bit(9) & self.total.val().get_bits::<8>(1).any();
        self.digits_of_a.next = bit_cast::<28, 24>(self.value.q.val().get_bits::<24>(10)) << bits::<5>(2);
        if self.scale.val() {
            self.in_place.d.next = self.normal.val();
            self.value.d.next = 0.into();
            self.exponent.d.next = self.total.val();
            self.remainder.d.next = self.digits_of_a.val();
            if self.root.val() {
                comment!("The exponent of a root is half of that of its radicand, an odd one lends it a factor of 2.");
                self.exponent.d.next = self.total.val() >> bits::<4>(1);
                if self.odd.val() {
                    self.remainder.d.next = self.digits_of_a.val() << bits::<5>(1);
                }
            } else if !self.normal.val() {
                self.exponent.d.next = self.total.val().replace_bit(0, true);
                if !self.odd.val() {
                    self.remainder.d.next = self.digits_of_a.val() >> bits::<5>(1);
                }
            }
        }
        comment!("4. iterate, but not yet while the exponent is below 1");
        self.recurrence.active.next = self.iterate.val();
        self.recurrence.remainder.next = self.remainder.q.val();
        self.recurrence.subtrahend.next = self.subtrahend.q.val();
        self.recurrence.first.next = self.first.val();
        if self.iterate.val() & self.exponent.q.val().get_bit(9) {
            self.exponent.d.next = self.exponent.q.val() + bits::<10>(2);
        }
        if self.iterate.val() & !self.exponent.q.val().get_bit(9) {
            self.remainder.d.next = self.recurrence.next_remainder.val();
            self.subtrahend.d.next = self.recurrence.next_subtrahend.val();
            self.value.d.next = (bit_cast::<34, 24>(self.value.q.val().get_bits::<24>(8)) << bits::<6>(10))
                | (bit_cast::<34, 2>(self.recurrence.digits.val()) << bits::<6>(8));
        }
        comment!(
            "5. align a conversion: to the weight of an integer's digits; what is in place or beyond stays"
        );
        self.gap.next = bits::<10>(158) - self.exponent.q.val();
        self.right.active.next = self.align.val();
        self.right.value.next = self.value.q.val();
        self.right.distance.next = self.gap.val().get_bits::<6>(0);
        if self.gap.val().get_bits::<3>(6).any() {
            self.right.distance.next = 63.into();
        }
        if self.gap.val().get_bit(9) | self.from_integer.val() {
            self.right.distance.next = 0.into();
        }
        if self.align.val() {
            comment!("Only an integer had leading zeros that count: a subnormal number is far below any integer with them or not.");
            if self.from_integer.val() {
                self.exponent.d.next = self.total.val();
            }
            self.value.d.next = self.right.shifted.val();
            self.in_place.d.next = self.gap.val().get_bit(9) | self.from_integer.val();
        }
        comment!("6. round");
        self.number.active.next = self.round.val() & !self.to_integer.val();
        self.number.number_.negative.next = self.negative.q.val();
        self.number.number_.exponent.next = self.exponent.q.val();
        self.number.number_.significand.next = (bit_cast::<30, 29>(self.value.q.val().get_bits::<29>(5))
            << bits::<5>(1))
        .replace_bit(0, self.value.q.val().get_bits::<5>(0).any());
        self.number.trace.next = self.remainder.q.val().any();
        self.number.number_.limit_left.next = 0.into();
        self.number.number_.unlimited.next = self.in_place.q.val();
        self.number.rounding.next = self.rounding.val();
        self.number.number_.cancels.next = false;
        self.whole_number.active.next = self.round.val() & self.to_integer.val();
        self.whole_number.magnitude.next = self.value.q.val();
        self.whole_number.too_large.next = self.in_place.q.val();
        self.whole_number.negative.next = self.negative.q.val();
        self.whole_number.is_signed.next = self.is_signed.val();
        self.whole_number.rounding.next = self.rounding.val();
        if self.round.val() {
            self.rounded.d.next = self.number.result.val();
            self.raised.d.next = self.number.flags.val();
            if self.to_integer.val() {
                self.rounded.d.next = self.whole_number.result.val();
                self.raised.d.next = bits::<5>(0)
                    .replace_bit(4, self.whole_number.invalid.val())
                    .replace_bit(0, self.whole_number.inexact.val());
            }
            if self.zero.q.val() | self.infinite.q.val() | self.nan.q.val() {
                self.raised.d.next =
                    bits::<5>(0).replace_bit(4, self.invalid.q.val()).replace_bit(3, self.by_zero.q.val());
                self.rounded.d.next = bits::<32>(0).replace_bit(31, self.negative.q.val());
                if self.infinite.q.val() {
                    self.rounded.d.next = bits::<32>(0x7F80_0000).replace_bit(31, self.negative.q.val());
                }
                if self.nan.q.val() {
                    self.rounded.d.next = 0x7FC0_0000.into();
                }
            }
        }
        self.result.next = self.rounded.q.val();
        self.flags.next = self.raised.q.val();
    }
}
