//! The figures as tables, as CSV, and as a page.

use std::collections::BTreeSet;

use super::entry::Entry;
use super::figures::{Cell, Figures, Setting};
use crate::report::{grouped, Chart, Line, Page, Section, Series, Stack, Table};

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

pub(in crate::cli::bench) fn normalised(setting: &Setting, baseline: &str) -> Table {
    let title = format!("{}, memory {}: IPC to that of {baseline}", setting.machine, setting.memory);
    let mut table = by_kernel(setting, title, "", |cell| cell.normalised.map(|ratio| format!("{ratio:.3}")));
    // Of a scheduler under which runs failed it is the mean of fewer.
    let most = setting.geometric_means.iter().map(|mean| mean.kernels).max().unwrap_or(0);
    let mean = |sched: &String| {
        let mean = setting.geometric_means.iter().find(|mean| mean.sched == *sched);
        mean.map_or(NONE.into(), |mean| match mean.kernels {
            kernels if kernels < most => format!("{:.3} ({kernels} of {most})", mean.mean),
            _ => format!("{:.3}", mean.mean),
        })
    };
    table
        .rows
        .push(["geometric mean".to_owned()].into_iter().chain(setting.scheds.iter().map(mean)).collect());
    table
}

fn cycles(setting: &Setting) -> Table {
    let title = format!("{}, memory {}: cycles", setting.machine, setting.memory);
    let whole = |cycles: f64| grouped(cycles.round() as u64);
    let varies = |cell: &Cell| cell.cycles_range[0] < cell.cycles_range[1];
    let note = match setting.cells.iter().any(varies) {
        true => "The mean of all seeds, and the fewest and the most.",
        false => "",
    };
    by_kernel(setting, title, note, |cell| {
        let mean = whole(cell.cycles);
        Some(match (varies(cell), cell.cycles_range.map(whole)) {
            (true, [fewest, most]) => format!("{mean} ({fewest} to {most})"),
            (false, _) => mean,
        })
    })
}

fn waits(setting: &Setting) -> Table {
    let title = format!("{}, memory {}: longest wait", setting.machine, setting.memory);
    let note = "The most cycles in a row in which a warp waited at the issue stage for its turn, or for a unit that others \
                used (sim/README.md, `waits`), and in parentheses the instructions that its scheduler issued meanwhile.";
    by_kernel(setting, title, note, |cell| {
        let [cycles, others] =
            cell.longest_wait.map(|wait| [wait.cycles, wait.others].map(|of| grouped(of as u64)))?;
        Some(format!("{cycles} ({others})"))
    })
}

pub(in crate::cli::bench) fn split(setting: &Setting) -> Table {
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
               instruction, or (srr, swas) none had whose turn it was; load, a warp waited for a register with a load under way; scoreboard, for another one; \
               pipeline, for a unit alone. Misses in parts of the lookups."
            .into(),
    }
}

/// With a row for each of whichever there are more of, as it is rows that fit a terminal.
fn upright(setting: &Setting, table: Table) -> Table {
    match setting.scheds.len() > setting.kernels.len() {
        true => table.turned("scheduler"),
        false => table,
    }
}

fn tables(figures: &Figures) -> impl Iterator<Item = (&Setting, [Table; 4])> {
    let of = |setting| {
        let ratios = upright(setting, normalised(setting, &figures.baseline));
        (
            setting,
            [ratios, upright(setting, cycles(setting)), split(setting), upright(setting, waits(setting))],
        )
    };
    figures.settings.iter().map(of)
}

/// All tables.
pub(in crate::cli::bench) fn text(figures: &Figures, form: impl Fn(&Table) -> String) -> String {
    let all: Vec<_> = tables(figures).flat_map(|(_, tables)| tables).map(|table| form(&table)).collect();
    all.join("\n") + &compared(&figures.runs)
}

/// How much was on both engines, if anything.
fn compared(runs: &[Entry]) -> String {
    let of = |field| runs.iter().filter_map(move |run| run.number(field));
    let sum = |field| grouped(of(field).sum::<f64>() as u64);
    match of("prediction.cycles_compared").count() {
        0 => String::new(),
        count => format!(
            "\nHardware and model: {} runs, {} cycles compared, {} differ.\n",
            grouped(count as u64),
            sum("prediction.cycles_compared"),
            sum("prediction.cycles_differing")
        ),
    }
}

