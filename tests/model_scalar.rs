//! Every scalar instruction of the reference model against answers computed by hand from the
//! specification's text.

use std::collections::BTreeSet;

use crate::model_common::{core, heap, machine, program, run};
use isa::{self, Op, Unit, ISA};
use model::memory::{HEAP_BASE, STARTUP_ADDR};
use spec::config::CoreConfig;

const MIN: u32 = 0x8000_0000;
const MAX: u32 = 0x7fff_ffff;
/// -1, all ones.
const M1: u32 = u32::MAX;

/// Instruction, x5, x6, and what it must leave in x7.
const COMPUTATION: &[(&str, u32, u32, u32)] = &[
    ("lui x7, 0xfffff", 0, 0, 0xffff_f000),
    ("lui x7, 1", 9, 9, 0x1000),
    ("addi x7, x5, -1", 0, 0, M1),
    ("addi x7, x5, 2047", MAX, 0, 0x8000_07fe),
    ("addi x7, x5, -2048", 0, 0, 0xffff_f800),
    ("slti x7, x5, -1", MIN, 0, 1),
    ("slti x7, x5, -1", M1, 0, 0),
    ("slti x7, x5, 5", MAX, 0, 0),
    ("sltiu x7, x5, -1", MAX, 0, 1),
    ("sltiu x7, x5, -1", M1, 0, 0),
    ("sltiu x7, x5, 1", 0, 0, 1),
    ("xori x7, x5, -1", 0x1234_5678, 0, 0xedcb_a987),
    ("ori x7, x5, -256", 0x12, 0, 0xffff_ff12),
    ("andi x7, x5, 0x7f0", 0x1234_5678, 0, 0x670),
    ("slli x7, x5, 31", 3, 0, MIN),
    ("slli x7, x5, 0", 3, 0, 3),
    ("srli x7, x5, 31", MIN, 0, 1),
    ("srai x7, x5, 31", MIN, 0, M1),
    ("srai x7, x5, 4", 0x7000_0000, 0, 0x0700_0000),
    ("add x7, x5, x6", M1, 2, 1),
    ("sub x7, x5, x6", 1, 2, M1),
    ("sub x7, x5, x6", MIN, 1, MAX),
    ("sll x7, x5, x6", 1, 33, 2),
    ("slt x7, x5, x6", MIN, MAX, 1),
    ("slt x7, x5, x6", MAX, MIN, 0),
    ("sltu x7, x5, x6", MIN, MAX, 0),
    ("sltu x7, x5, x6", 0, M1, 1),
    ("xor x7, x5, x6", 0xff00_ff00, 0x0ff0_0ff0, 0xf0f0_f0f0),
    ("srl x7, x5, x6", MIN, 63, 1),
    ("sra x7, x5, x6", MIN, 63, M1),
    ("or x7, x5, x6", 0xff00_0000, 0x0000_00ff, 0xff00_00ff),
    ("and x7, x5, x6", 0xff00_ff00, 0x0ff0_0ff0, 0x0f00_0f00),
    ("mul x7, x5, x6", 0x1_0001, 0x1_0001, 0x2_0001),
    ("mul x7, x5, x6", M1, M1, 1),
    ("mulh x7, x5, x6", M1, M1, 0),
    ("mulh x7, x5, x6", MIN, MIN, 0x4000_0000),
    ("mulh x7, x5, x6", MIN, 1, M1),
    ("mulhsu x7, x5, x6", M1, M1, M1),
    ("mulhsu x7, x5, x6", MIN, M1, MIN),
    ("mulhsu x7, x5, x6", MAX, M1, 0x7fff_fffe),
    ("mulhu x7, x5, x6", M1, M1, 0xffff_fffe),
    ("mulhu x7, x5, x6", MIN, 2, 1),
    ("div x7, x5, x6", 7, -2i32 as u32, -3i32 as u32),
    ("div x7, x5, x6", 7, 0, M1),
    ("div x7, x5, x6", MIN, M1, MIN),
    ("divu x7, x5, x6", M1, 16, 0x0fff_ffff),
    ("divu x7, x5, x6", 5, 0, M1),
    ("divu x7, x5, x6", MIN, M1, 0),
    ("rem x7, x5, x6", 7, -2i32 as u32, 1),
    ("rem x7, x5, x6", -7i32 as u32, 2, M1),
    ("rem x7, x5, x6", -7i32 as u32, 0, -7i32 as u32),
    ("rem x7, x5, x6", MIN, M1, 0),
    ("remu x7, x5, x6", M1, 16, 15),
    ("remu x7, x5, x6", M1, 0, M1),
    ("czero.eqz x7, x5, x6", 11, 0, 0),
    ("czero.eqz x7, x5, x6", 11, MIN, 11),
    ("czero.nez x7, x5, x6", 11, 0, 11),
    ("czero.nez x7, x5, x6", 11, MIN, 0),
];

