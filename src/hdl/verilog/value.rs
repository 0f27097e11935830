//! Unsigned constants of any width.
use std::fmt;

/// An unsigned number, least significant limb first, without leading zero limbs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Value(Vec<u64>);

impl Value {
    /// The number a rust-hdl literal holds (its lower-hex form is `width'h<digits>`, with a sign if negative),
    /// and whether it is negative.
    pub(super) fn parse(literal: &rust_hdl::prelude::VerilogLiteral) -> (Self, bool) {
        let text = format!("{literal:x}");
        let digits = text.split_once("'h").map_or(text.as_str(), |(_, digits)| digits);
        let (negative, digits) = match digits.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, digits),
        };
        let mut limbs: Vec<u64> = digits
            .as_bytes()
            .rchunks(16)
            .map(|chunk| chunk.iter().fold(0, |n, c| n << 4 | (*c as char).to_digit(16).unwrap_or(0) as u64))
            .collect();
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        (Self(limbs), negative)
    }

    /// Bits up to and with the highest one.
    pub(super) fn bit_len(&self) -> usize {
        self.0.last().map_or(0, |top| self.0.len() * 64 - top.leading_zeros() as usize)
    }

    /// The number if it fits in 64 bits.
    pub(super) fn to_u64(&self) -> Option<u64> {
        match self.0.as_slice() {
            [] => Some(0),
            [low] => Some(*low),
            _ => None,
        }
    }

    /// The number modulo 2^width.
    pub(super) fn cut(mut self, width: usize) -> Self {
        self.0.truncate(width.div_ceil(64));
        if !width.is_multiple_of(64) && self.0.len() == width.div_ceil(64) {
            if let Some(top) = self.0.last_mut() {
                *top &= (1 << (width % 64)) - 1;
            }
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    /// The number with each of its `width` bits inverted.
    pub(super) fn complement(&self, width: usize) -> Self {
        let mut limbs = self.0.clone();
        limbs.resize(width.div_ceil(64), 0);
        Self(limbs.iter().map(|limb| !limb).collect()).cut(width)
    }

    /// The two's complement of the number in `width` bits.
    pub(super) fn negated(&self, width: usize) -> Self {
        let mut limbs = self.complement(width).0;
        limbs.resize(width.div_ceil(64), 0);
        let mut carry = true;
        for limb in &mut limbs {
            (*limb, carry) = limb.overflowing_add(carry as u64);
        }
        Self(limbs).cut(width)
    }

    /// The number with `other` put above bit `at`, as a concatenation does.
    pub(super) fn with_above(&self, other: &Self, at: usize) -> Self {
        let mut limbs = self.0.clone();
        limbs.resize((at + other.bit_len()).div_ceil(64) + 1, 0);
        for (i, limb) in other.0.iter().enumerate() {
            let wide = (*limb as u128) << (at % 64);
            limbs[at / 64 + i] |= wide as u64;
            if wide >> 64 != 0 {
                limbs[at / 64 + i + 1] |= (wide >> 64) as u64;
            }
        }
        let width = at + other.bit_len();
        Self(limbs).cut(width.max(self.bit_len()))
    }

    /// The number without its `count` lowest bits.
    pub(super) fn shifted_right(&self, count: usize) -> Self {
        let mut limbs: Vec<u64> = self.0.iter().skip(count / 64).copied().collect();
        if !count.is_multiple_of(64) {
            for i in 0..limbs.len() {
                let above = limbs.get(i + 1).map_or(0, |limb| limb << (64 - count % 64));
                limbs[i] = limbs[i] >> (count % 64) | above;
            }
        }
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self(limbs)
    }

    /// The Verilog literal of the number in `width` bits: a bit in binary, a small number in decimal, a mask of all bits
    /// and what is large in hexadecimal.
    pub(super) fn sized(&self, width: usize) -> String {
        let is_mask = width >= 4 && self.to_u64() == Some(u64::MAX >> (64 - width.min(64)));
        match self.to_u64() {
            Some(value) if width == 1 => format!("1'b{value}"),
            Some(value) if value < 256 && !is_mask => format!("{width}'d{value}"),
            _ => format!("{width}'h{self}"),
        }
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self(if value == 0 { vec![] } else { vec![value] })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((top, rest)) = self.0.split_last() else {
            return write!(f, "0");
        };
        write!(f, "{top:x}")?;
        rest.iter().rev().try_for_each(|limb| write!(f, "{limb:016x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn arithmetic_crosses_limbs() {
        let wide = Value::from(u64::MAX).with_above(&Value::from(5), 64);
        assert_eq!(wide.to_string(), "5ffffffffffffffff");
        assert_eq!(wide.bit_len(), 67);
        assert_eq!(wide.shifted_right(60).to_u64(), Some(0x5f));
        assert_eq!(wide.clone().cut(65).sized(65), "65'h1ffffffffffffffff");
        assert_eq!(Value::from(5).negated(66).to_string(), "3fffffffffffffffb");
        assert_eq!(Value::from(0).negated(8).to_u64(), Some(0));
    }
}
