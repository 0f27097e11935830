//! Counting a run from the trace port: what `sim` reports, and what the core's own counters are compared with.

use isa::counter::{Index, COUNTERS};
use isa::{self, Latency};
use model::timing::{collector, Collector};
use spec::config::{CoreConfig, WarpMask, MAX_SLICES};

use super::core::Core;
use super::core_counters::Totals;
use super::failure::{Checked, Mismatch};
use super::ports::TracePorts;
use super::stats::{CacheStats, CollectorStats, Departures, Parallel, SharedIssues, Slots, Stats};
use super::traffic::Traffic;
use super::verilator::Model;

/// Cycles of a fetch that hits (ARCHITECTURE.md, "The pipeline").
const FETCH_CYCLES: u64 = spec::config::FETCH_LATENCY as u64;

/// The counts of `isa::counter`, kept by the simulator itself.
pub(super) struct Counters {
    counts: [u64; COUNTERS.len()],
    cycles: u64,
    thread_instructions: u64,
    parallel: Parallel,
    /// The warps of each slice.
    own_warps: Vec<WarpMask>,
    slots_of: [Slots; MAX_SLICES],
    shared: Option<SharedIssues>,
    collectors: Option<CollectorStats>,
    fpu: bool,
    /// For each warp a bit for every register that a load under way will write.
    loading: Vec<u64>,
    /// Lanes of all loads under way.
    loading_lanes: u64,
    /// Reads on the bus that have not been answered.
    open_reads: u64,
    /// Whether there is a data cache.
    cached: bool,
    /// Whether the model tells what local memory is asked; else the trace port does.
    checked: bool,
}

impl Counters {
    /// `checked`: the model runs along.
    pub(super) fn new(cfg: &CoreConfig, checked: bool) -> Self {
        Self {
            counts: [0; COUNTERS.len()],
            cycles: 0,
            thread_instructions: 0,
            parallel: Parallel { departures: cfg.oracle.then(Departures::default), ..Parallel::default() },
            own_warps: (0..cfg.slices).map(|slice| cfg.own_warps(slice)).collect(),
            slots_of: Default::default(),
            shared: cfg.shares_warps().then(SharedIssues::default),
            collectors: cfg.collects().then(CollectorStats::default),
            fpu: cfg.fpu,
            loading: vec![0; cfg.warps],
            loading_lanes: 0,
            open_reads: 0,
            cached: cfg.dcache.bytes != 0,
            checked,
        }
    }

    /// Counts the cycle that the ports show.
    #[inline]
    pub(super) fn cycle(&mut self, core: &Core, trace: &TracePorts) {
        let model = &core.model;
        let before = self.shared();
        if core.busy() {
            self.cycles += 1;
            self.slots(model, trace);
            self.add(Index::LoadLatency, self.loading_lanes);
            self.front_end(model, trace);
            self.collectors(model, trace);
        }
        self.accesses(model, trace);
        if trace.core.active_warps.get_wide(model, 0).count_ones() > 1 {
            self.in_parallel(before, model, trace);
        }
        let on = |port| model.read(port) != 0;
        // On AXI4 a request shows later, and a line earlier, than the caches see them.
        let (read, write, response) = core
            .link
            .beats(model)
            .unwrap_or_else(|| (on(trace.bus_read), on(trace.bus_write), on(trace.bus_response)));
        if core.busy() {
            self.caches(model, trace);
            self.add(Index::MemoryReads, read.into());
            self.add(Index::MemoryWrites, write.into());
            self.add(Index::MemoryLatency, self.open_reads);
        }
        self.open_reads = (self.open_reads + u64::from(read)).saturating_sub(response.into());
    }

    /// What waits in the operand collectors.
    #[inline]
    fn collectors(&mut self, model: &Model, trace: &TracePorts) {
        let (Some(counts), Some(ports)) = (&mut self.collectors, &trace.collect) else { return };
        for slice in 0..self.own_warps.len() {
            counts.bank_waits += u64::from(ports.waits.get(model, slice));
            let full = [&mut counts.memory_full, &mut counts.special_full, &mut counts.arithmetic_full];
            for (class, count) in full.into_iter().enumerate() {
                *count += u64::from(ports.free.get(model, slice * 3 + class) == 0);
            }
        }
    }

    #[inline]
    fn add(&mut self, index: Index, amount: u64) {
        self.counts[index as usize] += amount;
    }

    /// The counts of which the part with more than one active warp is told.
    #[inline]
    fn shared(&self) -> [u64; 6] {
        let count = |index: Index| self.counts[index as usize];
        let [issued, nops] = [count(Index::Issued), count(Index::Nops)];
        [self.cycles, issued, self.thread_instructions, nops, count(Index::Loads), count(Index::LoadLatency)]
    }

