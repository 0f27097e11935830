//! Cores of more warps than a register has bits: all that is a mask or a number of warps, in lock step.

use crate::cosim_grid::{grid_programs, neighbours, random_grid, random_program};
use crate::rtl_bench::Random;
use crate::runs::{assert_kernel_passes, assert_passed, kernel};
use crate::sample::{is_full, seeds, some};
use crate::simulators;
use cosim::memory::{Disturbance, MemoryKind};
use cosim::{RunOptions, Simulation};
use isa::asm::assemble;
use isa::random::{program, Shape};
use loader::Program;
use model::memory::{HEAP_BASE, STARTUP_ADDR};
use model::timing::Latencies;
use model::GridLaunch;
use spec::config::CoreConfig;

const CORES: [&str; 2] = ["many", "many swas"];

fn cores() -> impl Iterator<Item = &'static Simulation> {
    CORES.into_iter().map(simulators::core)
}

/// All warps meet at a barrier, each reads both halves of the mask of active warps, and they meet again. All but the first
/// end then; that one waits until the mask shows it.
const HALVES: &str = "
    csrr x5, vx_num_warps
    la x6, warp
    vx_wspawn x5, x6
warp:
    csrr x5, vx_num_warps
    li x7, 3
    vx_bar x7, x5
    csrr x8, vx_active_warps
    csrr x9, vx_upper_active_warps
    csrr x10, vx_warp_id
    slli x11, x10, 3
    csrr x12, mscratch
    add x11, x11, x12
    sw x8, 0(x11)
    sw x9, 4(x11)
    li x7, 4
    vx_bar x7, x5
    beqz x10, first
    vx_tmc x0
first:
    csrr x9, vx_upper_active_warps
    bnez x9, first
alone:
    csrr x8, vx_active_warps
    addi x8, x8, -1
    bnez x8, alone
    li x9, 77
    sw x9, 0(x12)
    vx_tmc x0";

#[test]
fn both_halves_of_the_mask_are_seen_behind_a_barrier_of_all_warps() {
    let image = assemble(STARTUP_ADDR, HALVES).unwrap();
    let program = Program::from_image("halves", &image).unwrap();
    for core in cores() {
        let options = RunOptions { start_arg: HEAP_BASE, ..RunOptions::default() };
        let report = core.run(&program, &options).unwrap();
        assert_passed(&report);
        let all = core.config().all_warps();
        let word = |n: u32| u64::from(report.memory.read(HEAP_BASE + 4 * n, 4).unwrap());
        assert_eq!(word(0), 77);
        for wid in 1..core.config().warps as u32 {
            assert_eq!(word(2 * wid) | word(2 * wid + 1) << 32, all, "warp {wid}");
        }
    }
}

#[test]
fn random_programs_agree_with_the_model() {
    for core in some(cores().collect(), 1, 0) {
        for seed in seeds(0, 1) {
            let image = program(seed, &Shape::core(core.config(), 20));
            let program = Program::from_image(&format!("random program {seed}"), &image).unwrap();
            let memory = [MemoryKind::Ideal, MemoryKind::Fixed(20)][seed as usize % 2];
            let disturbance = Disturbance { backpressure_percent: 10, jitter: 5 };
            let options = RunOptions { memory, disturbance, seed, ..RunOptions::default() };
            assert_passed(&core.run(&program, &options).unwrap());
        }
    }
}

/// Blocks of one warp in each slot, of all warps, and of any number of them.
#[test]
fn blocks_of_any_number_of_warps_meet_their_neighbours() {
    let [program, early_ends] = grid_programs();
    for core in cores() {
        let of = |block: u32, blocks: u32| GridLaunch {
            entry: STARTUP_ADDR,
            arg: HEAP_BASE,
            grid: [blocks, 1, 1],
            block: [block, 1, 1],
            local_bytes: (4 * block).next_multiple_of(16),
        };
        let most = (core.config().warps * core.config().threads) as u32;
        let mut launches = vec![of(1, most + 5), of(most, 1), of(most / 2 + 1, 2)];
        launches.extend(seeds(0, 1).map(|seed| random_grid(core, &mut Random::new(seed), HEAP_BASE)));
        for launch in launches {
            let options = RunOptions { launches: vec![launch.clone()], ..RunOptions::default() };
            let report = core.run(&program, &options).unwrap();
            assert_passed(&report);
            for n in 0..(launch.blocks() * launch.block_threads()) as u32 {
                let word = report.memory.read(HEAP_BASE + 4 * n, 4);
                assert_eq!(word, Ok(neighbours(&launch, n)), "{launch:?}, thread {n}");
            }
            assert_passed(&core.run(&early_ends, &options).unwrap());
        }
    }
}

