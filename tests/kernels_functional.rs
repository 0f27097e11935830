//! Every kernel, compiled and run on the reference model, gives the results that the host computes.
//!
//! The model executes warps in turn and not as the pipeline would; what is checked here is the kernels and
//! the semantics of the instructions, before any hardware is involved.

use crate::sample;
use isa::table::Op;
use isa::{decode, format};
use kernels::{self, Outcome, Workload};
use loader::Program;
use model::{members, Cause, Fault, GridLaunch, Machine, Memory};
use spec::config::CoreConfig;

/// Shapes with one warp, one lane, a number of warps that is no power of two, and more threads than elements.
const SHAPES: &[(usize, usize)] =
    &[(1, 1), (1, 4), (4, 1), (2, 2), (4, 4), (6, 4), (8, 8), (16, 16), (32, 32)];

fn core(warps: usize, threads: usize) -> CoreConfig {
    let cfg = CoreConfig { warps, threads, fpu: true, grid: true, ..CoreConfig::default() };
    cfg.validate().expect("a valid core");
    cfg
}

fn load(workload: &Workload) -> Program {
    let path = workload.build().unwrap_or_else(|e| panic!("{workload}: {e}"));
    Program::from_path(&path).unwrap_or_else(|e| panic!("{workload}: {e}"))
}

/// What the registry says of a kernel's local memory is what it uses, to the word: with that it runs, with a word less
/// it faults. The model has local memories of any size.
#[test]
fn kernels_use_as_much_local_memory_as_they_say() {
    for kernel in kernels::KERNELS.iter().filter(|kernel| !kernel.runs_as_grids()) {
        let name = if kernel.size.is_some() { format!("{}:9", kernel.name) } else { kernel.name.into() };
        let workload = kernels::select(&name).expect("a kernel");
        let program = load(&workload);
        for (warps, threads) in [(1, 2), (2, 2), (5, 2), (5, 4), (6, 8)] {
            let core = core(warps, threads);
            let needed = (kernel.local_bytes)(&core);
            assert!(needed <= core.local_mem_bytes);
            let with = |local_mem_bytes| CoreConfig { local_mem_bytes, ..core.clone() };
            let at = format!("{workload} on {warps}x{threads}, {needed} bytes");
            let machine = try_run(&workload, &program, &with(needed)).unwrap_or_else(|f| panic!("{at}: {f}"));
            assert_eq!(machine.memory.exit_code(), Some(0), "{at}");
            assert!(workload.check_core(&with(needed)).is_ok());
            if needed > 0 {
                let fault = try_run(&workload, &program, &with(needed - 4)).expect_err(&at);
                assert_eq!(fault.cause, Cause::LocalMemoryRange, "{at}");
                let message = workload.check_core(&with(needed - 4)).unwrap_err().to_string();
                assert!(
                    message.contains(&format!("{name} needs {needed} bytes of local memory")),
                    "{message}"
                );
            }
        }
    }
}

/// Runs to the end, one instruction of each warp in turn; every ordinary branch must agree in all active lanes.
fn run(workload: &Workload, program: &Program, cfg: &CoreConfig) -> Machine {
    let at = format!("{workload} on {}x{}", cfg.warps, cfg.threads);
    try_run(workload, program, cfg).unwrap_or_else(|fault| panic!("{at}: {fault}"))
}

/// [`run`], to the end or to a fault.
fn try_run(workload: &Workload, program: &Program, cfg: &CoreConfig) -> Result<Machine, Fault> {
    let launches = workload.launches(cfg, &program.symbols).expect("entries");
    try_launches(workload, program, cfg, &launches)
}

/// A run of a kernel's grids, one after another, or from its entry if there are none.
fn try_launches(
    workload: &Workload,
    program: &Program,
    cfg: &CoreConfig,
    launches: &[GridLaunch],
) -> Result<Machine, Fault> {
    let at = format!("{workload} on {}x{}", cfg.warps, cfg.threads);
    let mut memory = Memory::for_core(cfg);
    program.load(&mut memory);
    if launches.is_empty() {
        let mut machine = Machine::new(cfg, memory, program.entry, 0);
        return run_to_end(&mut machine, &at).map(|()| machine);
    }
    let mut machine = Machine::at_rest(cfg, memory);
    for launch in launches {
        machine.launch(launch)?;
        run_to_end(&mut machine, &at)?;
    }
    Ok(machine)
}

