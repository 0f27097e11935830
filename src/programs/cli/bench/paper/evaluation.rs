//! The paper's numbers, computed from the runs, and what it published beside them.

use serde::Serialize;

use super::definition::{Claim, Comparison, Fold, Of, Paper, Program, Published};
use super::metric::{Grid, Metric};
use crate::cli::bench::figure::distinct;
use crate::cli::bench::figure::geometric_mean;
use crate::cli::bench::sweep::entry::Entry;
use crate::cli::bench::sweep::figures::Figures;
use crate::cli::sim::output::rounded;
use spec::config::CoreConfig;

/// All of it.
#[derive(Serialize)]
pub(super) struct Evaluation {
    pub experiment: &'static str,
    pub source: &'static str,
    pub machines: Vec<OnMachine>,
}

/// A machine as it is asked for.
#[derive(Serialize)]
pub(super) struct Setting {
    pub name: &'static str,
    /// Whether options make it another one than the paper's.
    #[serde(skip)]
    pub changed: bool,
    /// Schedulers aside.
    pub core: CoreConfig,
    /// What there is to say of the paper's.
    pub machine: &'static [[&'static str; 3]],
}

/// What is found on one machine.
#[derive(Serialize)]
pub(super) struct OnMachine {
    #[serde(flatten)]
    pub setting: Setting,
    pub published: Vec<Outcome>,
    pub comparisons: Vec<Measured>,
    pub metrics: Vec<Measured>,
    #[serde(flatten)]
    pub figures: Figures,
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
    /// That as it is shown.
    #[serde(skip)]
    pub shown: Option<String>,
    /// Programs that the number is of.
    pub programs: usize,
    /// Whether it is on the same side of 1, or within the limits that the paper names; for ratios and limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
}

/// A metric of every program under several variants, or its ratio to theirs.
#[derive(Serialize)]
pub(super) struct Measured {
    pub title: String,
    #[serde(skip)]
    pub metric: Metric,
    /// Whose metric is put in relation to that of each column; none if it is the columns' own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<&'static str>,
    /// Names of variants.
    pub columns: Vec<&'static str>,
    pub rows: Vec<Row>,
}

/// A program's numbers, a column each.
#[derive(Serialize)]
pub(super) struct Row {
    pub kernel: String,
    pub here: Vec<Option<f64>>,
    pub published: Vec<Option<f64>>,
}

impl OnMachine {
    pub(super) fn new(paper: &Paper, setting: Setting, figures: Figures) -> Self {
        let passed: Vec<&Entry> = figures.runs.iter().filter(|run| run.passed()).collect();
        let variants = || paper.variants.iter().map(|variant| variant.name).collect();
        let metric =
            |&metric: &Metric| measured(paper, metric, None, variants(), metric.title().into(), &passed);
        let compared = |&Comparison { place, metric, of, to }: &Comparison| {
            let title = format!("{} of {of} to that of others ({place})", metric.title());
            measured(paper, metric, Some(of), to.to_vec(), title, &passed)
        };
        Self {
            setting,
            published: paper.claims.iter().map(|claim| outcome(paper, claim, &passed)).collect(),
            comparisons: paper.comparisons.iter().map(compared).collect(),
            metrics: paper.metrics.iter().map(metric).collect(),
            figures,
        }
    }
}

/// The paper's name for a kernel, if it has one.
pub(super) fn name_of(paper: &Paper, kernel: &str) -> Option<&'static str> {
    program(paper, kernel).map(|program| program.name)
}

fn program(paper: &Paper, kernel: &str) -> Option<&'static Program> {
    let bare = kernel.split_once(':').map_or(kernel, |(bare, _)| bare);
    let is_original =
        |program: &Program| program.original.as_ref().is_some_and(|original| original.run == kernel);
    let stands_for = |program: &Program| program.kernel.as_ref().is_some_and(|kernel| kernel.name == bare);
    paper.programs.iter().find(|&program| stands_for(program) || is_original(program))
}

/// The grid by which a kernel is judged.
pub(super) fn grid_of(paper: &Paper, kernel: &str) -> Grid {
    program(paper, kernel).map_or(Grid::First, |program| program.grid)
}

/// The kernels in the order of the runs.
fn kernels<'a>(runs: &[&'a Entry]) -> Vec<&'a str> {
    distinct(runs.iter().map(|run| run.kernel()))
}

fn value(paper: &Paper, metric: Metric, runs: &[&Entry], kernel: &str, variant: &str) -> Option<f64> {
    let run = runs.iter().find(|run| run.kernel() == kernel && run.sched == variant)?;
    metric.of(run, grid_of(paper, kernel))
}

/// None where there is nothing to put a number in relation to.
fn ratio(of: f64, to: f64) -> Option<f64> {
    Some(of / to).filter(|ratio| ratio.is_finite())
}

fn measured(
    paper: &Paper,
    metric: Metric,
    of: Option<&'static str>,
    columns: Vec<&'static str>,
    title: String,
    runs: &[&Entry],
) -> Measured {
    let row = |kernel: &str| {
        let here = |column: &&'static str| {
            let own = value(paper, metric, runs, kernel, column)?;
            match of {
                Some(of) => ratio(value(paper, metric, runs, kernel, of)?, own),
                None => Some(own),
            }
        };
        let published = |column: &&'static str| match of {
            Some(of) => published(paper, metric, of, Some(column), kernel),
            None => published(paper, metric, column, None, kernel),
        };
        Row {
            kernel: kernel.to_owned(),
            here: columns.iter().map(|column| here(column).map(rounded)).collect(),
            published: columns.iter().map(published).collect(),
        }
    };
    let rows = kernels(runs).into_iter().map(row).collect();
    Measured { title, metric, of, columns, rows }
}

