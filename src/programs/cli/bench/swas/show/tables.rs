//! The evaluation's tables.

use crate::cli::bench::swas::evaluation::{pairs, Comparison, Evaluation, Kernel, Split};
use crate::cli::bench::swas::published::{ERROR_PERCENT, IPC};
use crate::report::{grouped, Table};

/// How many there are.
pub(super) const TABLES: usize = 7;
/// What stands where there is no number.
const NONE: &str = "";

fn strings<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

fn decimals(value: f64) -> String {
    format!("{value:.2}")
}

/// Whole numbers as such, others with two decimals; two of them as a range.
fn numbers(values: &[f64]) -> String {
    let whole = values.iter().all(|value| value.fract() == 0.0);
    let number = |&value: &f64| match whole {
        true => grouped(value as u64),
        false => decimals(value),
    };
    values.iter().map(number).collect::<Vec<_>>().join(" to ")
}

/// All tables, in the paper's order.
pub(super) fn tables(evaluation: &Evaluation) -> [Table; TABLES] {
    [
        kernels(evaluation),
        ipc(evaluation),
        error_rate(evaluation),
        ratios(evaluation),
        best(evaluation),
        slots(evaluation),
        text_of(evaluation),
    ]
}

fn kernels(evaluation: &Evaluation) -> Table {
    let row = |kernel: &Kernel| {
        vec![
            kernel.kernel.clone(),
            grouped(kernel.warp_instructions),
            kernel.paper_instructions.map_or(NONE.into(), grouped),
            kernel.load_latency.map_or(NONE.into(), |cycles| format!("{cycles:.0}")),
            kernel.paper_load_latency.map_or(NONE.into(), |(low, high)| match low == high {
                true => numbers(&[low]),
                false => numbers(&[low, high]),
            }),
        ]
    };
    Table {
        title: "Kernels (Table I), and cycles of a load with fetch lrr, issue gtlrr".into(),
        columns: strings(["kernel", "warp instructions", "paper", "load", "paper"]),
        rows: evaluation.table_1.iter().map(row).collect(),
        note: String::new(),
    }
}

/// A table of the nine pairs, from each kernel's bar.
fn nine(
    evaluation: &Evaluation,
    title: &str,
    note: String,
    cell: impl Fn(&str, (&str, &str)) -> String,
) -> Table {
    let row = |kernel: &String| {
        let cells = pairs().map(|pair| cell(kernel, pair));
        [kernel.clone()].into_iter().chain(cells).collect()
    };
    let columns = pairs().map(|(fetch, issue)| format!("{fetch}-{issue}"));
    Table {
        title: title.into(),
        columns: ["kernel".to_owned()].into_iter().chain(columns).collect(),
        rows: evaluation.setting.kernels.iter().map(row).collect(),
        note,
    }
}

fn ipc(evaluation: &Evaluation) -> Table {
    let note =
        format!("Thread instructions a cycle; fetch-issue. The paper's are from {} to {}.", IPC[0], IPC[1]);
    let cell = |kernel: &str, pair: (&str, &str)| {
        evaluation.baseline(kernel, pair).map_or(NONE.into(), |bar| decimals(bar.ipc))
    };
    nine(evaluation, "IPC of the baseline (Fig. 4)", note, cell)
}

fn error_rate(evaluation: &Evaluation) -> Table {
    let [low, high] = ERROR_PERCENT;
    let note = format!("Percent of the cycles; fetch-issue. The paper's are from {low:.2} to {high}.");
    let cell = |kernel: &str, pair: (&str, &str)| {
        evaluation.baseline(kernel, pair).map_or(NONE.into(), |bar| decimals(100.0 * bar.error_rate))
    };
    nine(evaluation, "Scheduling error rate of the baseline (Fig. 5)", note, cell)
}

fn ratios(evaluation: &Evaluation) -> Table {
    let cell = |kernel: &str, pair: (&str, &str)| {
        let bar = evaluation.ratio(kernel, pair);
        bar.map_or(NONE.into(), |bar| {
            decimals(bar.ratio) + &bar.paper.map_or(String::new(), |paper| format!(" ({})", decimals(paper)))
        })
    };
    let note =
        "SWaS over the issue policy to the baseline of that fetch-issue; in parentheses the paper's.".into();
    nine(evaluation, "IPC of SWaS to that of the baseline (Figs. 6 to 8)", note, cell)
}

fn best(evaluation: &Evaluation) -> Table {
    let row = |row: &Comparison| {
        vec![
            row.kernel.clone(),
            decimals(row.ratio),
            row.paper_ratio.map_or(NONE.into(), decimals),
            grouped(row.errors),
            row.paper_errors.map_or(NONE.into(), grouped),
            grouped(row.swas_errors),
        ]
    };
    Table {
        title: "SWaS over gtlrr and the baseline lrr-gtlrr (Table II)".into(),
        columns: strings([
            "kernel",
            "IPC ratio",
            "paper",
            "baseline errors",
            "paper",
            "SWaS errors, all policies",
        ]),
        rows: evaluation.table_2.iter().map(row).collect(),
        note: String::new(),
    }
}

fn slots(evaluation: &Evaluation) -> Table {
    let percent = |part: f64| format!("{:.1}%", 100.0 * part);
    let row = |split: &Split| {
        let parts = [split.issued, split.nops, split.idle, split.scoreboard, split.pipeline];
        [split.kernel.clone(), split.sched.clone(), grouped(split.cycles)]
            .into_iter()
            .chain(parts.map(percent))
            .chain([split.load_latency.map_or(NONE.into(), |cycles| format!("{cycles:.0}"))])
            .collect()
    };
    Table {
        title: "Where the issue slots of the whole run went".into(),
        columns: strings([
            "kernel", "fetch-issue", "cycles", "issued", "nops", "idle", "scoreboard", "pipeline", "load",
        ]),
        rows: evaluation.slots.iter().map(row).collect(),
        note: "Idle: no warp had an instruction; scoreboard: a warp waited for a register; pipeline: for a unit alone."
            .into(),
    }
}

fn text_of(evaluation: &Evaluation) -> Table {
    let rows = evaluation.text.iter().map(|statement| {
        vec![statement.what.to_owned(), numbers(&statement.heddle), numbers(&statement.paper)]
    });
    Table {
        title: "What the paper says in words".into(),
        columns: strings(["", "here", "paper"]),
        rows: rows.collect(),
        note: String::new(),
    }
}
