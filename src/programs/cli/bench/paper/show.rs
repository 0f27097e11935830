//! The evaluation as tables and as a page.

use super::definition::{Claim, Fold, Paper, Published};
use super::evaluation::{name_of, Evaluation, Measured, OnMachine, Outcome, Setting};
use super::patterns;
use crate::cli::bench::sweep::show as sweep;
use crate::report::{Chart, Line, Mark, Page, Section, Series, Table};

/// What stands where there is no number.
const NONE: &str = "-";

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

/// The setting and all tables.
pub(super) fn text(paper: &Paper, evaluation: &Evaluation, form: impl Fn(&Table) -> String) -> String {
    let introduction = introduction(paper).join("\n\n");
    let tables: Vec<_> = sections(paper, evaluation).iter().map(|section| form(&section.table)).collect();
    format!("{introduction}\n\n{}", tables.join("\n"))
}

/// The page.
pub(super) fn page(paper: &Paper, evaluation: &Evaluation) -> Page {
    Page {
        title: format!("The evaluation of {}, repeated on Heddle", paper.key.to_uppercase()),
        introduction: introduction(paper),
        sections: sections(paper, evaluation),
    }
}

fn introduction(paper: &Paper) -> Vec<String> {
    let source = format!(
        "Paper: {}. It measured another machine, in simulation, with other programs of the same names, most of far \
         larger sizes; its numbers stand beside ours to compare tendencies.",
        paper.source
    );
    [source].into_iter().chain(paper.notes.iter().map(|&note| note.to_owned())).collect()
}

fn sections(paper: &Paper, evaluation: &Evaluation) -> Vec<Section> {
    let absent = (!paper.absent.is_empty()).then(|| absent(paper));
    evaluation.machines.iter().flat_map(|on| on_machine(paper, on)).chain(absent).collect()
}

/// What of the paper is not repeated.
fn absent(paper: &Paper) -> Section {
    let table = Table {
        title: "What is not here".into(),
        columns: words(["figure or table", "why"]),
        rows: paper.absent.iter().map(|row| words(*row)).collect(),
        ..Table::default()
    };
    Section { table, ..Section::default() }
}

fn on_machine(paper: &Paper, on: &OnMachine) -> Vec<Section> {
    let plain = |table| Section { table, ..Section::default() };
    let drawn = |measured| Section {
        charts: vec![chart(paper, measured)],
        table: table(paper, measured),
        ..Section::default()
    };
    let mut all = vec![plain(published(paper, on))];
    all.extend(on.comparisons.iter().chain(&on.metrics).map(drawn));
    all.extend(patterns::section(paper, on));
    if paper.machines.len() > 1 {
        all.iter_mut().for_each(|section| {
            section.table.title = format!("{}: {}", on.setting.name, section.table.title)
        });
    }
    let mut general = vec![];
    for setting in &on.figures.settings {
        let mut ratios = sweep::normalised(setting, &on.figures.baseline);
        let mut split = sweep::split(setting);
        [&mut ratios, &mut split].into_iter().for_each(|table| rename(paper, table));
        let charts = sweep::charts(setting, &on.figures.baseline);
        general.push(Section { charts, table: ratios, ..Section::default() });
        general.push(Section { stacks: sweep::stacks(setting), table: split, ..Section::default() });
    }
    all.splice(1..1, general);
    all.push(plain(machine(on)));
    all
}

/// Puts the paper's names before the kernels' that have others.
fn rename(paper: &Paper, table: &mut Table) {
    for row in &mut table.rows {
        if let Some(name) = row.first().and_then(|kernel| name_of(paper, kernel)) {
            if row[0].split(':').next() != Some(name) {
                row[0] = format!("{name} {}", row[0]);
            }
        }
    }
}

