//! What `sim` prints: a table for people, JSON for machines.

use std::collections::BTreeMap;

use serde::Serialize;

use super::grid::LaunchRecord;
use super::job::Job;
use super::prediction::Prediction;
use crate::cli::engine::EngineKind;
use crate::cli::{complain, print};
use cosim::memory::RowStats;
use cosim::{
    Barriers, CacheStats, CollectorStats, Departures, GridTimes, Parallel, PhaseChange, Report, RunOptions,
    SharedIssues, Slots, Starved,
};
use isa::counter::COUNTERS;
use kernels::measures;
use spec::config::CoreConfig;

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
    /// Lines on their way to the data cache, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    mshrs_in_use: Option<f64>,
    /// Intervals between barriers, and how unevenly warps arrived; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    barriers: Option<BarrierRecord>,
    /// What an adaptive issue scheduler did when; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    policy_phases: Vec<PhaseChange>,
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
    /// Mean of all intervals.
    rtru: f64,
    #[serde(flatten)]
    barriers: Barriers,
}

impl BarrierRecord {
    fn new(barriers: &Barriers) -> Option<Self> {
        let mut barriers = barriers.clone();
        let rtru = rounded(barriers.rtru()?);
        barriers.intervals.iter_mut().for_each(|interval| interval.rtru = rounded(interval.rtru));
        Some(Self { rtru, barriers })
    }
}

/// The part of a run in which more than one warp is active.
#[derive(Serialize)]
struct ParallelRecord {
    cycles: u64,
    warp_instructions: u64,
    thread_instructions: u64,
    ipc: f64,
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
            ipc: rounded(part.ipc()),
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
            check: options.check.to_string(),
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
            mshrs_in_use: stats.mshrs_in_use().filter(|_| cfg.dcache.bytes != 0).map(rounded),
            barriers: BarrierRecord::new(&report.barriers),
            policy_phases: report.policy_phases.clone(),
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

/// Where the records go.
pub(super) struct Outputs {
    json: bool,
    rows: Vec<Vec<String>>,
    counter_rows: Vec<Vec<String>>,
    several: bool,
}

/// Idle slots by cause, slots that wait for a load, and the memories.
const COUNTER_COLUMNS: [&str; 17] = [
    "counters",
    "idle: control",
    "ibuffer",
    "barrier",
    "scoreboard: load",
    "icache miss",
    "fetch cycles",
    "loads",
    "stores",
    "load cycles",
    "dcache miss",
    "mshrs",
    "lmem stalls",
    "bus reads",
    "bus writes",
    "rtru",
    "barrier cycles",
];

const COLUMNS: [&str; 15] = [
    "kernel",
    "result",
    "cycles",
    "warp instr",
    "thread instr",
    "ipc",
    "issued",
    "nops",
    "idle",
    "scoreboard",
    "pipeline",
    "discrepancies",
    "errors",
    "error rate",
    "kcycles/s",
];

impl Outputs {
    pub(super) fn new(json: bool, count: usize) -> Self {
        Self { json, rows: Vec::new(), counter_rows: Vec::new(), several: count > 1 }
    }

    /// Prints what the program printed, why it failed, and in JSON the record.
    pub(super) fn show(&mut self, record: &Record, report: &Report) -> anyhow::Result<()> {
        if self.json {
            complain(report.console());
            return print(serde_json::to_string(record)? + "\n");
        }
        let name = match self.several && !report.console().is_empty() {
            true => format!("{}:\n", record.kernel),
            false => String::new(),
        };
        let prediction = record.prediction.as_ref().map(|prediction| prediction.text(&record.kernel));
        print(name + report.console() + &prediction.unwrap_or_default())?;
        if let Some(failure) = &record.failure {
            complain(format_args!("{}: {failure}\n", record.kernel));
        }
        self.rows.push(row(record));
        self.counter_rows.push(counter_row(record));
        Ok(())
    }

    /// Prints the tables: the runs, and where their slots and cycles went.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        let (runs, counters) =
            (table(&COLUMNS, 2, &self.rows), table(&COUNTER_COLUMNS, 1, &self.counter_rows));
        print(format_args!("{runs}\n{counters}"))
    }
}

/// Rows under their headings; the first `names` columns are text, the others numbers.
fn table(headings: &[&str], names: usize, rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([headings[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let heading = headings.iter().map(|&heading| heading.to_owned()).collect();
    let mut text = String::new();
    for row in [&heading].into_iter().chain(rows) {
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i < names {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text += "\n";
    }
    text
}

/// A part as a percentage of the whole.
fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.1}%", 100.0 * part as f64 / whole as f64),
    }
}

fn row(record: &Record) -> Vec<String> {
    let share = |slots: u64| share(slots, record.slots.total());
    let departures =
        |show: fn(&Departures) -> String| record.departures.as_ref().map_or("-".to_owned(), show);
    vec![
        record.kernel.clone(),
        record.result.to_owned(),
        record.cycles.to_string(),
        record.warp_instructions.to_string(),
        record.thread_instructions.to_string(),
        format!("{:.3}", record.ipc),
        share(record.slots.issued),
        record.nops.to_string(),
        share(record.slots.idle),
        share(record.slots.scoreboard),
        share(record.slots.pipeline),
        departures(|d| d.discrepancies.to_string()),
        departures(|d| d.errors.to_string()),
        record.error_rate.map_or("-".to_owned(), |rate| format!("{:.2}%", 100.0 * rate)),
        format!("{:.0}", record.kilocycles_per_second),
    ]
}

fn counter_row(record: &Record) -> Vec<String> {
    let count = |name: &str| record.counters.get(name).copied().unwrap_or(0);
    let slots = |name: &str| share(count(name), record.slots.total());
    let latency =
        |cycles: Option<f64>| cycles.map_or_else(|| "-".to_owned(), |cycles| format!("{cycles:.1}"));
    vec![
        record.kernel.clone(),
        slots("idle_control"),
        slots("idle_ibuffer"),
        slots("idle_barrier"),
        slots("scoreboard_load"),
        share(record.icache.misses, record.icache.hits + record.icache.misses),
        latency(record.fetch_latency),
        count("loads").to_string(),
        count("stores").to_string(),
        latency(record.load_latency),
        share(record.dcache.misses, record.dcache.hits + record.dcache.misses),
        latency(record.mshrs_in_use),
        count("local_bank_stalls").to_string(),
        count("memory_reads").to_string(),
        count("memory_writes").to_string(),
        record.barriers.as_ref().map_or("-".to_owned(), |b| format!("{:.1}%", 100.0 * b.rtru)),
        record.barriers.as_ref().map_or(0, |b| b.barriers.stalled.iter().sum::<u64>()).to_string(),
    ]
}
