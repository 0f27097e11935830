//! The tables of areas and clocks.

use std::fs;

use anyhow::Context;

use super::Args;
use crate::cli::progress::Progress;
use crate::cli::writable::check_files;
use crate::cli::{print, UsageError};
use crate::fpga::candidates::{candidates, Candidate, Kind};
use crate::fpga::table::{csv, markdown, measure, Extent, Row, TableError};
use crate::fpga::{Tools, BOARDS};
use files::publish;
use tools::parallel::in_parallel;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    check_files(args.csv.as_slice(), &[])?;
    let candidates = chosen(args)?;
    let rows = measure_all(args, &candidates)?;
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

/// The candidates' rows in their order.
fn measure_all(args: &Args, candidates: &[Candidate]) -> Result<Vec<Row>, TableError> {
    let tools = Tools::discover();
    let line = Progress::new("");
    in_parallel(args.jobs, candidates, |number, candidate| {
        line.says(format!("{} of {}: {}", number + 1, candidates.len(), candidate.name));
        let whole = candidate.kind == Kind::Core || !args.quick;
        let placements = if args.place { args.seeds } else { 0 };
        measure(&tools, candidate, Extent { whole, placements, board: &BOARDS[0] })
    })
}