/// Branch, x5, x6, whether it is taken.
const BRANCHES: &[(&str, u32, u32, bool)] = &[
    ("beq", 1, 1, true),
    ("beq", 1, 2, false),
    ("bne", 1, 2, true),
    ("bne", 1, 1, false),
    ("blt", MIN, MAX, true),
    ("blt", MAX, MIN, false),
    ("blt", 3, 3, false),
    ("bge", MAX, MIN, true),
    ("bge", 3, 3, true),
    ("bge", MIN, MAX, false),
    ("bltu", MAX, MIN, true),
    ("bltu", MIN, MAX, false),
    ("bltu", 3, 3, false),
    ("bgeu", MIN, MAX, true),
    ("bgeu", 3, 3, true),
    ("bgeu", MAX, MIN, false),
];

/// Load of the bytes 80 ff 01 7f at x5, and its result.
const LOADS: &[(&str, u32)] = &[
    ("lb x7, 0(x5)", 0xffff_ff80),
    ("lb x7, 1(x5)", M1),
    ("lb x7, 2(x5)", 1),
    ("lb x7, 3(x5)", 0x7f),
    ("lh x7, 0(x5)", 0xffff_ff80),
    ("lh x7, 2(x5)", 0x7f01),
    ("lw x7, 0(x5)", 0x7f01_ff80),
    ("lbu x7, 0(x5)", 0x80),
    ("lbu x7, 1(x5)", 0xff),
    ("lhu x7, 0(x5)", 0xff80),
    ("lhu x7, 2(x5)", 0x7f01),
];

/// Store of 0xA1B2C3D4 over the word 0x11223344 at x5, and the word afterwards.
const STORES: &[(&str, u32)] = &[
    ("sb x6, 0(x5)", 0x1122_33d4),
    ("sb x6, 3(x5)", 0xd422_3344),
    ("sh x6, 0(x5)", 0x1122_c3d4),
    ("sh x6, 2(x5)", 0xc3d4_3344),
    ("sw x6, 0(x5)", 0xa1b2_c3d4),
];

/// Instruction, the word in memory, the operand x6, and what is in memory then. x7 is 100 before, and then the word.
const ATOMIC: &[(&str, u32, u32, u32)] = &[
    ("amoswap.w x7, x6, (x5)", 3, 9, 9),
    ("amoadd.w x7, x6, (x5)", M1, 3, 2),
    ("amoadd.w.aqrl x7, x6, (x5)", MAX, 1, MIN),
    ("amoxor.w x7, x6, (x5)", 0xff00_ff00, 0xf0f0_f0f0, 0x0ff0_0ff0),
    ("amoand.w x7, x6, (x5)", 0xff00_ff00, 0xf0f0_f0f0, 0xf000_f000),
    ("amoor.w x7, x6, (x5)", 0xff00_ff00, 0xf0f0_f0f0, 0xfff0_fff0),
    ("amomin.w x7, x6, (x5)", 1, M1, M1),
    ("amomin.w x7, x6, (x5)", MIN, MAX, MIN),
    ("amomax.w x7, x6, (x5)", 1, M1, 1),
    ("amomax.w x7, x6, (x5)", MIN, MAX, MAX),
    ("amominu.w x7, x6, (x5)", 1, M1, 1),
    ("amominu.w x7, x6, (x5)", MIN, MAX, MAX),
    ("amomaxu.w x7, x6, (x5)", 1, M1, M1),
    ("amomaxu.w x7, x6, (x5)", MIN, MAX, MIN),
    ("amocas.w x7, x6, (x5)", 100, 9, 9),
    ("amocas.w x7, x6, (x5)", 101, 9, 101),
];

