//! A small assembler for directed tests and generated programs.
//!
//! [`Assembler`] is the builder: each method appends an instruction or data, labels may be used
//! before they are bound, and the first mistake is reported by [`Assembler::finish`]. [`assemble`]
//! reads the same thing as text. Sections, macros and relocatable output are deliberately absent.

mod operand;
mod pseudo;
mod text;

use thiserror::Error;

use super::encode::{encode, EncodeError, Operands};
use super::image::Image;
use super::table::Op;

pub use text::assemble;

/// Why a program cannot be assembled.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AsmErrorKind {
    /// An operand does not fit its instruction.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A label is used and never bound.
    #[error("undefined label {0}")]
    Undefined(String),
    /// A label or constant is defined twice.
    #[error("{0} is defined twice")]
    Redefined(String),
    /// The first word of a line is neither an instruction nor a directive.
    #[error("unknown instruction or directive {0}")]
    Mnemonic(String),
    /// An operand is not what the instruction takes.
    #[error("expected {expected}, found {found:?}")]
    Operand {
        /// What the instruction takes.
        expected: &'static str,
        /// What was written.
        found: String,
    },
    /// Too many or too few operands.
    #[error("{mnemonic} takes {expected} operands, not {found}")]
    Count {
        /// The instruction or directive.
        mnemonic: String,
        /// How many it takes.
        expected: &'static str,
        /// How many were written.
        found: usize,
    },
    /// An alignment or a size is out of range.
    #[error("size or alignment {0} is out of range")]
    Size(i64),
}

/// A mistake in a program and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{kind}", line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct AsmError {
    /// Line of the source text, from 1; none for a program made by the builder.
    pub line: Option<usize>,
    /// What is wrong.
    pub kind: AsmErrorKind,
}

/// A place in the program, perhaps not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(usize);

/// How the immediate of an instruction follows from an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reloc {
    /// Distance from the instruction: branches and JAL.
    Relative,
    /// Upper 20 bits, rounded so that adding the signed low part gives the address: LUI.
    Hi,
    /// Low 12 bits, signed: ADDI, loads and stores.
    Lo,
}

/// The rounded upper part of `value`, for LUI before an addition of [`lo`].
pub const fn hi(value: u32) -> u32 {
    value.wrapping_add(0x800) & 0xffff_f000
}

/// The signed low part of `value`.
pub const fn lo(value: u32) -> u32 {
    value.wrapping_sub(hi(value))
}

/// What a fix-up writes once its label is bound.
enum Patch {
    Instr(Op, Operands, Reloc),
    Word,
}

struct Fixup {
    at: usize,
    label: Label,
    addend: u32,
    patch: Patch,
    line: Option<usize>,
}

struct Place {
    name: Option<String>,
    address: Option<u32>,
}

/// Builds a program at a base address.
pub struct Assembler {
    base: u32,
    bytes: Vec<u8>,
    labels: Vec<Place>,
    fixups: Vec<Fixup>,
    line: Option<usize>,
    error: Option<AsmError>,
}

impl Assembler {
    /// An empty program whose first byte is at `base`.
    pub fn new(base: u32) -> Self {
        Self { base, bytes: Vec::new(), labels: Vec::new(), fixups: Vec::new(), line: None, error: None }
    }

    /// Address of the next byte.
    pub fn here(&self) -> u32 {
        self.base.wrapping_add(self.bytes.len() as u32)
    }

    /// A label yet to be bound.
    pub fn label(&mut self) -> Label {
        self.new_label(None)
    }

    /// A label yet to be bound whose address the image lists under `name`.
    pub fn named_label(&mut self, name: &str) -> Label {
        self.new_label(Some(name.into()))
    }

    fn new_label(&mut self, name: Option<String>) -> Label {
        self.labels.push(Place { name, address: None });
        Label(self.labels.len() - 1)
    }

    /// Binds `label` to the next byte's address.
    pub fn bind(&mut self, label: Label) {
        let here = self.here();
        let place = &mut self.labels[label.0];
        if place.address.replace(here).is_some() {
            let name = place.name.clone().unwrap_or_else(|| format!("#{}", label.0));
            self.fail(AsmErrorKind::Redefined(name));
        }
    }