pub fn run_to_end(machine: &mut Machine, at: &str) -> Result<(), Fault> {
    for _ in 0..20_000_000u32 {
        while let Some(starting) = machine.next_start() {
            machine.start_warps(starting);
        }
        let runnable = machine.runnable_warps();
        if runnable == 0 {
            assert!(machine.finished(), "{at}: deadlock, {:?}", machine.blocked());
            return Ok(());
        }
        for wid in members(runnable) {
            assert_uniform_branch(machine, wid, at);
            machine.step(wid)?;
        }
    }
    panic!("{at}: does not end");
}

/// A branch goes where the last active lane goes. In a kernel that is right only if all lanes agree, so a divergent
/// branch that the tool took for a uniform one is found here even if the result happens to be right.
fn assert_uniform_branch(machine: &Machine, wid: usize, at: &str) {
    let warp = machine.warp(wid);
    let word = machine.memory.read(warp.pc(), 4).expect("mapped code");
    let Some(op) = decode(word).filter(|op| op.is_branch() || *op == Op::Jalr) else { return };
    let (left, right) = (warp.register(format::rs1(word)), warp.register(format::rs2(word)));
    let direction = |lane: usize| match op {
        Op::Jalr => left[lane],
        Op::Beq | Op::Bne => u32::from(left[lane] == right[lane]),
        Op::Blt | Op::Bge => u32::from((left[lane] as i32) < right[lane] as i32),
        _ => u32::from(left[lane] < right[lane]),
    };
    let mut lanes = members(warp.tmask()).map(direction);
    let first = lanes.next();
    assert!(lanes.all(|d| Some(d) == first), "{at}: divergent {op:?} at {:#010x} without SPLIT", warp.pc());
}

fn assert_result(workload: &Workload, cfg: &CoreConfig) {
    let program = load(workload);
    check_result(workload, &program, cfg, run(workload, &program, cfg));
}

fn check_result(workload: &Workload, program: &Program, cfg: &CoreConfig, mut machine: Machine) {
    machine.memory.console_mut().flush();
    let at = format!("{workload} on {}x{}", cfg.warps, cfg.threads);
    // A grid has no code that could store one.
    let exit_code = (!workload.kernel.runs_as_grids()).then_some(0);
    assert_eq!(machine.memory.exit_code(), exit_code, "{at}");
    let outcome = Outcome {
        config: cfg,
        symbols: &program.symbols,
        word: &|address| machine.memory.read(address, 4).expect("mapped results"),
        console: machine.console_text(),
    };
    workload.check(&outcome).unwrap_or_else(|e| panic!("{at}: {e}"));
}

#[test]
fn every_kernel_on_every_shape() {
    for (number, kernel) in kernels::KERNELS.iter().enumerate() {
        let workload = kernels::select(kernel.name).expect("a kernel");
        // Those of published evaluations meet odd sizes below.
        let shapes = if kernel.family.is_some() { 1 } else { 2 };
        for (warps, threads) in sample::some(SHAPES.to_vec(), shapes, number) {
            assert_result(&workload, &core(warps, threads));
        }
    }
}

