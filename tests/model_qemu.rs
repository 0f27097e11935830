//! The reference model against QEMU's user mode: random scalar programs leave the same registers and
//! the same memory.

mod model_common;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

use heddle::isa::asm::{Assembler, Label};
use heddle::isa::{Format, Image, Latency, Op, Unit, ISA};
use heddle::model::{Machine, Memory, Outcome};
use model_common::core;

const BASE: u32 = 0x0040_0000;
/// Points at the buffer that the program works on; never written by random code.
const BUFFER: usize = 31;
/// Counts loops; never written by random code.
const COUNTER: usize = 30;
/// Makes addresses and jump targets; random code may read what is left in it.
const POINTER: usize = 29;
/// Bytes of the buffer. The first 31 words receive the registers at the end.
const BUFFER_BYTES: u32 = 2048;
const DUMP_BYTES: u32 = 4 * 31;
/// Values at which instructions change their mind.
const CORNERS: [u32; 12] =
    [0, 1, 2, 0x1f, 0x20, 0x7fff, 0x8000, 0xffff_8000, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, u32::MAX];

/// A small generator of well-mixed words (splitmix64).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        self.word() % n
    }

    fn value(&mut self) -> u32 {
        match self.below(3) {
            0 => CORNERS[self.below(CORNERS.len() as u32) as usize],
            1 => self.below(16),
            _ => self.word(),
        }
    }

    /// A register that random code may write.
    fn target(&mut self) -> usize {
        self.below(COUNTER as u32) as usize
    }

    fn source(&mut self) -> usize {
        self.below(32) as usize
    }
}

/// A random program: registers set, blocks of random code, registers stored, buffer written to the
/// standard output. QEMU ends it at the exit call; the model knows no calls and goes on to the TMC.
struct Program<'a> {
    asm: Assembler,
    random: Random,
    computation: &'a [Op],
}

impl Program<'_> {
    fn generate(seed: u64, computation: &[Op]) -> Image {
        let mut p = Program { asm: Assembler::new(BASE), random: Random(seed), computation };
        let buffer = p.asm.label();
        for register in 1..BUFFER {
            let value = p.random.value();
            p.asm.li(register, value);
        }
        p.asm.la(BUFFER, buffer);
        for _ in 0..12 {
            match p.random.below(3) {
                0 => p.counted_loop(),
                1 => p.call(),
                _ => p.block(20),
            }
        }
        for register in 1..BUFFER {
            p.asm.s(Op::Sw, register, BUFFER, 4 * (register as i32 - 1));
        }
        // write(1, buffer, BUFFER_BYTES), exit(0)
        for (register, value) in [(17, 64), (10, 1), (12, BUFFER_BYTES)] {
            p.asm.li(register, value);
        }
        p.asm.la(11, buffer);
        p.asm.bare(Op::Ecall);
        p.asm.li(17, 93);
        p.asm.li(10, 0);
        p.asm.bare(Op::Ecall);
        p.asm.warp(Op::Tmc, 0, 0);
        p.asm.align(64);
        p.asm.bind(buffer);
        for _ in 0..BUFFER_BYTES / 4 {
            let word = p.random.value();
            p.asm.word(word);
        }
        p.asm.finish().expect("a valid program")
    }

    /// So many random instructions, with forward branches among them.
    fn block(&mut self, count: usize) {
        let mut pending: Vec<(Label, usize)> = Vec::new();
        for i in 0..count {
            for (label, _) in pending.iter().filter(|&&(_, end)| end == i) {
                self.asm.bind(*label);
            }
            pending.retain(|&(_, end)| end != i);
            match self.random.below(8) {
                0 => {
                    let branches = [Op::Beq, Op::Bne, Op::Blt, Op::Bge, Op::Bltu, Op::Bgeu];
                    let op = branches[self.random.below(6) as usize];
                    let (rs1, rs2) = (self.random.source(), self.random.source());
                    let label = self.asm.label();
                    self.asm.b(op, rs1, rs2, label);
                    pending.push((label, (i + 1 + self.random.below(4) as usize).min(count)));
                }
                1 | 2 => self.access(),
                _ => self.compute(),
            }
        }
        pending.into_iter().for_each(|(label, _)| self.asm.bind(label));
    }

    /// Any instruction that only computes.
    fn compute(&mut self) {
        let op = self.computation[self.random.below(self.computation.len() as u32) as usize];
        let (rd, rs1, rs2) = (self.random.target(), self.random.source(), self.random.source());
        match op.format() {
            Format::R => self.asm.r(op, rd, rs1, rs2),
            Format::I => {
                let imm = (self.random.value() as i32) << 20 >> 20;
                self.asm.i(op, rd, rs1, imm);
            }
            Format::Shift => {
                let amount = self.random.below(32) as i32;
                self.asm.i(op, rd, rs1, amount);
            }
            Format::U => {
                let imm = self.random.value() & 0xffff_f000;
                self.asm.put(op, heddle::isa::Operands { rd, imm, ..Default::default() });
            }
            other => panic!("{op:?} has format {other:?}"),
        }
    }

    /// A load or store somewhere in the buffer behind the registers' words, the address constant or not.
    fn access(&mut self) {
        let (op, size) = [
            (Op::Lb, 1),
            (Op::Lbu, 1),
            (Op::Lh, 2),
            (Op::Lhu, 2),
            (Op::Lw, 4),
            (Op::Sb, 1),
            (Op::Sh, 2),
            (Op::Sw, 4),
        ][self.random.below(8) as usize];
        let (mut base, mut offset) = (BUFFER, self.random.below(BUFFER_BYTES - DUMP_BYTES) + DUMP_BYTES);
        if self.random.below(2) == 0 {
            let index = self.random.source();
            self.asm.i(Op::Andi, POINTER, index, 0x3fc);
            self.asm.r(Op::Add, POINTER, POINTER, BUFFER);
            (base, offset) = (POINTER, DUMP_BYTES + self.random.below(512));
        }
        let offset = (offset & !(size - 1)) as i32;
        match op {
            Op::Sb | Op::Sh | Op::Sw => {
                let value = self.random.source();
                self.asm.s(op, value, base, offset);
            }
            _ => {
                let rd = self.random.target();
                self.asm.i(op, rd, base, offset);
            }
        }
    }

    fn counted_loop(&mut self) {
        let turns = self.random.below(6) + 1;
        self.asm.li(COUNTER, turns);
        let top = self.asm.bound_label();
        self.block(12);
        self.asm.i(Op::Addi, COUNTER, COUNTER, -1);
        self.asm.b(Op::Bne, COUNTER, 0, top);
    }

    /// A subroutine, jumped over, and two calls of it: by JAL and by JALR.
    fn call(&mut self) {
        let (start, end) = (self.asm.label(), self.asm.label());
        self.asm.jal(0, end);
        self.asm.bind(start);
        self.asm.r(Op::Add, COUNTER, POINTER, 0); // the return address, out of random code's reach
        self.block(8);
        self.asm.i(Op::Jalr, POINTER, COUNTER, 0);
        self.asm.bind(end);
        self.asm.jal(POINTER, start);
        // The second call jumps an offset from a pointer that misses by it, the lowest bit dropped.
        let offset = self.random.below(2047) as i32 * 2 - 2046;
        self.asm.la(POINTER, start);
        self.asm.i(Op::Addi, POINTER, POINTER, -offset);
        self.asm.i(Op::Jalr, POINTER, POINTER, offset | 1);
    }
}

