//! What `sim` prints: a table for people, JSON for machines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::job::Job;
use crate::config::CoreConfig;
use crate::cosim::memory::RowStats;
use crate::cosim::{CacheStats, Departures, Report, RunOptions, Slots};
use crate::kernels::measures;

/// One run, as `--json` shows it.
#[derive(Serialize)]
pub(super) struct Record {
    kernel: String,
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
    slots: Slots,
    icache: CacheStats,
    memory_requests: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dram: Option<RowStats>,
    exit_code: Option<u32>,
    /// Numbers that the kernel measured itself.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    measures: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    wall_seconds: f64,
    kilocycles_per_second: f64,
}

impl Record {
    pub(super) fn new(cfg: &CoreConfig, options: &RunOptions, job: &Job, report: &Report) -> Self {
        let failure = job.failure(cfg, report);
        let stats = &report.stats;
        Self {
            kernel: job.name.clone(),
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
            slots: stats.slots,
            icache: stats.icache,
            memory_requests: stats.memory_requests,
            dram: stats.rows,
            exit_code: report.exit_code(),
            measures: measures(report.console()),
            failure,
            wall_seconds: rounded(report.wall.as_secs_f64()),
            kilocycles_per_second: rounded(report.kilocycles_per_second()),
        }
    }

    pub(super) fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

/// Six decimals are more than any of these figures is worth.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Where the records go.
pub(super) struct Outputs {
    json: bool,
    rows: Vec<[String; COLUMNS.len()]>,
    several: bool,
}

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
        Self { json, rows: Vec::new(), several: count > 1 }
    }

    /// Prints what the program printed, why it failed, and in JSON the record.
    pub(super) fn show(&mut self, record: &Record, report: &Report) -> io::Result<()> {
        if self.json {
            io::stderr().write_all(report.console().as_bytes())?;
            let mut line = serde_json::to_string(record)?;
            line.push('\n');
            return io::stdout().write_all(line.as_bytes());
        }
        let mut out = io::stdout().lock();
        if self.several && !report.console().is_empty() {
            writeln!(out, "{}:", record.kernel)?;
        }
        out.write_all(report.console().as_bytes())?;
        out.flush()?;
        if let Some(failure) = &record.failure {
            eprintln!("{}: {failure}", record.kernel);
        }
        self.rows.push(row(record));
        Ok(())
    }

    /// Prints the table.
    pub(super) fn finish(&self) -> io::Result<()> {
        if self.json {
            return Ok(());
        }
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.chain([COLUMNS[column].len()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
        let mut out = io::stdout().lock();
        let header = COLUMNS.map(str::to_owned);
        for row in [&header].into_iter().chain(&self.rows) {
            let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i {
                0 | 1 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

fn row(record: &Record) -> [String; COLUMNS.len()] {
    let share = |slots: u64| match record.slots.total() {
        0 => "-".to_owned(),
        total => format!("{:.1}%", 100.0 * slots as f64 / total as f64),
    };
    let departures =
        |show: fn(&Departures) -> String| record.departures.as_ref().map_or("-".to_owned(), show);
    [
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
