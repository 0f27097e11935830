//! The reference model against QEMU's user mode: every scalar instruction on every pair of values at
//! which instructions change their mind. (Random programs are compared in `isa_random`, those of F in
//! `model_qemu_float`.)

use crate::model_common::{core, qemu};
use isa::asm::Assembler;
use isa::{Format, Image, Latency, Op, Operands, ISA};
use model::{Machine, Memory, Outcome};
use spec::config::CoreConfig;
use std::os::unix::process::ExitStatusExt;

const BASE: u32 = 0x0040_0000;
#[rustfmt::skip]
const VALUES: [u32; 15] = [
    0, 1, 2, 7, 31, 32, 0x7fff, 0x8000, 0xffff_8000, 0x1234_5678,
    0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, u32::MAX,
];
const IMMEDIATES: [i32; 9] = [-2048, -2047, -1, 0, 1, 31, 32, 1365, 2047];
/// First operand.
const A: usize = 5;
/// Second operand.
const B: usize = 6;
/// What an instruction under test writes.
const RESULT: usize = 7;
/// Where the next result goes.
const OUT: usize = 31;
/// Link register of the way back.
const SCRATCH: usize = 28;

/// A program that appends one word after the other to its output, and what each of them is.
struct Program {
    asm: Assembler,
    cases: Vec<String>,
}

impl Program {
    fn keep(&mut self, case: String) {
        self.asm.s(Op::Sw, RESULT, OUT, 0);
        self.asm.i(Op::Addi, OUT, OUT, 4);
        self.cases.push(case);
    }

    /// Each operand pair of an instruction that reads rs1 and rs2.
    fn pairs(&mut self, op: Op, mut code: impl FnMut(&mut Assembler)) {
        for a in VALUES {
            self.asm.li(A, a);
            for b in VALUES {
                self.asm.li(B, b);
                code(&mut self.asm);
                self.keep(format!("{op:?} {a:#x}, {b:#x}"));
            }
        }
    }

    /// Each value of an instruction that reads rs1 and has an immediate.
    fn immediates(&mut self, op: Op, immediates: impl IntoIterator<Item = i32> + Clone) {
        for a in VALUES {
            self.asm.li(A, a);
            for imm in immediates.clone() {
                self.asm.i(op, RESULT, A, imm);
                self.keep(format!("{op:?} {a:#x}, {imm}"));
            }
        }
    }

    fn instruction(&mut self, op: Op, latency: Latency) {
        match (latency, op.format()) {
            (Latency::Single | Latency::Div, Format::R) => {
                self.pairs(op, |asm| asm.r(op, RESULT, A, B));
            }
            (Latency::Single, Format::I) => self.immediates(op, IMMEDIATES),
            (Latency::Single, Format::Shift) => self.immediates(op, 0..32),
            (Latency::Single, Format::U) => {
                for imm in VALUES.map(|value| value & 0xffff_f000) {
                    self.asm.put(op, Operands { rd: RESULT, imm, ..Operands::default() });
                    self.keep(format!("{op:?} {imm:#x}"));
                }
            }
            (Latency::Branch, Format::B) => self.pairs(op, |asm| {
                let taken = asm.label();
                asm.li(RESULT, 1);
                asm.b(op, A, B, taken);
                asm.li(RESULT, 0);
                asm.bind(taken);
            }),
            (Latency::Jump, Format::I) => self.jumps(),
            (Latency::Load, _) => self.loads(op),
            (Latency::Store, _) => self.stores(op),
            (Latency::Atomic, _) => self.atomics(op),
            // JAL joins the jumps; fences, calls, CSRs and warp control are not for QEMU to judge.
            _ => {}
        }
    }

    /// JALR to an address that misses by the offset, its lowest bit set; back by JAL.
    fn jumps(&mut self) {
        for offset in IMMEDIATES {
            let (there, back) = (self.asm.label(), self.asm.label());
            self.asm.la(A, there);
            self.asm.li(B, (offset & !1) as u32);
            self.asm.r(Op::Sub, A, A, B);
            self.asm.i(Op::Jalr, RESULT, A, offset | 1);
            self.asm.li(RESULT, 0);
            self.asm.bind(back);
            self.keep(format!("Jalr {offset}: link"));
            let next = self.asm.label();
            self.asm.jal(0, next);
            self.asm.bind(there);
            self.asm.jal(SCRATCH, back);
            self.asm.bind(next);
            self.asm.r(Op::Add, RESULT, SCRATCH, 0);
            self.keep(format!("Jal after {offset}: link"));
        }
    }

    fn size(op: Op) -> i32 {
        match op {
            Op::Lb | Op::Lbu | Op::Sb => 1,
            Op::Lh | Op::Lhu | Op::Sh => 2,
            _ => 4,
        }
    }

