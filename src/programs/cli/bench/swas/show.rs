//! The evaluation as tables and as a page with charts.

mod charts;
mod tables;

use super::evaluation::Evaluation;
use super::published::SHAPE;
use crate::report::{Chart, Page, Section, Table};
use charts::charts;
use tables::tables;

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
    let machine = evaluation.setting.machine;
    let section = |(table, charts): (Table, Vec<Chart>)| {
        let table = Table { title: format!("{machine}: {}", table.title), ..table };
        Section { charts, stacks: vec![], table }
    };
    tables(evaluation).into_iter().zip(charts(evaluation)).map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::swas::evaluation::{pairs, unified, Run, Setting};
    use crate::cli::bench::swas::published::POLICIES;
    use cosim::{Departures, Parallel, Slots};
    use spec::config::CoreConfig;

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