/// What the paper says of programs that are not run is left out.
fn published(paper: &Paper, on: &OnMachine) -> Table {
    let run: Vec<_> = on.figures.runs.iter().filter_map(|run| name_of(paper, run.kernel())).collect();
    let is_of_these =
        |claim: &Claim| claim.over.is_empty() || claim.over.iter().any(|name| run.contains(name));
    let here = on.published.iter().zip(paper.claims).filter(|(_, claim)| is_of_these(claim));
    let row = |outcome: &Outcome| {
        vec![
            outcome.what.to_owned(),
            outcome.place.to_owned(),
            outcome.published.clone(),
            outcome.shown.clone().unwrap_or(NONE.into()),
            outcome.programs.to_string(),
            outcome.agrees.map_or("", |agrees| if agrees { "yes" } else { "no" }).to_owned(),
        ]
    };
    Table {
        title: "What was published, and what it is here".into(),
        columns: words(["", "where", "paper", "here", "programs", "same side"]),
        rows: here.map(|(outcome, _)| row(outcome)).collect(),
        note: "Means of programs' ratios are geometric.".into(),
    }
}

impl Measured {
    /// A number as the table has it.
    fn shown(&self, value: f64) -> String {
        match self.of {
            Some(_) => format!("{value:.3}"),
            None if self.metric.is_part() => format!("{:.1}", self.drawn(value)),
            None => self.metric.shown(value),
        }
    }

    /// A number as the chart has it: parts of a whole in percent.
    fn drawn(&self, value: f64) -> f64 {
        if self.of.is_none() && self.metric.is_part() {
            100.0 * value
        } else {
            value
        }
    }

    fn is_published(&self) -> bool {
        self.rows.iter().any(|row| row.published.iter().any(Option::is_some))
    }
}

fn table(paper: &Paper, measured: &Measured) -> Table {
    let cell = |(here, published): (&Option<f64>, &Option<f64>)| {
        let here = here.map_or(NONE.into(), |value| measured.shown(value));
        here + &published.map_or(String::new(), |value| format!(" ({})", measured.shown(value)))
    };
    let rows = measured.rows.iter().map(|row| {
        let cells = row.here.iter().zip(&row.published).map(cell);
        [row.kernel.clone()].into_iter().chain(cells).collect()
    });
    let columns = measured.columns.iter().map(|&column| column.to_owned());
    let mut table = Table {
        title: measured.title.clone(),
        columns: ["kernel".to_owned()].into_iter().chain(columns).collect(),
        rows: rows.collect(),
        note: if measured.is_published() {
            "In parentheses what was published.".into()
        } else {
            String::new()
        },
    };
    rename(paper, &mut table);
    table
}

/// The same as bars: what was published of one of them is a dot, what was of all a line.
fn chart(paper: &Paper, measured: &Measured) -> Chart {
    let bars = |(number, name): (usize, &&str)| Series {
        name: (*name).to_owned(),
        colour: sweep::colour(number, measured.columns.len()),
        values: measured.rows.iter().map(|row| row.here[number].map(|value| measured.drawn(value))).collect(),
    };
    let mark = |(group, series, value): (usize, usize, Option<f64>)| {
        Some(Mark { group, series, value: measured.drawn(value?) })
    };
    let marks = measured.rows.iter().enumerate().flat_map(|(group, row)| {
        row.published.iter().enumerate().map(move |(series, value)| (group, series, *value))
    });
    let limit = |claim: &super::definition::Claim| {
        let Published::Value(value) = claim.published else { return None };
        let is_limit = matches!(claim.fold, Fold::Lowest | Fold::Highest) && claim.over.is_empty();
        let own = claim.metric == measured.metric && claim.to.is_none() && measured.of.is_none();
        let name = format!("{} in the paper: {}", claim.what, measured.shown(value));
        (is_limit && own).then_some(Line { value: measured.drawn(value), name })
    };
    let lines = match measured.of {
        Some(_) => vec![Line { value: 1.0, name: String::new() }],
        None => paper.claims.iter().filter_map(limit).collect(),
    };
    let title = measured.title.clone();
    Chart {
        groups: measured.rows.iter().map(|row| row.kernel.clone()).collect(),
        series: measured.columns.iter().enumerate().map(bars).collect(),
        marks: marks.filter_map(mark).collect(),
        marks_name: if measured.is_published() { "published".into() } else { String::new() },
        lines,
        title,
        ..Chart::default()
    }
}

