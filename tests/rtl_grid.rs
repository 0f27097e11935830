//! The dispatcher of thread blocks: each block once, in order, into the smallest free CTA slot, with its threads where the
//! definition has them; against expectations that are computed here from docs/ISA.md, section 7.1.

use crate::rtl_bench::{assert_parts_of, library_of, Dut, Random};
use crate::sample::seeds;
use rtl::unit::dispatcher::CtaDispatcher;
use spec::config::CoreConfig;

/// A grid to launch.
#[derive(Clone, Copy, Debug)]
struct Grid {
    grid: [u32; 3],
    block: [u32; 3],
    local_bytes: u32,
}

impl Grid {
    fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    fn blocks(&self) -> u32 {
        self.grid.iter().product()
    }
}

/// Coordinates of the `n`th of a box, x first.
fn place(n: u32, [x, y, _]: [u32; 3]) -> [u32; 3] {
    [n % x, n / x % y, n / x / y]
}

struct Bench {
    dut: Dut,
    cfg: CoreConfig,
}

impl Bench {
    fn new((warps, threads, cta_slots): (usize, usize, usize), warp_dispatch: bool) -> Self {
        let local_mem_bytes = 1024;
        let shape = CoreConfig { warps, threads, cta_slots, ..CoreConfig::default() };
        let cfg = CoreConfig { warp_dispatch, local_mem_bytes, ..shape };
        let mut dut = Dut::new(&library_of(&cfg, "CtaDispatcher", CtaDispatcher::new));
        dut.set("start_pc", 0x8000_0000);
        Self { dut, cfg }
    }

    fn present(&mut self, grid: &Grid) {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            self.dut.set(&format!("launch_grid_{name}"), grid.grid[axis].into());
            self.dut.set(&format!("launch_block_{name}"), grid.block[axis].into());
        }
        self.dut.set("launch_local_bytes", grid.local_bytes.into());
        self.dut.set("launch_valid", 1);
        self.dut.set("may_launch", 1);
    }

    /// Takes the grid in this cycle.
    fn launch(&mut self, grid: &Grid) {
        self.present(grid);
        self.dut.settle();
        assert_eq!((self.dut.get("launch_ready"), self.dut.get("taken")), (1, 1));
        assert_eq!(self.dut.get("fault_valid"), 0, "{grid:?}");
        self.step();
        self.dut.set("launch_valid", 0);
        self.dut.set("may_launch", 0);
    }

    fn step(&mut self) {
        self.dut.edge();
        self.dut.settle();
    }

    /// Of each warp, an element of an array of the map.
    fn of_warp(&self, name: &str, warp: usize, width: usize) -> usize {
        self.dut.get_at(name, warp, width) as usize
    }
}

/// What the layout must be: warps of a block, CTA slots.
fn expected(cfg: &CoreConfig, grid: &Grid) -> (usize, usize) {
    let size = (grid.threads() as usize).div_ceil(cfg.threads);
    let by_memory = cfg.local_mem_bytes.checked_div(grid.local_bytes as usize).unwrap_or(cfg.warps);
    (size, (cfg.warps / size).min(by_memory).min(cfg.ctas()))
}

/// Launches a grid: every lane of a block's warps is told once, in order.
fn lay_out(bench: &mut Bench, grid: &Grid) {
    let (warps, lanes) = (bench.cfg.warps, bench.cfg.threads);
    let (size, _) = expected(&bench.cfg, grid);
    bench.dut.set("active_warps", 0);
    bench.launch(grid);
    for n in 0..(size * lanes) as u32 {
        assert_eq!(bench.dut.get("grid_thread_valid"), 1, "{grid:?}, lane {n}");
        assert_eq!(bench.dut.get("grid_thread_rank") as u32, n / lanes as u32);
        assert_eq!(bench.dut.get("grid_thread_lane_oh"), 1 << (n as usize % lanes));
        let expected = if n < grid.threads() { place(n, grid.block) } else { [0; 3] };
        let found = ["x", "y", "z"].map(|axis| bench.dut.get(&format!("grid_thread_{axis}")) as u32);
        assert_eq!(found, expected, "{grid:?}, thread {n}");
        bench.step();
    }
    for _ in 0..warps {
        assert_eq!((bench.dut.get("grid_thread_valid"), bench.dut.get("busy")), (0, 1));
        bench.step();
    }
    assert_eq!(bench.dut.get("grid_map_size") as usize, size);
    let rest = grid.threads() as usize - (size - 1) * lanes;
    assert_eq!(bench.dut.get("grid_map_last_lanes"), (1 << rest) - 1);
}

