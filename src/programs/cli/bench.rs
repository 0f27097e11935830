//! The program `bench`: experiments that run several programs on several cores.

mod figure;
mod memories;
mod paper;
mod parallel;
mod peer;
mod prepare;
mod sweep;
mod vortex;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, FromArgMatches, Parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::build_args::BuildArgs;
use super::config_args::sched_keys;
use super::{complain, print, start_parsed, ConfigArgs, UsageError};
use crate::report::write_files;
use memories::Memories;
use paper::Paper;
use spec::config::PRESETS;

const EXAMPLES: &str = "\
Examples:
  bench --sched lrr,gtlo,swas --kernels all    IPC to that of lrr, cycles, and where the issue slots went
  bench --sched all --kernels psort,my.elf --presets small,medium --mem ideal,dram --out sweep
  bench --sched lrr,gtlo --kernels scan --mem dram --jitter 20 --seeds 5 --baseline gtlo --csv
  bench --sched all --kernels all --plan --out sweep   a command for each run, for any number of machines
  bench --collect sweep                        page and tables of what they left there
  bench --compare vortex                       all sizes, as a table
  bench --compare vortex --presets small,medium --json
  bench --compare vortex --only vecadd,psort   some of the programs
  bench --compare vortex --markdown            the tables of docs/RESULTS.md
  bench --experiment swas --out swas           the SWaS paper's evaluation; a page with charts in swas/
  bench --experiment swas --preset small --kernels psort:64 --json
  bench --experiment motrr --out motrr         the same of another paper, on a machine like its own

With --sched, runs are kept in the directory of --out, or in the cache: a call that is interrupted goes on where it
was, and another one makes only those runs that are missing. What went into a run is its name: this program, the core,
the kernel and the options.

Of the core's options vortex takes --no-fpu (and then measures in integers what can be), the papers all but the
schedulers. Without any they run on the machines that they print, swas on two; with them, or with --mem, on one. Simulators
are built once, for minutes, and kept.

Exit status: 0 all runs passed, 1 a run failed or something cannot be written, 2 a mistake in the arguments.";

/// One line an experiment: all that enumerates them reads it.
const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        key: "vortex",
        compares: true,
        summary: "cycles, latencies and throughputs beside those of Vortex 2.2",
        run: vortex::run,
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
    /// Whether it compares this core with another one, and is chosen by --compare.
    compares: bool,
    summary: &'static str,
    /// Measures; every mistake in the arguments is reported before anything slow begins.
    run: fn(&Args, Format, &Progress) -> anyhow::Result<Results>,
}

impl Experiment {
    const fn of_paper(paper: &Paper) -> Self {
        Self { key: paper.key, compares: false, summary: paper.summary, run: paper::run }
    }
}

/// The values of --compare, or those of --experiment.
fn keys(compares: bool) -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().filter(move |e| e.compares == compares).map(|e| e.key)
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

