//! SWaS in the whole core: its queues, its NOPs, its oracles. What every run checks besides: in each cycle all queues
//! are full, the selected warp is the one that the policy names, and its head is what the model of the queues says.

use crate::rtl_bench::assert_parts;
use crate::runs::{assert_kernel_passes, assert_passed, kernel};
use crate::sample::{self, few, seeds};
use crate::simulators;
use cosim::memory::{Disturbance, MemoryKind};
use cosim::{RunOptions, Stats};
use isa::asm::assemble;
use isa::random::{program, Shape};
use loader::Program;
use spec::config::FETCH_LATENCY;
use spec::registry;

fn errors(stats: &Stats) -> u64 {
    stats.departures.expect("a core with oracles").errors
}

/// The memories of a random run: the fastest, a slow one, a disorderly one.
fn memory(seed: u64) -> (MemoryKind, Disturbance) {
    let disorder = Disturbance { backpressure_percent: 40, jitter: 30 };
    match seed % 3 {
        0 => (MemoryKind::Ideal, Disturbance::default()),
        1 => (MemoryKind::Fixed(20), Disturbance::default()),
        _ => (MemoryKind::Fixed(3), disorder),
    }
}

#[test]
fn random_programs_under_every_policy_inside() {
    // Each shape with one policy, each policy with some shape; the kernels below meet every policy.
    let shapes = ["swas alone", "swas two ways", "swas one line", "swas four lines"]
        .map(|name| &simulators::cores(name)[0]);
    for core in shapes.into_iter().chain([simulators::under("swas", "swas:lrr")]) {
        let key = &core.config().issue;
        for seed in few(5, seeds(0, 18)) {
            let image = program(seed, &Shape::core(core.config(), 60));
            let random = Program::from_image(&format!("{key} random program {seed}"), &image).unwrap();
            let (memory, disturbance) = memory(seed);
            let options = RunOptions { memory, disturbance, seed, ..RunOptions::default() };
            let report = core.run(&random, &options).unwrap();
            assert_passed(&report);
            assert_eq!(errors(&report.stats), 0, "{key}: seed {seed}");
            assert!(report.stats.slots.nops > 0);
            assert_eq!(report.stats.slots.total(), report.stats.cycles);
        }
    }
}

#[test]
fn every_kernel_gives_the_hosts_results_without_a_scheduling_error() {
    for (k, core) in simulators::cores("swas").iter().enumerate() {
        let cfg = core.config();
        let key = &cfg.issue;
        let can_run = |kernel: &&kernels::Kernel| cfg.fpu || !kernel.needs_fpu;
        let (published, mut all): (Vec<_>, Vec<_>) =
            kernels::KERNELS.iter().filter(can_run).partition(|kernel| kernel.family.is_some());
        all.extend(sample::some(published, 2, k));
        let half = all.len() / 2;
        for kernel in sample::some(all, half, k) {
            let name = match kernel.size {
                Some(size) => format!("{}:{}", kernel.name, (size.default / 16).max(3)),
                None => kernel.name.to_owned(),
            };
            let (memory, disturbance) = memory(k as u64 + 2);
            let options = RunOptions { memory, disturbance, seed: 1 + k as u64, ..RunOptions::default() };
            let report = assert_kernel_passes(core, &name, &options);
            assert_eq!(errors(&report.stats), 0, "{name} under {key}");
        }
    }
}

/// The kernels of the paper's evaluation, each with work for every thread of 8 x 8.
const PAPERS: [&str; 6] = ["blackscholes:64", "hotspot:9", "hotspot3D:5", "kmeans:64", "psort:64", "sgemm:9"];

#[test]
fn a_larger_core_has_no_errors_either_whenever_memory_answers() {
    let programs = PAPERS.into_iter().chain(["psort_split:64", "sgemm_tiled:8", "reduce:200"]).enumerate();
    for (number, core) in simulators::cores("swas medium").iter().enumerate() {
        let key = &core.config().issue;
        // Each program under some policy.
        for (k, name) in sample::some(programs.clone().collect(), 3, number) {
            let disturbance = Disturbance { jitter: [0, 40][k % 2], ..Disturbance::default() };
            let (memory, seed) = (MemoryKind::Fixed(50), k as u64);
            let options = RunOptions { memory, disturbance, seed, ..RunOptions::default() };
            let report = core.run(&kernel(name), &options).unwrap();
            assert_passed(&report);
            assert_eq!(errors(&report.stats), 0, "{name} under {key}");
            let parallel = report.stats.parallel;
            assert!(parallel.cycles > 0 && parallel.cycles < report.stats.cycles, "{name}: {parallel:?}");
            assert!(parallel.nops < report.stats.slots.nops, "the start-up has NOPs too");
        }
    }
}

