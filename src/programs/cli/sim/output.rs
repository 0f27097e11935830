//! What `sim` prints: a table for people, JSON for machines.

mod tables;

use std::collections::BTreeMap;

use serde::Serialize;

use super::grid::LaunchRecord;
use super::job::Job;
use super::prediction::Prediction;
use crate::cli::engine::EngineKind;
use cosim::memory::RowStats;
use cosim::{
    Barriers, CacheStats, Check, CollectorStats, Departures, GridTimes, Parallel, PatternSeen, PhaseChange,
    Report, RunOptions, SharedIssues, Slots, Starved, Wait,
};
use isa::counter::COUNTERS;
use kernels::measures;
use model::sched::WarpPattern;
use spec::config::CoreConfig;
pub(super) use tables::Outputs;

/// One run, as `--json` shows it.
#[derive(Serialize)]
pub(in crate::cli) struct Record {
    kernel: String,
    engine: &'static str,
    warps: usize,
    threads: usize,
    slices: usize,
    fetch: String,
    issue: String,
    memory: String,
    backpressure: u32,
    jitter: u32,
    seed: u64,
    check: String,
    result: &'static str,
    cycles: u64,
    warp_instructions: u64,
    thread_instructions: u64,
    /// Thread instructions a cycle.
    ipc: f64,
    /// Bubbles of SWaS that issued; no instructions.
    nops: u64,
    /// What the oracles counted, if the core has them.
    #[serde(flatten)]
    departures: Option<Departures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_rate: Option<f64>,
    /// The same of the cycles with more than one active warp.
    parallel: ParallelRecord,
    slots: Slots,
    /// The same of each slice, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    slots_by_slice: Vec<Slots>,
    /// Instructions that issued through another slice, if slices share warps.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_issues: Option<SharedIssues>,
    /// What waits in the operand collectors, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    operand_collectors: Option<CollectorStats>,
    icache: CacheStats,
    dcache: CacheStats,
    memory_requests: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dram: Option<RowStats>,
    /// Average cycles of a fetched instruction and of a thread's load; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    fetch_latency: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    load_latency: Option<f64>,
    /// Warps with an instruction between issue and completion, on average; absent where nothing ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    warps_under_way: Option<f64>,
    /// Lines on their way to the data cache, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    mshrs_in_use: Option<f64>,
    /// Intervals between barriers, and how unevenly warps arrived; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    barriers: Option<BarrierRecord>,
    /// The longest wait of each warp slot for its turn, or for a unit; absent unless asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waits: Vec<Wait>,
    /// What an adaptive issue scheduler did when; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    policy_phases: Vec<PhaseChange>,
    /// What it decided by; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    issue_patterns: Vec<PatternRecord>,
    /// Every performance counter.
    counters: BTreeMap<&'static str, u64>,
    /// The grids, if it was no bare start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    launches: Vec<LaunchRecord>,
    /// When their blocks ran.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    grids: Vec<GridTimes>,
    exit_code: Option<u32>,
    /// Numbers that the kernel measured itself.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    measures: BTreeMap<String, f64>,
    /// The schedule computed beforehand, beside the hardware's.
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<Prediction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Warps that were ready and did not come to issue until the limit of cycles, and since when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    starved: Vec<Starved>,
    wall_seconds: f64,
    kilocycles_per_second: f64,
}

/// What barriers made warps wait.
#[derive(Serialize)]
struct BarrierRecord {
    /// Mean of all intervals; absent if warps wait at one that never opens.
    #[serde(skip_serializing_if = "Option::is_none")]
    rtru: Option<f64>,
    #[serde(flatten)]
    barriers: Barriers,
}

impl BarrierRecord {
    fn new(barriers: &Barriers) -> Option<Self> {
        let mut barriers = barriers.clone();
        let rtru = barriers.rtru().map(rounded);
        barriers.intervals.iter_mut().for_each(|interval| interval.rtru = rounded(interval.rtru));
        (rtru.is_some() || barriers.waited() != 0).then_some(Self { rtru, barriers })
    }
}

/// What an adaptive issue scheduler decided by (docs/SCHEDULERS.md, section 6).
#[derive(Serialize)]
struct PatternRecord {
    /// The cycle after the decision.
    cycle: u64,
    concave: bool,
    /// Warps that were resident, and those of them that are of interest: MAX and WOI of the paper.
    resident: usize,
    of_interest: usize,
    /// The sum of the scores in parts of the threshold: the degree of convexity.
    convexity: f64,
    /// The oldest first.
    warps: Vec<WarpRecord>,
}

