//! The frame of a scalar program that Linux user mode runs as well as the core.

use super::{Generator, Place, GLOBAL_BASE, LOCAL_BASE, REGION};
use crate::csr;
use crate::table::Op;

/// Bytes of registers in front of the data: x0 to x31, f0 to f31 and fcsr, a word each, and zeros up to a
/// whole line. The latter two are zeros in a program without F.
const REGISTERS: u32 = 5 * 64;
/// Bytes that a program for Linux user mode writes to standard output: registers x0 to x31, f0 to f31,
/// fcsr and 15 zeros, then its data.
pub const DUMP_BYTES: usize = (REGISTERS + REGION) as usize;

/// System calls of Linux on RISC-V.
const SYS_WRITE: u32 = 64;
const SYS_EXIT: u32 = 93;

impl Generator<'_> {
    pub(super) fn user_program(&mut self) {
        self.declare_functions();
        let dump = self.asm.named_label("dump");
        self.asm.la(GLOBAL_BASE, dump);
        self.asm.i(Op::Addi, GLOBAL_BASE, GLOBAL_BASE, (REGISTERS + REGION / 2) as i32);
        self.asm.li(LOCAL_BASE, 0);
        self.fill_registers();
        let writable = !(1 | 1 << GLOBAL_BASE | 1 << LOCAL_BASE);
        let place = Place { depth: 0, uniform: true, may_narrow: true, alone: true, writable };
        self.items(self.shape.length, place);

        let offset = |word: usize| 4 * word as i32 - (REGISTERS + REGION / 2) as i32;
        for register in 0..32 {
            self.asm.s(Op::Sw, register, GLOBAL_BASE, offset(register));
        }
        if self.shape.fpu {
            for register in 0..32 {
                self.asm.s(Op::Fsw, register, GLOBAL_BASE, offset(32 + register));
            }
            self.asm.csr(Op::Csrrs, 10, csr::FCSR, 0);
            self.asm.s(Op::Sw, 10, GLOBAL_BASE, offset(64));
        }
        self.asm.li(10, 1);
        self.asm.la(11, dump);
        self.asm.li(12, DUMP_BYTES as u32);
        self.asm.li(17, SYS_WRITE);
        self.asm.bare(Op::Ecall);
        self.asm.li(10, 0);
        self.asm.li(17, SYS_EXIT);
        self.asm.bare(Op::Ecall);
        // Linux does not come back from there. On the core the two calls did nothing, and this ends.
        self.asm.s(Op::Sw, 10, 0, 0x88);
        self.asm.bare(Op::Fence);
        self.asm.warp(Op::Tmc, 0, 0);
        self.define_functions();

        self.asm.align(64);
        self.asm.bind(dump);
        self.asm.data(&[0; REGISTERS as usize]);
        for _ in 0..REGION / 4 {
            let value = self.rng.corner();
            self.asm.word(value);
        }
    }
}