/// Sizes around the number of lanes and threads: the tail of the last slice, and cores with idle warps.
#[test]
fn sizes_that_do_not_fill_the_lanes() {
    let names = [
        "vecadd",
        "psort",
        "psort_split",
        "diverge",
        "reduce",
        "scan",
        "bfs",
        "saxpy",
        "spmv",
        "kmeans",
        "blackscholes",
        "grid_vecadd",
        "grid_reduce",
        "grid_histogram",
        "grid_spmv",
        "vortex_vecadd",
        "vortex_sort",
        "vortex_mstress",
    ];
    for (number, name) in names.into_iter().enumerate() {
        for n in sample::some(vec![1, 2, 3, 5, 15, 16, 17, 31, 33, 63, 65], 2, number) {
            let workload = kernels::select(&format!("{name}:{n}")).expect("a size");
            for (warps, threads) in [(1, 1), (4, 4), (6, 4), (2, 16)] {
                assert_result(&workload, &core(warps, threads));
            }
        }
    }
    let of_squares = [
        "isgemm",
        "iconv3",
        "sgemm",
        "sgemm_tiled",
        "conv3",
        "stencil",
        "hotspot",
        "hotspot3D",
        "grid_sgemm",
        "vortex_sgemm",
        "vortex_conv3",
        "vortex_stencil",
    ];
    for (number, name) in of_squares.into_iter().enumerate() {
        for n in sample::some(vec![1, 3, 5, 7], 2, number) {
            assert_result(&kernels::select(&format!("{name}:{n}")).expect("a size"), &core(4, 4));
        }
    }
    // Tiles of every edge: several warps a tile, several tiles a warp, warps too few for one more tile.
    for (warps, threads) in [(1, 1), (3, 2), (6, 4), (8, 8), (2, 16), (2, 32)] {
        for n in [1, 4, 7] {
            for name in ["sgemm_tiled", "grid_sgemm", "vortex_sgemm_local"] {
                let workload = kernels::select(&format!("{name}:{n}")).expect("a size");
                assert_result(&workload, &core(warps, threads));
            }
        }
    }
}

/// The kernels of published evaluations, on cores of one warp, of one lane, and of numbers that divide nothing.
#[test]
fn kernels_of_families_at_odd_sizes() {
    let shapes = [(1, 1), (3, 2), (6, 4), (2, 16), (32, 16)];
    let cases: Vec<_> =
        [1, 2, 3, 7, 18, 33].into_iter().flat_map(|n| shapes.map(|shape| (n, shape))).collect();
    let families = kernels::KERNELS.iter().filter(|kernel| kernel.family.is_some());
    for (number, kernel) in families.enumerate() {
        for (n, (warps, threads)) in sample::some(cases.clone(), 2, number) {
            let workload = kernels::select(&format!("{}:{n}", kernel.name)).expect("a size");
            assert_result(&workload, &core(warps, threads));
        }
    }
}

/// Blocks of all shapes that fit: of less than a warp, with a last warp that is not full, of the whole core.
#[test]
fn grids_of_blocks_of_any_size() {
    for (warps, threads) in [(1, 1), (2, 2), (5, 4), (8, 2)] {
        let cfg = core(warps, threads);
        for block in 1..=cfg.warps * cfg.threads {
            for name in ["grid_vecadd:37", "grid_spmv:11", "grid_reduce:50", "grid_histogram:50"] {
                let workload = kernels::select(name).expect("a kernel");
                let program = load(&workload);
                let mut launches = workload.launches(&cfg, &program.symbols).expect("entries");
                let first = &mut launches[0];
                let bytes_a_thread = first.local_bytes / first.block[0];
                first.block = [block as u32, 1, 1];
                first.local_bytes = bytes_a_thread * block as u32;
                // Those that fold have a block for what they have room for, the others for all elements.
                if launches.len() == 1 {
                    launches[0].grid = [workload.n.div_ceil(block as u32), 1, 1];
                }
                let machine = try_launches(&workload, &program, &cfg, &launches);
                let machine = machine.unwrap_or_else(|fault| panic!("{name}, {block} threads: {fault}"));
                check_result(&workload, &program, &cfg, machine);
            }
        }
    }
}