    /// More than one warp is active in this cycle; `before` is what had been counted before it.
    #[inline]
    fn in_parallel(&mut self, before: [u64; 6], model: &Model, trace: &TracePorts) {
        let after = self.shared();
        let part = &mut self.parallel;
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
        if let (Some(sum), Some(oracles)) = (&mut part.departures, &trace.oracles) {
            sum.discrepancies += u64::from(model.read(oracles.discrepancy).count_ones());
            sum.errors += u64::from(model.read(oracles.error).count_ones());
        }
    }

    /// Counts a slot of a slice in one class.
    #[inline]
    fn slot(&mut self, slice: usize, index: Index, class: impl Fn(&mut Slots) -> &mut u64) {
        self.add(index, 1);
        *class(&mut self.slots_of[slice]) += 1;
    }

    /// Gives each slice's slot to one class.
    #[inline]
    fn slots(&mut self, model: &Model, trace: &TracePorts) {
        let issued = model.read(trace.issue_valid);
        for slice in 0..self.own_warps.len() {
            let own = self.own_warps[slice];
            let waiting = |port| model.read(port) & own;
            if issued >> slice & 1 != 0 {
                self.slot(slice, Index::Issued, |slots| &mut slots.issued);
                self.thread_instructions += u64::from(trace.issue_tmask.get(model, slice).count_ones());
            } else if trace.issue_sched.fire.get(model, slice) != 0 {
                self.slot(slice, Index::Nops, |slots| &mut slots.nops);
            } else if waiting(trace.stall_unit) != 0 {
                self.slot(slice, Index::Pipeline, |slots| &mut slots.pipeline);
            } else if waiting(trace.stall_scoreboard) != 0 {
                self.slot(slice, Index::Scoreboard, |slots| &mut slots.scoreboard);
                let stalled = waiting(trace.stall_scoreboard);
                let for_load = (0..self.loading.len()).any(|w| stalled >> w & 1 != 0 && self.loading[w] != 0);
                self.add(Index::ScoreboardLoad, for_load.into());
            } else {
                self.slot(slice, Index::Idle, |slots| &mut slots.idle);
                let at_barrier = trace.core.barrier.warps.get_wide(model, 0) & own;
                if waiting(trace.stall_control) & !at_barrier != 0 {
                    self.add(Index::IdleControl, 1);
                } else if waiting(trace.stall_ibuffer) != 0 {
                    self.add(Index::IdleIbuffer, 1);
                } else if at_barrier != 0 {
                    self.add(Index::IdleBarrier, 1);
                }
            }
        }
    }

    #[inline]
    fn front_end(&mut self, model: &Model, trace: &TracePorts) {
        for slice in 0..self.own_warps.len() {
            if trace.fetch.ready_warps.get_wide(model, slice) == 0 {
                self.add(Index::FetchIdle, 1);
            } else if trace.fetch.fire.get(model, slice) == 0 {
                self.add(Index::FetchStall, 1);
            }
        }
        let count = |port| u64::from(model.read(port).count_ones());
        let (hit, miss) = (count(trace.icache_hit), count(trace.icache_miss));
        self.add(Index::Fetches, hit);
        self.add(Index::IcacheReads, hit + miss);
        self.add(Index::IcacheMisses, miss);
        let suspended = u64::from(trace.core.held_warps.get_wide(model, 0).count_ones());
        self.add(Index::FetchLatency, FETCH_CYCLES * hit + suspended);
    }

    /// What the data cache does, and without a model local memory.
    #[inline]
    fn caches(&mut self, model: &Model, trace: &TracePorts) {
        if self.cached {
            for (index, port) in [
                (Index::DcacheReads, trace.dcache_read),
                (Index::DcacheWrites, trace.dcache_write),
                (Index::DcacheReadMisses, trace.dcache_read_miss),
                (Index::DcacheWriteMisses, trace.dcache_write_miss),
                (Index::DcacheBankStalls, trace.dcache_stall_on_bank),
                (Index::DcacheMshrStalls, trace.dcache_stall_on_mshr),
            ] {
                self.add(index, model.read(port).count_ones().into());
            }
            self.add(Index::DcacheMshrs, trace.dcache_mshrs_in_use.sum(model));
        }
        if !self.checked {
            let lanes = u64::from(model.read(trace.local_lanes).count_ones());
            self.add(Index::LocalReads, lanes * model.read(trace.local_read));
            self.add(Index::LocalWrites, lanes * model.read(trace.local_write));
            self.add(Index::LocalBankStalls, model.read(trace.local_stall));
        }
    }

    /// Takes over what the model knows of local memory.
    pub(super) fn take(&mut self, traffic: &Traffic) {
        for (index, count) in [
            (Index::LocalReads, traffic.local_reads),
            (Index::LocalWrites, traffic.local_writes),
            (Index::LocalBankStalls, traffic.local_bank_stalls),
        ] {
            self.counts[index as usize] = count;
        }
    }

