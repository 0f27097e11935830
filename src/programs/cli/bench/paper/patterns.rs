//! What an adaptive scheduler decided by, as the paper of iPAWS shows it: warps of interest (table 3), degree of convexity
//! (figure 14), issue patterns (figures 9 and 13). Of several grids of a program the one that it is judged by.

use serde_json::Value;

use super::definition::Paper;
use super::evaluation::{grid_of, name_of, OnMachine};
use super::metric::{number, pattern, Metric};
use crate::cli::bench::sweep::entry::Entry;
use crate::cli::bench::sweep::show::colour;
use crate::report::{Chart, Section, Series, Table};

/// A table, and a chart for each program; nothing of a paper that does not adapt.
pub(super) fn section(paper: &Paper, on: &OnMachine) -> Option<Section> {
    let runs = &on.figures.runs;
    let adapts = |variant: &&'static str| {
        runs.iter().any(|run| run.sched == **variant && run.record.contains_key("issue_patterns"))
    };
    let variant = paper.variants.iter().map(|variant| variant.name).find(adapts)?;
    let own = runs.iter().filter(|run| run.sched == variant);
    let shown: Vec<_> =
        own.filter_map(|run| Some((run, pattern(run, grid_of(paper, run.kernel()))?))).collect();
    let name = |run: &Entry| name_of(paper, run.kernel()).unwrap_or(run.kernel()).to_owned();
    let row = |&(run, pattern): &(&Entry, &Value)| {
        let decisions = run.record.get("issue_patterns").and_then(Value::as_array).map_or(0, Vec::len);
        let interest = format!("{} of {}", number(pattern, "of_interest"), number(pattern, "resident"));
        let convexity = format!("{:.2}", number(pattern, "convexity"));
        let convex = Metric::Convex
            .of(run, grid_of(paper, run.kernel()))
            .map_or(0.0, |part| (part * decisions as f64).round());
        vec![name(run), interest, convexity, shape(pattern).to_owned(), format!("{convex} of {decisions}")]
    };
    let table = Table {
        title: format!("What {variant} decides by"),
        columns: [
            "program",
            "warps of interest",
            "degree of convexity",
            "pattern",
            "decisions for round-robin",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: shown.iter().map(row).collect(),
        note: "Of several grids the first, of a search the longest. The degree of convexity is the sum of the scores in parts of \
               the threshold. The charts have a group for each resident warp, the oldest on the left."
            .into(),
    };
    let charts = shown.iter().map(|(run, pattern)| chart(&name(run), pattern)).collect();
    Some(Section { charts, table, ..Section::default() })
}

fn shape(pattern: &Value) -> &'static str {
    if pattern.get("concave").and_then(Value::as_bool).unwrap_or(false) {
        "concave"
    } else {
        "convex"
    }
}

fn chart(name: &str, pattern: &Value) -> Chart {
    let warps = pattern.get("warps").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let series = |number: usize, name: &str, value: &dyn Fn(&Value) -> Option<f64>| Series {
        name: name.into(),
        colour: colour(number, 3),
        values: warps.iter().map(value).collect(),
    };
    let score = |warp: &Value| warp.get("score").and_then(Value::as_f64);
    let inst = |warp: &Value| Some(number(warp, "inst"));
    let stall = |warp: &Value| Some(number(warp, "stall"));
    Chart {
        title: format!("{name}: issue pattern, {}", shape(pattern)),
        unit: "instructions, cycles".into(),
        groups: (0..warps.len()).map(|age| age.to_string()).collect(),
        series: vec![
            series(0, "instructions", &inst),
            series(1, "score of the warps of interest", &score),
            series(2, "stalls", &stall),
        ],
        ..Chart::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::definition::Paper;
    use super::super::evaluation::Setting;
    use super::*;
    use crate::cli::bench::paper::IPAWS;
    use crate::cli::bench::sweep::figures::Figures;
    use spec::config::CoreConfig;

    fn on(paper: &Paper, sched: &str) -> OnMachine {
        let warps = |score: u64| json!([{"wid": 1, "inst": 9, "stall": 1, "score": score}, {"wid": 0, "inst": 2, "stall": 0, "score": null}]);
        let pattern = |cycle: u64, concave: bool, convexity: f64| {
            json!({"cycle": cycle, "concave": concave, "resident": 2, "of_interest": 1, "convexity": convexity,
                   "warps": warps(cycle)})
        };
        let record = json!({
            "kernel": "grid_kmeans:64", "memory": "dram", "seed": 1, "result": "pass", "cycles": 1000, "ipc": 2.0,
            "policy_phases": [
                {"slice": 0, "cycle": 0, "phase": "adapt"}, {"slice": 0, "cycle": 10, "phase": "decide"},
                {"slice": 0, "cycle": 20, "phase": "concave"}, {"slice": 0, "cycle": 100, "phase": "adapt"},
                {"slice": 0, "cycle": 110, "phase": "decide"}, {"slice": 0, "cycle": 120, "phase": "recover"},
            ],
            "issue_patterns": [pattern(20, true, 0.5), pattern(120, false, 1.5)],
        });
        let record = record.as_object().unwrap().clone();
        let runs = vec![Entry { machine: "made up".into(), sched: sched.into(), record }];
        let machine = paper.machines[0].table;
        let setting = Setting { name: "made up", changed: true, core: CoreConfig::default(), machine };
        OnMachine::new(paper, setting, Figures::new(runs, paper.baseline.into()))
    }

    #[test]
    fn the_pattern_is_that_of_the_first_grid() {
        let section = section(&IPAWS, &on(&IPAWS, "iPAWS")).expect("a section");
        assert_eq!(section.table.rows, [["KMN", "1 of 2", "0.50", "concave", "1 of 2"]]);
        assert_eq!(section.charts.len(), 1);
        let values: Vec<_> = section.charts[0].series.iter().map(|series| series.values.clone()).collect();
        assert_eq!(values, [[Some(9.0), Some(2.0)], [Some(20.0), None], [Some(1.0), Some(0.0)]]);
    }
}
