//! The tables of all runs, for people.

use super::Record;
use crate::cli::{complain, print};
use cosim::{Departures, Report};

/// Where the records go.
pub(in crate::cli::sim) struct Outputs {
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
    pub(in crate::cli::sim) fn new(json: bool, count: usize) -> Self {
        Self { json, rows: Vec::new(), counter_rows: Vec::new(), several: count > 1 }
    }

    /// Prints what the program printed, why it failed, and in JSON the record.
    pub(in crate::cli::sim) fn show(&mut self, record: &Record, report: &Report) -> anyhow::Result<()> {
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
    pub(in crate::cli::sim) fn finish(&self) -> anyhow::Result<()> {
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
    let rtru = record.barriers.as_ref().and_then(|barriers| barriers.rtru);
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
        rtru.map_or("-".to_owned(), |rtru| format!("{:.1}%", 100.0 * rtru)),
        record.barriers.as_ref().map_or(0, |b| b.barriers.waited()).to_string(),
    ]
}
