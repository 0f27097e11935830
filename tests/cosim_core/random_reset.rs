//! Runs that start from random values: compiled code saves registers that nobody has written, which is no mistake, and what
//! decides something by one is.

use cosim::memory::MemoryKind;
use cosim::{FailureKind, RunOptions};
use isa::asm::assemble;
use loader::Program;
use spec::config::CoreConfig;

use super::{assert_kernel_passes, assert_passed};
use crate::sample::seeds;
use crate::simulators;

fn options(seed: u64) -> RunOptions {
    RunOptions { random_reset: true, seed, memory: MemoryKind::Fixed(10), ..RunOptions::default() }
}

#[test]
fn compiled_kernels_run_from_any_state() {
    let core = simulators::core("small");
    for name in ["hello", "vecadd:64", "psort_split:16", "reduce:64", "saxpy:64", "sgemm:8"] {
        for seed in seeds(700, 3) {
            assert_kernel_passes(core, name, &options(seed));
        }
    }
}

#[test]
fn a_decision_by_what_was_never_written_is_named() {
    let core = simulators::core("small");
    let failure = |source: &str, seed| {
        let program = Program::from_image("unwritten", &assemble(0x8000_0000, source).unwrap()).unwrap();
        core.run(&program, &options(seed)).unwrap().failure.expect(source)
    };
    for (source, what) in [
        ("nop\nbnez s0, .+8\nvx_tmc x0\nvx_tmc x0", "condition"),
        ("nop\nlw a0, 0(s0)\nvx_tmc x0", "address"),
        ("nop\njr s0", "target"),
        ("nop\nvx_tmc s0", "thread mask"),
        ("nop\nsw s0, 0x88(x0)\nvx_tmc x0", "output"),
        // Through memory and a computation, with all lanes on.
        (
            "li t0, -1\nvx_tmc t0\nlui t0, 0x10\nsw s0, 4(t0)\nlw t1, 4(t0)\nslli t1, t1, 1\nbnez t1, .+8\nvx_tmc x0\nvx_tmc x0",
            "condition",
        ),
    ] {
        for seed in 0..3 {
            let failure = failure(source, seed);
            assert!(matches!(failure.kind, FailureKind::Unwritten { .. }), "{source}: {failure}");
            let text = failure.to_string();
            assert!(text.starts_with(&format!("{what} in cycle")), "{text}");
            assert!(text.contains("depends on s0 of warp 0, which was never written"), "{text}");
            assert!(text.contains("warp 0, pc 0x800000"), "{text}");
        }
    }
    let text = failure("nop\nbnez s0, .+8\nvx_tmc x0\nvx_tmc x0", 1).to_string();
    assert!(text.contains("pc 0x80000004: bne s0,zero,0x8000000c"), "{text}");
}

/// What the hardware has there stays its own: in registers, memory, local memory and floating-point exceptions.
#[test]
fn what_was_never_written_may_be_moved_about() {
    let core = simulators::core("small");
    let CoreConfig { fpu, .. } = core.config();
    assert!(fpu);
    let source = "li t0, -1\nvx_tmc t0\nlui t0, 0x10\ncsrr t1, 0xcc0\nslli t1, t1, 2\nadd t0, t0, t1\ncsrr t2, 0xfc3\nadd t2, t2, t1\n\
        sw s0, 0(t0)\nsh s1, 64(t0)\nlw a0, 64(t0)\nsb a0, 1(t2)\nlw a1, 0(t2)\nmul a2, a1, s2\nsw a2, 128(t0)\n\
        fadd.s fa0, fs0, fs1\nfsqrt.s fa1, fs2\nfsw fa0, 192(t0)\nfsw fa1, 256(t0)\ncsrr a3, fflags\nsw a3, 320(t0)\n\
        lw a4, 0(t0)\nsub a5, a4, s0\nsw a5, 384(t0)\nfence\nsw x0, 0x88(x0)\nvx_tmc x0";
    let program = Program::from_image("moves", &assemble(0x8000_0000, source).unwrap()).unwrap();
    let run = |seed| {
        let report = core.run(&program, &options(seed)).unwrap();
        assert_passed(&report);
        report.memory.read(0x1_0000, 4).unwrap()
    };
    assert_ne!(run(1), run(2), "registers start from random values");
}
