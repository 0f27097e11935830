//! What F adds to a SIMT core: its registers, its flags and rounding mode of each warp, and their absence.

use crate::model_common::{assert_fault, core, heap, machine, program, run, NONE, STORE_BY_HART};
use model::{Cause, Machine};
use spec::config::CoreConfig;

fn with_fpu(warps: usize, threads: usize) -> CoreConfig {
    CoreConfig { fpu: true, ..core(warps, threads) }
}

/// Executes the program of warp 0 up to its last instruction, which it returns.
fn last_retired(cfg: &CoreConfig, source: &str) -> model::Retire {
    let mut machine = machine(cfg, source);
    let words = program(source).words().count();
    (0..words).map(|_| machine.step(0).expect("no fault")).last().expect("a program")
}

#[test]
fn the_files_are_two_and_f0_is_a_register() {
    let machine = run(
        &with_fpu(1, 1),
        &format!(
            "li x1, 0x7f800001; fmv.w.x f1, x1; li x1, 5; fmv.w.x f0, x1; li x2, 0x10040
             fsw f1, 0(x2); flw f31, 0(x2); fsgnj.s f30, f31, f31; fsw f30, 4(x2)
             fmv.x.w x7, f0; add x7, x7, x1; {STORE_BY_HART}"
        ),
    );
    assert_eq!(heap::<1>(&machine), [10]);
    // Moves, loads and stores leave a signaling NaN as it is.
    assert_eq!(machine.memory.read(0x1_0044, 4), Ok(0x7f80_0001));
}

#[test]
fn results_are_numbered_after_the_integer_registers() {
    let cfg = with_fpu(1, 2);
    let retired = last_retired(&cfg, "li x1, 0x40000000; fmv.w.x f0, x1; fadd.s f0, f0, f0");
    assert_eq!((retired.rd, retired.values[0], retired.fflags), (Some(32), 0x4080_0000, 0));
    let retired = last_retired(&cfg, "li x1, 0x40000000; fmv.w.x f0, x1; feq.s x3, f0, f0");
    assert_eq!((retired.rd, retired.values[0]), (Some(3), 1));
    let retired = last_retired(&cfg, "li x1, 1; fmv.w.x f3, x1; fdiv.s f31, f3, f0, rtz");
    assert_eq!((retired.rd, retired.values[0], retired.fflags), (Some(63), 0x7f80_0000, 8));
}

/// Lane 0 raises DZ, lane 3 NX; what is off raises nothing.
#[test]
fn flags_come_from_the_active_lanes() {
    let program = |mask: u32| {
        format!(
            "li x5, -1; vx_tmc x5; csrr x1, vx_thread_id; addi x2, x1, -1; fcvt.s.w f1, x2
             fcvt.s.w f2, x1
             li x5, {mask}; vx_tmc x5; csrwi fflags, 0; fdiv.s f3, f1, f2; csrr x7, fflags; {STORE_BY_HART}"
        )
    };
    // The quotients are -1/0, 0/1, 1/2 and 2/3.
    for (mask, flags) in [(1, 8), (2, 0), (4, 0), (8, 1), (9, 9), (15, 9)] {
        let machine = run(&with_fpu(1, 4), &program(mask));
        let expected: [u32; 4] = std::array::from_fn(|lane| if mask >> lane & 1 != 0 { flags } else { NONE });
        assert_eq!(heap::<4>(&machine), expected, "mask {mask:#x}");
    }
}

#[test]
fn each_warp_has_its_own_flags_and_mode() {
    let source = format!(
        "li x1, 2; la x2, both; vx_wspawn x1, x2
         both: csrr x3, vx_warp_id; addi x4, x3, 2; csrw frm, x4; li x5, 3; fcvt.s.w f1, x5
         li x5, 1; fcvt.s.w f2, x5; beqz x3, 1f; fdiv.s f3, f2, f1; j 2f
         1: fadd.s f3, f2, f1
         2: csrr x7, fcsr; {STORE_BY_HART}"
    );
    // Warp 0 adds exactly and rounds down (2), warp 1 divides inexactly and rounds up (3).
    assert_eq!(heap::<2>(&run(&with_fpu(2, 1), &source)), [2 << 5, 3 << 5 | 1]);
}

#[test]
fn registers_hold_what_they_have_bits_for() {
    let source = format!(
        "li x1, -1; csrrw x2, fcsr, x1; csrr x3, frm; csrr x4, fflags; csrr x5, fcsr
         csrwi frm, 0; csrrci x6, fflags, 5; csrr x7, fcsr
         slli x3, x3, 8; slli x4, x4, 16; or x7, x7, x3; or x7, x7, x4; {STORE_BY_HART}"
    );
    assert_eq!(heap::<1>(&run(&with_fpu(1, 1), &source)), [31 << 16 | 7 << 8 | 26]);
}

#[test]
fn misa_says_whether_there_is_f() {
    let source = format!("csrr x7, misa; srli x7, x7, 5; andi x7, x7, 1; {STORE_BY_HART}");
    assert_eq!(heap::<1>(&run(&with_fpu(1, 1), &source)), [1]);
    assert_eq!(heap::<1>(&run(&core(1, 1), &source)), [0]);
}

#[test]
fn rounding_modes_that_are_none_are_illegal() {
    use Cause::IllegalInstruction;
    let cfg = with_fpu(1, 1);
    // fadd.s f1, f2, f3 with rm 5 and 6
    for rm in [5, 6] {
        let word = 0x0031_00d3 | rm << 12;
        assert_fault(&cfg, &format!(".word {word}"), 0, 0, IllegalInstruction, word);
    }
    for frm in [5, 6, 7] {
        let source =
            format!("csrwi frm, {frm}; fadd.s f1, f2, f3, rne; fmin.s f1, f2, f3; fadd.s f1, f2, f3");
        assert_fault(&cfg, &source, 0, 3, IllegalInstruction, 0x0031_70d3);
    }
}

#[test]
fn without_a_unit_all_of_it_is_illegal() {
    for source in ["fadd.s f1, f2, f3", "flw f1, 0(x0)", "fsw f1, 0(x0)", "fmv.x.w x0, f1", "fcvt.s.w f1, x1"]
    {
        let word = program(source).words().next().expect("a word").1;
        assert_fault(&core(1, 1), source, 0, 0, Cause::IllegalInstruction, word);
    }
    for (name, number) in [("fflags", 1), ("frm", 2), ("fcsr", 3)] {
        assert_fault(&core(1, 1), &format!("csrr x1, {name}"), 0, 0, Cause::IllegalCsr, number);
    }
}

/// A fault leaves flags and registers as they were.
#[test]
fn a_faulting_instruction_raises_no_flag() {
    let mut machine: Machine = machine(&with_fpu(1, 1), "csrwi frm, 5; fdiv.s f1, f2, f3");
    machine.step(0).expect("no fault");
    machine.step(0).expect_err("a fault");
    assert_eq!(machine.warp(0).float_state(), (0, 5));
}
