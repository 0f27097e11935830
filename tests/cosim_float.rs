//! Floating point on the generated core, in lock step: every instruction on corner operands in every rounding mode,
//! its flags, and what is no instruction. Random programs, kernels and rates are in `cosim_core`.

use crate::rtl_bench::assert_parts;
use crate::{sample, simulators};
use cosim::{FailureKind, Report, RunOptions, Simulation};
use isa::asm::{assemble, Assembler};
use isa::csr::{FCSR, FRM};
use isa::encode::Operands;
use isa::rounding::{Rounding, DYNAMIC};
use isa::{Op, Unit, ISA};
use loader::Program;

/// Zeros, the ends of subnormal and normal numbers, ones and neighbours, values at the ends of the integers,
/// infinities, quiet and signalling NaNs.
const CORNERS: [u32; 32] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f80_0001,
    0x3f7f_ffff,
    0x3f00_0000,
    0xbf00_0000,
    0x3eff_ffff,
    0x3fc0_0000,
    0x4f00_0000,
    0xcf00_0000,
    0x4eff_ffff,
    0xcf00_0001,
    0x4f80_0000,
    0x4f7f_ffff,
    0x4b80_0001,
    0x3370_1234,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffff_ffff,
    0x7f80_0001,
    0x1f00_0003,
];

fn run(core: &Simulation, name: &str, image: &isa::Image) -> Report {
    core.run(&Program::from_image(name, image).unwrap(), &RunOptions::default()).unwrap()
}

/// `op` on all pairs of corners (or rotations of them for a third operand), a lane each, in the mode of `rm`; flags
/// are cleared before and read and stored after each.
fn corner_program(op: Op, rm: u32, frm: Rounding, threads: usize) -> isa::Image {
    let (table, a, b, c, out, count, all) = (5, 6, 7, 8, 9, 10, 11);
    let mut asm = Assembler::new(0x8000_0000);
    let data = asm.label();
    asm.li(all, u32::MAX >> (32 - threads));
    asm.warp(Op::Tmc, all, 0);
    asm.put(Op::Csrrwi, Operands { csr: FRM, imm: frm as u32, ..Operands::default() });
    asm.la(table, data);
    asm.csr(Op::Csrrs, a, isa::csr::THREAD_ID, 0);
    asm.i(Op::Slli, a, a, 2);
    asm.r(Op::Add, a, a, table);
    asm.li(out, 0x2_0000);
    asm.li(count, 0);
    let next = asm.bound_label();
    // The second operand goes round the table once for each first one; the third runs against it.
    asm.i(Op::Andi, b, count, 31);
    asm.i(Op::Slli, c, b, 2);
    asm.r(Op::Add, b, c, table);
    asm.put(Op::Flw, Operands { rd: 1, rs1: a, ..Operands::default() });
    asm.put(Op::Flw, Operands { rd: 2, rs1: b, ..Operands::default() });
    asm.r(Op::Sub, c, table, c);
    asm.put(Op::Flw, Operands { rd: 3, rs1: c, imm: 31 * 4, ..Operands::default() });
    asm.i(Op::Lw, 4, a, 0);
    asm.put(Op::Csrrwi, Operands { csr: isa::csr::FFLAGS, ..Operands::default() });
    let rs1 = if op.format().rs1_is_float() { 1 } else { 4 };
    asm.put(op, Operands { rd: 12, rs1, rs2: 2, rs3: 3, rm, ..Operands::default() }.of(op));
    asm.csr(Op::Csrrs, 13, FCSR, 0);
    if op.format().rd_is_float() {
        asm.put(Op::Fsw, Operands { rs2: 12, rs1: out, ..Operands::default() });
    } else {
        asm.s(Op::Sw, 12, out, 0);
    }
    asm.s(Op::Sw, 13, out, 4);
    asm.i(Op::Addi, count, count, 1);
    asm.i(Op::Andi, 14, count, 31);
    asm.b(Op::Bne, 14, 0, next);
    // Every lane moves on to its next first operand.
    asm.i(Op::Addi, a, a, 4 * threads as i32);
    asm.li(14, 32 * (32 / threads as u32));
    asm.b(Op::Bne, count, 14, next);
    asm.warp(Op::Tmc, 0, 0);
    asm.bind(data);
    CORNERS.iter().for_each(|&value| asm.word(value));
    asm.finish().unwrap()
}

trait Of {
    /// Only the operands that `op` has.
    fn of(self, op: Op) -> Self;
}

impl Of for Operands {
    fn of(self, op: Op) -> Self {
        let when = |has: bool, register: usize| if has { register } else { 0 };
        Self {
            rs2: when(op.reads_rs2(), self.rs2),
            rs3: when(op.reads_rs3(), self.rs3),
            rm: if op.has_rounding() { self.rm } else { 0 },
            ..self
        }
    }
}

