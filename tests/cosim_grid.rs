//! Grids on whole cores, in lock step: placement, CSRs, local memory and barriers of blocks, blocks that come and go, one
//! grid after another.

use crate::rtl_bench::Random;
use crate::sample::{is_full, seeds};
use crate::simulators;
use cosim::memory::{Disturbance, MemoryKind};
use cosim::{Report, RunOptions, SimError, Simulation};
use isa::asm::assemble;
use isa::random::{program as program_of, Shape};
use loader::Program;
use model::memory::{HEAP_BASE, STARTUP_ADDR};
use model::{Cause, GridLaunch};

/// Each thread leaves a number in local memory, and behind a barrier takes its neighbour's, adds the place of its block, and
/// stores that where it belongs in the whole grid.
pub const NEIGHBOURS: &str = "
    csrr x5, vx_cta_thread_id_x
    csrr x6, vx_cta_thread_id_y
    csrr x7, vx_cta_thread_id_z
    csrr x8, vx_cta_block_dim_x
    csrr x9, vx_cta_block_dim_y
    csrr x10, vx_cta_block_dim_z
    mul x11, x7, x9
    add x11, x11, x6
    mul x11, x11, x8
    add x11, x11, x5            # the thread's number in its block
    mul x12, x8, x9
    mul x12, x12, x10           # threads of a block
    csrr x13, vx_cta_id
    addi x18, x13, 7
    mul x18, x18, x11
    csrr x16, vx_cta_lmem_addr
    slli x17, x11, 2
    add x17, x17, x16
    sw x18, 0(x17)
    li x19, 1
    vx_bar x19, x0
    addi x20, x11, 1
    remu x20, x20, x12
    slli x20, x20, 2
    add x20, x20, x16
    lw x21, 0(x20)
    csrr x22, vx_cta_block_id_x
    add x21, x21, x22
    csrr x22, vx_cta_block_id_y
    slli x22, x22, 8
    add x21, x21, x22
    csrr x22, vx_cta_block_id_z
    slli x22, x22, 16
    add x21, x21, x22
    mul x14, x13, x12
    add x14, x14, x11           # the thread's number in the grid
    slli x14, x14, 2
    csrr x15, mscratch
    add x15, x15, x14
    sw x21, 0(x15)
    vx_tmc x0";

/// All warps but those of rank 0 end at once, or after a while; those wait for their block.
const EARLY_ENDS: &str = "
    csrr x5, vx_cta_rank
    beq x5, x0, 2f
    csrr x6, vx_cta_id
    add x6, x6, x5
    andi x6, x6, 15
1:  addi x6, x6, -1
    bge x6, x0, 1b
    vx_tmc x0
2:  csrr x7, vx_cta_size
    vx_bar x0, x7
    csrr x6, vx_cta_id
    slli x8, x6, 2
    csrr x9, mscratch
    add x8, x8, x9
    addi x6, x6, 100
    sw x6, 0(x8)
    vx_tmc x0";

fn program(source: &str) -> Program {
    let image = assemble(STARTUP_ADDR, source).unwrap_or_else(|error| panic!("{error}"));
    Program::from_image("grid", &image).unwrap()
}

fn run(core: &Simulation, source: &str, options: &RunOptions) -> Report {
    core.run(&program(source), options).unwrap()
}

fn passed(core: &Simulation, source: &str, options: &RunOptions) -> Report {
    let report = run(core, source, options);
    if let Some(failure) = &report.failure {
        panic!("{:?}: {failure}", options.launches);
    }
    report
}

/// Blocks of so many warps along the sides of a random grid, at most so many along each. In a short run they have no more than
/// twice the core's warps in all, so that seeds take similar time, or are two.
fn random_blocks(core: &Simulation, rng: &mut Random, block_warps: usize, most: [usize; 3]) -> [u32; 3] {
    let mut room = if is_full() { usize::MAX } else { (2 * core.config().warps / block_warps).max(2) };
    most.map(|most| {
        let side = 1 + rng.below(most.min(room));
        room /= side;
        side as u32
    })
}

/// A random grid that the core can run, with its results at `arg`.
pub fn random_grid(core: &Simulation, rng: &mut Random, arg: u32) -> GridLaunch {
    let cfg = core.config();
    let most = cfg.warps * cfg.threads;
    let x = 1 + rng.below(most);
    let y = 1 + rng.below(most / x);
    let z = 1 + rng.below(most / x / y);
    let local_bytes = ((4 * x * y * z).next_multiple_of(16) as u32).min(cfg.local_mem_bytes as u32);
    let grid = random_blocks(core, rng, (x * y * z).div_ceil(cfg.threads), [4, 3, 3]);
    GridLaunch { entry: STARTUP_ADDR, arg, grid, block: [x as u32, y as u32, z as u32], local_bytes }
}

