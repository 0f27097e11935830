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
    fn new(warps: usize, threads: usize) -> Self {
        let cfg = CoreConfig { warps, threads, grid: true, local_mem_bytes: 1024, ..CoreConfig::default() };
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
    (size, (cfg.warps / size).min(by_memory))
}

/// Runs a grid whose warps end at random.
fn run(bench: &mut Bench, grid: &Grid, random: &mut Random) {
    let (warps, lanes) = (bench.cfg.warps, bench.cfg.threads);
    let wid = bench.cfg.wid_bits();
    let (size, slots) = expected(&bench.cfg, grid);
    bench.dut.set("active_warps", 0);
    bench.launch(grid);

    // Layout: every lane of the block's warps is told once, in order.
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
    for warp in 0..slots * size {
        assert_eq!(bench.of_warp("grid_map_slot", warp, wid), warp / size, "{grid:?}");
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

#[test]
fn every_block_starts_once_in_the_smallest_free_slot() {
    for (k, (warps, threads)) in [(4, 4), (5, 2), (1, 1), (8, 1)].into_iter().enumerate() {
        let mut bench = Bench::new(warps, threads);
        for seed in seeds(100 * k as u64, 4) {
            let mut random = Random::new(seed);
            // One after another, without a reset.
            for _ in 0..4 {
                let most = warps * threads;
                let mut block = [1 + random.below(most), 1, 1];
                block[1] = 1 + random.below(most / block[0]);
                block[2] = 1 + random.below(most / block[0] / block[1]);
                let grid = Grid {
                    grid: [0; 3].map(|_| 1 + random.below(4) as u32),
                    block: block.map(|length| length as u32),
                    local_bytes: [0, 64, 300, 1024][random.below(4)],
                };
                run(&mut bench, &grid, &mut random);
            }
        }
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
    let mut bench = Bench::new(4, 4);
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
}
