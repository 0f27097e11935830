//! Counting a run, cycle by cycle.

mod report;

use isa::counter::{Index, COUNTERS};
use isa::Extensions;
use model::members;
use model::timing::{collector, BusRecord, Collector, Issued, Record, SliceRecord, Written};
use spec::config::{CoreConfig, WarpMask, MAX_SLICES};

use super::effects::{Effects, KnownEffects};
use super::stats::{CollectorStats, Departures, Parallel, SharedIssues, Slots};
use super::under_way::UnderWay;

/// Cycles of a fetch that hits (ARCHITECTURE.md, "The pipeline").
const FETCH_CYCLES: u64 = spec::config::FETCH_LATENCY as u64;

/// The counts of `isa::counter`, kept by the simulator itself.
pub(super) struct Counters {
    counts: [u64; COUNTERS.len()],
    cycles: u64,
    thread_instructions: u64,
    /// What was counted while more than one warp was active, but for the time since `parallel_since`.
    parallel: Parallel,
    /// The counts at the beginning of that time, if it lasts.
    parallel_since: Option<[u64; 6]>,
    departures: Option<Departures>,
    /// The warps of each slice.
    own_warps: Vec<WarpMask>,
    slots_of: [Slots; MAX_SLICES],
    shared: Option<SharedIssues>,
    collectors: Option<CollectorStats>,
    extensions: Extensions,
    effects: KnownEffects,
    under_way: UnderWay,
    /// Reads on the bus that have not been answered.
    open_reads: u64,
    /// Whether there is a data cache.
    cached: bool,
    /// Whether the core itself counts.
    in_core: bool,
}

