//! Floating point: arithmetic in all rounding modes, flags, comparisons that decide.

use super::flow::MAX_DEPTH;
use super::{Generator, Place};
use crate::csr;
use crate::encode::Operands;
use crate::rounding::{Rounding, DYNAMIC};
use crate::table::{Op, Unit, ISA};

const COMPARISONS: [Op; 3] = [Op::FeqS, Op::FltS, Op::FleS];

/// The rows of the floating-point unit.
pub(super) fn operations() -> Vec<Op> {
    ISA.iter().filter(|row| row.unit == Unit::Fpu).map(|row| row.op).collect()
}

impl Generator<'_> {
    /// Something that only a core with a floating-point unit can do.
    pub(super) fn float_item(&mut self, place: Place) {
        match self.rng.below(20) {
            0..=1 => self.float_csr(place),
            2..=3 if place.depth < MAX_DEPTH => self.float_skip(place),
            4..=5 => self.new_float(place),
            _ => self.float_op(place),
        }
    }

    /// A float destination.
    pub(super) fn float_dest(&mut self) -> usize {
        let register = self.rng.below(32);
        let slot = self.rng.below(self.recent_floats.len());
        self.recent_floats[slot] = register;
        register
    }

    /// A float source: most often one written of late.
    pub(super) fn float_src(&mut self) -> usize {
        if self.rng.one_in(2) {
            let slot = self.rng.below(self.recent_floats.len());
            self.recent_floats[slot]
        } else {
            self.rng.below(32)
        }
    }

    /// Puts a corner value in a float register.
    fn new_float(&mut self, place: Place) {
        let (scratch, value) = (self.temp(place), self.rng.float());
        self.asm.li(scratch, value);
        let rd = self.float_dest();
        self.asm.put(Op::FmvWX, Operands { rd, rs1: scratch, ..Operands::default() });
    }

    /// A row of the floating-point unit.
    fn float_op(&mut self, place: Place) {
        let index = self.rng.below(self.float_operations.len());
        let op = self.float_operations[index];
        let format = op.format();
        let rs1 = if format.rs1_is_float() { self.float_src() } else { self.src() };
        let mut operands = Operands { rs1, ..Operands::default() };
        if op.reads_rs2() {
            operands.rs2 = self.float_src();
        }
        if op.reads_rs3() {
            operands.rs3 = self.float_src();
        }
        operands.rd = if format.rd_is_float() { self.float_dest() } else { self.dest(place) };
        if op.has_rounding() {
            let mode = self.rng.pick(&Rounding::ALL) as u32;
            operands.rm = if self.rng.one_in(3) { DYNAMIC } else { mode };
        }
        self.asm.put(op, operands);
    }

    /// Compares two float registers into `rd`.
    pub(super) fn float_compare(&mut self, rd: usize) {
        let (op, rs1, rs2) = (self.rng.pick(&COMPARISONS), self.float_src(), self.float_src());
        self.asm.r(op, rd, rs1, rs2);
    }

    /// A branch on a comparison, over a few items.
    fn float_skip(&mut self, place: Place) {
        let test = self.temp(place);
        self.float_compare(test);
        let (branch, end) = (self.rng.pick(&[Op::Beq, Op::Bne]), self.asm.label());
        self.asm.b(branch, test, 0, end);
        let body = Place { depth: place.depth + 1, uniform: false, ..place };
        let size = self.body_size(body);
        self.items(size, body);
        self.asm.bind(end);
    }

    /// Reads or writes flags and rounding mode; what is written to the latter is always one.
    fn float_csr(&mut self, place: Place) {
        let rd = self.dest(place);
        let mode = self.rng.pick(&Rounding::ALL) as u32;
        let flags = self.rng.word() & 31;
        let imm = |op, csr, imm| (op, Operands { rd, csr, imm, ..Operands::default() });
        let (op, operands) = match self.rng.below(8) {
            0..=1 => (Op::Csrrs, Operands { rd, csr: csr::FFLAGS, ..Operands::default() }),
            2 => (Op::Csrrs, Operands { rd, csr: csr::FCSR, ..Operands::default() }),
            3 => imm(self.rng.pick(&[Op::Csrrwi, Op::Csrrsi, Op::Csrrci]), csr::FFLAGS, flags),
            4 => {
                let (op, rs1) = (self.rng.pick(&[Op::Csrrw, Op::Csrrs, Op::Csrrc]), self.src());
                (op, Operands { rd, rs1, csr: csr::FFLAGS, ..Operands::default() })
            }
            5 => imm(Op::Csrrwi, csr::FCSR, flags),
            _ => imm(Op::Csrrwi, csr::FRM, mode),
        };
        self.asm.put(op, operands);
    }

    /// Gives the flags, the rounding mode and every float register a value, the latter different in each
    /// lane where it can be; `lane` holds the lane's number and `scratch` may be written.
    pub(super) fn fill_floats(&mut self, lane: usize, scratch: usize) {
        let mode = self.rng.pick(&Rounding::ALL) as u32;
        self.asm.put(Op::Csrrwi, Operands { csr: csr::FCSR, ..Operands::default() });
        self.asm.put(Op::Csrrwi, Operands { csr: csr::FRM, imm: mode, ..Operands::default() });
        for register in 0..32 {
            let value = self.rng.float();
            self.asm.li(scratch, value);
            match self.rng.below(4) {
                0 => {}
                1 => self.asm.r(Op::Sub, scratch, scratch, lane),
                2 => self.asm.r(Op::Xor, scratch, scratch, lane),
                _ => self.asm.r(Op::Add, scratch, scratch, lane),
            }
            self.asm.put(Op::FmvWX, Operands { rd: register, rs1: scratch, ..Operands::default() });
        }
    }
}
