//! Instruction formats: which fields of a word are operands, and how its immediate is scattered.
//!
//! The bits of a format that are operands are `-` in the patterns of [`super::table`]; everything an
//! instruction reads or writes follows from its format alone, the register file included.
//!
//! The fields hold 5 bits. Where the register file matters too, as for hazards and results, registers
//! have numbers of 6 bits: 0 to 31 for x0 to x31, 32 to 63 for f0 to f31 ([`Format::rd`] and so on).

/// Number of f0 where floating-point registers are numbered after the integer ones.
pub const FLOAT: usize = 32;

/// Destination register field.
#[inline]
pub const fn rd(word: u32) -> usize {
    (word >> 7 & 31) as usize
}

/// First source register field.
#[inline]
pub const fn rs1(word: u32) -> usize {
    (word >> 15 & 31) as usize
}

/// Second source register field.
#[inline]
pub const fn rs2(word: u32) -> usize {
    (word >> 20 & 31) as usize
}

/// Third source register field.
#[inline]
pub const fn rs3(word: u32) -> usize {
    (word >> 27 & 31) as usize
}

/// Rounding mode field; see [`super::rounding`].
#[inline]
pub const fn rm(word: u32) -> u32 {
    word >> 12 & 7
}

/// CSR number field.
#[inline]
pub const fn csr(word: u32) -> u16 {
    (word >> 20) as u16
}

/// How the operands of an instruction are laid out in its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `rd, rs1, rs2`.
    R,
    /// `rd, rs1, imm12`, signed; loads and JALR write it as `rd, imm12(rs1)`.
    I,
    /// `rd, rs1, shamt`: an I-type whose immediate is a 5-bit shift amount.
    Shift,
    /// `rs2, imm12(rs1)`: stores.
    S,
    /// `rs1, rs2, offset`: conditional branches, a signed even 13-bit offset.
    B,
    /// `rd, imm20`: the immediate is the upper 20 bits of a word.
    U,
    /// `rd, offset`: JAL, a signed even 21-bit offset.
    J,
    /// `rd, csr, rs1`.
    Csr,
    /// `rd, csr, uimm5`: the immediate stands in the rs1 field.
    CsrImm,
    /// `pred, succ`: the immediate is fm, predecessor and successor sets, 4 bits each.
    Fence,
    /// No operand.
    Bare,
    /// `rd, rs2, (rs1)`: atomic operations on a word of memory. The immediate is the ordering: bit 1 acquire, bit 0 release.
    Amo,
    /// As [`Format::Amo`], and `rd` is read too: the word that memory is compared with.
    AmoCas,
    /// `rs1` alone: TMC and JOIN.
    Rs1,
    /// `rd, rs1`: votes.
    RdRs1,
    /// `rs1, rs2`, no destination: WSPAWN and BAR.
    Rs1Rs2,
    /// `rd, rs1, negate`: SPLIT; the immediate is bit 0 of the rs2 field.
    Split,
    /// `rs1, rs2, negate`: PRED; the immediate is bit 0 of the rd field.
    Pred,
    /// `fd, imm12(rs1)`: FLW.
    FpLoad,
    /// `fs2, imm12(rs1)`: FSW.
    FpStore,
    /// `fd, fs1, fs2, fs3, rm`.
    FpFused,
    /// `fd, fs1, fs2, rm`.
    FpRound,
    /// `fd, fs1, rm`.
    FpUnary,
    /// `fd, fs1, fs2`, without rounding.
    Fp,
    /// `rd, fs1, fs2`.
    FpCompare,
    /// `rd, fs1`, without rounding.
    FpToInt,
    /// `rd, fs1, rm`.
    FpToIntRound,
    /// `fd, rs1`, without rounding.
    IntToFp,
    /// `fd, rs1, rm`.
    IntToFpRound,
}

