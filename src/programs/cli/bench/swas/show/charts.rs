//! The evaluation's charts, after the paper's figures.

use super::tables::TABLES;
use crate::cli::bench::swas::evaluation::{pairs, Evaluation};
use crate::cli::bench::swas::published::{ERROR_PERCENT, IPC, POLICIES};
use crate::report::{Chart, Line, Mark, Series};

/// The charts that belong to each of the tables.
pub(super) fn charts(evaluation: &Evaluation) -> [Vec<Chart>; TABLES] {
    let limits = |[low, high]: [f64; 2], unit: &str| {
        let line = |value, what| Line { value, name: format!("{what} in the paper: {value}{unit}") };
        vec![line(low, "lowest"), line(high, "highest")]
    };
    let ipcs = bars(evaluation, |_| true, |kernel, pair| Some(evaluation.baseline(kernel, pair)?.ipc));
    let rates = bars(
        evaluation,
        |_| true,
        |kernel, pair| Some(100.0 * evaluation.baseline(kernel, pair)?.error_rate),
    );
    let figure_4 = Chart {
        lines: limits(IPC, ""),
        ..chart(evaluation, "IPC of the baseline, fetch-issue".into(), "thread instructions a cycle", ipcs)
    };
    let figure_5 = Chart {
        lines: limits(ERROR_PERCENT, " %"),
        ..chart(evaluation, "Error rate of the baseline, fetch-issue".into(), "percent of the cycles", rates)
    };
    // In the order of the paper's Figs. 6, 7 and 8.
    let figures_6_to_8 = ["gtlrr", "gtlo", "lrr"].map(|issue| ratio_chart(evaluation, issue)).to_vec();
    [vec![], vec![figure_4], vec![figure_5], figures_6_to_8, vec![], vec![], vec![]]
}

/// A hue for each fetch policy, as in the paper; the issue policies differ in lightness.
fn colour(fetch: &str, issue: usize) -> (u32, u32) {
    let hue = match fetch {
        "lrr" => 212,
        "gtlrr" => 30,
        _ => 140,
    };
    (hue, [30, 48, 66][issue % 3])
}

fn bars(
    evaluation: &Evaluation,
    chosen: impl Fn(&str) -> bool,
    value: impl Fn(&str, (&str, &str)) -> Option<f64>,
) -> Vec<Series> {
    let series = |(fetch, issue): (&str, &str)| Series {
        name: format!("{fetch}-{issue}"),
        colour: colour(fetch, POLICIES.iter().position(|policy| *policy == issue).unwrap_or(0)),
        values: evaluation.setting.kernels.iter().map(|kernel| value(kernel, (fetch, issue))).collect(),
    };
    pairs().filter(|(_, issue)| chosen(issue)).map(series).collect()
}

fn chart(evaluation: &Evaluation, title: String, unit: &str, series: Vec<Series>) -> Chart {
    let groups = evaluation.setting.kernels.clone();
    Chart { title, unit: unit.into(), groups, series, ..Chart::default() }
}

fn ratio_chart(evaluation: &Evaluation, issue: &str) -> Chart {
    let ratio = |kernel: &str, pair: (&str, &str)| evaluation.ratio(kernel, pair);
    let series = bars(evaluation, |own| own == issue, |kernel, pair| Some(ratio(kernel, pair)?.ratio));
    let mark = |(group, kernel): (usize, &String)| {
        let of_fetch = |(series, fetch): (usize, &&str)| {
            let value = ratio(kernel, (fetch, issue))?.paper?;
            Some(Mark { group, series, value })
        };
        POLICIES.iter().enumerate().filter_map(of_fetch).collect::<Vec<_>>()
    };
    Chart {
        marks: evaluation.setting.kernels.iter().enumerate().flat_map(mark).collect(),
        marks_name: "published in the paper".into(),
        lines: vec![Line { value: 1.0, name: String::new() }],
        ..chart(evaluation, format!("SWaS over {issue} to fetch-{issue}"), "IPC ratio", series)
    }
}
