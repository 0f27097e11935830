//! The reference model's warps: how they start, wait for one another, and what they share.

use crate::model_common::{core, heap, machine, run, NONE, STORE_BY_HART};
use isa::Op;
use model::memory::{HEAP_BASE, STARTUP_ADDR};
use model::{Blocked, Cause, Machine, Outcome, Wait};
use spec::config::CoreConfig;

const SPAWN_ALL: &str = "
        la x6, worker
        csrr x5, vx_num_warps
        vx_wspawn x5, x6
    worker:
        li x5, -1
        vx_tmc x5
        csrr x7, mhartid
        addi x7, x7, 1";

#[test]
fn wspawn_starts_the_other_warps() {
    let machine = run(&core(4, 2), &(SPAWN_ALL.to_string() + STORE_BY_HART));
    assert_eq!(heap(&machine), [1, 2, 3, 4, 5, 6, 7, 8]);
    let machine = run(&core(32, 32), &(SPAWN_ALL.to_string() + STORE_BY_HART));
    assert_eq!(heap::<1024>(&machine), std::array::from_fn(|i| i as u32 + 1));
    // A number of warps that is no power of two.
    let machine = run(&core(3, 1), &(SPAWN_ALL.to_string() + STORE_BY_HART));
    assert_eq!(heap(&machine), [1, 2, 3, NONE]);
}

#[test]
fn wspawn_reads_one_bit_more_than_a_warp_id_has() {
    for (number, spawned) in [(0, 1), (1, 1), (2, 3), (4, 15), (7, 15), (8, 1), (10, 3), (-1, 15)] {
        let mut machine = machine(&core(4, 1), &format!("li x5, {number}\n vx_wspawn x5, x0\n vx_tmc x0"));
        machine.step(0).unwrap();
        machine.step(0).unwrap();
        assert_eq!(machine.active_warps(), spawned, "{number}");
    }
}

#[test]
fn wspawn_waits_until_its_caller_is_alone() {
    let source = "
        la x6, worker
        li x5, 3
        vx_wspawn x5, x6
        li x5, 1
        vx_wspawn x5, x0            # the join: nobody is started
        li x7, 9
        li x31, 0x10000
        sw x7, 0(x31)
        vx_tmc x0
    worker:
        nop
        vx_tmc x0";
    let mut machine = machine(&core(4, 2), source);
    let step = |machine: &mut Machine, wid, count| {
        for _ in 0..count {
            machine.step(wid).unwrap();
        }
    };
    step(&mut machine, 0, 4); // la is two instructions
    assert_eq!(machine.runnable_warps(), 0b0111);
    assert_eq!((machine.warp(2).pc(), machine.warp(2).tmask()), (STARTUP_ADDR + 4 * 10, 1));
    step(&mut machine, 0, 2);
    assert_eq!(machine.warp(0).wait(), Wait::Spawn { warps: 0, pc: 0 });
    assert_eq!((machine.active_warps(), machine.runnable_warps()), (0b111, 0b110));
    assert_eq!(machine.step(0).unwrap_err().cause, Cause::NotRunnable);
    step(&mut machine, 2, 2);
    step(&mut machine, 1, 1);
    assert_eq!(machine.runnable_warps(), 0b010);
    step(&mut machine, 1, 1);
    assert_eq!(machine.runnable_warps(), 0b001);
    assert_eq!(machine.run(100), Outcome::Finished);
    assert_eq!(heap(&machine), [9]);
}

#[test]
fn any_warp_may_spawn_but_not_itself() {
    // Warp 0 starts warp 1 and ends; warp 1, alone, starts warp 0 again with "2 warps".
    let source = "
        la x6, 1f
        li x5, 2
        vx_wspawn x5, x6
        vx_tmc x0
    1:  la x6, 2f
        li x5, 2
        vx_wspawn x5, x6
        vx_tmc x0
    2:  csrr x7, vx_warp_id
        addi x7, x7, 40";
    assert_eq!(heap(&run(&core(2, 1), &(source.to_string() + STORE_BY_HART))), [40, NONE]);
}

#[test]
fn barriers_hold_the_warps_together() {
    // Each warp stores its part, and reads the next warp's after the barrier.
    let source = SPAWN_ALL.to_string()
        + "
        csrr x8, vx_warp_id
        slli x9, x8, 2
        li x10, 0x20000
        add x9, x9, x10
        sw x8, 0(x9)
        li x5, 1
        csrr x6, vx_num_warps
        vx_bar x5, x6
        addi x8, x8, 1
        remu x8, x8, x6
        slli x9, x8, 2
        add x9, x9, x10
        lw x7, 0(x9)";
    let machine = run(&core(4, 1), &(source + STORE_BY_HART));
    assert_eq!(heap(&machine), [1, 2, 3, 0]);
}

