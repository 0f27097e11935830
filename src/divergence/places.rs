//! Sets of the places where a thread's values are: its registers, and words of its stack frame.

use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

use isa::format::FLOAT;
use isa::reg::{self, REGISTERS};

/// A register as [`isa::format`] numbers them: x0 to x31, then f0 to f31.
pub type Register = usize;

/// Words of a stack frame that have places of their own; what lies behind them is not followed.
pub const SLOTS: usize = 64;
/// All of them.
pub const PLACES: usize = REGISTERS + SLOTS;

/// x0.
pub const ZERO: Register = 0;
/// The return address.
pub const RA: Register = 1;
/// The stack pointer.
pub const SP: Register = 2;
/// The global pointer.
pub const GP: Register = 3;
/// The thread pointer, by which marked functions find their frames.
pub const TP: Register = 4;

/// The register called `text`, in either file.
pub fn parse(text: &str) -> Option<Register> {
    reg::parse(text).or_else(|| Some(reg::parse_float(text)? + FLOAT))
}

/// Its name in the calling convention.
pub fn name(register: Register) -> &'static str {
    match register.checked_sub(FLOAT) {
        Some(float) => reg::float_name(float),
        None => reg::name(register),
    }
}

/// A set of places: bits 0 to 63 are registers, the others slots of the stack frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places(u128);

impl Places {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(u128::MAX);
    /// Registers that a function leaves as it found them.
    pub const SAVED: Self =
        Self::of(&[SP, GP, TP, 8, 9]).and_range(18, 27).and_range(40, 41).and_range(50, 59);
    /// All registers but x0.
    pub const REGISTERS: Self = Self(u64::MAX as u128 & !1);
    /// Registers that may hold arguments.
    pub const ARGUMENTS: Self = Self(0).and_range(10, 17).and_range(42, 49);
    /// Temporary registers that LLVM passes arguments in: t2 to t6, ft0 to ft11.
    pub const TEMPORARY: Self = Self::of(&[7]).and_range(28, 31).and_range(32, 39).and_range(60, 63);
    /// Registers that may hold what a function returns.
    pub const RESULTS: Self = Self(0).and_range(10, 11).and_range(42, 43);

    pub const fn of(places: &[usize]) -> Self {
        let (mut bits, mut i) = (0, 0);
        while i < places.len() {
            bits |= 1 << places[i];
            i += 1;
        }
        Self(bits)
    }

    const fn and_range(self, first: usize, last: usize) -> Self {
        let (mut bits, mut place) = (self.0, first);
        while place <= last {
            bits |= 1 << place;
            place += 1;
        }
        Self(bits)
    }

    pub const fn one(place: usize) -> Self {
        Self(1 << place)
    }

    pub const fn contains(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }

    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Its registers, in the order of their numbers.
    pub fn registers(self) -> impl Iterator<Item = Register> {
        (0..REGISTERS).filter(move |&register| self.contains(register))
    }
}

impl BitOr for Places {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Places {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for Places {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for Places {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl FromIterator<usize> for Places {
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> Self {
        places.into_iter().fold(Self::NONE, |all, place| all | Self::one(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(places: Places) -> String {
        places.registers().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_calling_convention() {
        assert_eq!(
            named(Places::SAVED),
            "sp gp tp s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 fs0 fs1 fs2 fs3 fs4 fs5 fs6 fs7 fs8 fs9 fs10 fs11"
        );
        assert_eq!(named(Places::ARGUMENTS), "a0 a1 a2 a3 a4 a5 a6 a7 fa0 fa1 fa2 fa3 fa4 fa5 fa6 fa7");
        assert_eq!(
            named(Places::TEMPORARY),
            "t2 t3 t4 t5 t6 ft0 ft1 ft2 ft3 ft4 ft5 ft6 ft7 ft8 ft9 ft10 ft11"
        );
        assert_eq!(named(Places::RESULTS), "a0 a1 fa0 fa1");
        assert_eq!(Places::REGISTERS.registers().count(), REGISTERS - 1);
        assert_eq!(parse("fa0"), Some(42));
        assert_eq!(parse("a8"), None);
    }
}
