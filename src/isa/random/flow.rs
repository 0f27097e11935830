//! The choice of items, and control flow of a whole warp: branches, loops, calls.

use super::{Function, Generator, Place, Target};
use crate::asm::Reloc;
use crate::encode::Operands;
use crate::table::Op;

const BRANCHES: [Op; 6] = [Op::Beq, Op::Bne, Op::Blt, Op::Bge, Op::Bltu, Op::Bgeu];
/// Nesting of constructs; each reserves at most three registers.
pub(super) const MAX_DEPTH: usize = 3;
/// Registers that constructs reserve for their own use while their body runs.
pub(super) const RESERVABLE: u32 = 0xffff_0000;
/// Registers that functions write: never reserved ones, since callers are anywhere.
const FUNCTION_WRITABLE: u32 = 0x0000_fc00;

impl Generator<'_> {
    /// `count` random items.
    pub(super) fn items(&mut self, count: usize, place: Place) {
        for _ in 0..count {
            self.item(place);
        }
    }

    fn item(&mut self, place: Place) {
        if self.shape.fpu && self.rng.below(100) < 35 {
            return self.float_item(place);
        }
        let nest = place.depth < MAX_DEPTH;
        // Functions have too few registers for what reserves some.
        let open = nest && place.writable & RESERVABLE != 0;
        match self.rng.below(100) {
            0..=39 => self.arithmetic_op(place),
            40..=59 => self.memory_ops(place),
            60..=65 if nest => self.skip(place),
            66..=69 if open => self.counted_loop(place),
            70..=73 if open => self.call(place),
            74 => self.system_op(),
            75..=77 if open => self.indirect_jump(place),
            _ if self.shape.target != Target::Core => self.arithmetic_op(place),
            78..=84 if open => self.split_join(place),
            85..=87 if open => self.pred_loop(place),
            88..=89 => self.narrow(place),
            90..=91 if place.uniform && self.rng.one_in(2) => self.barrier(place),
            90..=91 => self.barrier_of_one(place),
            92..=96 => self.csr_op(place),
            97 => self.console_op(place),
            98 if place.depth == 0 => self.set_mask(place),
            99 if place.depth == 0 => self.divergence_ladder(place),
            _ => self.arithmetic_op(place),
        }
    }

    /// How many items a body at the depth of `place` has: fewer the deeper, so that branches reach.
    pub(super) fn body_size(&mut self, place: Place) -> usize {
        1 + self.rng.below(5usize.saturating_sub(place.depth))
    }

    /// Takes a register out of `place` that may be reserved.
    pub(super) fn reserve(&mut self, place: &mut Place) -> usize {
        let register = self.temp(Place { writable: place.writable & RESERVABLE, ..*place });
        place.writable &= !(1 << register);
        register
    }

    /// A branch forward over a few items; the last active lane decides for all.
    fn skip(&mut self, place: Place) {
        let (op, rs1, rs2) = (self.rng.pick(&BRANCHES), self.src(), self.src());
        let end = self.asm.label();
        self.asm.b(op, rs1, rs2, end);
        let body = Place { depth: place.depth + 1, uniform: false, ..place };
        let size = self.body_size(body);
        self.items(size, body);
        self.asm.bind(end);
    }

    /// A loop that the same number of iterations ends in every warp.
    fn counted_loop(&mut self, place: Place) {
        let mut body = Place { depth: place.depth + 1, ..place };
        let counter = self.reserve(&mut body);
        let trips = 1 + self.rng.below(4) as i32;
        self.asm.i(Op::Addi, counter, 0, trips);
        let again = self.asm.bound_label();
        let size = self.body_size(body);
        self.items(size, body);
        self.asm.i(Op::Addi, counter, counter, -1);
        self.asm.b(Op::Bne, counter, 0, again);
    }

    /// A call, direct or through a register.
    fn call(&mut self, place: Place) {
        if self.functions.is_empty() {
            return;
        }
        let index = self.rng.below(self.functions.len());
        let Function { start, link } = self.functions[index];
        if self.rng.one_in(2) {
            self.asm.jal(link, start);
        } else {
            let target = self.temp(place);
            self.asm.la(target, start);
            // JALR drops bit 0 of the sum.
            let odd = self.rng.below(2) as i32;
            self.asm.i(Op::Jalr, link, target, odd);
        }
    }

    /// Declares the functions that calls may name.
    pub(super) fn declare_functions(&mut self) {
        for _ in 0..1 + self.rng.below(3) {
            let function = Function { start: self.asm.label(), link: self.rng.pick(&[1, 5]) };
            self.functions.push(function);
        }
    }

    /// Writes the bodies of the functions.
    pub(super) fn define_functions(&mut self) {
        for Function { start, link } in std::mem::take(&mut self.functions) {
            self.asm.bind(start);
            // Callers may be anywhere, so nothing is allowed that any of them forbids.
            let place = Place {
                depth: 1,
                uniform: false,
                may_narrow: false,
                alone: false,
                writable: FUNCTION_WRITABLE,
            };
            let size = 2 + self.rng.below(6);
            self.items(size, place);
            self.asm.i(Op::Jalr, 0, link, 0);
        }
    }

    /// A jump forward through a register, over what must not be executed.
    fn indirect_jump(&mut self, place: Place) {
        let end = self.asm.label();
        let (target, link) = (self.temp(place), self.dest(place));
        if self.rng.one_in(2) {
            self.asm.jal(link, end);
        } else {
            self.asm.put_reloc(Op::Lui, Operands { rd: target, ..Operands::default() }, Reloc::Hi, end, 0);
            let operands = Operands { rd: link, rs1: target, ..Operands::default() };
            self.asm.put_reloc(Op::Jalr, operands, Reloc::Lo, end, 0);
        }
        for _ in 0..self.rng.below(4) {
            // Wrong-path instructions whose effect would show, illegal ones among them.
            match self.rng.below(4) {
                0 => self.asm.word(0),
                1 if self.shape.target == Target::Core => self.asm.warp(Op::Tmc, 0, 0),
                2 => self.asm.i(Op::Addi, target, target, 1),
                _ => self.asm.s(Op::Sw, target, super::GLOBAL_BASE, 0),
            }
        }
        self.asm.bind(end);
    }
}