#[test]
fn barrier_arrivals_release_exactly_their_barrier() {
    let source = "
        la x6, worker
        li x5, 8
        vx_wspawn x5, x6
    worker:
        csrr x8, vx_warp_id
        andi x9, x8, 1
        ori x9, x9, 4               # ids 4 and 5 of 4 barriers are 0 and 1
        li x10, 4
        vx_bar x9, x10
        vx_tmc x0";
    let mut machine = machine(&core(8, 1), source);
    for _ in 0..4 {
        machine.step(0).unwrap();
    }
    let arrive = |machine: &mut Machine, wid| {
        while machine.step(wid).unwrap().op != Op::Bar {}
    };
    for wid in [0, 1, 2, 4, 3, 5] {
        arrive(&mut machine, wid);
    }
    assert_eq!(machine.barrier_warps(), 0b11_1111);
    assert_eq!(machine.warp(5).wait(), Wait::Barrier { id: 1, count: 4 });
    arrive(&mut machine, 6);
    assert_eq!((machine.barrier_warps(), machine.runnable_warps()), (0b10_1010, 0b1101_0101));
    arrive(&mut machine, 7);
    assert_eq!(machine.barrier_warps(), 0);
    assert_eq!(machine.run(1000), Outcome::Finished);
}

#[test]
fn a_barrier_starts_anew_after_its_release() {
    let source = "
        la x6, worker
        li x5, 2
        vx_wspawn x5, x6
    worker:
        li x10, 2
    1:  vx_bar x0, x10
        j 1b";
    let mut machine = machine(&core(2, 1), source);
    for _ in 0..4 {
        machine.step(0).unwrap();
    }
    // Warp 0 arrives first every time, and waits every time.
    for _ in 0..3 {
        while machine.step(0).unwrap().op != Op::Bar {}
        assert_eq!(machine.barrier_warps(), 0b01);
        while machine.step(1).unwrap().op != Op::Bar {}
        assert_eq!(machine.barrier_warps(), 0);
    }
}

#[test]
fn barrier_counts() {
    // 1 is no barrier at all, and 0 means all of a power-of-two number of warps.
    run(&core(2, 1), "li x5, 1\n vx_bar x0, x5\n vx_tmc x0");
    let all = SPAWN_ALL.to_string() + "\n vx_bar x0, x0\n vx_bar x0, x0" + STORE_BY_HART;
    assert_eq!(heap(&run(&core(4, 1), &all)), [1, 2, 3, 4]);
}

#[test]
fn a_deadlock_names_every_waiting_warp() {
    let source = "
        la x6, worker
        li x5, 3
        vx_wspawn x5, x6
        vx_wspawn x5, x6
    worker:
        li x5, 1
        li x6, 3
        vx_bar x5, x6
        vx_tmc x0";
    let Outcome::Deadlock(blocked) = machine(&core(4, 1), source).run(1000) else { panic!("no deadlock") };
    let after_bar = STARTUP_ADDR + 4 * 8;
    let barrier = Wait::Barrier { id: 1, count: 3 };
    let spawn = Wait::Spawn { warps: 0b110, pc: STARTUP_ADDR + 4 * 5 };
    assert_eq!(
        blocked,
        [
            Blocked { wid: 0, pc: STARTUP_ADDR + 4 * 5, wait: spawn },
            Blocked { wid: 1, pc: after_bar, wait: barrier },
            Blocked { wid: 2, pc: after_bar, wait: barrier },
        ]
    );
    assert_eq!(blocked[0].to_string(), "warp 0 at 0x80000010 waits for all other warps to end (wspawn)");
    assert_eq!(blocked[1].to_string(), "warp 1 at 0x8000001c waits for 3 warps at barrier 1");
}

#[test]
fn a_run_stops_at_its_limit() {
    let mut machine = machine(&core(4, 1), "j .");
    assert_eq!(machine.run(10), Outcome::Limit);
    assert_eq!(machine.run(5), Outcome::Limit);
    assert_eq!((machine.warp_instructions(), machine.thread_instructions()), (15, 15));
}

#[test]
fn csrs_tell_who_and_where() {
    let source = "
        la x6, worker
        li x5, 4
        vx_wspawn x5, x6
    worker:
        li x5, -1
        vx_tmc x5
        csrr x10, vx_thread_id
        csrr x11, vx_warp_id
        csrr x12, vx_core_id
        csrr x13, vx_num_threads
        csrr x14, vx_num_warps
        csrr x15, vx_num_cores
        csrr x16, vx_local_mem_base
        csrr x17, mhartid
        csrr x18, mvendorid
        csrr x19, satp
        csrrwi x20, mstatus, 31
        csrr x21, mstatus
        csrr x22, misa
        vx_tmc x0";
    let machine = run(&core(4, 8), source);
    let register = |number: usize| machine.warp(3).register(number)[5];
    assert_eq!([10, 11, 12, 13, 14, 15].map(register), [5, 3, 0, 8, 4, 1]);
    assert_eq!([16, 17, 18, 19, 20, 21].map(register), [0xffff_0000, 29, 0, 0, 0, 0]);
    let extension = |letter: char| 1 << (letter as u32 - 'A' as u32);
    assert_eq!(register(22), 1 << 30 | ['I', 'M', 'U', 'X'].map(extension).iter().sum::<u32>());
}

