//! Sums and products in the usual case, by the host's double precision: faster than by integers, with the same results.

use super::{Context, NX};
use crate::members;
use crate::warp::{Lanes, QUAD};
use isa::Rounding;

/// Sums in this range are far from overflow and underflow.
const USUAL: std::ops::Range<f64> = f64::from_bits((1023 - 120) << 52)..f64::from_bits((1023 + 120) << 52);

/// All bits, if that is so.
fn mask(is: bool) -> u64 {
    u64::from(is).wrapping_neg()
}

/// `a * b + c`, rounded to nearest even; all bits are set in what follows if it is not that, because an operand is infinite or
/// a NaN or the result may be too large or too small, and if it is inexact. Without a branch, so that lanes become vector code.
///
/// The product of two numbers of 24 bits is exact in the 53 bits of a double. Their sum is rounded to odd there, from
/// which rounding to 24 bits gives what rounding once would (S. Boldo and G. Melquiond, "Emulation of a FMA and
/// correctly rounded sums: proved algorithms using rounding to odd", 2008).
#[inline(always)]
fn mul_add(a: u32, b: u32, c: u32) -> (u32, u64, u64) {
    let [a, b, c] = [a, b, c].map(|operand| f64::from(f32::from_bits(operand)));
    let product = a * b;
    let sum = product + c;
    let size = sum.abs();
    let usual = mask(sum == 0.0) | mask(size >= USUAL.start) & mask(size < USUAL.end);
    // What the sum has lost, exactly (D. Knuth's TwoSum).
    let part = sum - product;
    let lost = (product - (sum - part)) + (c - part);
    // One place up or down, if it is even.
    let step = !sum.to_bits() & 1 & mask(lost != 0.0);
    let down = mask(lost < 0.0) ^ mask(sum < 0.0);
    let odd = f64::from_bits(sum.to_bits().wrapping_add((step ^ down).wrapping_sub(down)));
    let result = odd as f32;
    (result.to_bits(), !usual, mask(f64::from(result) != odd))
}

impl Context {
    /// `a * b + c`, unless rounding is another than to nearest even, an operand is infinite or a NaN, or the result may be
    /// too large or too small: then `None`.
    #[inline]
    pub(super) fn usual_mul_add(&mut self, a: u32, b: u32, c: u32) -> Option<u32> {
        let (result, unusual, inexact) = mul_add(a, b, c);
        if self.mode != Rounding::Rne || unusual != 0 {
            return None;
        }
        self.flags |= inexact as u32 & NX;
        Some(result)
    }

    /// `(a ^ flips[0]) * b + (c ^ flips[1])` in each active lane of the first, as many as there are threads; the results of
    /// others mean nothing.
    pub fn mul_adds(
        &mut self,
        threads: usize,
        tmask: u32,
        operands: [&Lanes; 3],
        flips: [u32; 2],
        results: &mut Lanes,
    ) {
        if !self.usual_mul_adds(threads, tmask, operands, flips, results) {
            let [a, b, c] = operands;
            for lane in members(tmask) {
                results[lane] = self.mul_add(a[lane] ^ flips[0], b[lane], c[lane] ^ flips[1]);
            }
        }
    }

    /// The same, if the usual way will do in all of the first lanes, whether they are active or not.
    #[inline]
    pub(super) fn usual_mul_adds(
        &mut self,
        threads: usize,
        tmask: u32,
        [a, b, c]: [&Lanes; 3],
        flips: [u32; 2],
        results: &mut Lanes,
    ) -> bool {
        if self.mode != Rounding::Rne {
            return false;
        }
        let (mut unusual, mut inexact) = ([0; QUAD], [0; QUAD]);
        let mut bits = [1, 2, 4, 8];
        for first in (0..threads).step_by(QUAD) {
            for i in 0..QUAD {
                let lane = first + i;
                let (result, is_unusual, is_inexact) =
                    mul_add(a[lane] ^ flips[0], b[lane], c[lane] ^ flips[1]);
                results[lane] = result;
                unusual[i] |= is_unusual;
                inexact[i] |= if tmask & bits[i] != 0 { is_inexact as u32 } else { 0 };
                bits[i] <<= QUAD;
            }
        }
        if unusual.into_iter().any(|unusual| unusual != 0) {
            return false;
        }
        self.flags |= inexact.into_iter().fold(0, |all, inexact| all | inexact) & NX;
        true
    }
}