/// What the paper says of that very number of one program.
fn published(paper: &Paper, metric: Metric, of: &str, to: Option<&str>, kernel: &str) -> Option<f64> {
    let name = name_of(paper, kernel)?;
    let one = |variants: &Of| match *variants {
        Of::One(name) => Some(name),
        Of::Each(_) => None,
    };
    let is = |claim: &&Claim| {
        let to_same = claim.to.as_ref().map(one) == to.map(Some);
        claim.metric == metric && claim.over == [name] && one(&claim.of) == Some(of) && to_same
    };
    match paper.claims.iter().find(is)?.published {
        Published::Value(value) => Some(value),
        _ => None,
    }
}

/// Several numbers as one; none of no numbers.
fn folded(fold: Fold, numbers: &[f64]) -> Option<f64> {
    let each = || numbers.iter().copied();
    match fold {
        Fold::Mean => each().reduce(|a, b| a + b).map(|sum| sum / numbers.len() as f64),
        Fold::Lowest => each().reduce(f64::min),
        Fold::Highest => each().reduce(f64::max),
        Fold::Sum | Fold::Total => each().reduce(|a, b| a + b),
    }
}

fn outcome(paper: &Paper, claim: &Claim, runs: &[&Entry]) -> Outcome {
    let concerns = |kernel: &&str| {
        let name = name_of(paper, kernel);
        name.is_some_and(|name| claim.over.is_empty() || claim.over.contains(&name))
    };
    let of_all = |variants: &Of, kernel: &str| {
        let each = variants.names().iter().map(|variant| value(paper, claim.metric, runs, kernel, variant));
        folded(claim.fold, &each.collect::<Option<Vec<_>>>()?)
    };
    let number = |kernel: &str| {
        let of = of_all(&claim.of, kernel)?;
        match &claim.to {
            Some(to) => ratio(of, of_all(to, kernel)?),
            None => Some(of),
        }
    };
    let concerned: Vec<&str> = kernels(runs).into_iter().filter(concerns).collect();
    let numbers: Vec<f64> = concerned.iter().filter_map(|kernel| number(kernel)).collect();
    let total = |variants: &Of| {
        folded(
            Fold::Total,
            &concerned.iter().filter_map(|kernel| of_all(variants, kernel)).collect::<Vec<_>>(),
        )
    };
    let here = match (claim.fold, claim.to) {
        (Fold::Mean, Some(_)) => geometric_mean(&numbers),
        (Fold::Total, Some(to)) => total(&claim.of).zip(total(&to)).and_then(|(of, to)| ratio(of, to)),
        (fold, _) => folded(fold, &numbers),
    };
    let shown = |value: f64| match claim.to {
        Some(_) => format!("{value:.3}"),
        None => claim.metric.shown(value),
    };
    let published = match claim.published {
        Published::Value(value) => shown(value),
        Published::More(limit) => format!("> {limit}"),
        Published::Less(limit) => format!("< {limit}"),
        Published::Between(low, high) => format!("{} to {}", shown(low), shown(high)),
    };
    let agrees = here.and_then(|here| match claim.published {
        // A ratio of 1 is on neither side.
        Published::Value(value) => claim.to.filter(|_| value != 1.0).map(|_| (here > 1.0) == (value > 1.0)),
        Published::More(limit) => Some(here > limit),
        Published::Less(limit) => Some(here < limit),
        Published::Between(low, high) => Some((low..=high).contains(&here)),
    });
    let (what, place, programs) = (claim.what, claim.place, numbers.len());
    Outcome { what, place, published, here: here.map(rounded), shown: here.map(shown), programs, agrees }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cli::bench::paper::MOTRR;

    /// A count that is 0 in a program has no ratio there, and none in the mean; its sum has.
    #[test]
    fn the_ratio_of_totals_is_that_of_sums() {
        let run = |kernel: &str, sched: &str, stalls: u32| {
            let record =
                json!({"kernel": kernel, "result": "pass", "counters": {"dcache_mshr_stalls": stalls}});
            Entry { machine: String::new(), sched: sched.into(), record: record.as_object().unwrap().clone() }
        };
        let of = MOTRR.claims.iter().find(|claim| claim.fold == Fold::Total).expect("figure 6");
        let variants = [of.of.names()[0], of.to.expect("a ratio").names()[0]];
        let counts = [("grid_atax:9", [0, 30]), ("grid_mvt:9", [20, 0]), ("grid_bicg:9", [10, 10])];
        let pairs = counts.iter().flat_map(|&(kernel, stalls)| {
            variants.into_iter().zip(stalls).map(move |(sched, stalls)| run(kernel, sched, stalls))
        });
        let runs: Vec<Entry> = pairs.collect();
        let found = outcome(&MOTRR, of, &runs.iter().collect::<Vec<_>>());
        assert_eq!((found.here, found.agrees), (Some(0.75), Some(true)));
    }
}