    /// Loads and stores that issue, and loads that are written back.
    #[inline]
    fn accesses(&mut self, model: &Model, trace: &TracePorts) {
        let (issued, committed) = (model.read(trace.issue_valid), model.read(trace.commit_valid));
        for slice in 0..self.own_warps.len() {
            if committed >> slice & 1 != 0 {
                let wid = trace.commit_wid.get(model, slice) as usize;
                let register = 1 << (trace.commit_rd.get(model, slice) & 63);
                if self.loading.get(wid).is_some_and(|loading| loading & register != 0) {
                    let lanes = trace.commit_tmask.get(model, slice).count_ones();
                    self.loading_lanes = self.loading_lanes.saturating_sub(lanes.into());
                    if model.read(trace.commit_last) >> slice & 1 != 0 {
                        self.loading[wid] &= !register;
                    }
                }
            }
            if issued >> slice & 1 != 0 {
                if let Some(shared) = &mut self.shared {
                    if self.own_warps[slice] >> trace.issue_wid.get(model, slice) & 1 == 0 {
                        *match collector(trace.issue_instr.get(model, slice), self.fpu) {
                            Collector::Mem => &mut shared.memory,
                            Collector::Sfu => &mut shared.special,
                            Collector::Sp => &mut shared.arithmetic,
                        } += 1;
                    }
                }
                self.access(
                    trace.issue_wid.get(model, slice) as usize,
                    trace.issue_instr.get(model, slice),
                    trace.issue_tmask.get(model, slice).count_ones().into(),
                );
            }
        }
    }

    #[inline]
    fn access(&mut self, wid: usize, raw: u32, lanes: u64) {
        // Most instructions are told apart by their opcode's upper bits: 0x03, 0x07, 0x23, 0x27.
        if raw & 0x5b != 0x03 {
            return;
        }
        let Some(op) = isa::decode(raw) else { return };
        match op.info().latency {
            Latency::Store => self.add(Index::Stores, lanes),
            Latency::Load => {
                let register = op.format().rd(raw).unwrap_or(0);
                if let Some(loading) = self.loading.get_mut(wid).filter(|_| register != 0) {
                    *loading |= 1 << register;
                    self.loading_lanes += lanes;
                    self.add(Index::Loads, lanes);
                }
            }
            _ => {}
        }
    }

    /// What a run reports.
    pub(super) fn stats(&self) -> Stats {
        let count = |index: Index| self.counts[index as usize];
        let lines = count(Index::DcacheReads) + count(Index::DcacheWrites);
        let misses = count(Index::DcacheReadMisses) + count(Index::DcacheWriteMisses);
        Stats {
            cycles: self.cycles,
            warp_instructions: count(Index::Issued),
            thread_instructions: self.thread_instructions,
            slots: Slots {
                issued: count(Index::Issued),
                nops: count(Index::Nops),
                idle: count(Index::Idle),
                scoreboard: count(Index::Scoreboard),
                pipeline: count(Index::Pipeline),
            },
            slots_of: self.slots_of,
            shared: self.shared,
            collectors: self.collectors,
            icache: CacheStats { hits: count(Index::Fetches), misses: count(Index::IcacheMisses) },
            dcache: CacheStats { hits: lines - misses, misses },
            memory_requests: 0,
            rows: None,
            departures: None,
            parallel: Parallel { slots: self.parallel.cycles * self.own_warps.len() as u64, ..self.parallel },
            counts: self.counts,
        }
    }

    /// Compares with the totals that the core has counted itself, if it does, and with what addresses and the bus tell.
    pub(super) fn agree(&self, totals: Option<Totals>, core: &Core, traffic: &Traffic) -> Checked {
        if let Some(totals) = totals {
            for ((counter, &count), hardware) in COUNTERS.iter().zip(&self.counts).zip(totals) {
                if hardware != count {
                    let what = format!("performance counter {} at the end", counter.name);
                    return Err(Mismatch::new(None, what, count, hardware));
                }
            }
        }
        let cached = |lines: u64| Some(lines).filter(|_| self.cached);
        for (what, index, expected) in [
            ("lines that loads looked up", Index::DcacheReads, cached(traffic.lines_read)),
            ("lines that stores looked up", Index::DcacheWrites, cached(traffic.lines_written)),
            ("lines written on the bus", Index::MemoryWrites, core.link.axi_writes()),
        ] {
            let count = self.counts[index as usize];
            if let Some(expected) = expected.filter(|&expected| expected != count) {
                return Err(Mismatch::new(None, what, expected, count));
            }
        }
        Ok(())
    }
}
