//! The program `bench`: experiments that run several programs on several cores.

mod figure;
mod peer;
mod vortex;

use std::io::Write;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::Parser;
use indicatif::ProgressBar;

use super::finish;
use crate::config::PRESETS;
use figure::Figure;

const EXAMPLES: &str = "\
Examples:
  bench --compare vortex                       all sizes, as a table
  bench --compare vortex --presets small,medium --json
  bench --compare vortex --only vecadd,psort   some of the programs
  bench --compare vortex --markdown            the tables of the README

Exit status: 0 all runs passed, 1 a run failed, 2 a mistake in the arguments.";

/// One line an experiment: all that enumerates them reads it.
const EXPERIMENTS: &[Experiment] = &[Experiment {
    key: "vortex",
    summary: "cycles, latencies and throughputs beside those of Vortex 2.2",
    run: vortex::run,
}];

/// Something that can be measured.
struct Experiment {
    key: &'static str,
    summary: &'static str,
    run: fn(&Args, &Progress) -> anyhow::Result<Vec<Figure>>,
}

/// Runs an experiment: several programs on several cores, their figures in one table
#[derive(Parser, Debug)]
#[command(name = "bench", version, after_help = EXAMPLES)]
struct Args {
    /// What to measure
    #[arg(long, visible_alias = "compare", value_name = "EXPERIMENT",
          value_parser = PossibleValuesParser::new(EXPERIMENTS.iter().map(|e| e.key)),
          required_unless_present = "list")]
    experiment: Option<String>,
    /// Cores to measure, by preset
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "small,medium,large,paper",
          value_parser = PossibleValuesParser::new(PRESETS.iter().map(|p| p.name)))]
    presets: Vec<String>,
    /// Leave the floating-point unit out of the cores, and measure in integers what can be
    #[arg(long)]
    no_fpu: bool,
    /// Measure only what has one of these in its name
    #[arg(long, value_name = "TEXTS", value_delimiter = ',')]
    only: Vec<String>,
    /// Build the simulators faster; they then run slower
    #[arg(long)]
    quick: bool,
    /// Print one JSON object a line and nothing else on standard output
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown tables
    #[arg(long)]
    markdown: bool,
    /// List the experiments
    #[arg(long)]
    list: bool,
}

impl Args {
    /// Whether the figure of that name is asked for.
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|text| name.contains(text.as_str()))
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
    finish(run(&Args::parse()))
}

fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let chosen = EXPERIMENTS.iter().find(|e| Some(e.key) == args.experiment.as_deref());
    let Some(experiment) = chosen.filter(|_| !args.list) else {
        for experiment in EXPERIMENTS {
            writeln!(out, "{:<10}{}", experiment.key, experiment.summary)?;
        }
        return Ok(());
    };
    let progress = Progress(ProgressBar::new_spinner());
    let figures = (experiment.run)(args, &progress)?;
    progress.0.finish_and_clear();
    let format = match (args.json, args.markdown) {
        (true, _) => Format::Json,
        (_, true) => Format::Markdown,
        _ => Format::Table,
    };
    out.write_all(figure::print(&figures, format)?.as_bytes())?;
    Ok(())
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
