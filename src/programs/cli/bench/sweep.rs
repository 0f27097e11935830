//! The cross product of schedulers, kernels, memories and presets: which scheduler is best for which kernel, and why.

pub(super) mod entry;
pub(super) mod figures;
pub(super) mod plan;
pub(super) mod show;
pub(super) mod store;
pub(super) mod work;

use anyhow::Context;
use clap::builder::ValueParser;
use clap::{Command, CommandFactory};

use super::{Args, Format, Results};
use crate::cli::config_args::sched_keys;
use crate::cli::progress::Progress;
use crate::cli::writable::check_directory;
use crate::cli::{complain, UsageError};
use entry::Entry;
use figures::Figures;
use plan::Plan;
use store::Store;

/// The page, its first chart, the figures with all runs, and a line for each run.
const FILES: [&str; 4] = ["sweep.html", "sweep.svg", "sweep.json", "sweep.csv"];
/// The policy with which others are compared unless told.
const BASELINE: &str = "lrr";
/// What names everything there is.
const ALL: &str = "all";

/// The command line of `bench`: where a core has one scheduler, a comparison has a list of them.
pub(super) fn command() -> Command {
    Args::command().mut_arg("sched", |arg| {
        arg.value_name("LIST|all")
            .help("Compare these schedulers, each as it is for both stages: keys with commas between them, or all")
            .help_heading("Comparison of schedulers")
            .value_parser(ValueParser::from(parse_keys))
    })
}

fn parse_keys(text: &str) -> Result<String, String> {
    let valid: Vec<_> = sched_keys().collect();
    match text.split(',').find(|key| *key != ALL && !valid.contains(key)) {
        Some(key) => Err(format!("unknown policy `{key}`; valid ones are {ALL}, {}", valid.join(", "))),
        None => Ok(text.to_owned()),
    }
}

/// Does what is missing of the cross product and shows all of it, or prints what there is to do.
pub(super) fn run(args: &Args, format: Format, progress: &Progress) -> anyhow::Result<Results> {
    let plan = Plan::new(args)?;
    plan.left_out.iter().for_each(|what| complain(format_args!("note: {what}\n")));
    if args.plan {
        return Ok(Results { text: plan.commands(args), ..Results::default() });
    }
    let baseline = args.baseline.clone().unwrap_or_else(|| BASELINE.into());
    plan.check_baseline(&baseline)?;
    let kept = args.kept_runs(&FILES)?;
    let entries = args.make(&plan, &Store::new(kept)?, progress)?;
    results(args, format, &Figures::new(entries, baseline))
}

/// Shows the runs that are in a directory, of however many calls and machines.
pub(super) fn collect(args: &Args, format: Format, _: &Progress) -> anyhow::Result<Results> {
    let directory = args.collect.as_ref().context("no directory to collect from")?;
    let entries = store::collect(directory)?;
    let baseline = args.baseline.clone().unwrap_or_else(|| BASELINE.into());
    if !entries.iter().any(|entry| entry.sched == baseline) {
        return Err(UsageError(format!("no run of --baseline {baseline} in {}", directory.display())).into());
    }
    let out = args.out.as_ref().unwrap_or(directory);
    check_directory(out, &FILES, &[])?;
    results(args, format, &Figures::new(entries, baseline))
}

fn results(args: &Args, format: Format, figures: &Figures) -> anyhow::Result<Results> {
    let json = || serde_json::to_string(figures);
    let files = match args.out.as_ref().or(args.collect.as_ref()) {
        Some(directory) => {
            let page = show::page(figures).html();
            let texts = [page, show::picture(figures), json()? + "\n", show::csv(&figures.runs)];
            FILES.map(|name| directory.join(name)).into_iter().zip(texts).collect()
        }
        None => vec![],
    };
    let text = match format {
        Format::Json => json()? + "\n",
        Format::Csv => show::csv(&figures.runs),
        Format::Table => show::text(figures, |table| table.plain()),
        Format::Markdown => show::text(figures, |table| table.markdown()),
    };
    let failures = figures.runs.iter().filter_map(Entry::failure).collect();
    Ok(Results { text, files, failures, runs: figures.runs.len() })
}
