//! Everything a program can do wrong is reported with its warp, pc, cause and address.

use crate::model_common::{self, assert_fault, core, heap, machine};
use model::memory::{HEAP_BASE, STARTUP_ADDR};
use model::{Cause, Machine, Memory, Origin, Outcome};

#[test]
fn illegal_words() {
    for word in [0u32, 0xffff_ffff, 0x0000_0073 | 1 << 7, 0x0200_000b] {
        assert_fault(&core(1, 1), &format!("nop\n .word {word}"), 0, 1, Cause::IllegalInstruction, word);
    }
}

#[test]
fn illegal_csrs() {
    let cfg = core(1, 1);
    for (source, number) in [
        ("csrr x5, 0x7c0", 0x7c0),
        ("csrr x5, 0x001", 0x001), // without F there are no flags
        ("csrw vx_thread_id, x0", 0xcc0),
        ("csrwi mhartid, 1", 0xf14),
        ("csrr x5, 0xb01", 0xb01),
    ] {
        assert_fault(&cfg, source, 0, 0, Cause::IllegalCsr, number);
    }
    // Setting no bit is not a write.
    assert_fault(
        &cfg,
        "csrs vx_warp_id, x0\n csrsi vx_warp_id, 0\n csrsi vx_warp_id, 2",
        0,
        2,
        Cause::IllegalCsr,
        0xcc1,
    );
}

#[test]
fn misaligned_accesses() {
    let cfg = core(1, 1);
    for (load, offset) in [("lh", 1), ("lhu", 3), ("lw", 1), ("lw", 2), ("lw", 3)] {
        let source = format!("lui x5, 0x10\n {load} x6, {offset}(x5)");
        assert_fault(&cfg, &source, 0, 1, Cause::MisalignedLoad, HEAP_BASE + offset);
    }
    for (store, offset) in [("sh", 1), ("sw", 2)] {
        let source = format!("lui x5, 0x10\n {store} x6, {offset}(x5)");
        assert_fault(&cfg, &source, 0, 1, Cause::MisalignedStore, HEAP_BASE + offset);
    }
    assert_fault(&cfg, "li x5, 0xffff0001\n lh x6, 0(x5)", 0, 2, Cause::MisalignedLoad, 0xffff_0001);
    let source = "la x5, 1f\n jr x5\n 1: jalr x0, 6(x5)";
    let target = STARTUP_ADDR + 12 + 6;
    let fault = model_common::fault(&cfg, source);
    assert_eq!((fault.cause, fault.pc, fault.address), (Cause::MisalignedFetch, target, target));
    assert_eq!(fault.origin, Some(Origin { wid: 0, pc: STARTUP_ADDR + 12 }), "the jump");
}

