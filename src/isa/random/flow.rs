//! Control flow: branches, loops, calls, divergent regions, lane masks, barriers.

use super::{Function, Generator, Place, Target};
use crate::isa::asm::Reloc;
use crate::isa::csr;
use crate::isa::encode::Operands;
use crate::isa::table::Op;

const BRANCHES: [Op; 6] = [Op::Beq, Op::Bne, Op::Blt, Op::Bge, Op::Bltu, Op::Bgeu];
/// Nesting of constructs; each reserves at most three registers.
const MAX_DEPTH: usize = 3;
/// Registers that constructs reserve for their own use while their body runs.
const RESERVABLE: u32 = 0xffff_0000;
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
        let nest = place.depth < MAX_DEPTH;
        // Functions have too few registers for what reserves some.
        let open = nest && place.writable & RESERVABLE != 0;
        match self.rng.below(100) {
            0..=39 => self.arithmetic_op(place),
            40..=59 => self.memory_op(place),
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
            _ => self.arithmetic_op(place),
        }
    }

    /// How many items a body at the depth of `place` has: fewer the deeper, so that branches reach.
    fn body_size(&mut self, place: Place) -> usize {
        1 + self.rng.below(5usize.saturating_sub(place.depth))
    }

    /// Takes a register out of `place` that may be reserved.
    fn reserve(&mut self, place: &mut Place) -> usize {
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

    /// A divergent region: SPLIT, both sides, JOIN.
    fn split_join(&mut self, place: Place) {
        let mut body = Place { depth: place.depth + 1, uniform: false, ..place };
        let token = self.reserve(&mut body);
        let predicate = self.reserve(&mut body);
        match self.rng.below(4) {
            0 => self.asm.i(Op::Addi, predicate, 0, 1), // uniform
            1 => self.asm.csr(Op::Csrrs, predicate, csr::THREAD_ID, 0),
            _ => {
                let (source, shift) = (self.src(), self.rng.below(32) as i32);
                self.asm.i(Op::Srli, predicate, source, shift);
            }
        }
        let imm = self.rng.word() & 1;
        self.asm.put(Op::Split, Operands { rd: token, rs1: predicate, imm, ..Operands::default() });
        // JOIN comes back to here for the other side, so the test is made anew.
        let (other, end) = (self.asm.label(), self.asm.label());
        let test = self.temp(body);
        self.asm.i(Op::Andi, test, predicate, 1);
        let branch = self.rng.pick(&[Op::Beq, Op::Bne]);
        self.asm.b(branch, test, 0, other);
        let size = self.body_size(body);
        self.items(size, body);
        if self.rng.one_in(2) {
            self.asm.jal(0, end);
        }
        self.asm.bind(other);
        let size = self.rng.below(3);
        self.items(size, body);
        self.asm.bind(end);
        self.asm.warp(Op::Join, token, 0);
    }

    /// A loop that each lane leaves after a number of iterations of its own.
    fn pred_loop(&mut self, place: Place) {
        // A lane switched off in the body for another reason would never count down.
        let mut body = Place { depth: place.depth + 1, uniform: false, may_narrow: false, ..place };
        let counter = self.reserve(&mut body);
        let active = self.reserve(&mut body);
        let condition = self.reserve(&mut body);
        let source = self.src();
        self.asm.csr(Op::Csrrs, active, csr::ACTIVE_THREADS, 0);
        self.asm.i(Op::Andi, counter, source, 3);
        let again = self.asm.bound_label();
        let size = self.body_size(body);
        self.items(size, body);
        self.asm.i(Op::Addi, counter, counter, -1);
        let negate = self.rng.word() & 1;
        // condition = (counter < 1) or (0 < counter): lanes stay while the counter is positive.
        if negate == 1 {
            self.asm.i(Op::Slti, condition, counter, 1);
        } else {
            self.asm.r(Op::Slt, condition, 0, counter);
        }
        let operands = Operands { rs1: condition, rs2: active, imm: negate, ..Operands::default() };
        self.asm.put(Op::Pred, operands);
        // Either all active lanes stay, or all lanes of before are back and none of them stays.
        self.asm.b(if negate == 1 { Op::Beq } else { Op::Bne }, condition, 0, again);
    }

    /// Switches off some of the active lanes, never all.
    fn narrow(&mut self, place: Place) {
        if !place.may_narrow {
            return self.arithmetic_op(place);
        }
        let (mask, end, source) = (self.temp(place), self.asm.label(), self.rng.below(32));
        self.asm.csr(Op::Csrrs, mask, csr::ACTIVE_THREADS, 0);
        self.asm.r(Op::And, mask, mask, source);
        self.asm.b(Op::Beq, mask, 0, end);
        self.asm.warp(Op::Tmc, mask, 0);
        self.asm.bind(end);
    }

    /// Switches any lanes on or off; only where no construct holds values in registers.
    fn set_mask(&mut self, place: Place) {
        let (mask, lanes) = (self.temp(place), self.shape.threads);
        let must = 1u32 << self.rng.below(lanes);
        let value = if self.rng.one_in(2) { u32::MAX } else { self.rng.word() | must };
        self.asm.li(mask, value);
        self.asm.warp(Op::Tmc, mask, 0);
    }

    /// A barrier that waits for nobody.
    fn barrier_of_one(&mut self, place: Place) {
        let (id, count) = self.temps(place);
        let value = self.rng.below(self.shape.barriers) as i32;
        self.asm.i(Op::Addi, id, 0, value);
        self.asm.i(Op::Addi, count, 0, 1);
        self.asm.warp(Op::Bar, id, count);
    }

    /// A barrier for all warps of the round, or for a group of them. A barrier's warps are always the same
    /// ones within a round: otherwise a fast warp could arrive at its next barrier among slow ones that are
    /// still due at another of the same number. So barriers 1 and 2 are each for one group, the rest for all.
    pub(super) fn barrier(&mut self, place: Place) {
        let (id, count) = self.temps(place);
        let available = self.shape.barriers;
        if self.group == 0 || available < 2 || self.rng.one_in(2) {
            let choices: Vec<u32> = (0..available as u32).filter(|id| !matches!(id, 1 | 2)).collect();
            let number = self.rng.pick(&choices);
            self.asm.li(id, number);
            self.asm.li(count, self.participants as u32);
            return self.asm.warp(Op::Bar, id, count);
        }
        let warp = self.temp(Place { writable: place.writable & !(1 << id | 1 << count), ..place });
        let (arrive, end) = (self.asm.label(), self.asm.label());
        self.asm.csr(Op::Csrrs, warp, csr::WARP_ID, 0);
        self.asm.i(Op::Slti, warp, warp, self.group as i32);
        self.asm.li(id, 1);
        self.asm.li(count, self.group as u32);
        self.asm.b(Op::Bne, warp, 0, arrive);
        if available > 2 {
            self.asm.li(id, 2);
            self.asm.li(count, (self.participants - self.group) as u32);
        } else {
            self.asm.jal(0, end);
        }
        self.asm.bind(arrive);
        self.asm.warp(Op::Bar, id, count);
        self.asm.bind(end);
    }
}
