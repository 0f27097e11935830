//! The tables of areas and clocks.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::Context;
use indicatif::ProgressBar;

use super::{progress_bar, Args};
use crate::cli::writable::check_files;
use crate::cli::{print, UsageError};
use crate::fpga::candidates::{candidates, Candidate, Kind};
use crate::fpga::table::{csv, markdown, measure, Extent, Row, TableError};
use crate::fpga::{Tools, BOARDS};
use files::publish;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    check_files(args.csv.as_slice(), &[])?;
    let candidates = chosen(args)?;
    let jobs = args.jobs.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let bar = progress_bar("");
    let rows = measure_all(args, &candidates, jobs, &bar);
    bar.finish_and_clear();
    let rows = rows?;
    if let Some(path) = &args.csv {
        publish(path, |scratch| fs::write(scratch, csv(&rows)))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    print(markdown(&rows))
}

/// The candidates with one of the texts of `--only` in their names, or as their names, or all; each text must choose something.
pub(super) fn chosen(args: &Args) -> Result<Vec<Candidate>, UsageError> {
    let all = candidates();
    let chooses = |text: &str, row: &Candidate| match args.exact {
        true => row.name == text,
        false => row.name.contains(text),
    };
    if let Some(text) = args.only.iter().find(|text| !all.iter().any(|row| chooses(text, row))) {
        let names: Vec<_> = all.iter().map(|row| row.name.as_str()).collect();
        return Err(UsageError(format!(
            "--only {text}: no row {}; rows are {}",
            if args.exact { "has that name" } else { "has that in its name" },
            names.join(", ")
        )));
    }
    let is_chosen = |row: &Candidate| args.only.is_empty() || args.only.iter().any(|text| chooses(text, row));
    Ok(all.into_iter().filter(is_chosen).collect())
}

/// The candidates' rows in their order, measured `jobs` at a time. After an error no further one is begun.
fn measure_all(
    args: &Args,
    candidates: &[Candidate],
    jobs: usize,
    bar: &ProgressBar,
) -> Result<Vec<Row>, TableError> {
    let tools = Tools::discover();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut rows = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(candidate) = candidates.get(number) else { break };
            bar.set_message(format!("{} of {}: {}", number + 1, candidates.len(), candidate.name));
            let whole = candidate.kind == Kind::Core || !args.quick;
            let placements = if args.place { args.seeds } else { 0 };
            let row = measure(&tools, candidate, Extent { whole, placements, board: &BOARDS[0] });
            failed.fetch_or(row.is_err(), Ordering::Relaxed);
            rows.push((number, row));
        }
        rows
    };
    let mut rows: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no worker panics")).collect()
    });
    rows.sort_by_key(|(number, _)| *number);
    rows.into_iter().map(|(_, row)| row).collect()
}
