//! The program `bench`: experiments that run several programs on several cores.

mod figure;
mod peer;
mod swas;
mod vortex;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Parser};
use indicatif::ProgressBar;

use super::build_args::BuildArgs;
use super::{print, start, ConfigArgs, UsageError};
use crate::config::PRESETS;
use crate::cosim::memory::MemoryKind;
use crate::report::write_file;

const EXAMPLES: &str = "\
Examples:
  bench --compare vortex                       all sizes, as a table
  bench --compare vortex --presets small,medium --json
  bench --compare vortex --only vecadd,psort   some of the programs
  bench --compare vortex --markdown            the tables of docs/RESULTS.md
  bench --experiment swas --out swas           the SWaS paper's evaluation; a page with charts in swas/
  bench --experiment swas --preset small --kernels psort:64 --json

Of the core's options vortex takes --no-fpu (and then measures in integers what can be), swas all but the schedulers;
its core is the preset paper unless told. Its simulators are built once, for minutes, and kept.

Exit status: 0 all runs passed, 1 a run failed or something cannot be written, 2 a mistake in the arguments.";

/// One line an experiment: all that enumerates them reads it.
const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        key: "vortex",
        compares: true,
        summary: "cycles, latencies and throughputs beside those of Vortex 2.2",
        run: vortex::run,
    },
    Experiment {
        key: "swas",
        compares: false,
        summary: "the SWaS paper's evaluation: nine pairs of schedulers, their errors, and SWaS beside them",
        run: swas::run,
    },
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

/// The values of --compare, or those of --experiment.
fn keys(compares: bool) -> impl Iterator<Item = &'static str> {
    EXPERIMENTS.iter().filter(move |e| e.compares == compares).map(|e| e.key)
}

/// What an experiment has found.
struct Results {
    /// What standard output gets.
    text: String,
    /// Files and what is in them.
    files: Vec<(PathBuf, String)>,
}

/// Runs several programs on several cores and puts their figures into one table
#[derive(Parser, Debug)]
#[command(name = "bench", version, after_help = EXAMPLES)]
#[command(group(ArgGroup::new("what").args(["compare", "experiment", "list"]).required(true)))]
struct Args {
    /// Measure this core beside another one
    #[arg(long, value_name = "PEER", value_parser = PossibleValuesParser::new(keys(true)))]
    compare: Option<String>,
    /// Repeat the evaluation of a paper
    #[arg(long, value_name = "PAPER", value_parser = PossibleValuesParser::new(keys(false)))]
    experiment: Option<String>,
    #[command(flatten)]
    build: BuildArgs,
    /// Print JSON and nothing else on standard output: a line for each figure of vortex, one object for swas
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown tables
    #[arg(long)]
    markdown: bool,
    /// List the experiments
    #[arg(long)]
    list: bool,

    /// Cores to measure, by preset [default: small,medium,large,paper]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Experiment vortex",
          value_parser = PossibleValuesParser::new(PRESETS.iter().map(|p| p.name)))]
    presets: Vec<String>,
    /// Measure only what has one of these in its name
    #[arg(long, value_name = "TEXTS", value_delimiter = ',', help_heading = "Experiment vortex")]
    only: Vec<String>,

    /// Kernels to run, NAME or NAME:SIZE [default: the paper's six, with work for 1024 threads]
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Experiment swas")]
    kernels: Vec<String>,
    /// Memory behind the bus: ideal, fixed:N or dram [default: dram]
    #[arg(long, value_name = "MODEL", help_heading = "Experiment swas")]
    mem: Option<MemoryKind>,
    /// Up to how many cycles the memory answers late, at random and out of order
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u32).range(0..=10_000),
          help_heading = "Experiment swas")]
    jitter: Option<u32>,
    /// Seed of all that is random
    #[arg(long, value_name = "N", help_heading = "Experiment swas")]
    seed: Option<u64>,
    /// Write swas.html, a page with charts, and swas.json there
    #[arg(long, value_name = "DIR", help_heading = "Experiment swas")]
    out: Option<PathBuf>,

    #[command(flatten)]
    core: ConfigArgs,
}

impl Args {
    /// Whether the figure of that name is asked for.
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| name.contains(text.as_str()))
    }

    /// Options of one experiment mean nothing to another.
    fn check(&self, experiment: &str) -> Result<(), UsageError> {
        let other_core = self.core != ConfigArgs { no_fpu: self.core.no_fpu, ..ConfigArgs::default() };
        let foreign: &[(&str, bool)] = match experiment {
            "vortex" => &[
                ("--kernels", !self.kernels.is_empty()),
                ("--mem", self.mem.is_some()),
                ("--jitter", self.jitter.is_some()),
                ("--seed", self.seed.is_some()),
                ("--out", self.out.is_some()),
                ("other options of the core than --no-fpu", other_core),
            ],
            _ => &[("--presets", !self.presets.is_empty()), ("--only", !self.only.is_empty())],
        };
        match foreign.iter().find(|(_, given)| *given) {
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
}

/// A line on the terminal that says what is being done; nothing where standard error is a file.
struct Progress(ProgressBar);

impl Progress {
    fn says(&self, what: String) {
        self.0.set_message(what);
        self.0.tick();
    }
}

/// Parses the command line and runs.
pub fn main() -> ExitCode {
    start(run)
}

fn run(args: &Args) -> anyhow::Result<()> {
    let key = args.compare.as_ref().or(args.experiment.as_ref());
    let Some(experiment) = EXPERIMENTS.iter().find(|e| Some(e.key) == key.map(String::as_str)) else {
        let line = |e: &Experiment| {
            let option = if e.compares { "--compare" } else { "--experiment" };
            format!("{:<10}{} ({option} {})\n", e.key, e.summary, e.key)
        };
        return print(EXPERIMENTS.iter().map(line).collect::<String>());
    };
    args.check(experiment.key)?;
    let format = match (args.json, args.markdown) {
        (true, _) => Format::Json,
        (_, true) => Format::Markdown,
        _ => Format::Table,
    };
    let progress = Progress(ProgressBar::new_spinner());
    progress.0.enable_steady_tick(Duration::from_millis(200));
    let results = (experiment.run)(args, format, &progress)?;
    progress.0.finish_and_clear();
    // Neither is lost if the other cannot be written.
    let write = |(path, text): &(PathBuf, String)| {
        write_file(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let written = results.files.iter().try_for_each(write);
    print(results.text)?;
    written
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