impl Counters {
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        Self {
            counts: [0; COUNTERS.len()],
            cycles: 0,
            thread_instructions: 0,
            parallel: Parallel { departures: cfg.oracle.then(Departures::default), ..Parallel::default() },
            parallel_since: None,
            departures: cfg.oracle.then(Departures::default),
            own_warps: (0..cfg.slices).map(|slice| cfg.own_warps(slice)).collect(),
            slots_of: Default::default(),
            shared: cfg.shares_warps().then(SharedIssues::default),
            collectors: cfg.collects().then(CollectorStats::default),
            extensions: cfg.into(),
            effects: KnownEffects::new(),
            under_way: UnderWay::new(cfg.warps),
            open_reads: 0,
            cached: cfg.dcache.bytes != 0,
            in_core: cfg.counters,
        }
    }

    /// Counts a cycle.
    #[inline(always)]
    pub(super) fn cycle(&mut self, record: &Record) {
        // More than one warp is active.
        let parallel = record.active_warps & record.active_warps.wrapping_sub(1) != 0;
        if parallel != self.parallel_since.is_some() {
            self.begin_or_end_parallel(parallel);
        }
        if record.busy {
            self.cycles += 1;
            for slice in 0..self.own_warps.len() {
                self.count_slot(slice, record);
            }
            self.add(Index::LoadLatency, self.under_way.loading_lanes());
            self.under_way.cycle();
            self.front_end(record);
            self.collectors(record);
        }
        for slice in 0..self.own_warps.len() {
            self.registers(slice, &record.slices[slice]);
        }
        self.depart(record, parallel);
        let BusRecord { read, write, response } = record.bus;
        if record.busy {
            self.memories(record);
            self.add(Index::MemoryReads, read.into());
            self.add(Index::MemoryWrites, write.into());
            self.add(Index::MemoryLatency, self.open_reads);
        }
        self.open_reads = (self.open_reads + u64::from(read)).saturating_sub(response.into());
    }

    /// What waits in the operand collectors.
    #[inline]
    fn collectors(&mut self, record: &Record) {
        let Some(counts) = &mut self.collectors else { return };
        for SliceRecord { collect, .. } in &record.slices[..self.own_warps.len()] {
            counts.bank_waits += u64::from(collect.waits);
            let counts = [&mut counts.memory_full, &mut counts.special_full, &mut counts.arithmetic_full];
            for (count, full) in counts.into_iter().zip(collect.full) {
                *count += u64::from(full);
            }
        }
    }

    #[inline]
    fn add(&mut self, index: Index, amount: u64) {
        self.counts[index as usize] += amount;
    }

    /// The counts of which the part with more than one active warp is told.
    fn shared(&self) -> [u64; 6] {
        let count = |index: Index| self.counts[index as usize];
        let [issued, nops] = [count(Index::Issued), count(Index::Nops)];
        [self.cycles, issued, self.thread_instructions, nops, count(Index::Loads), count(Index::LoadLatency)]
    }

    /// More than one warp is active from the next counted cycle on, or no longer.
    #[cold]
    fn begin_or_end_parallel(&mut self, begins: bool) {
        self.parallel = self.in_parallel();
        self.parallel_since = begins.then(|| self.shared());
    }

    /// What was counted while more than one warp was active.
    fn in_parallel(&self) -> Parallel {
        let mut part = self.parallel;
        let after = self.shared();
        let before = self.parallel_since.unwrap_or(after);
        let sums = [
            &mut part.cycles,
            &mut part.warp_instructions,
            &mut part.thread_instructions,
            &mut part.nops,
            &mut part.loads,
            &mut part.load_cycles,
        ];
        for (sum, (before, after)) in sums.into_iter().zip(before.into_iter().zip(after)) {
            *sum += after - before;
        }
        part
    }

    /// Where the oracles choose otherwise.
    #[inline]
    fn depart(&mut self, record: &Record, parallel: bool) {
        let Some(all) = &mut self.departures else { return };
        for of_slice in &record.slices[..self.own_warps.len()] {
            let [discrepancy, error] = of_slice.departs.map(u64::from);
            let in_parallel = self.parallel.departures.as_mut().filter(|_| parallel);
            for sum in [all as &mut Departures].into_iter().chain(in_parallel) {
                sum.discrepancies += discrepancy;
                sum.errors += error;
            }
        }
    }

    /// Counts a slot of a slice in one class.
    #[inline]
    fn slot(&mut self, slice: usize, index: Index, class: impl Fn(&mut Slots) -> &mut u64) {
        self.add(index, 1);
        *class(&mut self.slots_of[slice]) += 1;
    }

    /// Gives a slice's slot to one class.
    #[inline(always)]
    fn count_slot(&mut self, slice: usize, record: &Record) {
        let own = self.own_warps[slice];
        let SliceRecord { issued, fires, .. } = &record.slices[slice];
        if let Some(issued) = issued {
            self.slot(slice, Index::Issued, |slots| &mut slots.issued);
            self.thread_instructions += u64::from(issued.tmask.count_ones());
        } else if fires.is_some() {
            self.slot(slice, Index::Nops, |slots| &mut slots.nops);
        } else if record.stall_pipeline & own != 0 {
            self.slot(slice, Index::Pipeline, |slots| &mut slots.pipeline);
        } else if record.stall_scoreboard & own != 0 {
            self.slot(slice, Index::Scoreboard, |slots| &mut slots.scoreboard);
            let for_load = members(record.stall_scoreboard & own).any(|wid| self.under_way.loads(wid));
            self.add(Index::ScoreboardLoad, for_load.into());
        } else {
            self.slot(slice, Index::Idle, |slots| &mut slots.idle);
            let at_barrier = record.barrier_warps & own;
            if record.stall_control & own & !at_barrier != 0 {
                self.add(Index::IdleControl, 1);
            } else if record.stall_ibuffer & own != 0 {
                self.add(Index::IdleIbuffer, 1);
            } else if at_barrier != 0 {
                self.add(Index::IdleBarrier, 1);
            }
        }
    }

    #[inline(always)]
    fn front_end(&mut self, record: &Record) {
        let (mut hits, mut misses) = (0, 0);
        for of_slice in &record.slices[..self.own_warps.len()] {
            if !of_slice.can_fetch {
                self.counts[Index::FetchIdle as usize] += 1;
            } else if !of_slice.fetches {
                self.counts[Index::FetchStall as usize] += 1;
            }
            hits += u64::from(of_slice.icache == Some(true));
            misses += u64::from(of_slice.icache == Some(false));
        }
        self.add(Index::Fetches, hits);
        self.add(Index::IcacheReads, hits + misses);
        self.add(Index::IcacheMisses, misses);
        // Few wait at a time.
        self.add(Index::FetchLatency, FETCH_CYCLES * hits + members(record.held_warps).count() as u64);
    }

    /// What the data cache and local memory do.
    #[inline(always)]
    fn memories(&mut self, Record { cache, local, .. }: &Record) {
        for (index, count) in [
            (Index::DcacheReads, cache.reads),
            (Index::DcacheWrites, cache.writes),
            (Index::DcacheReadMisses, cache.read_misses),
            (Index::DcacheWriteMisses, cache.write_misses),
            (Index::DcacheBankStalls, cache.bank_stalls),
            (Index::DcacheMshrStalls, cache.mshr_stalls),
            (Index::DcacheMshrs, cache.mshrs),
            (Index::LocalReads, local.reads),
            (Index::LocalWrites, local.writes),
            (Index::LocalBankStalls, local.stalls.into()),
        ] {
            self.add(index, count.into());
        }
    }

    /// What a slice issues, loads and stores among it, and what is written back in it.
    #[inline(always)]
    fn registers(&mut self, slice: usize, of_slice: &SliceRecord) {
        if let Some(Written { wid, rd, lanes, last }) = of_slice.written {
            self.under_way.written(wid, rd, lanes, last);
        }
        let Some(Issued { wid, raw, tmask, .. }) = of_slice.issued else { return };
        if let Some(shared) = &mut self.shared {
            if self.own_warps[slice] >> wid & 1 == 0 {
                *match collector(raw, self.extensions) {
                    Collector::Mem => &mut shared.memory,
                    Collector::Sfu => &mut shared.special,
                    Collector::Sp => &mut shared.arithmetic,
                } += 1;
            }
        }
        let Effects { register, loads, stores, .. } = self.effects.get(raw);
        let mut loading_lanes = None;
        if stores || loads {
            let lanes = u64::from(tmask.count_ones());
            self.add(Index::Stores, if stores { lanes } else { 0 });
            self.add(Index::Loads, if loads { lanes } else { 0 });
            loading_lanes = Some(lanes).filter(|_| loads);
        }
        self.under_way.issued(wid, register, loading_lanes);
    }
}
