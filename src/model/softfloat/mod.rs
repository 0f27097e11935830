//! IEEE 754 binary32 arithmetic as RISC-V F 2.2 defines it, by integers; sums and products of usual numbers also by the
//! host's double precision, which is faster (`usual`).
//!
//! Each operation first finds its exact result, or one with a last bit that says whether anything is cut
//! off, and then rounds it once, in `Context::round`. Sums and products are special cases of the fused
//! operation, so there is one place where numbers are added. Underflow is detected after rounding.

mod arithmetic;
mod compare;
mod convert;
#[cfg(test)]
mod tests;
mod usual;

pub use compare::{classify, sign_inject, sign_inject_negated, sign_inject_xor};

use isa::Rounding;

/// An inexact result.
pub const NX: u32 = 1;
/// Underflow: inexact, and tiny after rounding.
pub const UF: u32 = 2;
/// Overflow.
pub const OF: u32 = 4;
/// Division of a finite number by zero.
pub const DZ: u32 = 8;
/// An invalid operation.
pub const NV: u32 = 16;

/// The only NaN that an operation makes.
pub const NAN: u32 = 0x7fc0_0000;
const INFINITY: u32 = 0x7f80_0000;
const LARGEST: u32 = 0x7f7f_ffff;
/// 1.0.
pub(super) const ONE: u32 = 0x3f80_0000;
const SIGN: u32 = 1 << 31;

/// Stored bits of the significand.
const FRACTION: i32 = 23;
/// Exponent of the smallest normal number.
const MIN_EXPONENT: i32 = -126;
/// Exponent of the last place of a subnormal number, the smallest there is.
const MIN_PLACE: i32 = MIN_EXPONENT - FRACTION;

/// Rounding mode and the exceptions raised so far.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// How results are rounded.
    pub mode: Rounding,
    /// The flags as `fflags` holds them.
    pub flags: u32,
}

/// A finite number: `significand * 2^exponent`, negative if `negative`.
#[derive(Clone, Copy, Debug)]
struct Finite {
    negative: bool,
    exponent: i32,
    significand: u64,
}

impl Finite {
    /// A number with more digits: if those below the highest 64 are not all zeros, the last bit that is left says so.
    fn of_wide(negative: bool, exponent: i32, significand: u128) -> Self {
        let cut = u64::BITS.saturating_sub(significand.leading_zeros());
        let significand = match cut {
            0 => significand as u64,
            _ => shift_right_jam(significand, cut) as u64,
        };
        Self { negative, exponent: exponent + cut as i32, significand }
    }
}

fn is_nan(a: u32) -> bool {
    a & !SIGN > INFINITY
}

fn is_signaling(a: u32) -> bool {
    is_nan(a) && a & 1 << (FRACTION - 1) == 0
}

fn is_infinite(a: u32) -> bool {
    a & !SIGN == INFINITY
}

fn is_zero(a: u32) -> bool {
    a & !SIGN == 0
}

/// Takes a finite number apart.
fn unpack(a: u32) -> Finite {
    let (biased, fraction) = ((a >> FRACTION & 0xff) as i32, a & ((1 << FRACTION) - 1));
    let hidden = u32::from(biased != 0) << FRACTION;
    Finite {
        negative: a & SIGN != 0,
        exponent: biased.max(1) - 1 + MIN_PLACE,
        significand: (fraction | hidden).into(),
    }
}

/// `value` without its lowest `places` bits; the last bit that is left becomes 1 if anything is lost, which
/// keeps the number on its side of every rounding boundary further up.
fn shift_right_jam(value: u128, places: u32) -> u128 {
    match value.checked_shr(places) {
        Some(kept) => kept | u128::from(kept << places != value),
        None => u128::from(value != 0),
    }
}

impl Context {
    /// A context without exceptions.
    pub fn new(mode: Rounding) -> Self {
        Self { mode, flags: 0 }
    }

    /// Raises NV; the result is the canonical NaN.
    fn invalid(&mut self) -> u32 {
        self.flags |= NV;
        NAN
    }

    /// The result if one of the operands is a NaN: NV if one of them is signaling.
    fn nan(&mut self, operands: &[u32]) -> u32 {
        if operands.iter().any(|&a| is_signaling(a)) {
            self.flags |= NV;
        }
        NAN
    }

    /// The multiple of `2^place` that the mode takes for the number, as a multiple, and whether it is
    /// another number. The significand has a bit to spare.
    fn to_place(self, number: Finite, place: i32) -> (u64, bool) {
        let Finite { negative, exponent, significand } = number;
        let cut = place - exponent;
        if cut <= 0 {
            return (significand << -cut, false);
        }
        let kept = significand.checked_shr(cut as u32).unwrap_or(0);
        let lost = significand - kept.checked_shl(cut as u32).unwrap_or(0);
        // Beyond the width of the significand, everything is less than a half.
        let half = 1u64.checked_shl(cut as u32 - 1).unwrap_or(u64::MAX);
        let up = match self.mode {
            Rounding::Rne => lost > half || (lost == half && kept & 1 != 0),
            Rounding::Rtz => false,
            Rounding::Rdn => lost != 0 && negative,
            Rounding::Rup => lost != 0 && !negative,
            Rounding::Rmm => lost >= half,
        };
        (kept + u64::from(up), lost != 0)
    }

    /// The binary32 number for a number that is not zero.
    fn round(&mut self, number: Finite) -> u32 {
        let sign = u32::from(number.negative) << 31;
        let bits = (u64::BITS - number.significand.leading_zeros()) as i32;
        let exponent = number.exponent + bits - 1;
        let place = (exponent - FRACTION).max(MIN_PLACE);
        let (significand, inexact) = self.to_place(number, place);
        if inexact {
            self.flags |= NX;
            // Tiny is what would be below the normal numbers if the exponent had no limit.
            if exponent < MIN_EXPONENT {
                let (unlimited, _) = self.to_place(number, exponent - FRACTION);
                let carried = i32::from(unlimited >> (FRACTION + 1) != 0);
                if exponent + carried < MIN_EXPONENT {
                    self.flags |= UF;
                }
            }
        }
        // A carry out of the fraction goes on into the exponent, and makes the first normal number of the
        // last subnormal one.
        let biased = (place - MIN_PLACE) as u32;
        let magnitude = (biased << FRACTION) + significand as u32;
        if magnitude >= INFINITY {
            return sign | self.overflow(number.negative);
        }
        sign | magnitude
    }

    /// What stands for a number that is too large, without its sign.
    fn overflow(&mut self, negative: bool) -> u32 {
        self.flags |= OF | NX;
        match self.mode {
            Rounding::Rne | Rounding::Rmm => INFINITY,
            Rounding::Rup if !negative => INFINITY,
            Rounding::Rdn if negative => INFINITY,
            _ => LARGEST,
        }
    }
}