/// Grids for [`random_grid`]: each thread leaves what [`neighbours`] says at the grid's argument, or all but the first warps
/// of a block end early.
pub fn grid_programs() -> [Program; 2] {
    [NEIGHBOURS, EARLY_ENDS].map(program)
}

/// What [`NEIGHBOURS`] must leave in word `n`.
pub fn neighbours(launch: &GridLaunch, n: u32) -> u32 {
    let threads = launch.block_threads() as u32;
    let (block, thread) = (n / threads, n % threads);
    let [x, y, _] = launch.grid;
    let place = block % x + ((block / x % y) << 8) + ((block / x / y) << 16);
    (block + 7) * ((thread + 1) % threads) + place
}

const CORES: [&str; 6] = ["grid", "odd", "slices", "slices uncached", "alone", "banked"];

#[test]
fn threads_of_random_grids_meet_their_neighbours() {
    for (k, name) in CORES.into_iter().enumerate() {
        let core = simulators::core(name);
        for seed in seeds(100 * k as u64, 4) {
            let mut rng = Random::new(seed);
            // Three grids, one after another without a reset, each with a place of its own for results.
            let launches: Vec<_> =
                (0..3).map(|n| random_grid(core, &mut rng, HEAP_BASE + 0x8000 * n)).collect();
            let memory = [MemoryKind::Ideal, MemoryKind::Fixed(20)][seed as usize % 2];
            let disturbance = Disturbance { backpressure_percent: 10, jitter: 5 };
            let options = RunOptions { launches, memory, disturbance, seed, ..RunOptions::default() };
            let report = passed(core, NEIGHBOURS, &options);
            for launch in &options.launches {
                for n in 0..(launch.blocks() * launch.block_threads()) as u32 {
                    let word = report.memory.read(launch.arg + 4 * n, 4).unwrap();
                    assert_eq!(word, neighbours(launch, n), "{name}, seed {seed}, {launch:?}, thread {n}");
                }
            }
        }
    }
}

/// Blocks of one warp that go back by JOIN again and again, some more often than others: others start in the very cycles.
const GOES_BACK: &str = "
    csrr x5, vx_thread_id
    andi x5, x5, 1
    csrr x6, vx_cta_id
    andi x7, x6, 7
1:  vx_split x8, x5
    beqz x5, 2f
    addi x9, x9, 1
2:  vx_join x8
    addi x7, x7, -1
    bge x7, x0, 1b
    slli x6, x6, 2
    csrr x9, mscratch
    add x6, x6, x9
    sw x5, 0(x6)
    vx_tmc x0";

#[test]
fn blocks_start_while_lanes_are_sent_back() {
    for name in ["grid", "slices", "slices uncached"] {
        let core = simulators::core(name);
        let block = [core.config().threads as u32, 1, 1];
        let launch =
            GridLaunch { entry: STARTUP_ADDR, arg: HEAP_BASE, grid: [300, 1, 1], block, local_bytes: 0 };
        let options = RunOptions { launches: vec![launch], ..RunOptions::default() };
        passed(core, GOES_BACK, &options);
    }
}

/// A random program for a random grid: barriers of blocks and of groups of warps, divergence, early ends.
pub fn random_program(core: &Simulation, seed: u64) -> (Program, GridLaunch) {
    let cfg = core.config();
    let mut rng = Random::new(seed);
    let size = 1 + rng.below(cfg.warps);
    let image = program_of(seed, &Shape::grid(cfg, size, 60));
    let threads = (size * cfg.threads - rng.below(cfg.threads)) as u32;
    let grid = random_blocks(core, &mut rng, size, [6, 2, 1]);
    let launch = GridLaunch { entry: image.base, arg: 0, grid, block: [threads, 1, 1], local_bytes: 0 };
    (Program::from_image(&format!("random grid {seed}"), &image).unwrap(), launch)
}

#[test]
fn random_programs_as_grids_agree_with_the_model() {
    for (k, name) in CORES.into_iter().enumerate() {
        let core = simulators::core(name);
        for seed in seeds(1000 * k as u64, 4) {
            let (program, launch) = random_program(core, seed);
            let memory = [MemoryKind::Ideal, MemoryKind::Fixed(20)][seed as usize % 2];
            let disturbance = Disturbance { backpressure_percent: 10, jitter: 5 };
            let launches = vec![launch.clone(), launch];
            let options = RunOptions { launches, memory, disturbance, seed, ..RunOptions::default() };
            let report = core.run(&program, &options).unwrap();
            assert!(report.failure.is_none(), "{name}: {}", report.failure.unwrap());
        }
    }
}