#[test]
fn every_instruction_on_corner_operands_in_every_rounding_mode() {
    let cores = ["alone", "swas slow lanes", "small"].map(simulators::core);
    for (number, op) in ISA.iter().filter(|row| row.unit == Unit::Fpu).map(|row| row.op).enumerate() {
        for core in sample::some(cores.to_vec(), 1, number) {
            let cfg = core.config();
            let modes = Rounding::ALL.iter().copied().take(if op.has_rounding() { 5 } else { 1 });
            // By the instruction against another mode of the warp, and by the warp.
            let other = |frm: Rounding| Rounding::ALL[(frm as usize + 1) % 5];
            let both = modes.flat_map(|frm| [(frm as u32, other(frm)), (DYNAMIC, frm)]).collect();
            for (rm, frm) in sample::some(both, 1, number) {
                let name = format!("{op:?} rm {rm} frm {frm:?}");
                let report = run(core, &name, &corner_program(op, rm, frm, cfg.threads));
                if let Some(failure) = &report.failure {
                    panic!("{name}: {failure}");
                }
            }
        }
    }
}

/// A comparison that writes x0 has no result but its flags; what reads them waits for it.
#[test]
fn flags_arrive_without_a_destination_and_from_the_slow_unit() {
    let core = simulators::core("small");
    let source = "
        li x1, 0x7f800001; fmv.w.x f1, x1; li x1, 3; fcvt.s.w f2, x1; fmv.w.x f0, x0
        li x10, 0x20000
        csrwi fflags, 0; feq.s x0, f1, f1; csrr x5, fflags; sw x5, 0(x10)
        csrwi fflags, 0; fdiv.s f4, f2, f0; csrr x5, fflags; sw x5, 4(x10)
        csrwi fcsr, 0; fdiv.s f4, f2, f2; fadd.s f5, f1, f2; csrr x5, fcsr; sw x5, 8(x10)
        csrwi fcsr, 0; fcvt.w.s x0, f1, rtz; csrr x5, fcsr; sw x5, 12(x10)
        li x6, 0x60; csrw fcsr, x6; li x1, 0x4b800001; fcvt.s.w f6, x1; fmv.x.w x5, f6; sw x5, 16(x10)
        csrr x5, fcsr; sw x5, 20(x10)
        add x5, x0, x0; sw x5, 24(x10)
        vx_tmc x0";
    let report = run(core, "flags", &assemble(0x8000_0000, source).unwrap());
    assert!(report.passed(), "{}", report.failure.unwrap());
    let words: [u32; 7] = std::array::from_fn(|i| report.memory.read(0x2_0000 + 4 * i as u32, 4).unwrap());
    assert_eq!(words, [16, 8, 16, 16, 0x4e97_0001, 0x61, 0]);
}

#[test]
fn reserved_rounding_modes_fault_in_both_units() {
    let core = simulators::core("small");
    for op in ["fadd.s f1, f2, f3", "fdiv.s f1, f2, f3", "fcvt.w.s x5, f1", "fmadd.s f1, f2, f3, f4"] {
        for frm in 5..8 {
            let source = format!(
                "li x1, 3; csrw frm, x0; nop; {op}, dyn; csrwi frm, {frm}; {op}, dyn; {op}, rtz; vx_tmc x0"
            );
            let report = run(core, op, &assemble(0x8000_0000, &source).unwrap());
            let failure = report.failure.expect("a fault");
            let FailureKind::Fault { at: Some(at), what, .. } = &failure.kind else { panic!("{failure}") };
            assert_eq!((at.wid, at.pc), (0, 0x8000_0014), "{op}: {failure}");
            assert!(what.contains("illegal instruction"), "{what}");
            // A static mode is none of frm's business.
            let source = format!("csrwi frm, {frm}; {op}, rtz; vx_tmc x0");
            assert!(run(core, op, &assemble(0x8000_0000, &source).unwrap()).passed(), "{op}");
        }
        let word = assemble(0, &format!("{op}, rne")).unwrap().words().next().unwrap().1;
        for reserved in [5, 6] {
            let source = format!("nop; .word {:#x}; vx_tmc x0", word | reserved << 12);
            let report = run(core, op, &assemble(0x8000_0000, &source).unwrap());
            let failure = report.failure.expect("a fault");
            assert!(
                matches!(&failure.kind, FailureKind::Fault { at: Some(at), .. } if at.pc == 0x8000_0004),
                "{failure}"
            );
        }
    }
}

#[test]
fn a_core_without_the_unit_knows_nothing_of_it() {
    let core = simulators::core("odd");
    assert!(!core.config().fpu);
    for source in ["fadd.s f1, f2, f3", "flw f1, 0(x0)", "fsw f1, 0(x0)", "csrr x1, fcsr", "csrwi frm, 1"] {
        let report = run(core, source, &assemble(0x8000_0000, source).unwrap());
        let failure = report.failure.expect("a fault");
        assert!(matches!(failure.kind, FailureKind::Fault { .. }), "{source}: {failure}");
    }
}

#[test]
fn both_floating_point_units_are_one_of_the_slice() {
    let design = rtl::generate(simulators::core("small").config(), &[]).unwrap();
    assert_parts(&design, &["FloatUnit", "FpuPipeline", "FpuSlow"]);
}