/// What a launch says of a block's local memory is what the block uses, to the word.
#[test]
fn grids_use_as_much_local_memory_as_they_say() {
    for kernel in kernels::KERNELS.iter().filter(|kernel| kernel.runs_as_grids()) {
        let workload = kernels::select(&format!("{}:40", kernel.name)).expect("a kernel");
        let program = load(&workload);
        for (warps, threads) in [(1, 2), (4, 4), (5, 4)] {
            let cfg = core(warps, threads);
            let launches = workload.launches(&cfg, &program.symbols).expect("entries");
            for (number, launch) in launches.iter().enumerate().filter(|(_, launch)| launch.local_bytes > 4) {
                let mut less = launches.clone();
                less[number].local_bytes = launch.local_bytes - 4;
                let fault = try_launches(&workload, &program, &cfg, &less).expect_err(&workload.to_string());
                assert_eq!(fault.cause, Cause::LocalMemoryRange, "{workload}, launch {number}");
            }
        }
    }
}

/// A core that cannot run a kernel's grids is told so before the run; on a small local memory blocks are smaller.
#[test]
fn cores_without_room_for_a_grid_are_refused() {
    let sgemm = kernels::select("grid_sgemm").expect("a kernel");
    let refused = |cfg: &CoreConfig| {
        sgemm
            .check_core(cfg)
            .map_err(|error| std::error::Error::source(&error).expect("a reason").to_string())
    };
    assert_eq!(refused(&core(8, 8)), Ok(()));
    let without = CoreConfig { grid: false, ..core(8, 8) };
    assert!(refused(&without).unwrap_err().contains("--no-grid"));
    let cramped = CoreConfig { local_mem_bytes: 64, ..core(8, 8) };
    assert!(refused(&cramped).unwrap_err().contains("128 bytes of local memory for a block"));
    for name in ["grid_histogram:40", "grid_reduce:40"] {
        assert_result(&kernels::select(name).expect("a kernel"), &cramped);
    }
}

/// Variables that are zero at the start are so although no start-up code clears them.
#[test]
fn programs_of_grids_hold_their_zeros() {
    for kernel in kernels::KERNELS.iter().filter(|kernel| kernel.runs_as_grids()) {
        let program = load(&kernels::select(kernel.name).expect("a kernel"));
        let Some(&blocks) = program.symbols.get("blocks") else { continue };
        let mut memory = Memory::for_core(&core(4, 4));
        program.load(&mut memory);
        assert_eq!(memory.read(blocks, 4), Ok(0), "{}", kernel.name);
        return;
    }
    panic!("no kernel has such a variable");
}

/// What the kernels exercise, so that a change of compiler, tool or macros that loses it does not go unnoticed.
#[test]
fn divergence_is_made_of_split_join_and_pred() {
    let count = |name: &str, op: Op| {
        let program = load(&kernels::select(name).expect("a kernel"));
        let code = program.segments.iter().flat_map(|s| s.bytes.chunks_exact(4));
        code.filter(|b| decode(u32::from_le_bytes([b[0], b[1], b[2], b[3]])) == Some(op)).count()
    };
    // One pair for each SIMT_IF of the source, one PRED for each SIMT_WHILE, and one pair for the tail of a spawn.
    for (name, ifs, whiles) in [("psort", 1, 0), ("psort_split", 3, 0), ("diverge", 1 + 6 + 2, 2)] {
        assert_eq!(count(name, Op::Split), ifs, "{name}");
        assert_eq!(count(name, Op::Join), ifs, "{name}");
        assert_eq!(count(name, Op::Pred), whiles, "{name}");
    }
    // The row loop of spmv and the edge loop of bfs, whose tests of levels part lanes too, and what scan does for some lanes.
    for (name, ifs, whiles) in [("spmv", 1, 1), ("bfs", 3, 1), ("scan", 2, 0)] {
        assert!(count(name, Op::Split) >= ifs && count(name, Op::Join) >= ifs, "{name}");
        assert_eq!(count(name, Op::Pred), whiles, "{name}");
    }
    // Where lanes go round together, nothing is inserted: one pair is the spawn's.
    for name in ["sgemm", "conv3", "isgemm", "kmeans"] {
        assert_eq!(count(name, Op::Pred), 0, "{name}");
    }
    assert!(count("sgemm", Op::FmaddS) >= 4 && count("blackscholes", Op::FdivS) >= 2);
    assert!(count("reduce", Op::Bar) >= 1 && count("vecadd", Op::Wspawn) >= 2);
}