/// Runs several programs on several cores and puts their figures into one table
#[derive(Parser, Debug)]
#[command(name = "bench", version, after_help = EXAMPLES)]
#[command(group(ArgGroup::new("what").args(["compare", "experiment", "sched", "collect", "list"]).required(true)))]
struct Args {
    /// Measure this core beside another one
    #[arg(long, value_name = "PEER", value_parser = PossibleValuesParser::new(keys(true)))]
    compare: Option<String>,
    /// Repeat the evaluation of a paper
    #[arg(long, value_name = "PAPER", value_parser = PossibleValuesParser::new(keys(false)))]
    experiment: Option<String>,
    /// Show the runs that commands of --plan have left below this directory
    #[arg(long, value_name = "DIR", help_heading = "Comparison of schedulers")]
    collect: Option<PathBuf>,
    #[command(flatten)]
    build: BuildArgs,
    /// Print JSON and nothing else on standard output: a line for each figure of vortex, one object for all else
    #[arg(long, conflicts_with_all = ["markdown", "csv"])]
    json: bool,
    /// Print Markdown tables
    #[arg(long, conflicts_with = "csv")]
    markdown: bool,
    /// Print a line for each run, comma-separated values under a line of names
    #[arg(long, help_heading = "Comparison of schedulers")]
    csv: bool,
    /// The scheduler to whose IPC that of the others is put in relation [default: lrr]
    #[arg(long, value_name = "KEY", value_parser = PossibleValuesParser::new(sched_keys()),
          help_heading = "Comparison of schedulers")]
    baseline: Option<String>,
    /// Make every run with so many seeds, from --seed on; needs --jitter
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000),
          help_heading = "Comparison of schedulers")]
    seeds: Option<u32>,
    /// Print a command for each run, one a line, in place of making them
    #[arg(long, conflicts_with_all = ["json", "markdown", "csv"], help_heading = "Comparison of schedulers")]
    plan: bool,
    /// List the experiments
    #[arg(long)]
    list: bool,

    /// Cores by preset [default of vortex: small,medium,large,paper]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "What is run",
          value_parser = PossibleValuesParser::new(PRESETS.iter().map(|p| p.name)))]
    presets: Vec<String>,
    /// Measure only what has one of these in its name (vortex)
    #[arg(long, value_name = "TEXTS", value_delimiter = ',', help_heading = "What is run")]
    only: Vec<String>,
    /// Kernels to run, NAME or NAME:SIZE, all, or files [default of a paper: its own]
    #[arg(long, value_name = "LIST|all|FILE", value_delimiter = ',', num_args = 1.., help_heading = "What is run")]
    kernels: Vec<String>,
    /// Memory behind the bus, several to compare on each: ideal, fixed:N or dram [default: ideal; of a paper: its own]
    #[arg(long, value_name = "MODELS", help_heading = "What is run")]
    mem: Option<Memories>,
    /// Up to how many cycles the memory answers late, at random and out of order
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u32).range(0..=10_000),
          help_heading = "What is run")]
    jitter: Option<u32>,
    /// Seed of all that is random
    #[arg(long, value_name = "N", help_heading = "What is run")]
    seed: Option<u64>,
    /// Write a page with charts and the figures as JSON there; with --sched, keep the runs there too
    #[arg(long, value_name = "DIR", help_heading = "What is run")]
    out: Option<PathBuf>,

    #[command(flatten)]
    core: ConfigArgs,
}

impl Args {
    /// Whether the figure of that name is asked for.
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| name.contains(text.as_str()))
    }

    /// The same of a comparison of schedulers, or of collecting one.
    fn check_sweep(&self) -> Result<(), UsageError> {
        let only = ("--only", !self.only.is_empty());
        let makes_runs = [
            ("--kernels", !self.kernels.is_empty()),
            ("--presets", !self.presets.is_empty()),
            ("--mem", self.mem.is_some()),
            ("--jitter", self.jitter.is_some()),
            ("--seed", self.seed.is_some()),
            ("--seeds", self.seeds.is_some()),
            ("--plan", self.plan),
            ("options of the core", self.core.given().next().is_some()),
        ];
        let (who, foreign) = match &self.collect {
            Some(_) => ("--collect", [&[only], &makes_runs[..]].concat()),
            None => ("--sched", vec![only]),
        };
        match foreign.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(UsageError(format!("{who} does not take {option}"))),
            None => Ok(()),
        }
    }

    /// Options of one experiment mean nothing to another.
    fn check(&self, experiment: &str) -> Result<(), UsageError> {
        let other_core = self.core.given().any(|option| option != "--no-fpu");
        let of_sweeps = [
            ("--baseline", self.baseline.is_some()),
            ("--seeds", self.seeds.is_some()),
            ("--csv", self.csv),
            ("--plan", self.plan),
        ];
        let foreign: &[(&str, bool)] = match experiment {
            "vortex" => &[
                ("--kernels", !self.kernels.is_empty()),
                ("--mem", self.mem.is_some()),
                ("--jitter", self.jitter.is_some()),
                ("--seed", self.seed.is_some()),
                ("--out", self.out.is_some()),
                ("other options of the core than --no-fpu", other_core),
            ],
            _ => &[
                ("--presets", !self.presets.is_empty()),
                ("--only", !self.only.is_empty()),
                ("more than one memory", self.mem.as_ref().is_some_and(|memories| memories.0.len() > 1)),
            ],
        };
        match foreign.iter().chain(&of_sweeps).find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(UsageError(format!("the experiment {experiment} does not take {option}")))
            }
            None => Ok(()),
        }
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
            let option = if e.compares { "--compare" } else { "--experiment" };
            format!("{:<10}{} ({option} {})\n", e.key, e.summary, e.key)
        };
        return print(EXPERIMENTS.iter().map(line).collect::<String>());
    }
    let key = args.compare.as_ref().or(args.experiment.as_ref());
    let run = match EXPERIMENTS.iter().find(|e| Some(e.key) == key.map(String::as_str)) {
        Some(experiment) => {
            args.check(experiment.key)?;
            experiment.run
        }
        None => {
            args.check_sweep()?;
            if args.collect.is_some() {
                sweep::collect
            } else {
                sweep::run
            }
        }
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
