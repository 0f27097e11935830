//! The performance counters in Verilog against sums kept here: what is read at any time, and that nothing is lost at most.
mod events;
mod sums;

use crate::rtl_bench::{assert_parts_of, library_of, Dut, Random};
use crate::sample::seeds;
use events::{Events, Slot, World};
use isa::counter::{COUNTERS, ROTATION};
use rtl::unit::counters::growth::TURN_CYCLES;
use rtl::unit::counters::PerfCounters;
use spec::config::{CoreConfig, DataCacheConfig};
use sums::Sums;

/// The module and the sums, cycle by cycle.
struct Bench {
    cfg: CoreConfig,
    dut: Dut,
    sums: Sums,
    cycle: usize,
    /// What a counter that was read in the last cycle has to show.
    asked: Option<u64>,
}

impl Bench {
    fn new(cfg: &CoreConfig) -> Self {
        assert_parts_of(PerfCounters::new(cfg), &["Accumulator"]);
        let library = library_of(cfg, "PerfCounters", PerfCounters::new);
        Self { cfg: cfg.clone(), dut: Dut::new(&library), sums: Sums::new(cfg), cycle: 0, asked: None }
    }

    /// A cycle, in which the counter at a place is read if the special unit could.
    fn step(&mut self, events: &Events, place: Option<(u8, u8)>) {
        let asked = self.asked.take();
        let place = place.filter(|_| asked.is_none());
        let upper = self.cycle.is_multiple_of(7);
        events.set(&mut self.dut, &self.cfg);
        self.dut.set("read", place.is_some().into());
        if let Some((class, number)) = place {
            self.dut.set("mpm_class", class.into());
            self.dut.set("select", number.into());
            self.dut.set("upper", upper.into());
        }
        self.dut.settle();
        assert_eq!(self.dut.get("value"), asked.unwrap_or(0), "in cycle {}", self.cycle);
        if let Some(place) = place {
            let index = COUNTERS.iter().position(|counter| counter.places().any(|p| p == place));
            let filled = self.cycle >= ROTATION;
            let count = index.filter(|_| filled).map_or(0, |index| self.sums.shown(index));
            self.asked = Some(if upper { count >> 32 } else { count & u64::from(u32::MAX) });
        }
        self.dut.edge();
        self.sums.count(events);
        self.cycle += 1;
    }

    /// All totals at rest, as the trace port shows them.
    fn compare(&mut self) {
        let idle = Events::idle(&self.cfg);
        // Until the last events are in the accumulators, and the first of these are added.
        (0..3).for_each(|_| self.step(&idle, None));
        for _ in 0..ROTATION {
            let index = self.dut.get("counter_number") as usize;
            if let Some(counter) = COUNTERS.get(index) {
                assert_eq!(self.dut.get("counter_total"), self.sums.shown(index), "{}", counter.name);
            }
            self.step(&idle, None);
        }
    }
}

fn small() -> CoreConfig {
    CoreConfig { warps: 4, threads: 4, slices: 1, fpu: false, ..CoreConfig::default() }
}

fn large() -> CoreConfig {
    CoreConfig { warps: 64, threads: 32, slices: 4, cache_banks: 4, mshrs: 8, ..CoreConfig::default() }
}

#[test]
fn reads_at_any_time_show_all_that_has_come() {
    let dcache = DataCacheConfig { bytes: 0, ..DataCacheConfig::default() };
    let cores = [
        small(),
        CoreConfig { warps: 8, threads: 2, slices: 2, cache_banks: 2, ..CoreConfig::default() },
        CoreConfig { warps: 1, threads: 1, slices: 1, fpu: false, dcache, ..CoreConfig::default() },
        large(),
    ];
    for (cfg, seed) in cores.iter().zip(seeds(9_300, 4)).flat_map(|(cfg, s)| [(cfg, s), (cfg, s + 4)]) {
        let mut random = Random::new(seed);
        let (mut bench, mut world) = (Bench::new(cfg), World::new(cfg));
        for stretch in 0..12 {
            // Never, now and then, or as often as the unit can; one counter again and again, or all of them.
            let (often, only) = ([0, 10, 100][random.below(3)], random.chance(30).then(|| random.below(32)));
            for _ in 0..random.below(200) {
                let events = world.random(&mut random, 20 * (stretch % 6));
                let class = 1 + random.below(4) as u8;
                let place = (class, only.unwrap_or_else(|| random.below(32)) as u8);
                bench.step(&events, random.chance(often).then_some(place));
            }
        }
        bench.compare();
    }
}

/// Everything happens that can, in all slices at once, while each second cycle reads a counter: no accumulator overflows.
#[test]
fn the_most_that_can_happen_is_counted() {
    for cfg in [small(), large()] {
        let (mut bench, mut world) = (Bench::new(&cfg), World::new(&cfg));
        for slot in Slot::ALL {
            // As many loads as registers are under way from the end of the first on.
            let cycles = if slot == Slot::Load { cfg.warps * cfg.registers() + 300 } else { 300 };
            for _ in 0..cycles {
                bench.step(&world.full(slot), Some((3, 3)));
            }
        }
        // As much as accumulators are made for has come from one turn to the next.
        for (index, counter) in COUNTERS.iter().enumerate() {
            let most = (counter.most)(&cfg);
            assert_eq!(
                bench.sums.largest[index], most as u64,
                "{} in a cycle, and as its row says",
                counter.name
            );
            let (sum, least) = (bench.sums.shown(index), TURN_CYCLES * most);
            assert!(sum >= least as u64, "{}: {sum} of {least}", counter.name);
        }
        bench.compare();
    }
}
