//! The arguments of `bench`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Parser};

use super::memories::Memories;
use super::{experiments, keys, Experiment};
use crate::cli::build_args::BuildArgs;
use crate::cli::config_args::sched_keys;
use crate::cli::engine::EngineKind;
use crate::cli::{jobs, whole, ConfigArgs, UsageError};
use spec::config::PRESETS;
use tools::parallel;

const EXAMPLES: &str = "\
Examples:
  bench --sched lrr,gtlo,swas --kernels all    IPC to that of lrr, cycles, where the issue slots went, longest waits
  bench --sched all --kernels psort,my.elf --presets small,medium --mem ideal,dram --out sweep
  bench --sched lrr,gtlo --kernels scan --mem dram --jitter 20 --seeds 5 --baseline gtlo --csv
  bench --sched all --kernels all --plan --out sweep   a command for each run, for any number of machines
  bench --collect sweep                        page and tables of what they left there
  bench --compare vortex                       all sizes, as a table
  bench --compare vortex --presets small,medium --json
  bench --compare vortex --only vecadd,psort   some of the programs
  bench --speed --presets small,medium         how fast the engines are
  bench --builds --presets small,medium        how long it takes to build their simulators
  bench --experiment swas --out swas           the SWaS paper's evaluation; a page with charts in swas/
  bench --experiment swas --preset small --kernels psort:64 --json
  bench --results docs/RESULTS.md --plan       which of its tables are older than the hardware
  bench --experiment motrr --out motrr         the same of another paper, on a machine like its own
  bench --experiment motrr --suites prepared   with the programs themselves, from their own device code

With --sched, runs are kept in the directory of --out, or in the cache: a call that is interrupted goes on where it
was, and another one makes only those runs that are missing. What went into a run is its name: this program, the core,
the kernel and the options.

Of the core's options vortex takes --no-fpu (and then measures in integers what can be), the papers all but the
schedulers. Without any they run on the machines that they print, swas on two; with them, or with --mem, on one. Simulators
are built once, for minutes, and kept.

Exit status: 0 all runs passed, 1 a run failed or something cannot be written, 2 a mistake in the arguments.";

/// Runs several programs on several cores and puts their figures into one table
#[derive(Parser, Debug)]
#[command(name = "bench", version, after_help = EXAMPLES)]
#[command(group(ArgGroup::new("what").args(["compare", "experiment", "speed", "builds", "sched", "collect", "results", "list"]).required(true)))]
pub(super) struct Args {
    /// Measure this core beside another one
    #[arg(long, value_name = "PEER", value_parser = PossibleValuesParser::new(keys("--compare")))]
    pub(super) compare: Option<String>,
    /// Repeat the evaluation of a paper
    #[arg(long, value_name = "PAPER", value_parser = PossibleValuesParser::new(keys("--experiment")))]
    pub(super) experiment: Option<String>,
    /// Measure how fast the engines are: thousand cycles a second of processor time
    #[arg(long)]
    pub(super) speed: bool,
    /// Measure how long Verilator and the C++ compiler work on each simulator, in seconds of processor time
    #[arg(long)]
    pub(super) builds: bool,
    /// Show the runs that commands of --plan have left below this directory
    #[arg(long, value_name = "DIR", help_heading = "Comparison of schedulers")]
    pub(super) collect: Option<PathBuf>,
    /// Measure the tables of these documents that are missing or older than the hardware, by the commands that they name
    #[arg(long, value_name = "FILES", num_args = 1..)]
    pub(super) results: Vec<PathBuf>,
    /// With --results, measure nothing, and write under each table whether it is older than the hardware
    #[arg(long, requires = "results", conflicts_with = "plan")]
    pub(super) mark: bool,
    /// Where programs run
    #[arg(long, value_enum, default_value_t, help_heading = "Simulation")]
    pub(super) engine: EngineKind,
    /// How many runs go side by side [default: as many as there are processors]
    #[arg(long, value_name = "N", default_value_t = parallel::processors(), hide_default_value = true, value_parser = jobs,
          help_heading = "Simulation")]
    pub(super) jobs: parallel::Jobs,
    #[command(flatten)]
    pub(super) build: BuildArgs,
    /// Print JSON and nothing else on standard output: a line for each figure of vortex, one object for all else
    #[arg(long, conflicts_with_all = ["markdown", "csv"])]
    pub(super) json: bool,
    /// Print Markdown tables
    #[arg(long, conflicts_with = "csv")]
    pub(super) markdown: bool,
    /// Print a line for each run, comma-separated values under a line of names
    #[arg(long, help_heading = "Comparison of schedulers")]
    pub(super) csv: bool,
    /// The scheduler to whose IPC that of the others is put in relation [default: lrr]
    #[arg(long, value_name = "KEY", value_parser = PossibleValuesParser::new(sched_keys()),
          help_heading = "Comparison of schedulers")]
    pub(super) baseline: Option<String>,
    /// Make every run with so many seeds, from --seed on; needs --jitter
    #[arg(long, value_name = "N", value_parser = whole(1..=1000_u32),
          help_heading = "Comparison of schedulers")]
    pub(super) seeds: Option<u32>,
    /// Print a command for each run, one a line, in place of making them; with --results, how old each table is
    #[arg(long, conflicts_with_all = ["json", "markdown", "csv"])]
    pub(super) plan: bool,
    /// List the experiments
    #[arg(long)]
    pub(super) list: bool,

    /// Cores by preset [default of vortex: small,medium,large,paper]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "What is run",
          value_parser = PossibleValuesParser::new(PRESETS.iter().map(|p| p.name)))]
    pub(super) presets: Vec<String>,
    /// Measure only what has one of these in its name (vortex), title or command (--results)
    #[arg(long, value_name = "TEXTS", value_delimiter = ',', help_heading = "What is run")]
    pub(super) only: Vec<String>,
    /// Kernels to run, NAME or NAME:SIZE, all, or files [default of a paper: its own]
    #[arg(long, value_name = "LIST|all|FILE", value_delimiter = ',', num_args = 1.., help_heading = "What is run")]
    pub(super) kernels: Vec<String>,
    /// Run a paper's programs themselves, as far as scripts/suites.sh --prepare has put them there
    #[arg(long, value_name = "DIR", conflicts_with = "kernels", help_heading = "What is run")]
    pub(super) suites: Option<PathBuf>,
    /// Memory behind the bus, several to compare on each: ideal, fixed:N or dram [default: ideal; of a paper: its own]
    #[arg(long, value_name = "MODELS", help_heading = "What is run")]
    pub(super) mem: Option<Memories>,
    /// Up to how many cycles the memory answers late, at random and out of order
    #[arg(long, value_name = "CYCLES", value_parser = whole(0..=10_000_u32),
          help_heading = "What is run")]
    pub(super) jitter: Option<u32>,
    /// Seed of all that is random
    #[arg(long, value_name = "N", value_parser = whole(0_u64..), help_heading = "What is run")]
    pub(super) seed: Option<u64>,
    /// Write a page with charts and the figures as JSON there; with --sched, keep the runs there too
    #[arg(long, value_name = "DIR", help_heading = "What is run")]
    pub(super) out: Option<PathBuf>,

    #[command(flatten)]
    pub(super) core: ConfigArgs,
}