#[derive(Serialize)]
struct WarpRecord {
    wid: usize,
    inst: u64,
    stall: u64,
    /// None unless it is of interest.
    score: Option<u64>,
}

impl PatternRecord {
    fn new(seen: &PatternSeen) -> Self {
        let pattern = &seen.pattern;
        let warp = |warp: &WarpPattern| WarpRecord {
            wid: warp.wid,
            inst: warp.inst,
            stall: warp.stall,
            score: warp.score,
        };
        Self {
            cycle: seen.cycle,
            concave: pattern.concave,
            resident: pattern.warps.len(),
            of_interest: pattern.of_interest(),
            convexity: rounded(pattern.convexity()),
            warps: pattern.warps.iter().map(warp).collect(),
        }
    }
}

/// The part of a run in which more than one warp is active.
#[derive(Serialize)]
struct ParallelRecord {
    cycles: u64,
    warp_instructions: u64,
    thread_instructions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ipc: Option<f64>,
    nops: u64,
    #[serde(flatten)]
    departures: Option<Departures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    load_latency: Option<f64>,
}

impl ParallelRecord {
    fn new(part: &Parallel) -> Self {
        Self {
            cycles: part.cycles,
            warp_instructions: part.warp_instructions,
            thread_instructions: part.thread_instructions,
            ipc: part.ipc().map(rounded),
            nops: part.nops,
            departures: part.departures,
            error_rate: part.error_rate().map(rounded),
            load_latency: part.load_latency().map(rounded),
        }
    }
}

impl Record {
    /// What there is to tell of a run.
    pub(in crate::cli) fn new(
        cfg: &CoreConfig,
        options: &RunOptions,
        job: &Job,
        engine: EngineKind,
        report: &Report,
        prediction: Option<Prediction>,
    ) -> Self {
        let unpredicted = || prediction.as_ref().and_then(Prediction::failure);
        let failure = job.failure(cfg, options, report).or_else(unpredicted);
        let stats = &report.stats;
        Self {
            kernel: job.name.clone(),
            engine: engine.name(),
            warps: cfg.warps,
            threads: cfg.threads,
            slices: cfg.slices,
            fetch: cfg.fetch.clone(),
            issue: cfg.issue.clone(),
            memory: options.memory.to_string(),
            backpressure: options.disturbance.backpressure_percent,
            jitter: options.disturbance.jitter,
            seed: options.seed,
            check: match engine {
                // There is no hardware to compare with the reference model.
                EngineKind::Model => Check::Off,
                EngineKind::Rtl | EngineKind::Both => options.check,
            }
            .to_string(),
            result: if failure.is_none() { "pass" } else { "fail" },
            cycles: stats.cycles,
            warp_instructions: stats.warp_instructions,
            thread_instructions: stats.thread_instructions,
            ipc: rounded(stats.ipc()),
            nops: stats.slots.nops,
            departures: stats.departures,
            error_rate: stats.error_rate().map(rounded),
            parallel: ParallelRecord::new(&stats.parallel),
            slots: stats.slots,
            slots_by_slice: stats.slots_of[..cfg.slices].iter().filter(|_| cfg.slices > 1).copied().collect(),
            shared_issues: stats.shared,
            operand_collectors: stats.collectors,
            icache: stats.icache,
            dcache: stats.dcache,
            memory_requests: stats.memory_requests,
            dram: stats.rows,
            fetch_latency: stats.fetch_latency().map(rounded),
            load_latency: stats.load_latency().map(rounded),
            warps_under_way: stats.warps_under_way().map(rounded),
            mshrs_in_use: stats.mshrs_in_use().filter(|_| cfg.dcache.bytes != 0).map(rounded),
            barriers: BarrierRecord::new(&report.barriers),
            waits: report.waits.clone(),
            policy_phases: report.policy_phases.clone(),
            issue_patterns: report.patterns.iter().map(PatternRecord::new).collect(),
            counters: COUNTERS.iter().map(|c| c.name).zip(stats.counts).collect(),
            launches: options.launches.iter().map(LaunchRecord::from).collect(),
            grids: report.grids.clone(),
            exit_code: report.exit_code(),
            measures: measures(report.console()),
            prediction,
            failure,
            starved: report.failure.as_ref().map_or_else(Vec::new, |failure| failure.starved().to_vec()),
            wall_seconds: rounded(report.wall.as_secs_f64()),
            kilocycles_per_second: rounded(report.kilocycles_per_second()),
        }
    }

    pub(super) fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

/// Six decimals are more than any of these figures is worth.
pub(in crate::cli) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