/// Runs a grid whose warps end at random.
fn run(bench: &mut Bench, grid: &Grid, random: &mut Random) {
    let (warps, wid, cid) = (bench.cfg.warps, bench.cfg.wid_bits(), bench.cfg.cta_bits());
    let (size, slots) = expected(&bench.cfg, grid);
    lay_out(bench, grid);
    for warp in 0..slots * size {
        assert_eq!(bench.of_warp("grid_map_slot", warp, cid), warp / size, "{grid:?}");
        assert_eq!(bench.of_warp("grid_map_rank", warp, wid), warp % size);
        assert_eq!(bench.of_warp("grid_map_local_base", warp, 14), warp / size * grid.local_bytes as usize);
        assert_eq!(bench.dut.get("grid_map_last_warps") >> warp & 1 == 1, warp % size == size - 1);
    }

    // Dispatch: in every cycle a block if there is a free slot, started a cycle later.
    let mut active = 0u64;
    let mut given: Option<usize> = None;
    let mut started = 0;
    for cycle in 0.. {
        assert!(cycle < 10_000, "{grid:?}: {started} blocks started");
        bench.dut.set("active_warps", active);
        bench.dut.settle();
        let mask = |slot: usize| ((1u64 << size) - 1) << (slot * size);
        let starts = given.map_or(0, mask);
        assert_eq!(bench.dut.get("grid_start_warps"), starts, "{grid:?}, cycle {cycle}");
        assert_eq!(bench.dut.get("grid_start_slot_oh"), given.map_or(0, |slot| 1 << slot));
        assert_eq!(bench.dut.get("last_dispatched") != 0, started == grid.blocks());
        if given.is_some() {
            let found = ["x", "y", "z"].map(|axis| bench.dut.get(&format!("grid_start_{axis}")) as u32);
            assert_eq!(found, place(started, grid.grid), "{grid:?}");
            assert_eq!(bench.dut.get("grid_start_id") as u32, started);
            started += 1;
        }
        assert_eq!(bench.dut.get("busy") != 0, given.is_some() || started < grid.blocks());
        if started == grid.blocks() && active == 0 && given.is_none() {
            break;
        }
        let free = |slot: &usize| active & mask(*slot) == 0 && given != Some(*slot);
        given = (0..slots).find(free).filter(|_| started < grid.blocks());
        let ends = (0..warps).filter(|_| random.chance(15)).fold(0, |mask, warp| mask | 1 << warp);
        active = active & !ends | starts;
        bench.dut.edge();
    }
}

/// The same where a block starts warp by warp.
fn run_by_warps(bench: &mut Bench, grid: &Grid, random: &mut Random) {
    let (warps, wid, cid) = (bench.cfg.warps, bench.cfg.wid_bits(), bench.cfg.cta_bits());
    let (size, _) = expected(&bench.cfg, grid);
    let by_memory = bench.cfg.local_mem_bytes.checked_div(grid.local_bytes as usize);
    let slots = by_memory.unwrap_or(warps).min(bench.cfg.ctas());
    lay_out(bench, grid);
    let mut active = 0u64;
    // Block and CTA slot of each warp slot, the warp that starts, and what has been given away.
    let mut places = vec![(0, 0); warps];
    let mut given: Option<usize> = None;
    let (mut blocks, mut ranks, mut slot) = (0, 0, 0);
    for cycle in 0.. {
        assert!(cycle < 20_000, "{grid:?}: {blocks} blocks started");
        bench.dut.set("active_warps", active);
        bench.dut.settle();
        let starts = given.map_or(0, |warp| 1 << warp);
        assert_eq!(bench.dut.get("grid_start_warps"), starts, "{grid:?}, cycle {cycle}");
        let begins = given.is_some() && ranks == 1;
        assert_eq!(bench.dut.get("grid_start_slot_oh"), if begins { 1 << slot } else { 0 });
        assert_eq!(bench.dut.get("grid_start_valid") != 0, begins);
        let partial = given.is_some() || ranks % size != 0;
        assert_eq!(bench.dut.get("grid_map_partial") != 0, partial, "{grid:?}, cycle {cycle}");
        if partial {
            assert_eq!(bench.dut.get("grid_map_partial_slot") as usize, slot);
        }
        if begins {
            let found = ["x", "y", "z"].map(|axis| bench.dut.get(&format!("grid_start_{axis}")) as u32);
            assert_eq!(found, place(blocks, grid.grid), "{grid:?}");
            assert_eq!(bench.dut.get("grid_start_id") as u32, blocks);
        }
        if given.is_some() {
            assert_eq!(bench.dut.get("grid_map_last_warps"), if ranks == size { starts } else { 0 });
        }
        for warp in (0..warps).filter(|warp| active >> warp & 1 != 0) {
            let (slot, rank) = places[warp];
            assert_eq!(bench.of_warp("grid_map_slot", warp, cid), slot, "{grid:?}, warp {warp}");
            assert_eq!(bench.of_warp("grid_map_rank", warp, wid), rank);
            let base = bench.of_warp("grid_map_local_base", warp, 14);
            assert_eq!(base, slot * grid.local_bytes as usize);
        }
        let is_last = blocks == grid.blocks();
        assert_eq!(bench.dut.get("last_dispatched") != 0, is_last);
        if is_last && active == 0 {
            break;
        }
        // The warp that starts has its place, and a block that has all its warps is followed by the next.
        if let Some(warp) = given.take() {
            places[warp] = (slot, ranks - 1);
        }
        let opened = ranks < size && ranks > 0;
        let closes = ranks == size;
        if closes && starts != 0 {
            blocks += 1;
        }
        let taken = active | starts;
        let free = (0..warps).find(|warp| taken >> warp & 1 == 0);
        let held = |c: usize| (0..warps).any(|warp| taken >> warp & 1 != 0 && places[warp].0 == c);
        if opened {
            given = free;
        } else if blocks < grid.blocks() {
            if let (Some(warp), Some(next)) = (free, (0..slots).find(|&c| !held(c))) {
                (given, slot, ranks) = (Some(warp), next, 0);
            }
        }
        ranks += usize::from(given.is_some());
        let ends = (0..warps).filter(|_| random.chance(15)).fold(0, |mask, warp| mask | 1 << warp);
        active = active & !ends | starts;
        bench.dut.edge();
    }
}