#[test]
fn csr_writes_take_lane_0_even_if_it_is_inactive() {
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x8, vx_thread_id
        addi x8, x8, 70
        li x5, 2
        vx_tmc x5
        csrw mscratch, x8
        csrr x7, mscratch";
    assert_eq!(heap(&run(&core(1, 2), &(source.to_string() + STORE_BY_HART))), [NONE, 70]);
}

#[test]
fn the_active_warps_above_31_are_in_a_register_of_their_own() {
    let source = "
        csrr x5, vx_num_warps
        la x6, warp
        vx_wspawn x5, x6
        warp:
        csrr x5, vx_num_warps
        vx_bar x0, x5
        csrr x7, vx_active_warps
        csrr x8, vx_upper_active_warps
        not x7, x7
        slli x7, x7, 16
        or x7, x7, x8
        vx_bar x0, x5"
        .to_string()
        + STORE_BY_HART;
    assert_eq!(heap(&run(&core(40, 1), &source)), [0xff; 40]);
    assert_eq!(heap(&run(&core(64, 1), &source)), [u32::MAX; 64]);
    let fault = machine(&core(32, 1), "csrr x7, vx_upper_active_warps").step(0).unwrap_err();
    assert_eq!((fault.cause, fault.address), (Cause::IllegalCsr, 0xCF3));
}

#[test]
fn timing_dependent_csrs_are_marked_and_can_be_patched() {
    let names = [
        "mcycle",
        "mcycleh",
        "minstret",
        "minstreth",
        "vx_active_warps",
        "vx_upper_active_warps",
        "mhpmcounter3",
        "mhpmcounter31h",
    ];
    for name in names {
        let source = format!("csrr x5, {name}\n mv x6, x5\n csrr x7, vx_active_threads\n vx_tmc x0");
        let mut machine = machine(&core(33, 1), &source);
        let retire = machine.step(0).unwrap();
        assert!(retire.volatile, "{name}");
        machine.patch(0, 5, retire.tmask, &[1234; 32]);
        let copy = machine.step(0).unwrap();
        assert_eq!((copy.volatile, copy.values[0]), (false, 1234), "{name}");
        assert!(!machine.step(0).unwrap().volatile);
    }
}

#[test]
fn the_highest_lane_wins_a_store() {
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x7, vx_thread_id
        li x6, 0x10000
        sb x7, 1(x6)
        vx_tmc x0";
    let mut machine = machine(&core(1, 4), source);
    let stored = (0..6).find_map(|_| machine.step(0).unwrap().access().copied()).expect("a store");
    assert_eq!((stored.funct3, stored.addr[..4].to_vec()), (0, vec![HEAP_BASE + 1; 4]));
    assert_eq!(stored.data[..4], [0, 1, 2, 3]);
    assert_eq!(heap(&machine), [0xbaad_030d]);
}

/// Lanes 0 and 2 add to one word, lanes 1 and 3 to another.
#[test]
fn lanes_with_one_word_add_one_after_the_other() {
    let source = "
        csrr x6, 0xcc0
        li x5, 0x10000
        li x8, 5
        sw x8, 0(x5)
        sw x8, 4(x5)
        li x8, 15
        vx_tmc x8
        csrr x6, 0xcc0
        andi x9, x6, 1
        slli x9, x9, 2
        li x5, 0x10000
        add x5, x5, x9
        addi x6, x6, 1
        amoadd.w x7, x6, (x5)
        vx_tmc x0";
    let machine = run(&CoreConfig { atomics: true, ..core(1, 4) }, source);
    assert_eq!(machine.warp(0).register(7)[..4], [5, 5, 6, 7]);
    assert_eq!(heap::<2>(&machine), [5 + 1 + 3, 5 + 2 + 4]);
}

#[test]
fn console_and_exit_code() {
    // Every lane writes its letter and a newline to its own port; then the exit code.
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x7, vx_thread_id
        addi x6, x7, 0x40
        addi x7, x7, 65
        sb x7, 0(x6)
        sb x7, 0(x6)
        li x7, 10
        sb x7, 0(x6)
        li x6, 0x50
        li x7, 122
        sb x7, 0(x6)                # all lanes to one port: one byte leaves the core
        li x5, 7
        li x6, 0x88
        sw x5, 0(x6)
        fence
        vx_tmc x0";
    let mut machine = run(&core(1, 4), source);
    assert_eq!(machine.console_text(), "#0: AA\n#1: BB\n#2: CC\n#3: DD\n");
    assert_eq!(machine.memory.exit_code(), Some(7));
    machine.memory.console_mut().flush();
    assert!(machine.console_text().ends_with("#3: DD\n#16: z\n"), "{}", machine.console_text());
}
