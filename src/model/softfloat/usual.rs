//! Sums and products in the usual case, by the host's double precision: faster than by integers, with the same results.

use super::{Context, NX};
use isa::Rounding;

/// Sums in this range are far from overflow and underflow.
const USUAL: std::ops::Range<f64> = f64::from_bits((1023 - 120) << 52)..f64::from_bits((1023 + 120) << 52);

impl Context {
    /// `a * b + c`, unless rounding is another than to nearest even, an operand is infinite or a NaN, or the result may be
    /// too large or too small: then `None`.
    ///
    /// The product of two numbers of 24 bits is exact in the 53 bits of a double. Their sum is rounded to odd there, from
    /// which rounding to 24 bits gives what rounding once would (S. Boldo and G. Melquiond, "Emulation of a FMA and
    /// correctly rounded sums: proved algorithms using rounding to odd", 2008).
    #[inline]
    pub(super) fn usual_mul_add(&mut self, a: u32, b: u32, c: u32) -> Option<u32> {
        let [a, b, c] = [a, b, c].map(|operand| f64::from(f32::from_bits(operand)));
        let product = a * b;
        let sum = product + c;
        if self.mode != Rounding::Rne || !(sum == 0.0 || USUAL.contains(&sum.abs())) {
            return None;
        }
        // What the sum has lost, exactly (D. Knuth's TwoSum).
        let part = sum - product;
        let lost = (product - (sum - part)) + (c - part);
        let odd = match (sum.to_bits() & 1 == 0, lost != 0.0, (lost < 0.0) == (sum < 0.0)) {
            (true, true, true) => f64::from_bits(sum.to_bits() + 1),
            (true, true, false) => f64::from_bits(sum.to_bits() - 1),
            _ => sum,
        };
        let result = odd as f32;
        if f64::from(result) != odd {
            self.flags |= NX;
        }
        Some(result.to_bits())
    }
}