/// Random grids, one after another without a reset, of as many threads as the core has at most.
fn run_some(bench: &mut Bench, seed: u64, run: impl Fn(&mut Bench, &Grid, &mut Random)) {
    let mut random = Random::new(seed);
    for _ in 0..4 {
        let most = bench.cfg.warps * bench.cfg.threads;
        let mut block = [1 + random.below(most), 1, 1];
        block[1] = 1 + random.below(most / block[0]);
        block[2] = 1 + random.below(most / block[0] / block[1]);
        let grid = Grid {
            grid: [0; 3].map(|_| 1 + random.below(4) as u32),
            block: block.map(|length| length as u32),
            local_bytes: [0, 64, 300, 1024][random.below(4)],
        };
        run(bench, &grid, &mut random);
    }
}

/// Warps, lanes, CTA slots.
const SHAPES: [(usize, usize, usize); 6] = [(4, 4, 0), (5, 2, 0), (1, 1, 0), (8, 1, 0), (7, 2, 3), (6, 1, 1)];

#[test]
fn every_block_starts_once_in_the_smallest_free_slot() {
    for (k, shape) in SHAPES.into_iter().enumerate() {
        let mut bench = Bench::new(shape, false);
        seeds(100 * k as u64, 4).for_each(|seed| run_some(&mut bench, seed, run));
    }
}

#[test]
fn every_warp_starts_once_in_the_smallest_free_slot() {
    for (k, shape) in SHAPES.into_iter().enumerate() {
        let mut bench = Bench::new(shape, true);
        seeds(100 * k as u64 + 400, 4).for_each(|seed| run_some(&mut bench, seed, run_by_warps));
    }
}

#[test]
fn a_grid_that_cannot_run_is_a_fault() {
    let fits = Grid { grid: [1; 3], block: [16, 1, 1], local_bytes: 1024 };
    let no = [
        Grid { grid: [0, 1, 1], ..fits },
        Grid { grid: [1, 0, 1], ..fits },
        Grid { grid: [1, 1, 0], ..fits },
        Grid { block: [0, 1, 1], ..fits },
        Grid { block: [1, 0, 1], ..fits },
        Grid { block: [1, 1, 0], ..fits },
        Grid { block: [17, 1, 1], ..fits },
        Grid { block: [4, 5, 1], ..fits },
        Grid { block: [1, 1, 1024], ..fits },
        Grid { local_bytes: 1028, ..fits },
    ];
    let mut bench = Bench::new((4, 4, 0), false);
    for grid in no {
        bench.present(&grid);
        bench.dut.settle();
        let mut faults = vec![];
        for cycle in 0..40 {
            if bench.dut.get("fault_valid") != 0 {
                faults.push((cycle, bench.dut.get("fault_cause"), bench.dut.get("fault_pc")));
            }
            assert_eq!(bench.dut.get("grid_start_valid"), 0);
            bench.dut.edge();
            bench.dut.set("launch_valid", 0);
            bench.dut.settle();
        }
        assert_eq!(faults.len(), 1, "{grid:?}: {faults:?}");
        assert_eq!((faults[0].1, faults[0].2), (11, 0x8000_0000), "{grid:?}");
        assert_eq!(bench.dut.get("busy"), 0);
        run(&mut bench, &fits, &mut Random::new(1));
    }
}

#[test]
fn the_dispatcher_lays_out_a_block_by_a_part_of_its_own() {
    assert_parts_of(CtaDispatcher::new(&CoreConfig::default()), &["BlockLayout"]);
    let by_warp = CoreConfig { warp_dispatch: true, ..CoreConfig::default() };
    assert_parts_of(CtaDispatcher::new(&by_warp), &["BlockLayout", "WarpPlacer"]);
}