impl Format {
    /// Whether the instruction writes register `rd`.
    #[inline]
    pub const fn writes_rd(self) -> bool {
        use Format::*;
        matches!(self, R | I | Shift | U | J | Csr | CsrImm | Split | Amo | AmoCas | RdRs1)
            || matches!(self, FpCompare | FpToInt | FpToIntRound)
            || self.rd_is_float()
    }

    /// Whether the instruction reads register `rs1`.
    #[inline]
    pub const fn reads_rs1(self) -> bool {
        use Format::*;
        matches!(self, R | I | Shift | S | B | Csr | Rs1 | RdRs1 | Rs1Rs2 | Split | Pred | Amo | AmoCas)
            || matches!(self, FpLoad | FpStore | IntToFp | IntToFpRound)
            || self.rs1_is_float()
    }

    /// Whether the instruction reads register `rs2`.
    #[inline]
    pub const fn reads_rs2(self) -> bool {
        use Format::*;
        matches!(self, R | S | B | Rs1Rs2 | Pred | Amo | AmoCas) || self.rs2_is_float()
    }

    /// Whether the instruction reads a third register; see [`Format::rs3`].
    #[inline]
    pub const fn reads_rs3(self) -> bool {
        matches!(self, Format::FpFused | Format::AmoCas)
    }

    /// Whether the instruction has a rounding mode.
    #[inline]
    pub const fn has_rounding(self) -> bool {
        use Format::*;
        matches!(self, FpFused | FpRound | FpUnary | FpToIntRound | IntToFpRound)
    }

    /// Whether `rd` is a floating-point register.
    #[inline]
    pub const fn rd_is_float(self) -> bool {
        use Format::*;
        matches!(self, FpLoad | FpFused | FpRound | FpUnary | Fp | IntToFp | IntToFpRound)
    }

    /// Whether `rs1` is a floating-point register.
    #[inline]
    pub const fn rs1_is_float(self) -> bool {
        use Format::*;
        matches!(self, FpFused | FpRound | FpUnary | Fp | FpCompare | FpToInt | FpToIntRound)
    }

    /// Whether `rs2` is a floating-point register.
    #[inline]
    pub const fn rs2_is_float(self) -> bool {
        use Format::*;
        matches!(self, FpStore | FpFused | FpRound | Fp | FpCompare)
    }

    /// Whether any register of the instruction is a floating-point one: true for all of F.
    #[inline]
    pub const fn names_float(self) -> bool {
        self.rd_is_float() || self.rs1_is_float() || self.rs2_is_float()
    }

    /// Number of register `rd` of `word`, 32 and up for the floating-point ones; `None` if nothing is
    /// written, x0 included.
    #[inline]
    pub const fn rd(self, word: u32) -> Option<usize> {
        match (self.writes_rd(), rd(word)) {
            (false, _) => None,
            (true, 0) if !self.rd_is_float() => None,
            (true, number) => Some(number + FLOAT * self.rd_is_float() as usize),
        }
    }

    /// Number of register `rs1` of `word`, 32 and up for the floating-point ones; `None` if it is not
    /// read.
    #[inline]
    pub const fn rs1(self, word: u32) -> Option<usize> {
        if self.reads_rs1() {
            Some(rs1(word) + FLOAT * self.rs1_is_float() as usize)
        } else {
            None
        }
    }

    /// Number of register `rs2` of `word`; see [`Format::rs1`].
    #[inline]
    pub const fn rs2(self, word: u32) -> Option<usize> {
        if self.reads_rs2() {
            Some(rs2(word) + FLOAT * self.rs2_is_float() as usize)
        } else {
            None
        }
    }

    /// Number of the third register that `word` reads, the addend of a fused product or what AMOCAS compares with; see
    /// [`Format::rs1`].
    #[inline]
    pub const fn rs3(self, word: u32) -> Option<usize> {
        match self {
            Format::FpFused => Some(rs3(word) + FLOAT),
            Format::AmoCas => Some(rd(word)),
            _ => None,
        }
    }

    /// Numbers of the registers that `word` reads; see [`Format::rs1`].
    #[inline]
    pub const fn sources(self, word: u32) -> [Option<usize>; 3] {
        [self.rs1(word), self.rs2(word), self.rs3(word)]
    }

