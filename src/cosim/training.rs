//! The run by which a profile-guided simulator is laid out: what kernels usually do, in their proportions.

use isa::asm::assemble;
use model::memory::STARTUP_ADDR;

use super::memory::MemoryKind;
use super::options::{Check, RunOptions};
use super::verilator::{Error, Result};
use loader::Program;

/// On all warps: rows of a loop, each with what a thread does to a word and to a line of its own, a branch that
/// its lanes take apart, a call, and now and then a barrier and a division.
const ROWS: &str = "
    la t0, all
    csrr t1, vx_num_warps
    vx_wspawn t1, t0
all:
    li t0, -1
    vx_tmc t0
    csrr s0, vx_num_warps
    csrr a0, mhartid
    slli s1, a0, 2
    li t0, 0x10000
    add s1, s1, t0
    slli s2, a0, 6
    li t0, 0x80000
    add s2, s2, t0
    andi s3, a0, 15
    slli s3, s3, 2
    lui s4, 0xffff0
    add s3, s3, s4
    li s5, 24
row:
    lw a1, 0(s1)
    lw a2, 0(s2)
    mul a3, a1, s5
    add a2, a2, a3
    sw a2, 0(s3)
    addi a4, s5, 3
    xor a4, a4, a0
    slli a5, a4, 2
    lw a6, 0(s3)
    sub a5, a5, a6
    jal ra, square
    andi t1, a0, 1
    vx_split t2, t1
    beqz t1, 1f
    addi a4, a4, 7
    lbu a6, 1(s1)
    add a4, a4, a6
1:  vx_join t2
    sw a4, 0(s1)
    sh a5, 2(s2)
    andi t1, s5, 7
    bnez t1, 2f
    divu a4, a4, s5
    sw a4, 0(s1)
    li t1, 1
    vx_bar t1, s0
2:  addi s1, s1, 1024
    addi s2, s2, 4
    addi s5, s5, -1
    bnez s5, row
    fence
    vx_tmc zero
";

/// What a row calls, in integers.
const INTEGER: &str = "
square:
    mul t3, a4, a4
    mul t4, a5, a5
    add a4, t3, t4
    mulhu t3, a4, a5
    srli t4, a4, 3
    add a5, t3, t4
    ret
";

/// The same in floating point, with its slow operations in one row of eight.
const FLOAT: &str = "
square:
    fcvt.s.w f1, a4
    fcvt.s.w f2, a5
    fmul.s f3, f1, f1
    fmadd.s f4, f1, f2, f3
    fadd.s f5, f4, f2
    fmadd.s f3, f5, f1, f3
    flt.s t3, f3, f4
    add a5, a5, t3
    andi t1, s5, 7
    bnez t1, 3f
    fdiv.s f3, f3, f2
    fsqrt.s f4, f4
3:  fcvt.w.s a4, f3
    ret
";

/// Cycles after which it has shown enough; on few warps it ends by itself.
const CYCLES: u64 = 8_000;

/// The program for a core with floating point or without.
///
/// # Errors
/// A mistake in the text above, which a test would find.
pub(super) fn program(fpu: bool) -> Result<Program> {
    let failed = |error: &dyn ToString| Error::Training(error.to_string());
    let image = assemble(STARTUP_ADDR, &format!("{ROWS}{}", if fpu { FLOAT } else { INTEGER }));
    Program::from_image("training", &image.map_err(|e| failed(&e))?).map_err(|e| failed(&e))
}

/// How it runs. Whether the core works is not its concern.
pub(super) fn options() -> RunOptions {
    let memory = MemoryKind::Fixed(50);
    RunOptions { memory, check: Check::Off, max_cycles: CYCLES, ..RunOptions::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use spec::config::CoreConfig;

    #[test]
    fn the_program_runs_to_its_end() {
        for (warps, threads, fpu) in [(4, 4, true), (4, 4, false), (1, 1, true), (3, 8, false)] {
            let cfg = CoreConfig { warps, threads, fpu, ..CoreConfig::default() };
            let report =
                Engine::new(&cfg).run(&program(fpu).unwrap(), &RunOptions::default(), &mut |_| {}).unwrap();
            assert!(report.failure.is_none(), "{warps}x{threads}: {:?}", report.failure);
            assert!(report.stats.cycles > 1000, "{} cycles", report.stats.cycles);
        }
    }
}
