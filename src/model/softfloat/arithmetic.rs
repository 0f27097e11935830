//! Sum, product, fused product, quotient and square root.

use super::{
    is_infinite, is_nan, is_signaling, is_zero, shift_right_jam, unpack, Context, Finite, DZ, INFINITY, NV,
    SIGN,
};
use isa::Rounding;

/// Room below the larger addend: far more than a result keeps, and it leaves the sum below 2^127.
const ROOM: u32 = 70;

impl Context {
    /// `a * b + c`, rounded once.
    #[inline]
    pub fn mul_add(&mut self, a: u32, b: u32, c: u32) -> u32 {
        match self.usual_mul_add(a, b, c) {
            Some(result) => result,
            None => self.any_mul_add(a, b, c),
        }
    }

    /// The same by integers, for all operands and modes.
    pub(super) fn any_mul_add(&mut self, a: u32, b: u32, c: u32) -> u32 {
        let product_is_invalid = (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
        if product_is_invalid && !is_nan(c) {
            return self.invalid();
        }
        if is_nan(a) || is_nan(b) || is_nan(c) {
            // F demands NV for infinity times zero even if the addend is a quiet NaN.
            if product_is_invalid {
                self.flags |= NV;
            }
            return self.nan(&[a, b, c]);
        }
        let sign = (a ^ b) & SIGN;
        if is_infinite(a) || is_infinite(b) {
            return match is_infinite(c) && c & SIGN != sign {
                true => self.invalid(),
                false => sign | INFINITY,
            };
        }
        if is_infinite(c) {
            return c;
        }
        let (a, b) = (unpack(a), unpack(b));
        let product = Finite {
            negative: sign != 0,
            exponent: a.exponent + b.exponent,
            significand: a.significand * b.significand,
        };
        self.sum(product, unpack(c))
    }

    /// The sum of two numbers whose significands have at most 48 bits.
    fn sum(&mut self, a: Finite, b: Finite) -> u32 {
        let (high, low) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
        let distance = (high.exponent - low.exponent) as u32;
        let small = u128::from(low.significand);
        let (large, small, exponent) = if distance < high.significand.leading_zeros() {
            // The usual case, in a machine word.
            (u128::from(high.significand << distance), small, low.exponent)
        } else {
            let up = distance.min(ROOM);
            // Something is cut off only where the other addend, unless it is zero, is 2^70 and more.
            let (large, exponent) = (u128::from(high.significand) << up, high.exponent - up as i32);
            match (large, distance - up) {
                (_, 0) => (large, small, exponent),
                (0, _) => (large, small, low.exponent),
                (_, down) => (large, shift_right_jam(small, down), exponent),
            }
        };
        let (significand, negative) = if high.negative == low.negative {
            (large + small, high.negative)
        } else if large >= small {
            (large - small, high.negative)
        } else {
            (small - large, low.negative)
        };
        if significand == 0 {
            // Zeros of one sign keep it; opposite numbers make +0, or -0 when rounding down.
            let negative = match high.negative == low.negative {
                true => high.negative,
                false => self.mode == Rounding::Rdn,
            };
            return u32::from(negative) << 31;
        }
        self.round(Finite::of_wide(negative, exponent, significand))
    }

    /// `a / b`.
    pub fn div(&mut self, a: u32, b: u32) -> u32 {
        if is_nan(a) || is_nan(b) {
            return self.nan(&[a, b]);
        }
        let sign = (a ^ b) & SIGN;
        match (is_infinite(a), is_infinite(b), is_zero(a), is_zero(b)) {
            (true, true, ..) | (_, _, true, true) => return self.invalid(),
            (true, ..) => return sign | INFINITY,
            (_, true, ..) | (_, _, true, _) => return sign,
            (_, _, _, true) => {
                self.flags |= DZ;
                return sign | INFINITY;
            }
            _ => {}
        }
        let (a, b) = (unpack(a), unpack(b));
        let (dividend, divisor) = (u128::from(a.significand) << 64, u128::from(b.significand));
        let remainder = dividend % divisor;
        let quotient = (dividend / divisor) | u128::from(remainder != 0);
        self.round(Finite::of_wide(sign != 0, a.exponent - b.exponent - 64, quotient))
    }

    /// The square root of `a`.
    pub fn sqrt(&mut self, a: u32) -> u32 {
        if is_nan(a) {
            return self.nan(&[a]);
        }
        if is_zero(a) || a == INFINITY {
            return a;
        }
        if a & SIGN != 0 {
            return self.invalid();
        }
        let Finite { exponent, significand, .. } = unpack(a);
        // An even exponent, and enough bits for a root of more than 24.
        let odd = exponent & 1;
        let square = u128::from(significand) << (64 + odd);
        let root = square.isqrt();
        let root = root | u128::from(root * root != square);
        self.round(Finite::of_wide(false, (exponent - odd - 64) / 2, root))
    }

    /// The smaller (FMIN) or larger (FMAX) number, as F 2.2 has it: -0 is less than +0, and a NaN is chosen
    /// only if both operands are.
    fn choose(&mut self, a: u32, b: u32, smaller: bool) -> u32 {
        if is_signaling(a) || is_signaling(b) {
            self.flags |= NV;
        }
        match (is_nan(a), is_nan(b)) {
            (true, true) => super::NAN,
            (true, false) => b,
            (false, true) => a,
            (false, false) => {
                // As integers the bits of negative numbers are in the wrong order, so those are inverted.
                let key = |x: u32| (x ^ (x as i32 >> 31) as u32 >> 1) as i32;
                if (key(a) < key(b)) == smaller {
                    a
                } else {
                    b
                }
            }
        }
    }

    /// The smaller of two numbers.
    pub fn min(&mut self, a: u32, b: u32) -> u32 {
        self.choose(a, b, true)
    }

    /// The larger of two numbers.
    pub fn max(&mut self, a: u32, b: u32) -> u32 {
        self.choose(a, b, false)
    }
}