fn qemu(image: &Image) -> Output {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), image.to_elf()).expect("written");
    // QEMU takes executable files only, as a kernel does.
    std::fs::set_permissions(file.path(), Permissions::from_mode(0o700)).expect("permitted");
    Command::new("qemu-riscv32").arg(file.path()).output().unwrap_or_else(|error| {
        panic!("cannot run qemu-riscv32 ({error}): install it with apt-get install qemu-user")
    })
}

/// The buffer after a run in the model.
fn model(image: &Image) -> Vec<u8> {
    let cfg = core(1, 1);
    let mut memory = Memory::for_core(&cfg);
    memory.load(image.base, &image.bytes);
    let mut machine = Machine::new(&cfg, memory, image.base, 0);
    assert_eq!(machine.run(100_000), Outcome::Finished);
    let buffer = image.base + image.bytes.len() as u32 - BUFFER_BYTES;
    machine.memory.read_bytes(buffer, BUFFER_BYTES).expect("mapped")
}

/// The instructions that only compute. QEMU learnt Zicond in version 8: an older one is told by its
/// failure to run an instruction of it.
fn computation() -> Vec<Op> {
    let mut probe = Assembler::new(BASE);
    probe.r(Op::CzeroEqz, 5, 0, 0);
    probe.li(17, 93);
    probe.li(10, 0);
    probe.bare(Op::Ecall);
    let status = qemu(&probe.finish().expect("a valid program")).status;
    const SIGILL: i32 = 4;
    assert!(status.success() || status.signal() == Some(SIGILL), "{status:?}");
    let zicond = status.success();
    let wanted = |op: Op| zicond || !matches!(op, Op::CzeroEqz | Op::CzeroNez);
    let computes = |unit, latency| matches!(unit, Unit::Alu | Unit::MulDiv) && latency_computes(latency);
    ISA.iter().filter(|row| computes(row.unit, row.latency) && wanted(row.op)).map(|row| row.op).collect()
}

fn latency_computes(latency: Latency) -> bool {
    matches!(latency, Latency::Single | Latency::Mul | Latency::Div)
}

#[test]
fn random_programs_leave_the_same_registers_and_memory() {
    let computation = computation();
    assert!(computation.len() >= 21 + 8, "{computation:?}");
    for seed in 0..200 {
        let image = Program::generate(seed, &computation);
        let output = qemu(&image);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "seed {seed}: {:?} {complaint}", output.status);
        assert_eq!(output.stdout.len(), BUFFER_BYTES as usize, "seed {seed}");
        let mine = model(&image);
        let word = |bytes: &[u8], i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap());
        for i in 0..BUFFER_BYTES as usize / 4 {
            let place = if i < 31 { format!("x{}", i + 1) } else { format!("buffer word {i}") };
            assert_eq!(word(&mine, i), word(&output.stdout, i), "seed {seed}: {place} (model, QEMU)");
        }
        assert_ne!(mine, &image.bytes[image.bytes.len() - BUFFER_BYTES as usize..], "nothing happened");
    }
}