    /// The immediate operand of `word`, sign-extended where the format is signed; 0 without one.
    #[inline]
    pub const fn imm(self, word: u32) -> u32 {
        let signed = word as i32;
        match self {
            Format::I | Format::FpLoad => (signed >> 20) as u32,
            Format::Shift => word >> 20 & 31,
            Format::S | Format::FpStore => (signed >> 25 << 5) as u32 | word >> 7 & 31,
            Format::B => {
                (signed >> 31 << 12) as u32
                    | (word >> 7 & 1) << 11
                    | (word >> 25 & 63) << 5
                    | (word >> 8 & 15) << 1
            }
            Format::U => word & 0xffff_f000,
            Format::J => {
                (signed >> 31 << 20) as u32
                    | word & 0xf_f000
                    | (word >> 20 & 1) << 11
                    | (word >> 21 & 0x3ff) << 1
            }
            Format::CsrImm => word >> 15 & 31,
            Format::Fence => word >> 20,
            Format::Split => word >> 20 & 1,
            Format::Amo | Format::AmoCas => word >> 25 & 3,
            Format::Pred => word >> 7 & 1,
            _ => 0,
        }
    }

    /// The bits that immediate `imm` occupies in a word, or `None` if the format cannot hold it.
    /// The inverse of [`Format::imm`].
    pub const fn place_imm(self, imm: u32) -> Option<u32> {
        let word = match self {
            Format::I | Format::FpLoad | Format::Fence => imm << 20,
            Format::Shift | Format::Split => (imm & 31) << 20,
            Format::S | Format::FpStore => (imm >> 5 & 127) << 25 | (imm & 31) << 7,
            Format::B => {
                (imm >> 12 & 1) << 31 | (imm >> 5 & 63) << 25 | (imm >> 1 & 15) << 8 | (imm >> 11 & 1) << 7
            }
            Format::U => imm & 0xffff_f000,
            Format::J => {
                (imm >> 20 & 1) << 31 | (imm >> 1 & 0x3ff) << 21 | (imm >> 11 & 1) << 20 | imm & 0xf_f000
            }
            Format::CsrImm => (imm & 31) << 15,
            Format::Pred => (imm & 1) << 7,
            Format::Amo | Format::AmoCas => (imm & 3) << 25,
            _ => 0,
        };
        // Reading it back tells whether a bit was lost, for every format alike.
        if self.imm(word) == imm {
            Some(word)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn immediates_at_the_limits() {
        for (format, low, high, step) in [
            (Format::I, -2048, 2047, 1),
            (Format::S, -2048, 2047, 1),
            (Format::FpLoad, -2048, 2047, 1),
            (Format::FpStore, -2048, 2047, 1),
            (Format::B, -4096, 4094, 2),
            (Format::J, -(1 << 20), (1 << 20) - 2, 2),
            (Format::Shift, 0, 31, 1),
            (Format::CsrImm, 0, 31, 1),
            (Format::Fence, 0, 4095, 1),
            (Format::Split, 0, 1, 1),
            (Format::Pred, 0, 1, 1),
            (Format::Amo, 0, 3, 1),
            (Format::R, 0, 0, 1),
            (Format::FpFused, 0, 0, 1),
        ] {
            for imm in [low, high, (high / 2) & !(step - 1)] {
                let word = format.place_imm(imm as u32).unwrap_or_else(|| panic!("{format:?} {imm}"));
                assert_eq!(format.imm(word), imm as u32, "{format:?} {imm}");
            }
            assert_eq!(format.place_imm((high + step) as u32), None, "{format:?}");
            assert_eq!(format.place_imm((low - step) as u32), None, "{format:?}");
        }
        assert_eq!(Format::B.place_imm(3), None, "odd branch offset");
        assert_eq!(Format::U.place_imm(0x1234_5000), Some(0x1234_5000));
        assert_eq!(Format::U.place_imm(0x1234_5001), None);
    }
}
