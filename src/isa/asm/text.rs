//! Assembly text, statement by statement.

use super::operand::{Names, Value};
use super::{pseudo, AsmError, AsmErrorKind, Assembler, Reloc};
use crate::encode::Operands;
use crate::format::Format;
use crate::image::Image;
use crate::table::Op;
use crate::{csr, reg, rounding};

/// Assembles `source` into a program whose first byte is at `base`.
///
/// Understood: every instruction of the table in GNU syntax (a branch target may be a label, `.+8` or
/// an absolute address), the usual pseudo-instructions, `name:` and `1:` labels with `1b` and `1f`,
/// `%hi` and `%lo`, and the directives `.word .half .byte .space .zero .align .equ`. SPLIT and PRED
/// with the negate flag are `vx_split_n` and `vx_pred_n`. Comments begin with `#` or `//`; `;`
/// separates statements.
///
/// # Errors
/// The first mistake and its line.
pub fn assemble(base: u32, source: &str) -> Result<Image, AsmError> {
    let mut text = Text { asm: Assembler::new(base), names: Names::default() };
    for (number, line) in source.lines().enumerate() {
        text.asm.line = Some(number + 1);
        let code = line.split('#').next().unwrap_or("").split("//").next().unwrap_or("");
        for statement in code.split(';') {
            if let Err(kind) = text.statement(statement.trim()) {
                text.asm.fail(kind);
            }
        }
    }
    text.asm.finish()
}

struct Text {
    asm: Assembler,
    names: Names,
}

type Parsed<T> = Result<T, AsmErrorKind>;

fn expected<T>(expected: &'static str, found: &str) -> Parsed<T> {
    Err(AsmErrorKind::Operand { expected, found: found.into() })
}

fn register(text: &str) -> Parsed<usize> {
    reg::parse(text).map_or_else(|| expected("a register", text), Ok)
}

fn float(text: &str) -> Parsed<usize> {
    reg::parse_float(text).map_or_else(|| expected("a floating-point register", text), Ok)
}

fn register_of(is_float: bool, text: &str) -> Parsed<usize> {
    if is_float {
        float(text)
    } else {
        register(text)
    }
}