    /// A label bound to the next byte's address.
    pub fn bound_label(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// Remembers the first mistake.
    fn fail(&mut self, kind: AsmErrorKind) {
        self.error.get_or_insert(AsmError { line: self.line, kind });
    }

    /// Appends one instruction.
    pub fn put(&mut self, op: Op, operands: Operands) {
        match encode(op, operands) {
            Ok(word) => self.word(word),
            Err(error) => self.fail(error.into()),
        }
    }

    /// Appends one instruction whose immediate follows from the address `label + addend`.
    pub fn put_reloc(&mut self, op: Op, operands: Operands, reloc: Reloc, label: Label, addend: u32) {
        self.fix(label, addend, Patch::Instr(op, operands, reloc));
        self.word(0);
    }

    fn fix(&mut self, label: Label, addend: u32, patch: Patch) {
        self.fixups.push(Fixup { at: self.bytes.len(), label, addend, patch, line: self.line });
    }

    /// Appends a 32-bit word of data.
    pub fn word(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Appends the address `label + addend` as a word of data.
    pub fn word_label(&mut self, label: Label, addend: u32) {
        self.fix(label, addend, Patch::Word);
        self.word(0);
    }

    /// Appends bytes of data.
    pub fn data(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Appends zero bytes until the next address is a multiple of `alignment`, a power of two.
    pub fn align(&mut self, alignment: u32) {
        let gap = self.here().wrapping_neg() & (alignment - 1);
        self.bytes.resize(self.bytes.len() + gap as usize, 0);
    }

    /// `op rd, rs1, rs2`.
    pub fn r(&mut self, op: Op, rd: usize, rs1: usize, rs2: usize) {
        self.put(op, Operands { rd, rs1, rs2, ..Operands::default() });
    }

    /// `op rd, rs1, imm`; also a load or JALR, `op rd, imm(rs1)`.
    pub fn i(&mut self, op: Op, rd: usize, rs1: usize, imm: i32) {
        self.put(op, Operands { rd, rs1, imm: imm as u32, ..Operands::default() });
    }

    /// `op rs2, imm(rs1)`: a store.
    pub fn s(&mut self, op: Op, rs2: usize, rs1: usize, imm: i32) {
        self.put(op, Operands { rs1, rs2, imm: imm as u32, ..Operands::default() });
    }

    /// `op rs1, rs2, target`: a branch.
    pub fn b(&mut self, op: Op, rs1: usize, rs2: usize, target: Label) {
        self.put_reloc(op, Operands { rs1, rs2, ..Operands::default() }, Reloc::Relative, target, 0);
    }

    /// `jal rd, target`; with `rd` 0 a plain jump.
    pub fn jal(&mut self, rd: usize, target: Label) {
        self.put_reloc(Op::Jal, Operands { rd, ..Operands::default() }, Reloc::Relative, target, 0);
    }

    /// An instruction without operands.
    pub fn bare(&mut self, op: Op) {
        self.put(op, Operands::default());
    }

    /// `op rd, csr, rs1`.
    pub fn csr(&mut self, op: Op, rd: usize, csr: u16, rs1: usize) {
        self.put(op, Operands { rd, rs1, csr, ..Operands::default() });
    }

    /// `op rs1, rs2` without a destination: TMC and JOIN (`rs2` 0), WSPAWN, BAR.
    pub fn warp(&mut self, op: Op, rs1: usize, rs2: usize) {
        self.put(op, Operands { rs1, rs2, ..Operands::default() });
    }

    /// Sets `rd` to `value` by one or two instructions, the same ones as GNU as.
    pub fn li(&mut self, rd: usize, value: u32) {
        let (upper, low) = (hi(value), lo(value));
        if upper != 0 {
            self.put(Op::Lui, Operands { rd, imm: upper, ..Operands::default() });
        }
        if upper == 0 || low != 0 {
            self.i(Op::Addi, rd, if upper == 0 { 0 } else { rd }, low as i32);
        }
    }

    /// Sets `rd` to the address of `label`, by LUI and ADDI.
    pub fn la(&mut self, rd: usize, label: Label) {
        self.put_reloc(Op::Lui, Operands { rd, ..Operands::default() }, Reloc::Hi, label, 0);
        self.put_reloc(Op::Addi, Operands { rd, rs1: rd, ..Operands::default() }, Reloc::Lo, label, 0);
    }

    /// Resolves the labels.
    ///
    /// # Errors
    /// The first mistake made since [`Assembler::new`], or a label that is not bound or not in reach.
    pub fn finish(mut self) -> Result<Image, AsmError> {
        for fixup in std::mem::take(&mut self.fixups) {
            self.line = fixup.line;
            match self.resolve(&fixup) {
                Ok(word) => self.bytes[fixup.at..fixup.at + 4].copy_from_slice(&word.to_le_bytes()),
                Err(kind) => self.fail(kind),
            }
        }
        match self.error {
            Some(error) => Err(error),
            None => {
                let symbols = self.labels.into_iter().filter_map(|place| Some((place.name?, place.address?)));
                Ok(Image { base: self.base, bytes: self.bytes, symbols: symbols.collect() })
            }
        }
    }

    fn resolve(&self, fixup: &Fixup) -> Result<u32, AsmErrorKind> {
        let place = &self.labels[fixup.label.0];
        let Some(address) = place.address else {
            let name = place.name.clone().unwrap_or_else(|| format!("#{}", fixup.label.0));
            return Err(AsmErrorKind::Undefined(name));
        };
        let address = address.wrapping_add(fixup.addend);
        let pc = self.base.wrapping_add(fixup.at as u32);
        match fixup.patch {
            Patch::Word => Ok(address),
            Patch::Instr(op, operands, reloc) => {
                let imm = match reloc {
                    Reloc::Relative => address.wrapping_sub(pc),
                    Reloc::Hi => hi(address),
                    Reloc::Lo => lo(address),
                };
                Ok(encode(op, Operands { imm, ..operands })?)
            }
        }
    }
}
