//! The program `bench`: experiments that run several programs on several cores.

mod args;
mod builds;
mod checks;
mod figure;
mod memories;
mod paper;
mod parallel;
mod peer;
mod prepare;
mod results;
mod speed;
mod sweep;
mod vortex;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::FromArgMatches;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{complain, print, start_parsed, UsageError};
use crate::report::{write_files, Table};
use args::Args;
use paper::Paper;
use spec::config::CoreConfig;

/// One line an experiment: all that enumerates them reads it.
const EXPERIMENTS: &[Experiment] = &[
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
    Experiment::of_paper(&paper::SWAS),
    Experiment::of_paper(&paper::BAWS),
    Experiment::of_paper(&paper::MOTRR),
    Experiment::of_paper(&paper::IPAWS),
    Experiment::of_paper(&paper::KAWS),
];

/// Something that can be measured.
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
    const fn of_paper(paper: &Paper) -> Self {
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
    EXPERIMENTS.iter().filter(move |e| e.option == option).map(|e| e.key)
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

/// A line on the terminal that says what is being done; nothing where standard error is a file.
struct Progress(ProgressBar);

impl Progress {
    fn says(&self, what: String) {
        self.0.set_message(what);
        self.0.tick();
    }

    /// So many of all runs are done: from now on a bar tells how many, and how long the rest will take.
    fn counts(&self, all: usize, done: usize) {
        let template = "{spinner} [{wide_bar}] {pos}/{len}, {eta} left  {msg}";
        self.0.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        self.0.set_length(all as u64);
        self.0.set_position(done as u64);
        self.0.reset_eta();
    }

    /// One more is done.
    fn done(&self, what: String) {
        self.0.inc(1);
        self.says(what);
    }
}

/// Parses the command line and runs.
pub fn main() -> ExitCode {
    let parsed = sweep::command().try_get_matches().and_then(|matches| Args::from_arg_matches(&matches));
    start_parsed(parsed, run)
}

fn run(args: &Args) -> anyhow::Result<()> {
    if args.list {
        let line = |e: &Experiment| {
            let alone = e.option.strip_prefix("--") == Some(e.key);
            let option = if alone { e.option.into() } else { format!("{} {}", e.option, e.key) };
            format!("{:<10}{} ({option})\n", e.key, e.summary)
        };
        return print(EXPERIMENTS.iter().map(line).collect::<String>());
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
    let progress = Progress(ProgressBar::new_spinner());
    progress.0.enable_steady_tick(Duration::from_millis(200));
    let results = run(args, format, &progress)?;
    progress.0.finish_and_clear();
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
