//! What acts on lanes and warps: divergent regions, lane masks, barriers.

use super::flow::RESERVABLE;
use super::{Generator, Place, Target};
use crate::csr;
use crate::encode::Operands;
use crate::table::Op;

impl Generator<'_> {
    /// A divergent region: SPLIT, both sides, JOIN.
    pub(super) fn split_join(&mut self, place: Place) {
        let mut body = Place { depth: place.depth + 1, uniform: false, ..place };
        let token = self.reserve(&mut body);
        let predicate = self.reserve(&mut body);
        match self.rng.below(4) {
            3 if self.shape.fpu => self.float_compare(predicate),
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

    /// Divergent regions inside one another, each of which puts one more lane aside: with all lanes active
    /// the divergence stack becomes as full as it can, or as there are registers for the tokens.
    pub(super) fn divergence_ladder(&mut self, place: Place) {
        let mut inner = Place { writable: place.writable & !1, ..place };
        let mut tokens = Vec::new();
        let first = self.rng.below(self.shape.threads);
        while tokens.len() + 1 < self.shape.threads && inner.writable & RESERVABLE & !(1 << 31) != 0 {
            let lane = ((first + tokens.len()) % self.shape.threads) as i32;
            let token = self.temp(Place { writable: inner.writable & RESERVABLE & !(1 << 31), ..inner });
            inner.writable &= !(1 << token);
            let (predicate, end) = (self.temp(inner), self.asm.label());
            let negate = self.rng.word() & 1;
            self.asm.csr(Op::Csrrs, predicate, csr::THREAD_ID, 0);
            self.asm.i(Op::Xori, predicate, predicate, lane);
            if negate == 1 {
                self.asm.i(Op::Sltiu, predicate, predicate, 1);
            } else {
                self.asm.r(Op::Sltu, predicate, 0, predicate);
            }
            self.asm
                .put(Op::Split, Operands { rd: token, rs1: predicate, imm: negate, ..Operands::default() });
            // The lane put aside comes here again from JOIN, and goes on to the region's end.
            self.asm.csr(Op::Csrrs, predicate, csr::THREAD_ID, 0);
            self.asm.i(Op::Xori, predicate, predicate, lane);
            self.asm.b(Op::Beq, predicate, 0, end);
            self.arithmetic_op(inner);
            tokens.push((token, end));
        }
        for (token, end) in tokens.into_iter().rev() {
            self.arithmetic_op(inner);
            self.asm.bind(end);
            self.asm.warp(Op::Join, token, 0);
        }
    }

    /// A loop that each lane leaves after a number of iterations of its own.
    pub(super) fn pred_loop(&mut self, place: Place) {
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
    pub(super) fn narrow(&mut self, place: Place) {
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
    pub(super) fn set_mask(&mut self, place: Place) {
        let (mask, lanes) = (self.temp(place), self.shape.threads);
        let must = 1u32 << self.rng.below(lanes);
        let value = if self.rng.one_in(2) { u32::MAX } else { self.rng.word() | must };
        self.asm.li(mask, value);
        self.asm.warp(Op::Tmc, mask, 0);
    }

    /// A barrier that waits for nobody.
    pub(super) fn barrier_of_one(&mut self, place: Place) {
        // In a grid a barrier in divergent code is a fault, whoever it waits for.
        if self.shape.target == Target::Grid && place.depth > 0 {
            return self.arithmetic_op(place);
        }
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
            // Of a block 0 means all its warps too.
            let all = self.shape.target == Target::Grid && self.rng.one_in(2);
            self.asm.li(count, if all { 0 } else { self.participants as u32 });
            return self.asm.warp(Op::Bar, id, count);
        }
        let warp = self.temp(Place { writable: place.writable & !(1 << id | 1 << count), ..place });
        let (arrive, end) = (self.asm.label(), self.asm.label());
        let number = if self.shape.target == Target::Grid { csr::CTA_RANK } else { csr::WARP_ID };
        self.asm.csr(Op::Csrrs, warp, number, 0);
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
