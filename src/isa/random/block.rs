//! Single operations: arithmetic, CSRs and what belongs to no other group.

use super::{Generator, Place, Target, GLOBAL_BASE, LOCAL_BASE};
use crate::csr::{self, Read, Write, CSRS};
use crate::encode::Operands;
use crate::format::Format;
use crate::table::Op;

/// Operations that go on at PC + 4.
const SYSTEM: [Op; 6] = [Op::Ecall, Op::Ebreak, Op::Uret, Op::Sret, Op::Mret, Op::Wfi];
const CSR_OPS: [Op; 6] = [Op::Csrrw, Op::Csrrs, Op::Csrrc, Op::Csrrwi, Op::Csrrsi, Op::Csrrci];

impl Generator<'_> {
    /// A register that may be written here, not x0.
    pub(super) fn temp(&mut self, place: Place) -> usize {
        loop {
            let register = self.rng.below(32);
            if place.writable >> register & 1 != 0 {
                return register;
            }
        }
    }

    /// Two different registers that may be written here.
    pub(super) fn temps(&mut self, place: Place) -> (usize, usize) {
        let first = self.temp(place);
        let second = self.temp(Place { writable: place.writable & !(1 << first), ..place });
        (first, second)
    }

    /// A destination: one that may be written, now and then x0.
    pub(super) fn dest(&mut self, place: Place) -> usize {
        if self.rng.one_in(32) {
            return 0;
        }
        let register = self.temp(place);
        let slot = self.rng.below(self.recent.len());
        self.recent[slot] = register;
        register
    }

    /// A source: any register, most often one written of late.
    pub(super) fn src(&mut self) -> usize {
        if self.rng.one_in(2) {
            let slot = self.rng.below(self.recent.len());
            self.recent[slot]
        } else {
            self.rng.below(32)
        }
    }

    /// A row of the table that computes.
    pub(super) fn arithmetic_op(&mut self, place: Place) {
        if self.rng.one_in(6) {
            let (rd, value) = (self.dest(place), self.rng.corner());
            self.asm.li(rd, value);
        }
        let arithmetic = self.rng.below(self.arithmetic.len());
        let op = self.arithmetic[arithmetic];
        let mut operands = Operands { rd: self.dest(place), ..Operands::default() };
        if op.reads_rs1() {
            operands.rs1 = self.src();
        }
        if op.reads_rs2() {
            operands.rs2 = self.src();
        }
        operands.imm = self.immediate(op);
        self.asm.put(op, operands);
    }

    fn immediate(&mut self, op: Op) -> u32 {
        let random = self.rng.word();
        let limits = self.rng.one_in(4);
        match op.format() {
            Format::I if limits => self.rng.pick(&[0, 1, -1, 2047, -2048]) as u32,
            Format::I => (random as i32 >> 20) as u32,
            Format::Shift if limits => self.rng.pick(&[0, 1, 31]),
            Format::Shift => random & 31,
            Format::U if limits => self.rng.pick(&[0, 0xffff_f000, 0x8000_0000]),
            Format::U => random & 0xffff_f000,
            _ => 0,
        }
    }

    /// One access to a random CSR.
    pub(super) fn csr_op(&mut self, place: Place) {
        let row = self.rng.pick(CSRS);
        let number = row.first + self.rng.below(usize::from(row.last - row.first) + 1) as u16;
        let elsewhere = csr::needs_fpu(row.first) || csr::needs_grid(row.first);
        let lacks = csr::needs_upper_warps(row.first) && self.shape.warps <= 32;
        if row.read == Read::Timing && !self.shape.timing_csrs || elsewhere || lacks {
            return;
        }
        let writable = match row.write {
            Write::Stored => place.alone,
            // A counter ignores writes, but whether it should is nobody's business here.
            Write::Ignored => row.read != Read::Timing,
            Write::Illegal => false,
        };
        let rd = self.dest(place);
        if !writable {
            return self.asm.csr(Op::Csrrs, rd, number, 0);
        }
        let op = self.rng.pick(&CSR_OPS);
        let (mut rs1, mut imm) = (0, 0);
        match op.format() {
            Format::Csr => rs1 = self.src(),
            _ => imm = self.rng.word() & 31,
        }
        self.asm.put(op, Operands { rd, rs1, imm, csr: number, ..Operands::default() });
    }

    /// A fence, or an operation without effect.
    pub(super) fn system_op(&mut self) {
        match self.rng.below(4) {
            0 => self.asm.bare(Op::FenceI),
            1 => {
                let imm = self.rng.word() & 0xff;
                self.asm.put(Op::Fence, Operands { imm, ..Operands::default() });
            }
            _ if self.shape.target == Target::Core => {
                let op = self.rng.pick(&SYSTEM);
                self.asm.bare(op);
            }
            _ => self.asm.i(Op::Addi, 0, 0, 0),
        }
    }

    /// Puts a random value in every register but the bases, float registers too, different in each lane where it can be.
    pub(super) fn fill_registers(&mut self) {
        let lane = 31;
        if self.shape.target == Target::Core {
            self.asm.csr(Op::Csrrs, lane, csr::MHARTID, 0);
        } else {
            let value = self.rng.word();
            self.asm.li(lane, value);
        }
        if self.shape.fpu {
            self.fill_floats(lane, 30);
        }
        for register in (1..31).filter(|&r| r != GLOBAL_BASE && r != LOCAL_BASE) {
            let value = self.rng.corner();
            self.asm.li(register, value);
            match self.rng.below(4) {
                0 => {}
                1 => self.asm.r(Op::Add, register, register, lane),
                2 => self.asm.r(Op::Xor, register, register, lane),
                _ => self.asm.r(Op::Mul, register, register, lane),
            }
        }
    }
}