#[test]
fn random_programs_as_grids_agree_with_the_model() {
    for core in some(cores().collect(), 1, 1) {
        for seed in seeds(20, 1) {
            let (program, launch) = random_program(core, seed);
            let options = RunOptions { launches: vec![launch], seed, ..RunOptions::default() };
            assert_passed(&core.run(&program, &options).unwrap());
        }
    }
}

#[test]
fn kernels_give_the_hosts_results() {
    let options = RunOptions { memory: MemoryKind::Fixed(20), ..RunOptions::default() };
    let mut visits = 0;
    for core in cores() {
        for text in ["hello", "vecadd:70", "grid_reduce:70"] {
            let report = assert_kernel_passes(core, text, &options);
            // One slot of each slice in every cycle.
            let slots = &report.stats.slots_of[..core.config().slices];
            assert!(slots.iter().all(|slots| slots.total() == report.stats.cycles), "{text}: {slots:?}");
            visits +=
                report.stats.shared.map_or(0, |shared| shared.memory + shared.special + shared.arithmetic);
        }
    }
    assert!(visits > 0, "slices share warps");
}

/// The unified scheduler's schedule is known beforehand, with masks of more than 32 bits too.
#[test]
fn every_slot_under_swas_is_predicted() {
    let core = simulators::core("many swas");
    for text in ["vecadd:50", "grid_reduce:50"] {
        let workload = kernels::select(text).unwrap();
        let program = kernel(text);
        let launches = workload.launches(core.config(), &program.symbols).unwrap();
        let options = RunOptions { launches, memory: MemoryKind::Fixed(20), ..RunOptions::default() };
        let latencies = Latencies::of(core.config());
        let (report, comparison) = core.run_predicted(&program, &options, latencies, &mut |_| {}).unwrap();
        assert_passed(&report);
        assert!(comparison.equal(), "{text}: {comparison:x?}");
    }
}

/// What tells the threads of a block apart has ten bits.
#[test]
fn a_block_has_at_most_1024_threads() {
    let cfg = CoreConfig { warps: 64, threads: 32, ..CoreConfig::default() };
    let of = |x| GridLaunch { entry: STARTUP_ADDR, arg: 0, grid: [1; 3], block: [x, 4, 2], local_bytes: 0 };
    assert_eq!(of(128).check(&cfg), Ok(()));
    assert_eq!(
        of(129).check(&cfg).unwrap_err().to_string(),
        "a block of 1032 threads is too large: at most 1024"
    );
}

/// 64 warps of eight lanes, shared between four slices, in a full run alone: its simulator takes a minute.
#[test]
fn preset_pascal_runs_kernels_and_random_programs() {
    if !is_full() {
        return;
    }
    let pascal = CoreConfig::preset("pascal").expect("a preset");
    let core =
        Simulation::new(&CoreConfig { issue: "kaws".into(), ..pascal }, &simulators::options()).unwrap();
    let memory = MemoryKind::Fixed(20);
    for name in ["grid_reduce:2000", "hotspot:16"] {
        assert_kernel_passes(&core, name, &RunOptions { memory, ..RunOptions::default() });
    }
    for seed in 0..3 {
        let image = program(seed, &Shape::core(core.config(), 60));
        let program = Program::from_image(&format!("random program {seed}"), &image).unwrap();
        assert_passed(&core.run(&program, &RunOptions { memory, seed, ..RunOptions::default() }).unwrap());
    }
}