/// Register x7 after `code` with x5 and x6 set.
fn result(code: &str, x5: u32, x6: u32) -> u32 {
    let source = format!("li x5, {x5}; li x6, {x6}; li x7, 0x5a5a5a5a\n{code}\n vx_tmc x0");
    run(&CoreConfig { atomics: true, ..core(1, 1) }, &source).warp(0).register(7)[0]
}

#[test]
fn computation() {
    for &(code, x5, x6, x7) in COMPUTATION {
        assert_eq!(result(code, x5, x6), x7, "{code} with {x5:#x}, {x6:#x}");
    }
}

#[test]
fn branches_and_jumps() {
    for &(mnemonic, x5, x6, taken) in BRANCHES {
        let code = format!("{mnemonic} x5, x6, 1f\n li x7, 0\n j 2f\n1: li x7, 1\n2:");
        assert_eq!(result(&code, x5, x6), u32::from(taken), "{mnemonic} {x5:#x}, {x6:#x}");
        let backwards = format!("j 2f\n1: li x7, 1\n j 3f\n2: {mnemonic} x5, x6, 1b\n li x7, 0\n3:");
        assert_eq!(result(&backwards, x5, x6), u32::from(taken), "{mnemonic} backwards");
    }
    let at = |code: &str| {
        let machine = run(&core(1, 1), code);
        (machine.warp(0).register(1)[0], machine.warp(0).register(7)[0], machine.warp_instructions())
    };
    assert_eq!(at("jal x1, 1f\n li x7, 1\n1: vx_tmc x0"), (STARTUP_ADDR + 4, 0, 2));
    assert_eq!(at("auipc x1, 0x80000\n auipc x7, 1\n vx_tmc x0"), (0, STARTUP_ADDR + 0x1004, 3));
    // The lowest bit of a JALR target is dropped; rd may be the base register.
    assert_eq!(at("la x1, 1f\n jalr x1, 1(x1)\n li x7, 1\n1: vx_tmc x0"), (STARTUP_ADDR + 12, 0, 4));
    assert_eq!(at("la x1, 1f\n jalr x0, -8(x1)\n j 2f\n vx_tmc x0\n2: li x7, 3\n vx_tmc x0\n1:").1, 3);
}

#[test]
fn environment_calls_and_trap_returns_go_on() {
    for op in ["ecall", "ebreak", "uret", "sret", "mret", "wfi", "fence", "fence.i"] {
        assert_eq!(result(&format!("{op}\n li x7, 77"), 0, 0), 77, "{op}");
    }
}

#[test]
fn loads_and_stores() {
    for &(code, x7) in LOADS {
        let code = format!("li x6, 0x7f01ff80\n sw x6, 0(x5)\n {code}");
        assert_eq!(result(&code, HEAP_BASE, 0), x7, "{code}");
    }
    for &(code, word) in STORES {
        let code = format!("li x6, 0x11223344\n sw x6, 0(x5)\n li x6, 0xa1b2c3d4\n {code}\n lw x7, 0(x5)");
        assert_eq!(result(&code, HEAP_BASE, 0), word, "{code}");
        // The on-core local memory has the same semantics.
        assert_eq!(result(&code, 0xffff_0000, 0), word, "{code} in local memory");
    }
    assert_eq!(result("lw x7, -4(x5)", HEAP_BASE + 4, 0), 0xbaad_f00d, "unwritten memory");
}

#[test]
fn atomic_instructions() {
    for &(code, word, operand, then) in ATOMIC {
        for address in [HEAP_BASE + 4, 0xffff_0008] {
            let code = format!("li x8, {word}\n sw x8, 0(x5)\n li x7, 100\n {code}");
            assert_eq!(result(&code, address, operand), word, "{code}: x7");
            assert_eq!(result(&format!("{code}\n lw x7, 0(x5)"), address, operand), then, "{code}: memory");
        }
    }
    // To x0 the word is not written, but stored all the same; AMOCAS compares with 0 then.
    let code = "sw x0, 0(x5)\n amoadd.w x0, x6, (x5)\n amocas.w x0, x5, (x5)\n lw x7, 0(x5)";
    assert_eq!(result(code, HEAP_BASE, 5), 5);
    let code = "sw x0, 0(x5)\n amocas.w x0, x6, (x5)\n lw x7, 0(x5)";
    assert_eq!(result(code, HEAP_BASE, 5), 5);
}

