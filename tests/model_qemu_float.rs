//! The reference model against QEMU's user mode: every instruction of F on all combinations of corner
//! values in every rounding mode, static and dynamic, with the flags it raises.

use crate::model_common::qemu;
use isa::asm::Assembler;
use isa::random::Rng;
use isa::rounding::{Rounding, DYNAMIC};
use isa::{csr, Image, Op, Operands, ISA};
use model::{Machine, Memory, Outcome};
use spec::config::CoreConfig;

const BASE: u32 = 0x0040_0000;
#[rustfmt::skip]
const FLOATS: [u32; 26] = [
    0, 0x8000_0000, 1, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 0x8080_0001, 0x00ff_ffff, 0x3f80_0000,
    0xbf80_0000, 0x3f7f_ffff, 0x3f80_0001, 0x3f00_0000, 0xbfc0_0000, 0x4049_0fdb, 0x4eff_ffff, 0x4f00_0000,
    0xcf00_0001, 0x4f7f_ffff, 0x7f7f_ffff, 0xff7f_fffe, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0001,
    0x7f80_0001,
];
/// Third operands, and the other two where there are three.
#[rustfmt::skip]
const FEW_FLOATS: [u32; 13] = [
    0, 0x8000_0000, 1, 0x8080_0000, 0x00ff_ffff, 0x3f80_0000, 0xbf80_0001, 0x3f00_0000, 0x7f7f_ffff,
    0xff80_0000, 0x7f80_0000, 0x7fc0_0001, 0xff80_0001,
];
#[rustfmt::skip]
const INTEGERS: [u32; 12] = [
    0, 1, u32::MAX, 0x00ff_ffff, 0x0100_0001, 0x0100_0003, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0x7fff_ffc0,
    0xffff_ff80, 0xff00_0001,
];
/// Where the next result goes.
const OUT: usize = 31;
/// An integer operand, and an integer result.
const INTEGER: usize = 5;
const FLAGS: usize = 6;

/// The `rm` field and the value of `frm`: the static modes, then the dynamic ones.
fn modes(op: Op) -> Vec<(u32, u32)> {
    let codes = Rounding::ALL.map(|mode| mode as u32);
    match op.has_rounding() {
        // frm says something else, so that only one of the two can be what counts
        true => codes.map(|c| (c, (c + 1) % 5)).into_iter().chain(codes.map(|c| (DYNAMIC, c))).collect(),
        false => vec![(0, 0)],
    }
}

/// A program that appends value and flags of one instruction after the other to its output.
struct Program {
    asm: Assembler,
    cases: Vec<String>,
}

impl Program {
    fn case(&mut self, op: Op, operands: [u32; 3]) {
        let format = op.format();
        for (register, value) in (1..).zip(operands) {
            self.asm.li(INTEGER, value);
            self.asm.put(Op::FmvWX, Operands { rd: register, rs1: INTEGER, ..Operands::default() });
        }
        self.asm.li(INTEGER, operands[0]);
        for (rm, frm) in modes(op) {
            // Every flag is cleared or, where nothing is raised, shown to stay.
            let before = if rm == DYNAMIC { 0 } else { operands[0] & 31 };
            self.asm.li(FLAGS, frm << 5 | before);
            self.asm.csr(Op::Csrrw, 0, csr::FCSR, FLAGS);
            let mut o = Operands { rd: 7, rs1: 1, rm, ..Operands::default() };
            if !format.rs1_is_float() {
                o.rs1 = INTEGER;
            }
            if op.reads_rs2() {
                o.rs2 = 2;
            }
            if op.reads_rs3() {
                o.rs3 = 3;
            }
            self.asm.put(op, o);
            let store = if format.rd_is_float() { Op::Fsw } else { Op::Sw };
            self.asm.s(store, 7, OUT, 0);
            self.asm.csr(Op::Csrrs, FLAGS, csr::FCSR, 0);
            self.asm.s(Op::Sw, FLAGS, OUT, 4);
            self.asm.i(Op::Addi, OUT, OUT, 8);
            self.cases.push(format!("{op:?} {operands:08x?} rm {rm} frm {frm}"));
        }
    }

    fn instruction(&mut self, op: Op) {
        if op.accesses_memory() {
            return; // every case stores, and so does random data come in `isa_random`
        }
        if op.reads_rs3() {
            for a in FEW_FLOATS {
                for b in FEW_FLOATS {
                    FEW_FLOATS.iter().for_each(|&c| self.case(op, [a, b, c]));
                }
            }
        } else if op.reads_rs2() {
            for a in FLOATS {
                FLOATS.iter().for_each(|&b| self.case(op, [a, b, 0]));
            }
        } else {
            let values = if op.format().rs1_is_float() { &FLOATS[..] } else { &INTEGERS[..] };
            values.iter().for_each(|&a| self.case(op, [a, 0, 0]));
        }
        // Random ones too, many of them near the others' limits.
        let mut rng = Rng::new(op as u64);
        for _ in 0..60 {
            self.case(op, [rng.float(), rng.float(), rng.float()]);
        }
    }

    /// The program of one instruction with its output behind it, written by Linux's write call; the model
    /// knows no calls and goes on to the TMC.
    fn generate(op: Op) -> (Image, Vec<String>) {
        let mut p = Program { asm: Assembler::new(BASE), cases: Vec::new() };
        let output = p.asm.named_label("output");
        p.asm.la(OUT, output);
        p.instruction(op);
        p.asm.li(17, 64);
        p.asm.li(10, 1);
        p.asm.la(11, output);
        p.asm.li(12, 8 * p.cases.len() as u32);
        p.asm.bare(Op::Ecall);
        p.asm.li(17, 93);
        p.asm.li(10, 0);
        p.asm.bare(Op::Ecall);
        p.asm.warp(Op::Tmc, 0, 0);
        p.asm.bind(output);
        p.asm.data(&vec![0; 8 * p.cases.len()]);
        (p.asm.finish().expect("a valid program"), p.cases)
    }
}

#[test]
fn every_float_instruction_gives_what_qemu_gives() {
    let cfg = CoreConfig { warps: 1, threads: 1, fpu: true, ..CoreConfig::default() };
    let mut compared = 0;
    for op in ISA.iter().map(|row| row.op).filter(|op| op.needs_fpu()) {
        let (image, cases) = Program::generate(op);
        let output = qemu(&image);
        assert!(output.status.success(), "{op:?}: {:?}", output.status);
        assert_eq!(output.stdout.len(), 8 * cases.len());

        let mut memory = Memory::for_core(&cfg);
        memory.load(image.base, &image.bytes);
        let mut machine = Machine::new(&cfg, memory, image.base, 0);
        assert_eq!(machine.run(10_000_000), Outcome::Finished);

        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        for (i, (case, expected)) in cases.iter().zip(output.stdout.chunks_exact(8)).enumerate() {
            let at = |offset| machine.memory.read(image.symbols["output"] + 8 * i as u32 + offset, 4);
            let (value, fcsr) = (at(0).expect("mapped"), at(4).expect("mapped"));
            let (their_value, their_fcsr) = (word(expected), word(&expected[4..]));
            assert_eq!(
                (value, fcsr),
                (their_value, their_fcsr),
                "{case}: model {value:08x} {fcsr:02x}, QEMU {their_value:08x} {their_fcsr:02x}"
            );
        }
        compared += cases.len();
    }
    // 4 fused, 4 with two operands, 5 with one, in ten modes each; 8 pairs and 3 single ones.
    assert!(compared > 10 * (4 * 2197 + 4 * 676 + 3 * 26 + 2 * 12) + 8 * 676 + 2 * 26, "{compared}");
}
