//! The frame of a program that every warp of a grid runs from its begin to its end (docs/ISA.md, section 7.1).

use super::{Generator, Place, WRITABLE};
use crate::csr;
use crate::table::Op;

impl Generator<'_> {
    /// Phases with a barrier of the block behind each; now and then warps end in between.
    pub(super) fn grid_program(&mut self) {
        self.declare_functions();
        let data = self.asm.named_label("data");
        self.participants = self.shape.block_warps;
        self.group = self.rng.below(self.participants);
        self.set_up_warp(data);
        let place = Place { depth: 0, uniform: true, may_narrow: true, alone: false, writable: WRITABLE };
        let phases = 1 + self.rng.below(4);
        for _ in 0..phases {
            self.phase(self.shape.length / phases, place);
            if self.rng.one_in(2) {
                self.end_early();
            }
        }
        self.asm.warp(Op::Tmc, 0, 0);
        self.define_functions();
        self.data(data);
    }

    /// The warps of one rank end, in all blocks or in every other one. They are missed at no barrier of the whole block.
    fn end_early(&mut self) {
        let (rank, other, stay) = (6, 7, self.asm.label());
        let chosen = self.rng.below(self.shape.block_warps) as i32;
        self.asm.csr(Op::Csrrs, rank, csr::CTA_RANK, 0);
        self.asm.i(Op::Addi, other, 0, chosen);
        self.asm.b(Op::Bne, rank, other, stay);
        if self.rng.one_in(2) {
            self.asm.csr(Op::Csrrs, rank, csr::CTA_ID, 0);
            self.asm.i(Op::Andi, rank, rank, 1);
            self.asm.b(Op::Beq, rank, 0, stay);
        }
        self.asm.warp(Op::Tmc, 0, 0);
        self.asm.bind(stay);
        // Barriers of a group wait for arrivals alone.
        self.group = 0;
    }
}
