//! The program `bench`: experiments that run several programs on several cores.

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
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, FromArgMatches, Parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::build_args::BuildArgs;
use super::config_args::sched_keys;
use super::engine::EngineKind;
use super::{complain, print, start_parsed, ConfigArgs, UsageError};
use crate::report::write_files;
use memories::Memories;
use paper::Paper;
use spec::config::{CoreConfig, PRESETS};

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
  bench --speed --presets small,medium         how fast the engines are
  bench --experiment swas --out swas           the SWaS paper's evaluation; a page with charts in swas/
  bench --experiment swas --preset small --kernels psort:64 --json
  bench --results docs/RESULTS.md --plan       which of its tables are older than the hardware
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

/// Runs several programs on several cores and puts their figures into one table
#[derive(Parser, Debug)]
#[command(name = "bench", version, after_help = EXAMPLES)]
#[command(group(ArgGroup::new("what").args(["compare", "experiment", "speed", "sched", "collect", "results", "list"]).required(true)))]
struct Args {
    /// Measure this core beside another one
    #[arg(long, value_name = "PEER", value_parser = PossibleValuesParser::new(keys("--compare")))]
    compare: Option<String>,
    /// Repeat the evaluation of a paper
    #[arg(long, value_name = "PAPER", value_parser = PossibleValuesParser::new(keys("--experiment")))]
    experiment: Option<String>,
    /// Measure how fast the engines are: thousand cycles a second of processor time
    #[arg(long)]
    speed: bool,
    /// Show the runs that commands of --plan have left below this directory
    #[arg(long, value_name = "DIR", help_heading = "Comparison of schedulers")]
    collect: Option<PathBuf>,
    /// Measure the tables of these documents that are missing or older than the hardware, by the commands that they name
    #[arg(long, value_name = "FILES", num_args = 1..)]
    results: Vec<PathBuf>,
    /// With --results, measure nothing, and write under each table whether it is older than the hardware
    #[arg(long, requires = "results", conflicts_with = "plan")]
    mark: bool,
    /// Where programs run
    #[arg(long, value_enum, default_value_t, help_heading = "Simulation")]
    engine: EngineKind,
    /// How many runs go side by side [default: as many as there are processors]
    #[arg(long, value_name = "N", default_value_t = parallel::processors(), hide_default_value = true,
          help_heading = "Simulation")]
    jobs: parallel::Jobs,
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
    /// Print a command for each run, one a line, in place of making them; with --results, how old each table is
    #[arg(long, conflicts_with_all = ["json", "markdown", "csv"])]
    plan: bool,
    /// List the experiments
    #[arg(long)]
    list: bool,

    /// Cores by preset [default of vortex: small,medium,large,paper]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "What is run",
          value_parser = PossibleValuesParser::new(PRESETS.iter().map(|p| p.name)))]
    presets: Vec<String>,
    /// Measure only what has one of these in its name (vortex), title or command (--results)
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

    /// What is to be done: an experiment by its key, `sched`, `collect` or `results`.
    fn task(&self) -> &str {
        let speed = self.speed.then_some("speed");
        let experiment = self.compare.as_deref().or(self.experiment.as_deref()).or(speed);
        experiment.unwrap_or(match (&self.collect, self.results.as_slice()) {
            (Some(_), _) => "collect",
            (None, [_, ..]) => "results",
            (None, []) => "sched",
        })
    }

    /// Options of one task mean nothing to another.
    fn check(&self) -> Result<(), UsageError> {
        const SCHED: &[&str] = &["sched"];
        const SHOWN: &[&str] = &["sched", "collect"];
        const RUNS: &[&str] = &["sched", "paper"];
        const KERNELS: &[&str] = &["sched", "paper", "speed"];
        let other_core = self.core.given().any(|option| option != "--no-fpu");
        let several = self.mem.as_ref().is_some_and(|memories| memories.0.len() > 1);
        let options: &[(&str, bool, &[&str])] = &[
            ("--kernels", !self.kernels.is_empty(), KERNELS),
            ("--presets", !self.presets.is_empty(), &["sched", "vortex", "speed"]),
            ("--only", !self.only.is_empty(), &["vortex", "results"]),
            ("--mem", self.mem.is_some(), KERNELS),
            ("--engine", self.engine != EngineKind::Rtl, RUNS),
            ("more than one memory", several, SCHED),
            ("--jitter", self.jitter.is_some(), RUNS),
            ("--seed", self.seed.is_some(), RUNS),
            ("--out", self.out.is_some(), &["sched", "collect", "paper"]),
            ("other options of the core than --no-fpu", other_core, RUNS),
            (
                "options of the core",
                self.core.given().next().is_some(),
                &["sched", "paper", "vortex", "speed"],
            ),
            ("--baseline", self.baseline.is_some(), SHOWN),
            ("--seeds", self.seeds.is_some(), SCHED),
            ("--csv", self.csv, SHOWN),
            (
                "--json or --markdown",
                self.json || self.markdown,
                &["sched", "collect", "paper", "vortex", "speed"],
            ),
            ("--plan", self.plan, &["sched", "results"]),
        ];
        let (task, who) = match self.task() {
            task @ ("sched" | "collect" | "results" | "speed") => (task, format!("--{task}")),
            task if self.compare.is_some() => (task, format!("the experiment {task}")),
            paper => ("paper", format!("the experiment {paper}")),
        };
        match options.iter().find(|(_, given, takers)| *given && !takers.contains(&task)) {
            Some((option, ..)) => Err(UsageError(format!("{who} does not take {option}"))),
            None => Ok(()),
        }
    }

    /// The experiment that is asked for, if it is one.
    fn experiment(&self) -> Option<&'static Experiment> {
        EXPERIMENTS.iter().find(|e| e.key == self.task())
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
            let option =
                if e.option == "--speed" { "--speed".into() } else { format!("{} {}", e.option, e.key) };
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
