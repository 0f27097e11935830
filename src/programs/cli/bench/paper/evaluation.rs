//! The paper's numbers, computed from the runs, and what it published beside them.

use serde::Serialize;

use super::definition::{Claim, Fold, Paper, Published};
use super::metric::Metric;
use crate::cli::bench::figure::distinct;
use crate::cli::bench::sweep::entry::Entry;
use crate::cli::bench::sweep::figures::{geometric_mean, Figures};
use crate::cli::sim::output::rounded;
use spec::config::CoreConfig;

/// All of it.
#[derive(Serialize)]
pub(super) struct Evaluation<'a> {
    pub experiment: &'static str,
    pub source: &'static str,
    /// Schedulers aside.
    pub core: CoreConfig,
    pub machine: &'static [[&'static str; 3]],
    pub published: Vec<Outcome>,
    pub metrics: Vec<Measured>,
    #[serde(flatten)]
    pub figures: &'a Figures,
}

/// A published number beside ours.
#[derive(Serialize)]
pub(super) struct Outcome {
    pub what: &'static str,
    pub place: &'static str,
    /// As it is shown; `> 1` where the paper says no more.
    pub published: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub here: Option<f64>,
    /// Programs that the number is of.
    pub programs: usize,
    /// Whether it is on the same side of 1, or of the limit that the paper names; for ratios and limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
}

/// A metric of every program under every variant.
#[derive(Serialize)]
pub(super) struct Measured {
    pub title: &'static str,
    #[serde(skip)]
    pub metric: Metric,
    /// Kernels, and for each variant in the paper's order its value.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(paper: &Paper, core: CoreConfig, figures: &'a Figures) -> Self {
        let passed: Vec<&Entry> = figures.runs.iter().filter(|run| run.passed()).collect();
        Self {
            experiment: paper.key,
            source: paper.source,
            core,
            machine: paper.machine.table,
            published: paper.claims.iter().map(|claim| outcome(paper, claim, &passed)).collect(),
            metrics: paper.metrics.iter().map(|&metric| measured(paper, metric, &passed)).collect(),
            figures,
        }
    }
}

/// The paper's name for a kernel, if it has one.
pub(super) fn name_of(paper: &Paper, kernel: &str) -> Option<&'static str> {
    let bare = kernel.split_once(':').map_or(kernel, |(bare, _)| bare);
    paper.programs.iter().find(|program| program.kernel == bare).map(|program| program.name)
}

/// The kernels in the order of the runs.
fn kernels<'a>(runs: &[&'a Entry]) -> Vec<&'a str> {
    distinct(runs.iter().map(|run| run.kernel()))
}

fn value(metric: Metric, runs: &[&Entry], kernel: &str, variant: &str) -> Option<f64> {
    metric.of(runs.iter().find(|run| run.kernel() == kernel && run.sched == variant)?)
}

fn measured(paper: &Paper, metric: Metric, runs: &[&Entry]) -> Measured {
    let row = |kernel: &str| {
        let of =
            |variant: &super::definition::Variant| value(metric, runs, kernel, variant.name).map(rounded);
        (kernel.to_owned(), paper.variants.iter().map(of).collect())
    };
    Measured { title: metric.title(), metric, rows: kernels(runs).into_iter().map(row).collect() }
}

fn outcome(paper: &Paper, claim: &Claim, runs: &[&Entry]) -> Outcome {
    let concerns = |kernel: &&str| {
        let name = name_of(paper, kernel);
        name.is_some_and(|name| claim.over.is_empty() || claim.over.contains(&name))
    };
    let number = |kernel: &str| {
        let of = value(claim.metric, runs, kernel, claim.of)?;
        match claim.to {
            Some(to) => Some(of / value(claim.metric, runs, kernel, to)?).filter(|ratio| ratio.is_finite()),
            None => Some(of),
        }
    };
    let numbers: Vec<f64> = kernels(runs).into_iter().filter(concerns).filter_map(number).collect();
    let mean = || numbers.iter().sum::<f64>() / numbers.len() as f64;
    let here = match (claim.fold, claim.to) {
        _ if numbers.is_empty() => None,
        (Fold::Highest, _) => numbers.iter().copied().reduce(f64::max),
        (Fold::Mean, Some(_)) => geometric_mean(&numbers),
        (Fold::Mean, None) => Some(mean()),
    };
    let (published, side) = match claim.published {
        // A ratio of 1 is on neither side.
        Published::Value(value) => {
            (format!("{value:.3}"), claim.to.filter(|_| value != 1.0).map(|_| (value > 1.0, 1.0)))
        }
        Published::More(limit) => (format!("> {limit}"), Some((true, limit))),
        Published::Less(limit) => (format!("< {limit}"), Some((false, limit))),
    };
    let agrees = here.zip(side).map(|(here, (above, limit))| (here > limit) == above);
    let (what, place) = (claim.what, claim.place);
    Outcome { what, place, published, here: here.map(rounded), programs: numbers.len(), agrees }
}