/// The columns of the CSV, and where a run has them.
const COLUMNS: &str = "
kernel memory backpressure jitter seed warps threads slices fetch issue result cycles warp_instructions
thread_instructions ipc slots.issued slots.nops slots.idle counters.idle_control counters.idle_ibuffer
counters.idle_barrier slots.scoreboard counters.scoreboard_load slots.pipeline load_latency
fetch_latency icache.hits icache.misses dcache.hits dcache.misses memory_requests longest_wait";

fn columns() -> impl Iterator<Item = &'static str> {
    COLUMNS.split_ascii_whitespace()
}

/// A line for each run under a line of names.
pub(in crate::cli::bench) fn csv(runs: &[Entry]) -> String {
    let mut text = format!("machine,sched,{}\n", columns().collect::<Vec<_>>().join(","));
    for run in runs {
        let cell = |path: &str| match (path, run.number(path)) {
            ("longest_wait", _) => run.longest_wait().map_or(String::new(), |wait| wait.cycles.to_string()),
            (_, Some(number)) => number.to_string(),
            (_, None) => run.text(path).to_owned(),
        };
        let cells = [run.machine.clone(), run.sched.clone()].into_iter().chain(columns().map(cell));
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

/// The colour of one of so many series: around the circle, light and dark in turns, that neighbours differ.
pub(in crate::cli::bench) fn colour(number: usize, count: usize) -> (u32, u32) {
    ((212 + number * 360 / count) as u32 % 360, [42, 58][number % 2])
}

const MEAN: &str = "geometric mean";

/// Bars of the IPC to that of the baseline, the geometric mean before the first kernel.
pub(in crate::cli::bench) fn charts(setting: &Setting, baseline: &str) -> Vec<Chart> {
    let groups: Vec<&str> = [MEAN].into_iter().chain(setting.kernels.iter().map(String::as_str)).collect();
    let count = setting.scheds.len();
    let value = |group: &&str, sched: &String| match *group {
        MEAN => setting.geometric_means.iter().find(|mean| mean.sched == *sched).map(|mean| mean.mean),
        kernel => setting.cell(kernel, sched)?.normalised,
    };
    let reach = setting.cells.iter().filter_map(|cell| cell.normalised).fold(0.0, f64::max);
    let chart = |groups: &[&str]| {
        let series = |(number, sched): (usize, &String)| Series {
            name: sched.clone(),
            colour: colour(number, count),
            values: groups.iter().map(|group| value(group, sched)).collect(),
        };
        Chart {
            title: format!("IPC to that of {baseline}"),
            unit: "IPC ratio".into(),
            groups: groups.iter().map(|&group| group.to_owned()).collect(),
            series: setting.scheds.iter().enumerate().map(series).collect(),
            lines: vec![Line { value: 1.0, name: String::new() }],
            reach,
            ..Chart::default()
        }
    };
    // As many in each as in the others.
    let charts = groups.len().div_ceil(Chart::room(count));
    groups.chunks(groups.len().div_ceil(charts)).map(chart).collect()
}

/// The first chart of the page as a file, which says what machine it is of.
pub(in crate::cli::bench) fn picture(figures: &Figures) -> String {
    let of = |setting: &Setting| {
        let title = normalised(setting, &figures.baseline).title;
        charts(setting, &figures.baseline).into_iter().next().map(|chart| Chart { title, ..chart }.file())
    };
    figures.settings.first().and_then(of).unwrap_or_default()
}

/// Hue, saturation and lightness of each part of [`Split`](super::figures::Split).
const PARTS: [(u32, u32, u32); 6] =
    [(140, 45, 42), (80, 45, 55), (220, 8, 62), (212, 55, 48), (30, 75, 52), (350, 55, 52)];

/// Where each kernel's slots went, a bar a scheduler.
pub(in crate::cli::bench) fn stacks(setting: &Setting) -> Vec<Stack> {
    let stack = |kernel: &String| {
        let cells: Vec<_> = setting.cells.iter().filter(|cell| cell.kernel == *kernel).collect();
        let first = cells.first()?;
        let names = first.split.parts().map(|(name, _)| name.to_owned());
        let row = |cell: &&Cell| (cell.sched.clone(), cell.split.parts().map(|(_, part)| part).to_vec());
        Some(Stack {
            title: format!("{kernel}: parts of the issue slots"),
            parts: names.into_iter().zip(PARTS).collect(),
            rows: cells.iter().map(row).collect(),
        })
    };
    setting.kernels.iter().filter_map(stack).collect()
}

/// The page.
pub(in crate::cli::bench) fn page(figures: &Figures) -> Page {
    let sections = tables(figures).flat_map(|(setting, [ratios, cycles, split, waits])| {
        [
            Section { charts: charts(setting, &figures.baseline), table: ratios, ..Section::default() },
            Section { table: cycles, ..Section::default() },
            Section { stacks: stacks(setting), table: split, ..Section::default() },
            Section { table: waits, ..Section::default() },
        ]
    });
    Page {
        title: "Warp schedulers compared".into(),
        introduction: introduction(figures),
        sections: sections.collect(),
    }
}

fn introduction(figures: &Figures) -> Vec<String> {
    let failures = figures.runs.iter().filter_map(Entry::failure);
    let runs = figures.runs.len();
    let in_lockstep = |run: &&Entry| run.record.get("check").is_some_and(|check| check == "lockstep");
    let how = match figures.runs.iter().filter(in_lockstep).count() {
        0 => "none of them in lock step with the reference model".to_owned(),
        checked if checked == runs => "each checked in lock step with the reference model".to_owned(),
        checked => format!("{checked} of them checked in lock step with the reference model"),
    };
    let seeds: BTreeSet<_> = figures.runs.iter().map(|run| run.count("seed") as u64).collect();
    let seeds = match seeds.len() {
        0 | 1 => String::new(),
        seeds => format!(" Each figure is the mean of {seeds} seeds."),
    };
    let what = format!("{runs} runs, {how}. IPC is that of {} where it is 1.{seeds}", figures.baseline);
    [what].into_iter().chain(failures.map(|failure| format!("Failed: {failure}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::figures::tests::run;
    use super::*;
    use serde_json::json;

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
    fn the_end_tells_how_much_was_compared() {
        let mut runs = figures().runs;
        assert_eq!(compared(&runs), "");
        for (run, cycles) in runs.iter_mut().zip([1000, 234]) {
            let prediction = json!({ "cycles_compared": cycles, "cycles_differing": cycles / 100 });
            run.record.insert("prediction".into(), prediction);
        }
        let told = "\nHardware and model: 2 runs, 1,234 cycles compared, 12 differ.\n";
        assert_eq!(compared(&runs), told);
        assert!(text(&Figures::new(runs, "lrr".into()), |table| table.plain()).ends_with(told));
    }

    #[test]
    fn csv_has_a_line_a_run_and_as_many_fields_in_each() {
        let runs = figures().runs;
        let text = csv(&runs);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), runs.len() + 1);
        assert!(lines[0].starts_with("machine,sched,kernel,memory,"));
        assert!(lines[2].starts_with("tiny,lrr,vecadd:9,dram,0,3,1,"), "{}", lines[2]);
        assert!(lines.iter().all(|line| line.split(',').count() == columns().count() + 2), "{text}");
        assert_eq!(field("dram:mhz=100,banks=8".into()), "\"dram:mhz=100,banks=8\"");
        assert_eq!(field("a \"b\"".into()), "\"a \"\"b\"\"\"");
    }

    #[test]
    fn the_page_says_what_failed() {
        let html = page(&figures()).html();
        assert!(html.contains("Failed: empty on tiny with gtlo, memory dram, jitter 3, seed 1: it broke"));
        assert_eq!(html.matches("<table>").count(), 4);
        // A bar for each scheduler with a kernel that ran, and with the mean; of each split five parts that are not 0.
        assert_eq!(html.matches("<svg").count(), 1 + 2);
        assert_eq!(html.matches("</title></rect>").count(), 3 * 3 + 6 * 5);
        let addresses = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!addresses.contains("http") && !addresses.contains("src="), "nothing from elsewhere");
    }
}