#[test]
fn the_end_of_a_warp_opens_its_blocks_barrier() {
    for name in CORES {
        let core = simulators::core(name);
        let cfg = core.config();
        for warps in 1..=cfg.warps {
            let launch = GridLaunch {
                entry: STARTUP_ADDR,
                arg: HEAP_BASE,
                grid: [23, 1, 1],
                block: [(warps * cfg.threads) as u32, 1, 1],
                local_bytes: 0,
            };
            let options = RunOptions { launches: vec![launch], ..RunOptions::default() };
            let report = passed(core, EARLY_ENDS, &options);
            for block in 0..23 {
                assert_eq!(report.memory.read(HEAP_BASE + 4 * block, 4), Ok(100 + block), "{name}, {warps}");
            }
        }
    }
}

#[test]
fn warps_of_a_block_that_wait_for_each_other_for_ever_are_named() {
    let core = simulators::core("grid");
    let launch = GridLaunch {
        entry: STARTUP_ADDR,
        arg: 0,
        grid: [1; 3],
        block: [2 * core.config().threads as u32, 1, 1],
        local_bytes: 0,
    };
    let options = RunOptions { launches: vec![launch], ..RunOptions::default() };
    // Each at a barrier of its own.
    let report = run(core, "csrr x5, vx_cta_rank\n vx_bar x5, x0\n vx_tmc x0", &options);
    let failure = report.failure.expect("nobody comes").to_string();
    for part in ["nothing issued or completed", "warp 0", "warp 1", "vx_bar t0,zero (waits"] {
        assert!(failure.contains(part), "{failure}");
    }
}

#[test]
fn what_a_block_must_not_do_is_a_fault() {
    let core = simulators::core("grid");
    let lanes = core.config().threads as u32;
    let launch = GridLaunch {
        entry: STARTUP_ADDR,
        arg: 0,
        grid: [2, 1, 1],
        block: [2 * lanes, 1, 1],
        local_bytes: 32,
    };
    let cases = [
        ("li x5, 3\n vx_bar x0, x5", Cause::BarrierCount),
        ("vx_wspawn x0, x0", Cause::IllegalInstruction),
        ("li x5, 0xffff0000\n lw x6, 32(x5)", Cause::LocalMemoryRange),
        ("li x5, 0xffff0000\n sw x6, 64(x5)", Cause::LocalMemoryRange),
        (
            "csrr x5, vx_thread_id\n vx_split x6, x5\n beqz x5, 1f\n vx_bar x0, x0\n 1: vx_join x6",
            Cause::DivergentBarrier,
        ),
        ("csrw vx_cta_id, x0", Cause::IllegalCsr),
    ];
    for (source, cause) in cases {
        let options = RunOptions { launches: vec![launch.clone()], ..RunOptions::default() };
        let report = run(core, &format!("{source}\n vx_tmc x0"), &options);
        let failure = report.failure.unwrap_or_else(|| panic!("{source}: no failure")).to_string();
        assert!(failure.contains(&cause.to_string()), "{source}: {failure}");
    }
}

#[test]
fn a_grid_that_a_core_cannot_run_is_told_before() {
    let core = simulators::core("grid");
    let fits = GridLaunch { entry: STARTUP_ADDR, arg: 0, grid: [1; 3], block: [1; 3], local_bytes: 0 };
    let no = [
        (GridLaunch { grid: [1, 0, 1], ..fits.clone() }, "the length of a grid must not be 0"),
        (GridLaunch { block: [0, 1, 1], ..fits.clone() }, "the length of a block must not be 0"),
        (GridLaunch { block: [33, 1, 1], ..fits.clone() }, "a block of 33 threads is larger than the core"),
        (GridLaunch { grid: [1 << 16, 1 << 16, 2], ..fits.clone() }, "at most 2^32"),
        (GridLaunch { local_bytes: 1 << 20, ..fits.clone() }, "more than the core's"),
        (GridLaunch { local_bytes: 6, ..fits.clone() }, "multiple of 4"),
    ];
    let told = |core: &Simulation, launch: &GridLaunch| {
        let options = RunOptions { launches: vec![launch.clone()], ..RunOptions::default() };
        match core.run(&program(EARLY_ENDS), &options) {
            Err(SimError::Launch(error)) => error.to_string(),
            other => panic!("{launch:?}: {other:?}"),
        }
    };
    for (launch, text) in no {
        assert!(told(core, &launch).contains(text), "{launch:?}: {}", told(core, &launch));
    }
    assert!(told(simulators::core("axi"), &fits).contains("--no-grid"));
}
