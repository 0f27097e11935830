//! Loads right behind stores to the same bytes, and stores of what was just loaded: every width against every other, at
//! every offset of a word, on every kind of data cache. The expected values are computed here, on bytes (RISC-V
//! Unprivileged ISA, 2.6: little-endian, loads of bytes and halves extended by sign or by zero).

use cosim::memory::MemoryKind;
use cosim::RunOptions;
use isa::asm::Assembler;
use isa::csr::THREAD_ID;
use isa::Op;
use loader::Program;

use super::{assert_passed, SHAPES};
use crate::simulators;

const CODE: u32 = 0x8000_0000;
/// Where lanes load and store; each has `STRIDE` bytes of its own, so that lanes share lines.
const DATA: u32 = 0x2_0000;
const STRIDE: u32 = 12;
/// Where the loaded words go: one each lane and case.
const RESULTS: u32 = 0x4_0000;

const STORES: [(Op, u32); 3] = [(Op::Sb, 1), (Op::Sh, 2), (Op::Sw, 4)];
const LOADS: [(Op, u32, bool); 5] =
    [(Op::Lb, 1, true), (Op::Lbu, 1, false), (Op::Lh, 2, true), (Op::Lhu, 2, false), (Op::Lw, 4, false)];

/// One store and one load in a lane's bytes, and how many instructions lie between them.
#[derive(Clone, Copy, Debug)]
struct Case {
    store: (Op, u32),
    to: u32,
    load: (Op, u32, bool),
    from: u32,
    between: usize,
}

/// Every pair at every offset, the distances in turn.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for store in STORES {
        for load in LOADS {
            for to in (0..8).step_by(store.1 as usize) {
                for from in (0..8).step_by(load.1 as usize) {
                    cases.push(Case { store, to, load, from, between: cases.len() % 4 });
                }
            }
        }
    }
    cases
}

/// A lane's bytes.
struct Bytes([u8; STRIDE as usize]);

impl Bytes {
    fn store(&mut self, offset: u32, size: u32, value: u32) {
        let (at, size) = (offset as usize, size as usize);
        self.0[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }

    fn load(&self, offset: u32, size: u32, signed: bool) -> u32 {
        let bytes = &self.0[offset as usize..][..size as usize];
        let value = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        let unused = 32 - 8 * size;
        if signed {
            ((value << unused) as i32 >> unused) as u32
        } else {
            value
        }
    }
}

/// What the values of two neighbouring lanes differ by.
const PER_LANE: u32 = 0x3c6e_f372;

/// What case `number` stores in a lane; its bytes are of both signs.
fn value(number: usize, lane: u32) -> u32 {
    (number as u32 + 1).wrapping_mul(0x9e37_79b9).wrapping_add(lane.wrapping_mul(PER_LANE))
}

/// All lanes of warp 0: store, wait, load; what was loaded is stored twice, once where the next case may load it.
fn assembled(cases: &[Case], threads: u32) -> Program {
    let (base, out, stored, loaded, lane, scratch, of_lane) = (5, 6, 7, 8, 9, 10, 11);
    let mut asm = Assembler::new(CODE);
    asm.li(scratch, u32::MAX >> (32 - threads));
    asm.warp(Op::Tmc, scratch, 0);
    asm.csr(Op::Csrrs, lane, THREAD_ID, 0);
    asm.li(scratch, STRIDE);
    asm.r(Op::Mul, base, lane, scratch);
    asm.li(scratch, DATA);
    asm.r(Op::Add, base, base, scratch);
    for offset in [0, 4, 8] {
        asm.s(Op::Sw, 0, base, offset);
    }
    asm.li(scratch, PER_LANE);
    asm.r(Op::Mul, of_lane, lane, scratch);
    asm.i(Op::Slli, out, lane, 2);
    asm.li(scratch, RESULTS);
    asm.r(Op::Add, out, out, scratch);
    for (number, case) in cases.iter().enumerate() {
        asm.li(stored, value(number, 0));
        asm.r(Op::Add, stored, stored, of_lane);
        asm.s(case.store.0, stored, base, case.to as i32);
        (0..case.between).for_each(|_| asm.i(Op::Addi, 0, 0, 0));
        asm.i(case.load.0, loaded, base, case.from as i32);
        asm.s(Op::Sh, loaded, base, 8);
        asm.s(Op::Sw, loaded, out, 0);
        asm.i(Op::Lhu, loaded, base, 8);
        asm.s(Op::Sb, loaded, base, 3);
        asm.i(Op::Addi, out, out, 4 * threads as i32);
    }
    asm.warp(Op::Tmc, 0, 0);
    Program::from_image("loads and stores", &asm.finish().unwrap()).unwrap()
}

/// What the program must leave in the results.
fn expected(cases: &[Case], threads: u32) -> Vec<u32> {
    let mut lanes: Vec<Bytes> = (0..threads).map(|_| Bytes([0; STRIDE as usize])).collect();
    let mut results = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        for (lane, bytes) in lanes.iter_mut().enumerate() {
            bytes.store(case.to, case.store.1, value(number, lane as u32));
            let loaded = bytes.load(case.from, case.load.1, case.load.2);
            results.push(loaded);
            bytes.store(8, 2, loaded);
            bytes.store(3, 1, bytes.load(8, 2, false));
        }
    }
    results
}

#[test]
fn every_load_sees_every_store_before_it() {
    let cases = cases();
    for core in SHAPES.map(simulators::core) {
        let cfg = core.config();
        let threads = cfg.threads as u32;
        let (program, expected) = (assembled(&cases, threads), expected(&cases, threads));
        for memory in [MemoryKind::Ideal, MemoryKind::Fixed(20)] {
            let report = core.run(&program, &RunOptions { memory, ..RunOptions::default() }).unwrap();
            assert_passed(&report);
            for (index, &expected) in expected.iter().enumerate() {
                let (case, lane) = (cases[index / cfg.threads], index % cfg.threads);
                let found = report.memory.read(RESULTS + 4 * index as u32, 4).unwrap();
                assert_eq!(found, expected, "{case:?}, lane {lane}, {memory}");
            }
        }
    }
}
