//! From an operation and its operands to a word: the inverse of [`decode`](super::decode()).

use thiserror::Error;

use super::format::Format;
use super::rounding;
use super::table::Op;

/// The operands of one instruction; those its format lacks must be left at zero. Registers have the
/// number that stands in their field: whether 1 is x1 or f1 follows from the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// Destination register.
    pub rd: usize,
    /// First source register.
    pub rs1: usize,
    /// Second source register.
    pub rs2: usize,
    /// Third source register of a fused product. AMOCAS has its third one in `rd`.
    pub rs3: usize,
    /// Rounding mode field; see [`super::rounding`].
    pub rm: u32,
    /// Immediate, sign-extended as [`Format::imm`] gives it.
    pub imm: u32,
    /// CSR number.
    pub csr: u16,
}

/// Why operands do not fit an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// The immediate is out of range, or a branch offset is odd.
    #[error("{} cannot hold immediate {} ({:#x})", .0.info().mnemonic, *.1 as i32, .1)]
    Immediate(Op, u32),
    /// A register number is over 31, or given to a field the instruction lacks.
    #[error("{} cannot name register {}", .0.info().mnemonic, .1)]
    Register(Op, usize),
    /// A CSR number is over 0xFFF, or given to an instruction without one.
    #[error("{} cannot name CSR {:#x}", .0.info().mnemonic, .1)]
    Csr(Op, u16),
    /// A reserved rounding mode, or one given to an instruction that does not round.
    #[error("{} cannot have rounding mode {}", .0.info().mnemonic, .1)]
    Rounding(Op, u32),
}

/// Encodes one instruction; ignored bits become zero.
///
/// # Errors
/// If an operand is out of range or the instruction has no such operand.
pub fn encode(op: Op, operands: Operands) -> Result<u32, EncodeError> {
    let Operands { rd, rs1, rs2, rs3, rm, imm, csr } = operands;
    let format = op.format();
    let has_csr = matches!(format, Format::Csr | Format::CsrImm);
    if csr > 0xfff || (csr != 0 && !has_csr) {
        return Err(EncodeError::Csr(op, csr));
    }
    if rm != 0 && !(format.has_rounding() && rounding::is_field(rm)) {
        return Err(EncodeError::Rounding(op, rm));
    }
    let mut word = op.info().bits | u32::from(csr) << 20 | rm << 12;
    for (register, used, place) in [
        (rd, format.writes_rd(), 7),
        (rs1, format.reads_rs1(), 15),
        (rs2, format.reads_rs2(), 20),
        (rs3, format == Format::FpFused, 27),
    ] {
        if register > 31 || (register != 0 && !used) {
            return Err(EncodeError::Register(op, register));
        }
        word |= (register as u32) << place;
    }
    Ok(word | format.place_imm(imm).ok_or(EncodeError::Immediate(op, imm))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_does_not_fit() {
        let none = Operands::default();
        assert_eq!(encode(Op::Ecall, none), Ok(0x73));
        assert!(matches!(encode(Op::Ecall, Operands { rd: 1, ..none }), Err(EncodeError::Register(_, 1))));
        assert!(matches!(encode(Op::Add, Operands { rs2: 32, ..none }), Err(EncodeError::Register(_, 32))));
        assert!(matches!(encode(Op::Add, Operands { csr: 1, ..none }), Err(EncodeError::Csr(_, 1))));
        assert!(matches!(encode(Op::Csrrw, Operands { csr: 0x1000, ..none }), Err(EncodeError::Csr(..))));
        assert!(matches!(encode(Op::FaddS, Operands { rs3: 1, ..none }), Err(EncodeError::Register(_, 1))));
        assert!(matches!(encode(Op::FaddS, Operands { rm: 5, ..none }), Err(EncodeError::Rounding(_, 5))));
        assert!(matches!(encode(Op::FminS, Operands { rm: 1, ..none }), Err(EncodeError::Rounding(_, 1))));
        let error = encode(Op::Addi, Operands { imm: 2048, ..none }).unwrap_err();
        assert_eq!(error.to_string(), "addi cannot hold immediate 2048 (0x800)");
    }
}