#[test]
fn csr_updates() {
    let source = "
        csrrw x1, mscratch, x0      # the argument
        li x5, 0xf0
        csrrw x2, mscratch, x5
        li x5, 0x0f
        csrrs x3, mscratch, x5
        li x5, 0x81
        csrrc x4, mscratch, x5
        csrrwi x6, mscratch, 21
        csrrsi x7, mscratch, 8
        csrrci x8, mscratch, 1
        csrrs x9, mscratch, x0
        csrrci x10, mscratch, 0
        vx_tmc x0";
    let image = program(source);
    let cfg = core(1, 1);
    let mut memory = model::Memory::for_core(&cfg);
    memory.load(image.base, &image.bytes);
    let mut machine = model::Machine::new(&cfg, memory, image.base, 0x1234);
    assert_eq!(machine.run(100), model::Outcome::Finished);
    let register = |number: usize| machine.warp(0).register(number)[0];
    assert_eq!([1, 2, 3, 4].map(register), [0x1234, 0, 0xf0, 0xff]);
    assert_eq!([6, 7, 8, 9, 10].map(register), [0x7e, 21, 29, 28, 28]);
}

#[test]
fn x0_stays_zero_and_is_not_reported_as_written() {
    let mut machine = machine(&core(1, 1), "addi x0, x0, 5\n add x7, x0, x0\n vx_tmc x0");
    let retire = machine.step(0).unwrap();
    assert_eq!((retire.op, retire.rd), (Op::Addi, None));
    assert_eq!(machine.step(0).unwrap().rd, Some(7));
    assert_eq!(machine.warp(0).register(7)[0], 0);
    machine.patch(0, 0, 1, &[9; 32]);
    assert_eq!(machine.warp(0).register(0)[0], 0);
}

#[test]
fn fence_i_shows_new_code() {
    // Overwrites the instruction at 1 with the one at 2, after 1 has been executed once.
    let source = "
        la x5, 1f
        la x6, 2f
        lw x6, 0(x6)
        li x8, 0
    1:  addi x7, x0, 1
        bnez x8, 3f
        li x8, 1
        sw x6, 0(x5)
        fence.i
        j 1b
    2:  addi x7, x0, 2
    3:  li x5, 0x10000
        sw x7, 0(x5)
        vx_tmc x0";
    assert_eq!(heap::<1>(&run(&core(1, 1), source)), [2]);
}

#[test]
fn no_scalar_instruction_is_left_out() {
    let mut sources: Vec<String> = COMPUTATION.iter().map(|case| case.0.into()).collect();
    sources.extend(BRANCHES.iter().map(|case| format!("{} x5, x6, .+8", case.0)));
    sources.extend(LOADS.iter().map(|case| case.0.into()));
    sources.extend(STORES.iter().map(|case| case.0.into()));
    sources.extend(ATOMIC.iter().map(|case| case.0.into()));
    let others =
        "auipc x1, 1; jal x1, .+4; jalr x1, 0(x1); fence; fence.i; ecall; ebreak; uret; sret; mret; wfi";
    sources.push(others.into());
    let image = program(&sources.join("\n"));
    let tested: BTreeSet<Op> = image.words().filter_map(|(_, word)| isa::decode(word)).collect();
    // The special functions, votes and shuffles are tested in model_simt and by csr_updates, F in model_float and against QEMU.
    let missing: Vec<_> = ISA
        .iter()
        .filter(|row| {
            !matches!(row.unit, Unit::Sfu | Unit::CrossLane)
                && !row.op.needs_fpu()
                && !tested.contains(&row.op)
        })
        .map(|row| row.mnemonic)
        .collect();
    assert_eq!(missing, [""; 0]);
}
