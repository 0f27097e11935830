//! Rounding modes: the `rm` field of floating-point instructions, and the register `frm`.

/// How a result that does not fit is rounded (IEEE 754-2019, 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rounding {
    /// To nearest, ties to even.
    Rne = 0,
    /// Towards zero.
    Rtz = 1,
    /// Down, towards minus infinity.
    Rdn = 2,
    /// Up, towards plus infinity.
    Rup = 3,
    /// To nearest, ties away from zero.
    Rmm = 4,
}

/// Value of the `rm` field that leaves the choice to `frm`.
pub const DYNAMIC: u32 = 7;

impl Rounding {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Rne, Self::Rtz, Self::Rdn, Self::Rup, Self::Rmm];

    /// The mode with this code, if it is one.
    #[inline]
    pub const fn from_code(code: u32) -> Option<Self> {
        if code < 5 {
            Some(Self::ALL[code as usize])
        } else {
            None
        }
    }

    /// The mode that an instruction with this `rm` field uses when `frm` holds `frm`; `None` makes the
    /// instruction illegal.
    #[inline]
    pub const fn resolve(rm: u32, frm: u32) -> Option<Self> {
        Self::from_code(if rm == DYNAMIC { frm } else { rm })
    }
}

/// Whether an instruction may have this `rm` field; 5 and 6 are reserved.
#[inline]
pub const fn is_field(rm: u32) -> bool {
    rm < 5 || rm == DYNAMIC
}

const NAMES: [(u32, &str); 6] =
    [(0, "rne"), (1, "rtz"), (2, "rdn"), (3, "rup"), (4, "rmm"), (DYNAMIC, "dyn")];

/// The assembler's name of an `rm` field.
pub fn name(rm: u32) -> Option<&'static str> {
    NAMES.iter().find(|(code, _)| *code == rm).map(|&(_, name)| name)
}

/// The `rm` field called `text`.
pub fn parse(text: &str) -> Option<u32> {
    NAMES.iter().find(|(_, name)| *name == text).map(|&(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_agree() {
        for rm in 0..8 {
            assert_eq!(is_field(rm), name(rm).is_some(), "{rm}");
            assert_eq!(name(rm).map(parse), is_field(rm).then_some(Some(rm)), "{rm}");
            assert_eq!(Rounding::from_code(rm).map(|mode| mode as u32), (rm < 5).then_some(rm));
            assert_eq!(Rounding::resolve(DYNAMIC, rm), Rounding::from_code(rm));
        }
        assert_eq!(parse("rnd"), None);
        assert_eq!(Rounding::resolve(1, 5), Some(Rounding::Rtz));
        assert_eq!(Rounding::resolve(6, 0), None);
    }
}
