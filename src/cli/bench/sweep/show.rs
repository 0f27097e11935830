//! The figures as tables, as CSV, and as a page.

use super::entry::Entry;
use super::figures::{Cell, Figures, Setting};
use crate::report::{grouped, Page, Section, Table};

/// What stands where there is no number.
const NONE: &str = "-";

fn percent(part: Option<f64>) -> String {
    part.map_or(NONE.into(), |part| format!("{:.1}%", 100.0 * part))
}

/// A table with a row a kernel and a column a scheduler.
fn by_kernel(setting: &Setting, title: String, note: &str, cell: impl Fn(&Cell) -> Option<String>) -> Table {
    let row = |kernel: &String| {
        let cells = setting
            .scheds
            .iter()
            .map(|sched| setting.cell(kernel, sched).and_then(&cell).unwrap_or(NONE.into()));
        [kernel.clone()].into_iter().chain(cells).collect()
    };
    Table {
        title,
        columns: ["kernel".to_owned()].into_iter().chain(setting.scheds.iter().cloned()).collect(),
        rows: setting.kernels.iter().map(row).collect(),
        note: note.into(),
    }
}

fn normalised(setting: &Setting, baseline: &str) -> Table {
    let title = format!("{}, memory {}: IPC to that of {baseline}", setting.machine, setting.memory);
    let mut table = by_kernel(setting, title, "", |cell| cell.normalised.map(|ratio| format!("{ratio:.3}")));
    let mean = |sched: &String| {
        let mean = setting.geometric_means.iter().find(|mean| mean.sched == *sched);
        mean.map_or(NONE.into(), |mean| format!("{:.3}", mean.mean))
    };
    table
        .rows
        .push(["geometric mean".to_owned()].into_iter().chain(setting.scheds.iter().map(mean)).collect());
    table
}

fn cycles(setting: &Setting) -> Table {
    let title = format!("{}, memory {}: cycles", setting.machine, setting.memory);
    by_kernel(setting, title, "", |cell| Some(grouped(cell.cycles.round() as u64)))
}

fn split(setting: &Setting) -> Table {
    let row = |cell: &Cell| {
        let parts = cell.split.parts().map(|(_, part)| percent(Some(part)));
        [cell.kernel.clone(), cell.sched.clone(), format!("{:.3}", cell.ipc)]
            .into_iter()
            .chain(parts)
            .chain([
                cell.load_latency.map_or(NONE.into(), |cycles| format!("{cycles:.1}")),
                percent(cell.icache_misses),
                percent(cell.dcache_misses),
            ])
            .collect()
    };
    let names = setting.cells.first().map(|cell| cell.split.parts().map(|(name, _)| name.to_owned()));
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    Table {
        title: format!("{}, memory {}: where the issue slots went", setting.machine, setting.memory),
        columns: [
            words(&["kernel", "scheduler", "IPC"]),
            names.map_or(vec![], Vec::from),
            words(&["load cycles", "icache misses", "dcache misses"]),
        ]
        .concat(),
        rows: setting.cells.iter().map(row).collect(),
        note: "IPC in thread instructions a cycle. Every slot is one of issued to pipeline: idle, no warp had an \
               instruction; load, a warp waited for a register with a load under way; scoreboard, for another one; \
               pipeline, for a unit alone. Misses in parts of the lookups."
            .into(),
    }
}

fn tables<'a>(figures: &'a Figures) -> impl Iterator<Item = (&'a Setting, [Table; 3])> {
    let of = |setting| (setting, [normalised(setting, &figures.baseline), cycles(setting), split(setting)]);
    figures.settings.iter().map(of)
}

/// All tables.
pub(super) fn text(figures: &Figures, form: impl Fn(&Table) -> String) -> String {
    let all: Vec<_> = tables(figures).flat_map(|(_, tables)| tables).map(|table| form(&table)).collect();
    all.join("\n")
}

/// The columns of the CSV, and where a run has them.
const COLUMNS: &[&str] = &[
    "kernel",
    "memory",
    "backpressure",
    "jitter",
    "seed",
    "warps",
    "threads",
    "slices",
    "fetch",
    "issue",
    "result",
    "cycles",
    "warp_instructions",
    "thread_instructions",
    "ipc",
    "slots.issued",
    "slots.nops",
    "slots.idle",
    "counters.idle_control",
    "counters.idle_queue",
    "counters.idle_barrier",
    "slots.scoreboard",
    "counters.scoreboard_memory",
    "slots.pipeline",
    "load_latency",
    "fetch_latency",
    "icache.hits",
    "icache.misses",
    "dcache.hits",
    "dcache.misses",
    "memory_requests",
];

/// A line for each run under a line of names.
pub(super) fn csv(runs: &[Entry]) -> String {
    let mut text = format!("machine,sched,{}\n", COLUMNS.join(","));
    for run in runs {
        let cell = |path: &&str| match run.number(path) {
            Some(number) => number.to_string(),
            None => run.text(path).to_owned(),
        };
        let cells = [run.machine.clone(), run.sched.clone()].into_iter().chain(COLUMNS.iter().map(cell));
        text += &(cells.map(field).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

/// A field of CSV (RFC 4180): in quotes if it has what would end it.
fn field(text: String) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// The page.
pub(super) fn page(figures: &Figures) -> Page {
    let sections = tables(figures).flat_map(|(_, tables)| tables);
    Page {
        title: "Warp schedulers compared".into(),
        introduction: introduction(figures),
        sections: sections.map(|table| Section { charts: vec![], table }).collect(),
    }
}

fn introduction(figures: &Figures) -> Vec<String> {
    let failures = figures.runs.iter().filter_map(Entry::failure);
    let runs = figures.runs.len();
    let what = format!(
        "{runs} runs, each checked in lock step with the reference model. IPC is that of {} where it is 1.",
        figures.baseline
    );
    [what].into_iter().chain(failures.map(|failure| format!("Failed: {failure}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::figures::tests::run;
    use super::*;

    fn figures() -> Figures {
        let mut runs = vec![];
        for (kernel, factor) in [("vecadd:9", 1.0), ("psort:9", 3.0)] {
            for (sched, ipc) in [("lrr", 0.5), ("gtlo", 0.55), ("swas:gtlrr", 0.45)] {
                runs.push(run(kernel, sched, 1, ipc * factor, "pass"));
            }
        }
        runs.push(run("empty", "gtlo", 1, 1.0, "fail"));
        Figures::new(runs, "lrr".into())
    }

    #[test]
    fn the_tables_read_well() {
        insta::assert_snapshot!(text(&figures(), |table| table.plain()));
    }

    #[test]
    fn csv_has_a_line_a_run_and_as_many_fields_in_each() {
        let runs = figures().runs;
        let text = csv(&runs);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), runs.len() + 1);
        assert!(lines[0].starts_with("machine,sched,kernel,memory,"));
        assert!(lines[2].starts_with("tiny,lrr,vecadd:9,dram,0,3,1,"), "{}", lines[2]);
        assert!(lines.iter().all(|line| line.split(',').count() == COLUMNS.len() + 2), "{text}");
        assert_eq!(field("dram:mhz=100,banks=8".into()), "\"dram:mhz=100,banks=8\"");
        assert_eq!(field("a \"b\"".into()), "\"a \"\"b\"\"\"");
    }

    #[test]
    fn the_page_says_what_failed() {
        let html = page(&figures()).html();
        assert!(html.contains("Failed: empty on tiny with gtlo, memory dram, jitter 3, seed 1: it broke"));
        assert_eq!(html.matches("<table>").count(), 3);
    }
}