impl Text {
    fn statement(&mut self, mut statement: &str) -> Parsed<()> {
        while let Some((name, rest)) = statement.split_once(':') {
            self.names.define(&mut self.asm, name.trim())?;
            statement = rest.trim();
        }
        if statement.is_empty() {
            return Ok(());
        }
        let (mnemonic, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let operands: Vec<&str> = rest.split(',').map(str::trim).collect();
        let operands = if rest.trim().is_empty() { &[][..] } else { &operands[..] };
        if mnemonic.starts_with('.') {
            return self.directive(mnemonic, operands);
        }
        if let Some(expansion) = pseudo::expand(mnemonic, operands) {
            return self.statement(&expansion);
        }
        match (mnemonic, operands) {
            ("li", [rd, value]) => {
                let (rd, value) = (register(rd)?, self.constant(value)?);
                self.asm.li(rd, value);
                Ok(())
            }
            ("la", [rd, target]) => {
                let rd = register(rd)?;
                match self.names.value(&mut self.asm, target)? {
                    Value::Const(value) => self.asm.li(rd, value),
                    Value::Label(label, addend) => {
                        let upper = Operands { rd, ..Operands::default() };
                        self.asm.put_reloc(Op::Lui, upper, Reloc::Hi, label, addend);
                        let lower = Operands { rd, rs1: rd, ..Operands::default() };
                        self.asm.put_reloc(Op::Addi, lower, Reloc::Lo, label, addend);
                    }
                    Value::Part(..) => return expected("an address", target),
                }
                Ok(())
            }
            _ => self.instruction(mnemonic, operands),
        }
    }

    fn constant(&mut self, text: &str) -> Parsed<u32> {
        match self.names.value(&mut self.asm, text)? {
            Value::Const(value) => Ok(value),
            _ => expected("a number", text),
        }
    }

    fn directive(&mut self, directive: &str, operands: &[&str]) -> Parsed<()> {
        match (directive, operands) {
            (".text" | ".globl" | ".global", _) => {}
            (".word", _) => {
                for operand in operands {
                    match self.names.value(&mut self.asm, operand)? {
                        Value::Const(value) => self.asm.word(value),
                        Value::Label(label, addend) => self.asm.word_label(label, addend),
                        Value::Part(..) => return expected("a number or an address", operand),
                    }
                }
            }
            (".half" | ".byte", _) => {
                let size = if directive == ".half" { 2 } else { 1 };
                for operand in operands {
                    let value = self.constant(operand)?;
                    // Signed and unsigned readings are both welcome, as in GNU as.
                    let beyond = (value as i32) >> (8 * size);
                    if beyond != 0 && (beyond != -1 || value >> (8 * size - 1) & 1 == 0) {
                        return expected("a value that fits", operand);
                    }
                    self.asm.data(&value.to_le_bytes()[..size]);
                }
            }
            (".space" | ".zero", [size]) => {
                let size = self.constant(size)?;
                if size > 1 << 24 {
                    return Err(AsmErrorKind::Size(size.into()));
                }
                self.asm.data(&vec![0; size as usize]);
            }
            (".align" | ".p2align", [power]) => {
                let power = self.constant(power)?;
                if power > 16 {
                    return Err(AsmErrorKind::Size(power.into()));
                }
                self.asm.align(1 << power);
            }
            (".equ" | ".set", [name, value]) => {
                let value = self.constant(value)?;
                self.names.constant(name, value)?;
            }
            (".space" | ".zero" | ".align" | ".p2align", _) => {
                return Err(count(directive, "1", operands));
            }
            (".equ" | ".set", _) => return Err(count(directive, "2", operands)),
            _ => return Err(AsmErrorKind::Mnemonic(directive.into())),
        }
        Ok(())
    }

    fn instruction(&mut self, mnemonic: &str, operands: &[&str]) -> Parsed<()> {
        let negated =
            mnemonic.strip_suffix("_n").and_then(Op::named).filter(|op| matches!(op, Op::Split | Op::Pred));
        let suffixed = negated.map(|op| (op, 1)).or_else(|| Op::ordered(mnemonic));
        let Some((op, imm)) = suffixed.or_else(|| Some((Op::named(mnemonic)?, 0))) else {
            return Err(AsmErrorKind::Mnemonic(mnemonic.into()));
        };
        let mut o = Operands { imm, ..Operands::default() };
        let offset = op.is_load() || op == Op::Jalr;
        let format = op.format();
        if format.names_float() {
            return self.float_instruction(op, operands);
        }
        match (format, operands) {
            (Format::R, [rd, rs1, rs2]) => {
                (o.rd, o.rs1, o.rs2) = (register(rd)?, register(rs1)?, register(rs2)?);
            }
            (Format::I, [rd, address]) if offset => {
                o.rd = register(rd)?;
                return self.based(op, o, address);
            }
            (Format::S, [rs2, address]) => {
                o.rs2 = register(rs2)?;
                return self.based(op, o, address);
            }
            (Format::I | Format::Shift, [rd, rs1, imm]) if !offset => {
                (o.rd, o.rs1) = (register(rd)?, register(rs1)?);
                return self.with_imm(op, o, imm);
            }
            (Format::U, [rd, imm]) => {
                o.rd = register(rd)?;
                return self.with_imm(op, o, imm);
            }
            (Format::B, [rs1, rs2, target]) => {
                (o.rs1, o.rs2) = (register(rs1)?, register(rs2)?);
                return self.with_imm(op, o, target);
            }
            (Format::J, [rd, target]) => {
                o.rd = register(rd)?;
                return self.with_imm(op, o, target);
            }
            (Format::Csr, [rd, csr, rs1]) => {
                (o.rd, o.csr, o.rs1) = (register(rd)?, self.csr(csr)?, register(rs1)?);
            }
            (Format::CsrImm, [rd, csr, imm]) => {
                (o.rd, o.csr) = (register(rd)?, self.csr(csr)?);
                return self.with_imm(op, o, imm);
            }
            (Format::Fence, [pred, succ]) => o.imm = access_set(pred)? << 4 | access_set(succ)?,
            (Format::Bare, []) => {}
            (Format::Rs1, [rs1]) => o.rs1 = register(rs1)?,
            (Format::Rs1Rs2 | Format::Pred, [rs1, rs2]) => (o.rs1, o.rs2) = (register(rs1)?, register(rs2)?),
            (Format::Amo | Format::AmoCas, [rd, rs2, address]) => {
                let base = address.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                let Some(base) = base else { return expected("(register)", address) };
                (o.rd, o.rs2, o.rs1) = (register(rd)?, register(rs2)?, register(base.trim())?);
            }
            (Format::Split | Format::RdRs1, [rd, rs1]) => (o.rd, o.rs1) = (register(rd)?, register(rs1)?),
            (format, _) => return Err(count(mnemonic, operand_count(format, offset), operands)),
        }
        self.asm.put(op, o);
        Ok(())
    }

    /// An instruction of F: its registers in the order rd, rs1, rs2, rs3 as far as it has them, then the
    /// rounding mode, which is the dynamic one if it is left out.
    fn float_instruction(&mut self, op: Op, operands: &[&str]) -> Parsed<()> {
        let format = op.format();
        let mut o = Operands::default();
        match (format, operands) {
            (Format::FpLoad, [rd, address]) => {
                o.rd = float(rd)?;
                return self.based(op, o, address);
            }
            (Format::FpStore, [rs2, address]) => {
                o.rs2 = float(rs2)?;
                return self.based(op, o, address);
            }
            _ => {}
        }
        let registers = 2 + usize::from(format.reads_rs2()) + usize::from(format.reads_rs3());
        let rounding = match operands.len().checked_sub(registers) {
            Some(0) => None,
            Some(1) if format.has_rounding() => operands.last(),
            _ => return Err(count(op.info().mnemonic, operand_count(format, false), operands)),
        };
        (o.rd, o.rs1) = (
            register_of(format.rd_is_float(), operands[0])?,
            register_of(format.rs1_is_float(), operands[1])?,
        );
        if format.reads_rs2() {
            o.rs2 = float(operands[2])?;
        }
        if format.reads_rs3() {
            o.rs3 = float(operands[3])?;
        }
        if format.has_rounding() {
            o.rm = match rounding {
                Some(name) => rounding::parse(name).map_or_else(|| expected("a rounding mode", name), Ok)?,
                None => rounding::DYNAMIC,
            };
        }
        self.asm.put(op, o);
        Ok(())
    }

    /// `imm(rs1)`, where the immediate may be left out.
    fn based(&mut self, op: Op, mut o: Operands, address: &str) -> Parsed<()> {
        let parts = address.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
        let Some((imm, base)) = parts else { return expected("offset(register)", address) };
        o.rs1 = register(base.trim())?;
        self.with_imm(op, o, if imm.trim().is_empty() { "0" } else { imm.trim() })
    }

    fn with_imm(&mut self, op: Op, mut o: Operands, text: &str) -> Parsed<()> {
        let relative = op.is_branch() || op == Op::Jal;
        match self.names.value(&mut self.asm, text)? {
            Value::Label(label, addend) if relative => {
                self.asm.put_reloc(op, o, Reloc::Relative, label, addend);
                return Ok(());
            }
            Value::Part(reloc, label, addend) if !relative => {
                self.asm.put_reloc(op, o, reloc, label, addend);
                return Ok(());
            }
            Value::Const(target) if relative => o.imm = target.wrapping_sub(self.asm.here()),
            Value::Const(upper) if op.format() == Format::U => {
                if upper >> 20 != 0 {
                    return expected("a value of 20 bits", text);
                }
                o.imm = upper << 12;
            }
            Value::Const(value) => o.imm = value,
            _ => return expected("a number, or %hi or %lo of an address", text),
        }
        self.asm.put(op, o);
        Ok(())
    }

    fn csr(&mut self, text: &str) -> Parsed<u16> {
        match csr::parse(text) {
            Some(number) => Ok(number),
            None => match self.names.value(&mut self.asm, text)? {
                Value::Const(number) if number <= 0xfff => Ok(number as u16),
                _ => expected("a CSR", text),
            },
        }
    }
}

fn count(mnemonic: &str, expected: &'static str, operands: &[&str]) -> AsmErrorKind {
    AsmErrorKind::Count { mnemonic: mnemonic.into(), expected, found: operands.len() }
}

fn operand_count(format: Format, offset: bool) -> &'static str {
    match format {
        Format::I if offset => "2",
        Format::R | Format::I | Format::Shift | Format::B | Format::Csr | Format::CsrImm => "3",
        Format::Amo | Format::AmoCas => "3",
        Format::S | Format::U | Format::J | Format::Fence | Format::FpLoad | Format::FpStore => "2",
        Format::FpToInt | Format::IntToFp => "2",
        Format::Fp | Format::FpCompare => "3",
        Format::FpUnary | Format::FpToIntRound | Format::IntToFpRound => "2 or 3",
        Format::FpRound => "3 or 4",
        Format::FpFused => "4 or 5",
        Format::Rs1Rs2 | Format::RdRs1 | Format::Split | Format::Pred => "2",
        Format::Bare => "0",
        Format::Rs1 => "1",
    }
}

/// A fence's predecessor or successor set: letters of `iorw` in this order, or 0.
fn access_set(text: &str) -> Parsed<u32> {
    if text == "0" {
        return Ok(0);
    }
    let mut bits = 0;
    for letter in text.chars() {
        let Some(place) = "iorw".find(letter) else { return expected("some of iorw", text) };
        let bit = 8 >> place;
        // Each letter stands to the right of those before it.
        if bits & (bit | (bit - 1)) != 0 {
            return expected("some of iorw", text);
        }
        bits |= bit;
    }
    Ok(bits)
}

#[cfg(test)]
mod tests;
