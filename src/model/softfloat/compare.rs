//! Comparison, classification and signs.

use super::{is_nan, is_signaling, is_zero, Context, INFINITY, NV, SIGN};

/// `a` with the sign of `b`, also if they are NaNs; likewise the two below.
pub fn sign_inject(a: u32, b: u32) -> u32 {
    a & !SIGN | b & SIGN
}

/// `a` with the opposite sign of `b`.
pub fn sign_inject_negated(a: u32, b: u32) -> u32 {
    sign_inject(a, !b)
}

/// `a` with its sign inverted if `b` is negative.
pub fn sign_inject_xor(a: u32, b: u32) -> u32 {
    a ^ b & SIGN
}

/// One bit that says what `a` is, as FCLASS gives it.
pub fn classify(a: u32) -> u32 {
    let negative = a & SIGN != 0;
    let magnitude = a & !SIGN;
    1 << match magnitude {
        _ if is_signaling(a) => 8,
        _ if is_nan(a) => 9,
        INFINITY => {
            if negative {
                0
            } else {
                7
            }
        }
        // Mirrored about the zeros: -normal 1, -subnormal 2, -0 3, +0 4, +subnormal 5, +normal 6.
        _ => {
            let distance = match magnitude {
                0 => 0,
                _ if magnitude >> 23 == 0 => 1,
                _ => 2,
            };
            if negative {
                3 - distance
            } else {
                4 + distance
            }
        }
    }
}

fn less(a: u32, b: u32) -> bool {
    match (a & SIGN != 0, b & SIGN != 0) {
        _ if is_zero(a) && is_zero(b) => false,
        (true, false) => true,
        (false, true) => false,
        (false, false) => a < b,
        (true, true) => a > b,
    }
}

fn equal(a: u32, b: u32) -> bool {
    a == b || (is_zero(a) && is_zero(b))
}

impl Context {
    /// Whether `a` equals `b`; a quiet comparison.
    pub fn eq(&mut self, a: u32, b: u32) -> bool {
        if is_nan(a) || is_nan(b) {
            self.nan(&[a, b]);
            return false;
        }
        equal(a, b)
    }

    /// Whether `a < b`; any NaN is invalid.
    pub fn lt(&mut self, a: u32, b: u32) -> bool {
        self.ordered(a, b) && less(a, b)
    }

    /// Whether `a <= b`; any NaN is invalid.
    pub fn le(&mut self, a: u32, b: u32) -> bool {
        self.ordered(a, b) && (less(a, b) || equal(a, b))
    }

    fn ordered(&mut self, a: u32, b: u32) -> bool {
        let ordered = !is_nan(a) && !is_nan(b);
        if !ordered {
            self.flags |= NV;
        }
        ordered
    }
}
