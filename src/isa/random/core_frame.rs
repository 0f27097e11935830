//! The frame of a program for the core: start-up, rounds of work by many warps, exit.

use super::{Generator, Place, GLOBAL_BASE, LOCAL_BASE, REGION, WRITABLE};
use crate::asm::Label;
use crate::csr;
use crate::table::Op;
use spec::config::{LOCAL_MEM_BASE, STACK_BYTES};

/// The host reads the exit code here.
const EXIT_CODE: i32 = 0x88;

impl Generator<'_> {
    pub(super) fn core_program(&mut self) {
        self.declare_functions();
        let data = self.asm.named_label("data");
        let rounds = 1 + self.rng.below(2);
        for _ in 0..rounds {
            self.round(data, self.shape.length.div_ceil(rounds));
        }
        self.asm.i(Op::Addi, 10, 0, 0);
        self.asm.s(Op::Sw, 10, 0, EXIT_CODE);
        self.asm.bare(Op::Fence);
        self.asm.warp(Op::Tmc, 0, 0);
        self.define_functions();
        self.data(data);
    }

    /// The data of the warps.
    pub(super) fn data(&mut self, data: Label) {
        self.asm.align(64);
        self.asm.bind(data);
        for _ in 0..self.shape.warps as u32 * REGION / 4 {
            let value = self.rng.corner();
            self.asm.word(value);
        }
    }

    /// Warp 0 works alone, spawns the others, all of them work, the others halt. Starts and ends with
    /// warp 0 the only one.
    fn round(&mut self, data: Label, length: usize) {
        let place = Place { depth: 0, uniform: true, may_narrow: true, alone: true, writable: WRITABLE };
        (self.participants, self.group) = (1, 0);
        self.set_up_warp(data);
        self.items(length / 8, place);

        let warps = 1 + self.rng.below(self.shape.warps);
        let entry = self.asm.label();
        self.asm.li(10, warps as u32);
        self.asm.la(11, entry);
        self.asm.warp(Op::Wspawn, 10, 11);
        self.asm.bind(entry);
        self.set_up_warp(data);
        let place = Place { alone: false, ..place };
        self.participants = warps;
        self.group = self.rng.below(warps);
        let phases = 1 + self.rng.below(3);
        for _ in 0..phases {
            self.phase(length / phases, place);
        }

        // Only warp 0 goes on, once the others have halted: WSPAWN of one warp waits for that.
        let first = self.asm.label();
        self.asm.csr(Op::Csrrs, 10, csr::WARP_ID, 0);
        self.asm.b(Op::Beq, 10, 0, first);
        self.asm.warp(Op::Tmc, 0, 0);
        self.asm.bind(first);
        self.asm.i(Op::Addi, 10, 0, 1);
        self.asm.warp(Op::Wspawn, 10, 0);
    }

    /// Activates all lanes and gives every register a value, from any state: at start-up registers
    /// are undefined.
    pub(super) fn set_up_warp(&mut self, data: Label) {
        self.asm.i(Op::Addi, 5, 0, -1);
        self.asm.warp(Op::Tmc, 5, 0);
        if self.shape.stacks && self.rng.one_in(2) {
            self.data_on_stacks();
        } else {
            self.asm.la(GLOBAL_BASE, data);
            self.asm.i(Op::Addi, GLOBAL_BASE, GLOBAL_BASE, REGION as i32 / 2);
            self.asm.csr(Op::Csrrs, 5, csr::WARP_ID, 0);
            self.asm.i(Op::Slli, 5, 5, REGION.trailing_zeros() as i32);
            self.asm.r(Op::Add, GLOBAL_BASE, GLOBAL_BASE, 5);
        }
        self.asm.li(LOCAL_BASE, LOCAL_MEM_BASE);
        self.fill_local_memory();
        self.fill_registers();
    }

    /// The data of each lane is on its own stack, or that of all lanes on the stack of lane 0.
    fn data_on_stacks(&mut self) {
        if self.rng.one_in(2) {
            self.asm.csr(Op::Csrrs, 5, csr::MHARTID, 0);
        } else {
            self.asm.csr(Op::Csrrs, 5, csr::WARP_ID, 0);
            self.asm.i(Op::Slli, 5, 5, self.shape.threads.trailing_zeros() as i32);
        }
        self.asm.i(Op::Slli, 5, 5, STACK_BYTES.trailing_zeros() as i32);
        self.asm.li(GLOBAL_BASE, LOCAL_MEM_BASE - REGION / 2);
        self.asm.r(Op::Sub, GLOBAL_BASE, GLOBAL_BASE, 5);
    }

    /// A part of the round, up to a barrier of its warps. Warps take one of several variants of it, so
    /// that they execute different code at one time.
    pub(super) fn phase(&mut self, length: usize, place: Place) {
        let variants = 1 + self.rng.below(self.participants.min(2));
        let (warp, end) = (6, self.asm.label());
        for variant in 0..variants {
            let (take, next) = (self.asm.label(), self.asm.label());
            let last = variant + 1 == variants;
            if !last {
                // A far branch: the variant may be longer than a branch reaches.
                self.asm.csr(Op::Csrrs, warp, csr::WARP_ID, 0);
                self.asm.i(Op::Andi, warp, warp, 1);
                self.asm.b(Op::Beq, warp, 0, take);
                self.asm.jal(0, next);
            }
            self.asm.bind(take);
            self.items(length / variants, Place { uniform: variants == 1, ..place });
            if !last {
                self.asm.jal(0, end);
            }
            self.asm.bind(next);
        }
        self.asm.bind(end);
        self.barrier(place);
    }
}
