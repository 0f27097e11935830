//! The issue slice under Verilator, with the reference model as its surroundings.

use crate::rtl_bench::assert_parts_of;
use crate::rtl_issue_bench::{Bench, Surroundings};
use isa::asm::assemble;
use isa::random::{program, Shape};
use isa::Op;
use rtl::stage::issue::IssueSlice;
use spec::config::CoreConfig;

const BASE: u32 = 0x8000_0000;

fn config(warps: usize, threads: usize) -> CoreConfig {
    CoreConfig { warps, threads, fpu: false, ..CoreConfig::default() }
}

/// Runs `source` on one warp in ideal surroundings.
fn run(source: &str) -> Bench {
    let image = assemble(BASE, &format!("{source}\n vx_tmc x0\n")).unwrap();
    let mut bench = Bench::new(&config(4, 4), &image, 1, Surroundings::IDEAL);
    bench.run(10_000);
    bench
}

/// Cycles between the issues of consecutive instructions.
fn distances(bench: &Bench) -> Vec<u64> {
    bench.issues.windows(2).map(|pair| pair[1].cycle - pair[0].cycle).collect()
}

#[test]
fn dependent_alu_instructions_issue_every_four_cycles() {
    let bench = run(
        "addi x1, x0, 5\n add x1, x1, x1\n xor x2, x1, x1\n sub x3, x1, x2\n slli x4, x3, 3\n add x5, x0, x4",
    );
    assert_eq!(distances(&bench)[..5], [4, 4, 4, 4, 4]);
}

#[test]
fn independent_instructions_of_one_warp_issue_every_cycle() {
    let bench = run("addi x1, x0, 1\n addi x2, x0, 2\n lui x3, 7\n auipc x4, 1\n addi x5, x0, 5\n addi x6, x1, 6\n add x7, x2, x2\n ori x8, x3, 1\n add x9, x4, x0");
    assert_eq!(distances(&bench)[..8], [1; 8]);
    assert_eq!(bench.lost, 0);
}

#[test]
fn a_second_write_waits_for_the_first() {
    let bench = run("addi x1, x0, 1\n addi x1, x0, 2\n add x2, x1, x1");
    assert_eq!(distances(&bench)[..2], [4, 4]);
}

#[test]
fn products_and_shifts_are_ready_when_sums_are() {
    let bench = run("li x1, -7\n li x2, 9\n mul x3, x1, x2\n mulh x4, x1, x2\n mulhu x5, x1, x2\n mulhsu x6, x1, x2\n add x7, x6, x6");
    assert_eq!(distances(&bench)[..6], [1, 4, 1, 1, 1, 4]);
}

#[test]
fn quotients_are_ready_after_the_steps_of_their_dividends() {
    let bench = run("li x1, -7\n li x2, 2\n divu x3, x1, x2\n add x4, x3, x3\n rem x5, x1, x2\n add x0, x5, x0\n div x0, x1, x2");
    let d = distances(&bench);
    assert_eq!((d[2], d[4]), (20, 6));
}

#[test]
fn results_that_meet_at_the_write_port_all_arrive() {
    // A quotient of one step and the sum issued behind it reach commit together, again and again.
    let pair = |n: usize| format!("divu x{}, x1, x2\n add x{}, x1, x2\n", 10 + n, 20 + n);
    let source: String = (0..8).map(pair).collect();
    let bench = run(&format!("li x1, 3\n li x2, 5\n{source}"));
    assert_eq!(bench.commits.len(), 18);
}

#[test]
fn branches_resolve_in_the_collector_and_redirect_a_cycle_later() {
    let bench = run("li x1, 1\n beq x1, x0, 1f\n addi x2, x0, 2\n bne x1, x0, 1f\n addi x3, x0, 3\n1: jal x4, 2f\n nop\n2: jalr x0, x4, 8\n nop\n nop");
    let issued = bench.issues.iter().filter(|event| event.op.is_branch() || event.op.is_jump());
    let expected: Vec<_> = issued.map(|event| (event.cycle + 3, event.op)).collect();
    let resolved: Vec<_> = bench.branches.iter().map(|event| (event.cycle, event.op)).collect();
    assert_eq!(resolved, expected);
    assert_eq!(resolved.len(), 4);
    // Not taken: the next instruction issues in the cycle after that in the collector.
    let at = bench.issues.iter().position(|event| event.op == Op::Beq).unwrap();
    assert_eq!(bench.issues[at + 1].cycle - bench.issues[at].cycle, 3);
}

#[test]
fn the_last_active_lane_decides() {
    // Lane i holds i. With all four lanes on lane 3 decides, with lanes 0 and 2 on it is lane 2.
    let bench = run(
        "li x1, -1\n vx_tmc x1\n csrr x2, vx_thread_id\n li x3, 3\n li x4, 2\n beq x2, x3, 1f\n nop\n1: beq x2, x0, 2f\n\
         li x5, 5\n vx_tmc x5\n beq x2, x4, 2f\n nop\n2: beq x2, x3, 3f\n3: nop",
    );
    assert_eq!(bench.taken, [true, false, true, false]);
}

#[test]
fn random_programs_agree_with_the_model() {
    let slow = Surroundings { fetch: 2, units: 6, partial_loads: true };
    let quick = Surroundings { fetch: 1, units: 2, partial_loads: true };
    for (warps, threads) in [(4, 4), (3, 2), (1, 1)] {
        let cfg = config(warps, threads);
        let shape = Shape::core(&cfg, 150);
        for seed in 0..8 {
            let image = program(seed, &shape);
            let mut bench = Bench::new(&cfg, &image, seed, if seed % 2 == 0 { slow } else { quick });
            bench.run(2_000_000);
            assert!(bench.issues.len() > 100 && bench.commits.len() > 50, "seed {seed}");
        }
    }
}

#[test]
fn the_slice_is_made_of_these_parts() {
    let back = ["RegisterFile", "SpCollector", "MemCollector", "SfuCollector", "MultiplyLane", "Commit"];
    assert_parts_of(IssueSlice::new(&config(4, 4)), &[&["IssueFront", "HazardRow"][..], &back].concat());
}
