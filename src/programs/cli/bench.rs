//! The program `bench`: experiments that run several programs on several cores.

mod args;
mod builds;
mod checks;
mod figure;
mod memories;
mod paper;
mod peer;
mod prepare;
mod results;
mod speed;
mod sweep;
mod vortex;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use super::progress::Progress;
use super::{complain, print, start_as, UsageError};
use crate::report::{write_files, Table};
use args::Args;
use paper::{Paper, PAPERS};
use spec::config::CoreConfig;

/// The experiments that repeat no paper.
const OWN: [Experiment; 3] = [
    Experiment {
        key: "vortex",
        option: "--compare",
        summary: "cycles, latencies and throughputs beside those of Vortex 2.2",
        cores: vortex::cores,
        run: vortex::run,
    },
    Experiment {
        key: "speed",
        option: "--speed",
        summary: "how fast the engines are, side by side",
        cores: vortex::cores,
        run: speed::run,
    },
    Experiment {
        key: "builds",
        option: "--builds",
        summary: "how long the tools work on a simulator",
        cores: vortex::cores,
        run: builds::run,
    },
];

/// All: whatever enumerates them reads this.
fn experiments() -> impl Iterator<Item = Experiment> {
    OWN.into_iter().chain(PAPERS.map(Experiment::of_paper))
}

/// Something that can be measured.
#[derive(Clone, Copy)]
struct Experiment {
    key: &'static str,
    /// What chooses it.
    option: &'static str,
    summary: &'static str,
    /// What it simulates.
    cores: fn(&Args) -> anyhow::Result<Vec<CoreConfig>>,
    /// Measures; every mistake in the arguments is reported before anything slow begins.
    run: fn(&Args, Format, &Progress) -> anyhow::Result<Results>,
}

impl Experiment {
    fn of_paper(paper: &Paper) -> Self {
        Self {
            key: paper.key,
            option: "--experiment",
            summary: paper.summary,
            cores: paper::cores,
            run: paper::run,
        }
    }
}

/// The values of --compare, or those of --experiment.
fn keys(option: &'static str) -> impl Iterator<Item = &'static str> {
    experiments().filter(move |e| e.option == option).map(|e| e.key)
}

/// What an experiment has found.
#[derive(Default)]
struct Results {
    /// What standard output gets.
    text: String,
    /// Files of one directory and what is in them.
    files: Vec<(PathBuf, String)>,
    /// Runs that failed, and why.
    failures: Vec<String>,
    /// How many runs there are.
    runs: usize,
}

impl Results {
    /// Rows that are lines of JSON, or a table.
    fn of(rows: &[impl Serialize], table: &Table, format: Format) -> anyhow::Result<Self> {
        let text = match format {
            Format::Json => rows
                .iter()
                .map(|row| Ok(serde_json::to_string(row)? + "\n"))
                .collect::<serde_json::Result<_>>()?,
            Format::Markdown => table.markdown(),
            Format::Table | Format::Csv => table.plain(),
        };
        Ok(Self { text, ..Self::default() })
    }
}

/// The cores that a command line simulates.
///
/// # Errors
/// Mistakes in the arguments; runs that were made elsewhere, or no runs.
fn cores(args: &Args) -> anyhow::Result<Vec<CoreConfig>> {
    args.check()?;
    match (args.experiment(), args.task()) {
        (Some(experiment), _) => (experiment.cores)(args),
        (None, "sched") if !args.list => sweep::plan::cores(args),
        _ => Err(UsageError("no simulations follow from this".into()).into()),
    }
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Table,
    Json,
    Markdown,
    /// Of comparisons of schedulers alone.
    Csv,
}

/// What a core is called: warps and lanes, and the slices if there are several.
fn shape(cfg: &CoreConfig) -> String {
    let CoreConfig { warps, threads, slices, .. } = cfg;
    format!("{warps}x{threads}{}", if *slices > 1 { format!(", {slices} slices") } else { String::new() })
}

/// Parses the command line and runs.
pub fn main() -> ExitCode {
    start_as(sweep::command(), run)
}

fn run(args: &Args) -> anyhow::Result<()> {
    if args.list {
        let line = |e: Experiment| {
            let alone = e.option.strip_prefix("--") == Some(e.key);
            let option = if alone { e.option.into() } else { format!("{} {}", e.option, e.key) };
            format!("{:<10}{} ({option})\n", e.key, e.summary)
        };
        return print(experiments().map(line).collect::<String>());
    }
    args.check()?;
    let run = match (args.experiment(), args.task()) {
        (Some(experiment), _) => experiment.run,
        (None, "results") => return results::run(args),
        (None, "collect") => sweep::collect,
        (None, _) => sweep::run,
    };
    let format = match (args.json, args.markdown, args.csv) {
        (true, ..) => Format::Json,
        (_, true, _) => Format::Markdown,
        (.., true) => Format::Csv,
        _ => Format::Table,
    };
    let results = run(args, format, &Progress::new(""))?;
    // Neither is lost if the other cannot be written.
    let directory = results.files.first().and_then(|(path, _)| path.parent());
    let written = directory
        .map_or(Ok(()), |directory| write_files(directory, &results.files))
        .context("cannot write the results");
    print(results.text)?;
    written?;
    results.failures.iter().for_each(|failure| complain(format_args!("{failure}\n")));
    match results.failures.len() {
        0 => Ok(()),
        failed => anyhow::bail!("{failed} of {} runs failed", results.runs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        sweep::command().debug_assert();
    }
}
