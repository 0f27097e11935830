//! What a run counts.

use serde::Serialize;

use crate::config::CoreConfig;

use super::memory::RowStats;
use super::ports::TracePorts;
use super::verilator::Model;

/// Every issue slot of every cycle, attributed to exactly one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Slots {
    /// An instruction issued.
    pub issued: u64,
    /// A NOP of SWaS issued.
    pub nops: u64,
    /// No warp of the slice had an instruction to issue: none active, queue empty, waiting for a
    /// branch, a mask change or a barrier.
    pub idle: u64,
    /// Some warp waited for a register, and none for a unit.
    pub scoreboard: u64,
    /// Some warp waited only for a unit.
    pub pipeline: u64,
}

impl Slots {
    /// Cycles times slices.
    pub fn total(&self) -> u64 {
        self.issued + self.nops + self.idle + self.scoreboard + self.pipeline
    }
}

/// Lookups of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheStats {
    /// Found.
    pub hits: u64,
    /// Not found.
    pub misses: u64,
}

/// How often the issue schedulers departed from their policy, as the core's oracles counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Departures {
    /// Cycles in which `osched1`, for which every queue is full, grants another warp.
    pub discrepancies: u64,
    /// Cycles in which `osched2`, which excuses cache misses and taken branches, grants another warp.
    pub errors: u64,
}

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Clock cycles from the end of reset until the core was no longer busy.
    pub cycles: u64,
    /// Instructions issued, by warps.
    pub warp_instructions: u64,
    /// Instructions issued, by active threads.
    pub thread_instructions: u64,
    /// Where the issue slots went.
    pub slots: Slots,
    /// The instruction cache.
    pub icache: CacheStats,
    /// Requests on the memory bus.
    pub memory_requests: u64,
    /// The memory's rows, if it has any.
    pub rows: Option<RowStats>,
    /// What the oracles counted, if the core has them.
    pub departures: Option<Departures>,
}

impl Stats {
    /// Thread instructions a cycle, as the papers count.
    pub fn ipc(&self) -> f64 {
        if self.cycles == 0 {
            return 0.0;
        }
        self.thread_instructions as f64 / self.cycles as f64
    }

    /// Errors a cycle (SWaS VI-A5), if the core has the oracles.
    pub fn error_rate(&self) -> Option<f64> {
        self.departures.map(|d| if self.cycles == 0 { 0.0 } else { d.errors as f64 / self.cycles as f64 })
    }
}

/// Counts a run from the trace port.
pub(super) struct Counters {
    pub(super) stats: Stats,
    /// The warps of each slice.
    own_warps: Vec<u32>,
}

impl Counters {
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        let own = |slice| (slice..cfg.warps).step_by(cfg.slices).fold(0, |mask, w| mask | 1 << w);
        Self { stats: Stats::default(), own_warps: (0..cfg.slices).map(own).collect() }
    }

    /// Counts the cycle that the trace port shows.
    #[inline]
    pub(super) fn cycle(&mut self, model: &Model, trace: &TracePorts) {
        let issued = model.read(trace.issue_valid);
        let slots = model.read(trace.issue_sched_fire);
        let stats = &mut self.stats;
        stats.cycles += 1;
        stats.icache.hits += model.read(trace.icache_hit);
        stats.icache.misses += model.read(trace.icache_miss);
        for (slice, own) in self.own_warps.iter().enumerate() {
            if issued >> slice & 1 != 0 {
                stats.slots.issued += 1;
                stats.warp_instructions += 1;
                let tmask = trace.issue_tmask.get(model, slice);
                stats.thread_instructions += u64::from(tmask.count_ones());
            } else if slots >> slice & 1 != 0 {
                stats.slots.nops += 1;
            } else if model.read(trace.stall_unit) as u32 & own != 0 {
                stats.slots.pipeline += 1;
            } else if model.read(trace.stall_scoreboard) as u32 & own != 0 {
                stats.slots.scoreboard += 1;
            } else {
                stats.slots.idle += 1;
            }
        }
    }
}