#[test]
fn without_swas_there_are_errors() {
    for key in ["lrr", "gtlo"] {
        let core = simulators::under("oracles", key);
        let greedy = registry::find(key).unwrap().greedy;
        for name in PAPERS {
            let report = core.run(&kernel(name), &RunOptions::default()).unwrap();
            assert_passed(&report);
            let departures = report.stats.departures.unwrap();
            assert!(departures.errors > 0, "{name} under {key}: {departures:?}");
            // The oracles of a greedy policy go on from the same warp; those of others may drift apart.
            assert!(!greedy || departures.discrepancies >= departures.errors, "{name}: {departures:?}");
            assert!(report.stats.error_rate().unwrap() > 0.0);
            let parallel = report.stats.parallel.departures.unwrap();
            assert!(parallel.errors > 0 && parallel.errors <= departures.errors, "{name}: {parallel:?}");
        }
    }
}

/// One warp of one lane, so that nothing but its own program decides what it issues.
fn alone(text: &str) -> Stats {
    let source = format!("{text}\n vx_tmc x0");
    let program = Program::from_image("p", &assemble(0x8000_0000, &source).unwrap()).unwrap();
    let options = RunOptions { memory: MemoryKind::Fixed(7), ..RunOptions::default() };
    let report = simulators::core("swas alone").run(&program, &options).unwrap();
    assert_passed(&report);
    report.stats
}

const QUEUE: u64 = FETCH_LATENCY as u64 + 1;

#[test]
fn a_warp_starts_with_a_queue_of_nops() {
    // all in one line, so one miss, whose NOPs follow those of the start
    let stats = alone(&"addi x1, x1, 1\n".repeat(11));
    assert_eq!((stats.slots.nops, stats.icache.misses), (QUEUE + 2, 1));
}

#[test]
fn a_taken_branch_or_jump_costs_a_queue_of_nops() {
    let body = "addi x2, x2, 1\n".repeat(9);
    let times =
        |n: u32| alone(&format!("addi x1, x0, {n}\nloop: {body} addi x1, x1, -1\n bne x1, x0, loop\n{body}"));
    for n in 1..5 {
        let (fewer, more) = (times(n), times(n + 1));
        assert_eq!(more.icache.misses, fewer.icache.misses);
        assert_eq!(more.warp_instructions, fewer.warp_instructions + 11);
        assert_eq!(more.slots.nops, fewer.slots.nops + QUEUE, "{n} turns and one more");
    }
    // all in one line: the target of the jump is the next instruction, as it would have come anyway
    let straight = alone(&format!("addi x2, x2, 1\n {body}"));
    let jump = alone(&format!("jal x0, on\non: {body}"));
    assert_eq!(jump.slots.nops, straight.slots.nops + QUEUE);
    let branch = alone(&format!("bne x0, x0, on\non: {body}"));
    assert_eq!(branch.slots.nops, straight.slots.nops, "a branch that is not taken costs none");
}

#[test]
fn a_mask_change_or_a_fence_of_instructions_costs_a_queue_of_nops_and_a_data_fence_none() {
    let body = "addi x2, x2, 1\n".repeat(9);
    let with = |instruction: &str| alone(&format!("addi x1, x0, 1\n{instruction}\n{body}")).slots;
    let straight = with("addi x3, x0, 1");
    assert_eq!(with("vx_tmc x1").nops, straight.nops + QUEUE);
    assert_eq!(with("fence").nops, straight.nops);
    let fence_i = alone(&format!("addi x1, x0, 1\nfence.i\n{body}"));
    // the only line is fetched again, while a queue of NOPs issues
    assert_eq!(fence_i.icache.misses, 2);
    assert_eq!(fence_i.slots.nops, straight.nops + QUEUE + 2);
}

#[test]
fn a_miss_costs_one_nop_and_another_where_the_warp_issues_in_the_next_cycle_too() {
    let lines = |n: usize| alone(&"addi x1, x1, 1\n".repeat(16 * n - 1));
    for n in 1..6 {
        let (fewer, more) = (lines(n), lines(n + 1));
        assert_eq!(more.icache.misses, fewer.icache.misses + 1);
        assert_eq!(more.slots.nops, fewer.slots.nops + 1, "{n} lines and one more");
    }
    let lines = |n: usize| alone(&"addi x1, x0, 1\naddi x2, x0, 1\n".repeat(8 * n));
    for n in 1..6 {
        let (fewer, more) = (lines(n), lines(n + 1));
        assert_eq!(more.icache.misses, fewer.icache.misses + 1);
        assert_eq!(
            more.slots.nops,
            fewer.slots.nops + 2,
            "{n} lines and one more, of independent instructions"
        );
    }
}

/// Fetch repeats the choice of the unified scheduler, and oracles count what others do.
#[test]
fn the_cores_have_what_is_checked_here() {
    let design = rtl::generate(simulators::cores("swas")[0].config(), &[]).unwrap();
    assert_parts(&design, &["UnifiedScheduler", "SameWarp"]);
    let design = rtl::generate(simulators::under("oracles", "lrr").config(), &[]).unwrap();
    assert_parts(&design, &["Oracles"]);
}