fn machine(on: &OnMachine) -> Table {
    let Setting { name, changed, core, machine } = &on.setting;
    let memory = on.figures.settings.first().map_or("", |setting| &setting.memory);
    let here = if *changed { "here, but for the options" } else { "here" };
    Table {
        title: format!("The machine: {name}"),
        columns: words(["", "published", here]),
        rows: machine.iter().map(|row| words(*row)).collect(),
        note: format!("{} warps x {} lanes, memory {memory}.", core.warps, core.threads),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cli::bench::paper::SWAS;
    use crate::cli::bench::sweep::entry::Entry;
    use crate::cli::bench::sweep::figures::Figures;
    use spec::config::CoreConfig;

    /// Made-up counts that tell runs apart; two of the paper's kernels and one that it does not have.
    fn evaluation() -> Evaluation {
        let run = |(k, kernel): (usize, &str), (s, sched): (usize, &str)| {
            let errors = if s < 9 { 10 * s + k } else { 0 };
            let record = json!({
                "kernel": kernel, "memory": "dram", "seed": 1, "result": "pass", "cycles": 1000, "ipc": 2.0 + s as f64,
                "slots": {"issued": 500, "nops": 100 * (s / 9), "idle": 200, "scoreboard": 150, "pipeline": 50},
                "parallel": {
                    "cycles": 900 + s, "warp_instructions": 500 + 1000 * k, "load_latency": 5.5 * k as f64,
                    "ipc": 2.0 + 0.5 * k as f64 + 0.1 * s as f64, "discrepancies": errors + 1, "errors": errors,
                    "error_rate": errors as f64 / 1000.0,
                },
            });
            let record = record.as_object().unwrap().clone();
            Entry { machine: "made up".into(), sched: sched.into(), record }
        };
        let kernels = ["psort:64", "hotspot3D:8", "vecadd:64"].into_iter().enumerate();
        let variants = || SWAS.variants.iter().map(|variant| variant.name).enumerate();
        let runs = kernels.flat_map(|kernel| variants().map(move |variant| run(kernel, variant))).collect();
        let figures = Figures::new(runs, SWAS.baseline.into());
        let machine = SWAS.machines[0].table;
        let setting = Setting { name: "made up", changed: true, core: CoreConfig::default(), machine };
        let machines = vec![OnMachine::new(&SWAS, setting, figures)];
        Evaluation { experiment: SWAS.key, source: SWAS.source, machines }
    }

    #[test]
    fn the_tables_read_well() {
        insta::assert_snapshot!(text(&SWAS, &evaluation(), |table| table.plain()));
    }

    #[test]
    fn the_page_has_every_table_every_bar_and_what_was_published_of_it() {
        let evaluation = evaluation();
        let html = page(&SWAS, &evaluation).html();
        let machine = &evaluation.machines[0];
        let drawn = machine.comparisons.iter().chain(&machine.metrics);
        let charts: String = drawn.clone().map(|measured| chart(&SWAS, measured).svg()).collect();
        assert!(drawn.map(|measured| chart(&SWAS, measured).svg()).all(|chart| html.contains(&chart)));
        // Three ratios by three schedulers, and seven metrics of twelve, each of three kernels.
        assert_eq!(charts.matches("</title></rect>").count(), 3 * (3 * 3 + 7 * 12));
        // Of psort two ratios, of hotspot3D one; of both errors and instructions, of psort alone the cycles of a load.
        assert_eq!(charts.matches("</title></circle>").count(), 3 + 4 + 1);
        // The lowest and the highest IPC and error rate; the ratio 1 has no name.
        assert_eq!(charts.matches(" in the paper: ").count(), 4);
        assert_eq!(html.matches("<table>").count(), 1 + 2 + 3 + 7 + 1);
    }
}