/// The instruction at 1 is overwritten by the one at 2, after or before it has been executed once.
#[test]
fn stored_instructions_need_a_fence() {
    for (executed_before, fence, faults) in
        [(true, "fence", true), (true, "fence.i", false), (false, "nop", true), (false, "fence.i", false)]
    {
        let enter = if executed_before { "j 1f" } else { "j 3f" };
        let source = format!(
            "la x5, 1f\n la x6, 2f\n lw x6, 0(x6)\n {enter}\n 3: li x8, 1\n sw x6, 0(x5)\n {fence}\n \
             1: addi x7, x0, 1\n beqz x8, 3b\n vx_tmc x0\n 2: addi x7, x0, 2"
        );
        let mut machine = machine(&core(1, 1), &source);
        match machine.run(100) {
            Outcome::Finished => assert!(!faults, "{fence}"),
            Outcome::Fault(fault) => {
                assert!(faults, "{fence}: {fault}");
                let store = fault.origin.expect("the store").pc;
                assert_eq!((fault.cause, fault.address, fault.pc), (Cause::StaleFetch, fault.pc, store + 8));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn unmapped_accesses() {
    let cfg = core(1, 1);
    assert_fault(&cfg, "lw x6, 0(x0)", 0, 0, Cause::Unmapped, 0);
    assert_fault(&cfg, "sb x6, 0x3f(x0)", 0, 0, Cause::Unmapped, 0x3f);
    // Only the hardware's own knowledge of the map comes before that of the memory outside.
    let lanes = "csrr x5, vx_thread_id\n addi x7, x5, -1\n lui x8, 0x1\n and x7, x7, x8\n sb x6, 0(x7)";
    assert_fault(&core(1, 2), &format!("li x5, 3\n vx_tmc x5\n {lanes}"), 0, 6, Cause::Unmapped, 0);
    assert_fault(&cfg, "lui x5, 0x1\n lbu x6, 0(x5)", 0, 1, Cause::Unmapped, 0x1000);
    let fault = model_common::fault(&cfg, "jr x0");
    assert_eq!((fault.cause, fault.pc, fault.address), (Cause::Unmapped, 0, 0));
}

#[test]
fn local_memory_has_an_end() {
    let mut cfg = core(1, 1);
    cfg.local_mem_bytes = 64;
    assert_fault(
        &cfg,
        "lui x5, 0xffff0\n lw x6, 60(x5)\n lw x6, 64(x5)",
        0,
        2,
        Cause::LocalMemoryRange,
        0xffff_0040,
    );
    assert_fault(&cfg, "sb x6, -1(x0)", 0, 0, Cause::LocalMemoryRange, u32::MAX);
}

#[test]
fn one_lanes_fault_stops_all_lanes() {
    // Lane 2 alone is misaligned; no lane has stored. Lane 0 of a store beyond the heap likewise.
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x5, vx_thread_id
        li x6, 0x10000
        addi x7, x5, -2
        seqz x7, x7
        slli x5, x5, 2
        add x6, x6, x5
        add x6, x6, x7
        sw x5, 0(x6)";
    let mut machine = machine(&core(1, 4), source);
    let Outcome::Fault(fault) = machine.run(100) else { panic!("no fault") };
    assert_eq!((fault.cause, fault.address), (Cause::MisalignedStore, HEAP_BASE + 9));
    assert_eq!(heap(&machine), [0xbaad_f00d; 4]);
    assert_eq!(machine.warp(0).pc(), fault.pc, "the machine is left as before the instruction");
}

#[test]
fn inactive_lanes_do_not_fault() {
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x6, vx_thread_id       # addresses 0 and 1: wrong in every way
        li x5, 2
        vx_tmc x5
        li x6, 0x10000
        lw x7, 0(x6)
        vx_tmc x0";
    model_common::run(&core(1, 2), source);
}

#[test]
fn divergence_stack() {
    // Each SPLIT parts the highest active lane from the rest: T - 1 fit, and no more can happen
    // unless masks are forced, as here.
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x8, vx_thread_id
        vx_split x9, x8
        li x5, 3
        vx_tmc x5
        vx_split x9, x8";
    assert_fault(&core(1, 2), source, 0, 6, Cause::DivergenceOverflow, 0);
    assert_fault(&core(1, 2), "li x5, 1\n vx_join x0\n vx_join x5", 0, 2, Cause::JoinOnEmpty, 0);
}

#[test]
fn barrier_counts() {
    let cfg = core(3, 1);
    assert_fault(&cfg, "li x5, 4\n vx_bar x0, x5", 0, 1, Cause::BarrierCount, 4);
    assert_fault(&cfg, "li x5, -1\n vx_bar x0, x5", 0, 1, Cause::BarrierCount, u32::MAX);
    // 0 means 4 here, the range of a warp id.
    assert_fault(&cfg, "vx_bar x0, x0", 0, 0, Cause::BarrierCount, 0);
}

#[test]
fn the_faulting_warp_is_named() {
    let source = "
        la x6, worker
        li x5, 4
        vx_wspawn x5, x6
        li x5, 1
        vx_wspawn x5, x0
        vx_tmc x0
    worker:
        csrr x5, vx_warp_id
        li x6, 2
        bne x5, x6, 1f
        .word 0
    1:  vx_tmc x0";
    assert_fault(&core(4, 1), source, 2, 10, Cause::IllegalInstruction, 0);
}

#[test]
fn stepping_a_warp_that_cannot_run() {
    let cfg = core(2, 1);
    let mut machine = Machine::new(&cfg, Memory::for_core(&cfg), STARTUP_ADDR, 0);
    for wid in [1, 2, 1000] {
        let fault = machine.step(wid).unwrap_err();
        assert_eq!((fault.wid, fault.cause), (wid, Cause::NotRunnable));
    }
}

#[test]
fn codes_and_texts() {
    assert_eq!(Cause::IllegalInstruction.code(), Some(1));
    assert_eq!(Cause::JoinOnEmpty.code(), Some(8));
    assert_eq!(Cause::Unmapped.code(), Some(9));
    assert_eq!(Cause::MisalignedFetch.code(), Some(10));
    assert_eq!(Cause::DivergentBarrier.code(), Some(12));
    assert_eq!(Cause::NotRunnable.code(), None);
    for code in 1..=12 {
        assert_eq!(Cause::of_code(code).and_then(Cause::code), Some(code));
    }
    assert_eq!(Cause::of_code(0).or(Cause::of_code(13)), None);
    let fault = model_common::fault(&core(1, 1), "lw x6, 2(x0)");
    assert_eq!(fault.to_string(), "misaligned load (warp 0, pc 0x80000000, 0x00000002)");
}
