//! Conversion from and to integers of 32 bits.

use super::{is_infinite, is_nan, unpack, Context, Finite, NV, NX, SIGN};

/// Exponents from which on a number is out of every integer's range.
const FAR: i32 = 32;

impl Context {
    /// The integer that the mode takes for `a`, between `low` and `high`. What is out of range is invalid
    /// and gives the nearer limit, a NaN the upper one.
    fn nearest_integer(&mut self, a: u32, low: i64, high: i64) -> u32 {
        let limit = |negative: bool| if negative { low } else { high };
        let negative = a & SIGN != 0;
        let out_of_range = is_nan(a) || is_infinite(a) || unpack(a).exponent > FAR;
        let value = if out_of_range {
            None
        } else {
            let (magnitude, inexact) = self.to_place(unpack(a), 0);
            let value = if negative { -(magnitude as i64) } else { magnitude as i64 };
            Some((value, inexact)).filter(|(value, _)| (low..=high).contains(value))
        };
        match value {
            Some((value, inexact)) => {
                if inexact {
                    self.flags |= NX;
                }
                value as u32
            }
            None => {
                self.flags |= NV;
                limit(negative && !is_nan(a)) as u32
            }
        }
    }

    /// The signed integer for `a`.
    pub fn to_i32(&mut self, a: u32) -> u32 {
        self.nearest_integer(a, i32::MIN.into(), i32::MAX.into())
    }

    /// The unsigned integer for `a`.
    pub fn to_u32(&mut self, a: u32) -> u32 {
        self.nearest_integer(a, 0, u32::MAX.into())
    }

    fn of_magnitude(&mut self, negative: bool, magnitude: u32) -> u32 {
        if magnitude == 0 {
            return 0;
        }
        self.round(Finite { negative, exponent: 0, significand: magnitude.into() })
    }

    /// The number for a signed integer.
    pub fn from_i32(&mut self, value: u32) -> u32 {
        self.of_magnitude((value as i32) < 0, (value as i32).unsigned_abs())
    }

    /// The number for an unsigned integer.
    pub fn from_u32(&mut self, value: u32) -> u32 {
        self.of_magnitude(false, value)
    }
}
