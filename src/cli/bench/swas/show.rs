//! The evaluation as tables and as a page with charts.

use super::evaluation::{pairs, Evaluation, Split};
use super::published::{ERROR_PERCENT, IPC, POLICIES, SHAPE};
use crate::report::{grouped, Chart, Line, Mark, Page, Section, Series, Table};

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
fn tables(evaluation: &Evaluation) -> Vec<Table> {
    vec![
        kernels(evaluation),
        ipc(evaluation),
        error_rate(evaluation),
        ratios(evaluation),
        best(evaluation),
        slots(evaluation),
        text_of(evaluation),
    ]
}

/// The setting and the tables of each machine.
pub(super) fn text(evaluations: &[Evaluation], form: impl Fn(&Table) -> String) -> String {
    let of = |evaluation| {
        let introduction = introduction(evaluation).join("\n\n");
        let tables: Vec<_> = tables(evaluation).iter().map(&form).collect();
        format!("{introduction}\n\n{}", tables.join("\n"))
    };
    evaluations.iter().map(of).collect::<Vec<_>>().join("\n")
}

fn introduction(evaluation: &Evaluation) -> Vec<String> {
    let setting = &evaluation.setting;
    let core = &setting.core;
    let shape = match (core.warps, core.threads) == SHAPE {
        true => String::new(),
        false => format!(" The paper's figures are of {} x {}.", SHAPE.0, SHAPE.1),
    };
    let jitter = match setting.jitter {
        0 => String::new(),
        cycles => format!(" with up to {cycles} cycles more at random (seed {})", setting.seed),
    };
    vec![
        format!(
            "{}: {} warps x {} lanes, memory {}{jitter}. Counted are the {}.{shape}",
            setting.machine, core.warps, core.threads, setting.memory, setting.window
        ),
        format!(
            "Paper: {}. It measured a variant of Vortex 2.2 with other kernels, caches and latencies; its numbers \
             stand beside ours to compare tendencies.",
            setting.source
        ),
    ]
}

fn kernels(evaluation: &Evaluation) -> Table {
    let row = |kernel: &super::evaluation::Kernel| {
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
    let row = |row: &super::evaluation::Comparison| {
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
    Chart {
        title,
        unit: unit.into(),
        groups,
        series,
        marks: vec![],
        marks_name: String::new(),
        lines: vec![],
    }
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

/// The page.
pub(super) fn page(evaluations: &[Evaluation]) -> Page {
    Page {
        title: "The evaluation of SWaS, repeated on Heddle".into(),
        introduction: evaluations.iter().flat_map(introduction).collect(),
        sections: evaluations.iter().flat_map(sections).collect(),
    }
}

/// What there is of one machine.
fn sections(evaluation: &Evaluation) -> Vec<Section> {
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
    let charts = [vec![], vec![figure_4], vec![figure_5], figures_6_to_8, vec![], vec![], vec![]];
    let machine = evaluation.setting.machine;
    let section = |(table, charts): (Table, Vec<Chart>)| {
        let table = Table { title: format!("{machine}: {}", table.title), ..table };
        Section { charts, stacks: vec![], table }
    };
    tables(evaluation).into_iter().zip(charts).map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::swas::evaluation::{unified, Run, Setting};
    use crate::config::CoreConfig;
    use crate::cosim::{Departures, Parallel, Slots};

    /// Made-up counts that tell runs apart; the paper's kernels and one that it does not have.
    fn evaluation() -> Evaluation {
        let kernels = ["psort:64", "hotspot3D:8", "vecadd:64"].map(str::to_owned).to_vec();
        let scheds = pairs().map(|(fetch, issue)| (fetch.to_owned(), issue.to_owned()));
        let swas = POLICIES.iter().map(|policy| (unified(policy), unified(policy)));
        let scheds: Vec<_> = scheds.chain(swas).collect();
        let run = |(k, kernel): (usize, &String), (s, sched): (usize, &(String, String))| {
            let (k, s) = (k as u64, s as u64);
            let errors = if s < 9 { 10 * s + k } else { 0 };
            Run {
                kernel: kernel.clone(),
                sched: sched.clone(),
                part: Parallel {
                    cycles: 1000,
                    slots: 1000,
                    warp_instructions: 500 + 1000 * k,
                    thread_instructions: 2000 + 500 * k + 100 * s,
                    nops: 0,
                    loads: 10 * k,
                    load_cycles: 55 * k,
                    departures: Some(Departures { discrepancies: errors + 1, errors }),
                },
                slots: Slots { issued: 500, nops: 100 * (s / 9), idle: 200, scoreboard: 150, pipeline: 50 },
            }
        };
        let each = || scheds.iter().enumerate();
        let runs: Vec<_> = kernels
            .iter()
            .enumerate()
            .flat_map(|kernel| each().map(move |sched| run(kernel, sched)))
            .collect();
        let setting = Setting {
            machine: "this one",
            source: "the paper",
            kernels,
            memory: "dram".into(),
            jitter: 0,
            seed: 1,
            window: "cycles that count",
            core: CoreConfig::default(),
        };
        Evaluation::new(setting, &runs, vec![])
    }

    #[test]
    fn the_tables_read_well() {
        insta::assert_snapshot!(text(&[evaluation()], |table| table.plain()));
    }

    #[test]
    fn the_page_has_every_table_and_every_bar() {
        let html = page(&[evaluation()]).html();
        // 9 bars of IPC and of error rate and 3 of each of three ratios, for each of three kernels
        assert_eq!(html.matches("</title></rect>").count(), 3 * (9 + 9 + 9));
        // psort has two published ratios, hotspot3D one
        assert_eq!(html.matches("</title></circle>").count(), 3);
        assert_eq!(html.matches("<table>").count(), 7);
        assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
        // nothing from elsewhere
        let addresses = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!addresses.contains("http") && !addresses.contains("src="));
    }

    #[test]
    fn what_is_not_published_is_left_out() {
        let evaluation = evaluation();
        let ratio = |kernel, pair| evaluation.ratio(kernel, pair).unwrap().paper;
        assert_eq!(ratio("psort:64", ("lrr", "gtlrr")), Some(0.66));
        assert_eq!(ratio("psort:64", ("lrr", "gtlo")), Some(0.37));
        assert_eq!(ratio("hotspot3D:8", ("lrr", "gtlo")), None);
        assert_eq!(ratio("vecadd:64", ("lrr", "gtlrr")), None);
        // 2000 + 10 * 100 of swas:gtlrr to 2000 + 100 of lrr-gtlrr
        assert_eq!(evaluation.ratio("psort:64", ("lrr", "gtlrr")).unwrap().ratio, 1.428571);
    }
}