    /// From each aligned place of a word that lies in the output itself.
    fn loads(&mut self, op: Op) {
        for word in [0x80ff_7f01, 0x7f80_01ff] {
            self.asm.li(RESULT, word);
            self.keep("loaded word".into());
            for offset in (0..4).step_by(Self::size(op) as usize) {
                let earlier = -4 * (1 + offset / Self::size(op));
                self.asm.i(op, RESULT, OUT, earlier + offset);
                self.keep(format!("{op:?} of {word:#x} + {offset}"));
            }
        }
    }

    /// To each aligned place of a word of the output.
    fn stores(&mut self, op: Op) {
        for offset in (0..4).step_by(Self::size(op) as usize) {
            self.asm.li(RESULT, 0x1122_3344);
            self.asm.li(A, 0xa1b2_c3d4);
            self.keep(format!("{op:?} + {offset}"));
            self.asm.s(op, A, OUT, offset - 4);
        }
    }

    /// On a word of the output, which is kept too.
    fn atomics(&mut self, op: Op) {
        for a in VALUES {
            for b in VALUES {
                self.asm.li(RESULT, a);
                self.keep(format!("{op:?} {a:#x}, {b:#x}: memory"));
                self.asm.li(B, b);
                self.asm.i(Op::Addi, A, OUT, -4);
                self.asm.r(op, RESULT, A, B);
                self.keep(format!("{op:?} {a:#x}, {b:#x}"));
            }
        }
    }

    /// The program with its output behind it, written by Linux's write call and then ended; the model
    /// knows no calls and goes on to the TMC.
    fn generate(instructions: impl Iterator<Item = (Op, Latency)>) -> (Image, Vec<String>) {
        let mut p = Program { asm: Assembler::new(BASE), cases: Vec::new() };
        let output = p.asm.named_label("output");
        p.asm.la(OUT, output);
        instructions.for_each(|(op, latency)| p.instruction(op, latency));
        p.asm.li(17, 64);
        p.asm.li(10, 1);
        p.asm.la(11, output);
        p.asm.li(12, 4 * p.cases.len() as u32);
        p.asm.bare(Op::Ecall);
        p.asm.li(17, 93);
        p.asm.li(10, 0);
        p.asm.bare(Op::Ecall);
        p.asm.warp(Op::Tmc, 0, 0);
        p.asm.bind(output);
        p.asm.data(&vec![0; 4 * p.cases.len()]);
        (p.asm.finish().expect("a valid program"), p.cases)
    }
}

/// QEMU learnt Zicond in version 8, and Zacas in version 9: an older one says so by an illegal instruction.
fn qemu_has(op: Op) -> bool {
    const SIGILL: i32 = 4;
    let mut probe = Assembler::new(BASE);
    probe.r(Op::Addi, 6, 2, 0);
    probe.r(op, 5, 6, 0);
    probe.li(17, 93);
    probe.li(10, 0);
    probe.bare(Op::Ecall);
    let status = qemu(&probe.finish().expect("a valid program")).status;
    assert!(status.success() || status.signal() == Some(SIGILL), "{status:?}");
    status.success()
}

#[test]
fn every_scalar_instruction_gives_what_qemu_gives() {
    let (zicond, zacas) = (qemu_has(Op::CzeroEqz), qemu_has(Op::AmocasW));
    let known = ISA.iter().filter(|row| zicond || !matches!(row.op, Op::CzeroEqz | Op::CzeroNez));
    let scalar = |op: Op| !op.needs_fpu() && !op.is_cross_lane();
    let known = known.filter(|row| scalar(row.op) && (zacas || row.op != Op::AmocasW));
    let (image, cases) = Program::generate(known.map(|row| (row.op, row.latency)));

    let output = qemu(&image);
    assert!(output.status.success(), "{:?} {}", output.status, String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout.len(), 4 * cases.len());

    let cfg = CoreConfig { atomics: true, ..core(1, 1) };
    let mut memory = Memory::for_core(&cfg);
    memory.load(image.base, &image.bytes);
    let mut machine = Machine::new(&cfg, memory, image.base, 0);
    assert_eq!(machine.run(1_000_000), Outcome::Finished);

    let expected = output.stdout.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    for (i, (case, expected)) in cases.iter().zip(expected).enumerate() {
        let address = image.symbols["output"] + 4 * i as u32;
        assert_eq!(machine.memory.read(address, 4), Ok(expected), "{case} (model, QEMU)");
    }
    // 18 instructions of RV32IM with two sources, 6 branches, 6 with an immediate, 3 shifts, 2 wide.
    assert!(cases.len() > (18 + 6) * 225 + 6 * 135 + 3 * 480 + 2 * 15, "{}", cases.len());
}