impl Args {
    /// Whether the figure of that name is asked for.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| name.contains(text.as_str()))
    }

    /// What is to be done: an experiment by its key, `sched`, `collect` or `results`.
    pub(super) fn task(&self) -> &str {
        let measured = self.speed.then_some("speed").or(self.builds.then_some("builds"));
        let experiment = self.compare.as_deref().or(self.experiment.as_deref()).or(measured);
        experiment.unwrap_or(match (&self.collect, self.results.as_slice()) {
            (Some(_), _) => "collect",
            (None, [_, ..]) => "results",
            (None, []) => "sched",
        })
    }

    /// Options of one task mean nothing to another.
    pub(super) fn check(&self) -> Result<(), UsageError> {
        const SCHED: &[&str] = &["sched"];
        const SHOWN: &[&str] = &["sched", "collect"];
        const RUNS: &[&str] = &["sched", "paper"];
        const KERNELS: &[&str] = &["sched", "paper", "speed"];
        let other_core = self.core.given().any(|option| option != "--no-fpu");
        let several = self.mem.as_ref().is_some_and(|memories| memories.0.len() > 1);
        let options: &[(&str, bool, &[&str])] = &[
            ("--kernels", !self.kernels.is_empty(), KERNELS),
            ("--suites", self.suites.is_some(), &["paper"]),
            ("--presets", !self.presets.is_empty(), &["sched", "vortex", "speed", "builds"]),
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
                &["sched", "paper", "vortex", "speed", "builds"],
            ),
            ("--baseline", self.baseline.is_some(), SHOWN),
            ("--seeds", self.seeds.is_some(), SCHED),
            ("--csv", self.csv, SHOWN),
            (
                "--json or --markdown",
                self.json || self.markdown,
                &["sched", "collect", "paper", "vortex", "speed", "builds"],
            ),
            ("--plan", self.plan, &["sched", "results"]),
        ];
        let (task, who) = match self.task() {
            task @ ("sched" | "collect" | "results" | "speed" | "builds") => (task, format!("--{task}")),
            task if self.compare.is_some() => (task, format!("the experiment {task}")),
            paper => ("paper", format!("the experiment {paper}")),
        };
        match options.iter().find(|(_, given, takers)| *given && !takers.contains(&task)) {
            Some((option, ..)) => Err(UsageError(format!("{who} does not take {option}"))),
            None => self.build.check(self.engine),
        }
    }

    /// The experiment that is asked for, if it is one.
    pub(super) fn experiment(&self) -> Option<Experiment> {
        experiments().find(|e| e.key == self.task())
    }
}
