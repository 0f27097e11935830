//! What a run counts.

use serde::Serialize;

use super::memory::RowStats;
use isa::counter::{Index, COUNTERS};
use spec::config::MAX_SLICES;

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

/// Warp instructions that issued through another slice than their warp's own (KAWS 3), by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SharedIssues {
    /// Loads, stores, fences.
    pub memory: u64,
    /// Divisions, roots, conversions, CSRs, warp control.
    pub special: u64,
    /// Everything else.
    pub arithmetic: u64,
}

/// What instructions wait for in the operand collectors, of all slices together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CollectorStats {
    /// Register reads put off by a cycle, for their bank answered another.
    pub bank_waits: u64,
    /// Cycles in which all collectors for memory are taken.
    pub memory_full: u64,
    /// Those for the special unit.
    pub special_full: u64,
    /// Those for arithmetic.
    pub arithmetic_full: u64,
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

/// The cycles of a run in which more than one warp is active: what a launch does, without the start-up code and without
/// what a single warp does before, between and after launches (SWaS VI-A5 leaves the prologue out too).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parallel {
    /// Those cycles.
    pub cycles: u64,
    /// Their issue slots: cycles times slices.
    pub slots: u64,
    /// Instructions issued in them, by warps.
    pub warp_instructions: u64,
    /// The same by active threads.
    pub thread_instructions: u64,
    /// NOPs of SWaS that issued.
    pub nops: u64,
    /// Loads, by threads.
    pub loads: u64,
    /// Cycles that threads' loads were under way.
    pub load_cycles: u64,
    /// What the oracles saw, if the core has them.
    pub departures: Option<Departures>,
}

impl Parallel {
    /// Thread instructions a cycle; `None` without such cycles.
    pub fn ipc(&self) -> Option<f64> {
        mean(self.thread_instructions, self.cycles)
    }

    /// Errors an issue slot, as [`Stats::error_rate`].
    pub fn error_rate(&self) -> Option<f64> {
        error_rate(self.departures, self.slots)
    }

    /// Cycles from a thread's load to its value, on average; `None` without loads.
    pub fn load_latency(&self) -> Option<f64> {
        mean(self.load_cycles, self.loads)
    }
}

/// Counters of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Clock cycles in which the core was busy.
    pub cycles: u64,
    /// Instructions issued, by warps.
    pub warp_instructions: u64,
    /// Instructions issued, by active threads.
    pub thread_instructions: u64,
    /// Where the issue slots went.
    pub slots: Slots,
    /// The same of each slice; those that the core does not have are zeros.
    pub slots_of: [Slots; MAX_SLICES],
    /// What issued through another slice, if the core's slices share warps.
    pub shared: Option<SharedIssues>,
    /// The operand collectors, if the core has any.
    pub collectors: Option<CollectorStats>,
    /// The instruction cache.
    pub icache: CacheStats,
    /// The data cache, loads and stores together.
    pub dcache: CacheStats,
    /// Requests on the memory bus.
    pub memory_requests: u64,
    /// The memory's rows, if it has any.
    pub rows: Option<RowStats>,
    /// What the oracles counted, if the core has them.
    pub departures: Option<Departures>,
    /// Of each warp, the cycles in which it had an instruction between issue and completion, of all together.
    pub warp_cycles_under_way: u64,
    /// The part with more than one active warp.
    pub parallel: Parallel,
    /// Every counter of the table, those above among them.
    pub counts: [u64; COUNTERS.len()],
}

impl Stats {
    /// The count of one counter.
    pub fn count(&self, index: Index) -> u64 {
        self.counts[index as usize]
    }

    /// Cycles from a thread's load to its value, on average; `None` without loads.
    pub fn load_latency(&self) -> Option<f64> {
        mean(self.count(Index::LoadLatency), self.count(Index::Loads))
    }

    /// Cycles of an instruction's fetch, misses included, on average.
    pub fn fetch_latency(&self) -> Option<f64> {
        mean(self.count(Index::FetchLatency), self.count(Index::Fetches))
    }

    /// Lines on their way to the data cache, on average.
    pub fn mshrs_in_use(&self) -> Option<f64> {
        mean(self.count(Index::DcacheMshrs), self.cycles)
    }

    /// Warps with an instruction between issue and completion, on average (MOTRR, figure 2).
    pub fn warps_under_way(&self) -> Option<f64> {
        mean(self.warp_cycles_under_way, self.cycles)
    }

    /// Thread instructions a cycle, as the papers count.
    pub fn ipc(&self) -> f64 {
        mean(self.thread_instructions, self.cycles).unwrap_or(0.0)
    }

    /// Errors an issue slot, if the core has the oracles. Each slice has its own, which find one error a cycle at most;
    /// with one slice, errors a cycle (SWaS VI-A5).
    pub fn error_rate(&self) -> Option<f64> {
        error_rate(self.departures, self.slots.total())
    }
}

fn error_rate(departures: Option<Departures>, slots: u64) -> Option<f64> {
    mean(departures?.errors, slots)
}

fn mean(sum: u64, count: u64) -> Option<f64> {
    (count != 0).then(|| sum as f64 / count as f64)
}
