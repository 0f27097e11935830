//! The evaluation as tables and as a page.

use super::definition::Paper;
use super::evaluation::{name_of, Evaluation, Measured, Outcome};
use crate::cli::bench::sweep::show as sweep;
use crate::report::{grouped, Page, Section, Table};

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
        "Paper: {}. It measured another machine, in simulation, with other programs of the same names and of far larger \
         sizes; its numbers stand beside ours to compare tendencies.",
        paper.source
    );
    [source].into_iter().chain(paper.notes.iter().map(|&note| note.to_owned())).collect()
}

fn sections(paper: &Paper, evaluation: &Evaluation) -> Vec<Section> {
    let plain = |table| Section { charts: vec![], stacks: vec![], table };
    let mut all = vec![plain(published(evaluation))];
    for setting in &evaluation.figures.settings {
        let mut ratios = sweep::normalised(setting, &evaluation.figures.baseline);
        let mut split = sweep::split(setting);
        [&mut ratios, &mut split].into_iter().for_each(|table| rename(paper, table));
        let charts = sweep::charts(setting, &evaluation.figures.baseline);
        all.push(Section { charts, stacks: vec![], table: ratios });
        all.push(Section { charts: vec![], stacks: sweep::stacks(setting), table: split });
    }
    all.extend(evaluation.metrics.iter().map(|measured| plain(metric(paper, measured))));
    all.push(plain(machine(paper)));
    all
}

/// Puts the paper's names before the kernels'.
fn rename(paper: &Paper, table: &mut Table) {
    for row in &mut table.rows {
        if let Some(name) = row.first().and_then(|kernel| name_of(paper, kernel)) {
            row[0] = format!("{name} {}", row[0]);
        }
    }
}

fn published(evaluation: &Evaluation) -> Table {
    let row = |outcome: &Outcome| {
        vec![
            outcome.what.to_owned(),
            outcome.place.to_owned(),
            outcome.published.clone(),
            outcome.here.map_or(NONE.into(), |here| format!("{here:.3}")),
            outcome.programs.to_string(),
            outcome.agrees.map_or("", |agrees| if agrees { "yes" } else { "no" }).to_owned(),
        ]
    };
    Table {
        title: "What was published, and what it is here".into(),
        columns: words(["", "where", "paper", "here", "programs", "same side"]),
        rows: evaluation.published.iter().map(row).collect(),
        note: "Means of ratios are geometric.".into(),
    }
}

fn metric(paper: &Paper, measured: &Measured) -> Table {
    let cell = |value: &Option<f64>| match value {
        None => NONE.into(),
        Some(value) if measured.metric.is_part() => format!("{:.1}", 100.0 * value),
        Some(value) => grouped(value.round() as u64),
    };
    let row = |(kernel, values): &(String, Vec<Option<f64>>)| {
        [kernel.clone()].into_iter().chain(values.iter().map(cell)).collect()
    };
    let variants = paper.variants.iter().map(|variant| variant.name.to_owned());
    let mut table = Table {
        title: measured.title.into(),
        columns: ["kernel".to_owned()].into_iter().chain(variants).collect(),
        rows: measured.rows.iter().map(row).collect(),
        note: String::new(),
    };
    rename(paper, &mut table);
    table
}

fn machine(paper: &Paper) -> Table {
    Table {
        title: format!("The machine: {}", paper.machine.name),
        columns: words(["", "published", "here"]),
        rows: paper.machine.table.iter().map(|row| words(*row)).collect(),
        note: format!("Memory: --mem {}.", paper.machine.memory),
    }
}
