//! Numbers of a run, out of what `sim --json` says of it.

use serde_json::Value;

use crate::cli::bench::sweep::entry::Entry;
use crate::report::grouped;

/// One of a program's grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::bench) enum Grid {
    First,
    /// The one that takes most cycles: of a search the widest level.
    Longest,
}

/// The table: what a metric is, the heading of its table, and its number of a run; none if the run has no such thing.
macro_rules! metrics {
    ($($(#[doc = $doc:literal])* $name:ident: $title:literal, $of:expr;)*) => {
        /// A number of a run.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::cli::bench) enum Metric {
            $($(#[doc = $doc])* $name,)*
        }

        impl Metric {
            /// The heading of its table.
            pub(super) fn title(self) -> &'static str {
                match self {
                    $(Self::$name => $title,)*
                }
            }

            /// Of a run of a program that is judged by `grid`; none if it has no such thing.
            pub(super) fn of(self, run: &Entry, grid: Grid) -> Option<f64> {
                let of: fn(&Entry, Grid) -> Option<f64> = match self {
                    $(Self::$name => $of,)*
                };
                of(run, grid)
            }
        }
    };
}

metrics! {
    /// Thread instructions a cycle.
    Ipc: "thread instructions a cycle", |run, _| run.number("ipc");
    /// Issue slots in which nothing issued.
    Inactive: "issue slots in which nothing issued",
        |run, _| Some(["idle", "scoreboard", "pipeline"].map(|kind| slots(run, kind)).iter().sum());
    /// Of these: no warp had an instruction.
    Idle: "issue slots in which no warp had an instruction", |run, _| Some(slots(run, "idle"));
    /// A warp waited for a register.
    Scoreboard: "issue slots in which a warp waited for a register", |run, _| Some(slots(run, "scoreboard"));
    /// A warp waited for a unit alone.
    Pipeline: "issue slots in which a warp waited for a unit alone", |run, _| Some(slots(run, "pipeline"));
    /// Part of the lookups of the data cache that miss.
    Misses: "lookups of the data cache that miss, percent", |run, _| {
        let [hits, misses] = ["dcache.hits", "dcache.misses"].map(|path| run.count(path));
        (hits + misses > 0.0).then(|| misses / (hits + misses))
    };
    /// Cycles in which a line waits for a free MSHR.
    Reservation: "cycles in which a line waits for an MSHR", |run, _| run.number("counters.dcache_mshr_stalls");
    /// Warps with an instruction between issue and completion, mean of all cycles.
    UnderWay: "warps with an instruction under way", |run, _| run.number("warps_under_way");
    /// Cycles of a read on the bus.
    Read: "cycles of a read from memory", |run, _| {
        let [latency, reads] = ["latency", "reads"].map(|of| run.count(&format!("counters.memory_{of}")));
        (reads > 0.0).then(|| latency / reads)
    };
    /// Part of the requests to memory that find their row open.
    OpenRows: "requests that find the row of the DRAM open, percent", |run, _| {
        let [hits, misses, conflicts] =
            ["hits", "misses", "conflicts"].map(|of| run.count(&format!("dram.row_{of}")));
        let all = hits + misses + conflicts;
        (all > 0.0).then(|| hits / all)
    };
    /// Cycles of the first grid.
    FirstGrid: "cycles of the first grid", |run, _| list(run, "grids").first().map(time);
    /// Of the last one.
    LastGrid: "cycles of the last grid", |run, _| list(run, "grids").last().map(time);
    /// Cycles from the dispatch of a grid's last block to its end, mean of all grids.
    LastBlock: "cycles of a grid's last block", |run, _| {
        let grids = list(run, "grids");
        let time = |grid: &Value| number(grid, "last_block_ended") - number(grid, "last_dispatched");
        (!grids.is_empty()).then(|| grids.iter().map(time).sum::<f64>() / grids.len() as f64)
    };
    /// Part of all warps' time that they wait at barriers, one of which is the end of their block.
    Barriers: "warps' time at barriers, percent",
        |run, _| Some(waited(run, "stalled")? + waited(run, "stalled_at_exit")?);
    /// Of it, the part at the end of their block.
    Exit: "of it at the end of a block, percent", |run, _| waited(run, "stalled_at_exit");
    /// How unevenly warps arrive at barriers (docs/SCHEDULERS.md, section 4).
    Rtru: "RTRU at barriers, percent", |run, _| run.number("barriers.rtru");
    /// Of the decisions of an adaptive scheduler those that found a convex pattern.
    Convex: "decisions for round-robin, percent", |run, _| {
        let counts = ["concave", "recover", "execute"]
            .map(|phase| phases(run).iter().filter(|(name, ..)| name == phase).count() as f64);
        let [concave, recover, execute] = counts;
        // Without Recover, Execute follows the decision.
        let convex = if recover > 0.0 { recover } else { execute };
        (concave + convex > 0.0).then(|| convex / (concave + convex))
    };
    /// In the grid that the program is judged by: the part of the resident warps that is of interest.
    Interest: "warps of interest, percent of the resident ones", |run, grid| {
        let pattern = pattern(run, grid)?;
        Some(number(pattern, "of_interest") / number(pattern, "resident"))
    };
    /// There: the sum of the scores in parts of the threshold.
    Convexity: "degree of convexity", |run, grid| pattern(run, grid)?.get("convexity")?.as_f64();
    /// Part of the cycles before it does what it decided.
    Adapting: "cycles in Adapt and Recover, percent", |run, _| {
        let phases = phases(run);
        let before = phases.iter().filter(|(name, ..)| matches!(name.as_str(), "adapt" | "recover"));
        let cycles: f64 = before.map(|(_, begin, end)| end - begin).sum();
        // The phases of a slice fill the run.
        let all: f64 = phases.iter().map(|(_, begin, end)| end - begin).sum();
        (all > 0.0).then(|| cycles / all)
    };
    /// Of the cycles with more than one active warp: how many there are.
    ParallelCycles: "cycles with several active warps", |run, _| run.number("parallel.cycles");
    /// Instructions of warps in them.
    ParallelInstructions: "warp instructions", |run, _| run.number("parallel.warp_instructions");
    /// Thread instructions a cycle.
    ParallelIpc: "IPC", |run, _| run.number("parallel.ipc");
    /// Cycles of a thread's load.
    ParallelLoad: "cycles of a load", |run, _| run.number("parallel.load_latency");
    /// How often the scheduler chose another warp than its policy does over all warps.
    Discrepancies: "discrepancies", |run, _| run.number("parallel.discrepancies");
    /// Of these such as no cache miss and no taken branch excuses.
    Errors: "scheduling errors", |run, _| run.number("parallel.errors");
    /// Percent of the issue slots with one.
    ErrorRate: "scheduling error rate, percent",
        |run, _| run.number("parallel.error_rate").map(|rate| 100.0 * rate);
}

impl Metric {
    /// Whether it is a part of a whole.
    pub(super) fn is_part(self) -> bool {
        let adaptive = matches!(self, Self::Convex | Self::Interest | Self::Adapting);
        adaptive || matches!(self, Self::Misses | Self::OpenRows | Self::Barriers | Self::Exit | Self::Rtru)
    }

    /// A value as it is shown.
    pub(super) fn shown(self, value: f64) -> String {
        match self {
            _ if self.is_part() => format!("{value:.3}"),
            Self::Ipc | Self::ParallelIpc | Self::ErrorRate | Self::Convexity => format!("{value:.2}"),
            Self::UnderWay => format!("{value:.1}"),
            Self::ParallelLoad => format!("{value:.0}"),
            _ => grouped(value.round() as u64),
        }
    }
}

/// Part of the time of all warp slots.
fn waited(run: &Entry, field: &str) -> Option<f64> {
    let cycles = run.record.get("barriers")?.get(field)?.as_array()?;
    let all: f64 = cycles.iter().filter_map(Value::as_f64).sum();
    Some(all / (run.count("cycles") * cycles.len() as f64))
}

fn slots(run: &Entry, kind: &str) -> f64 {
    run.count(&format!("slots.{kind}"))
}

fn list<'a>(run: &'a Entry, field: &str) -> &'a [Value] {
    run.record.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// What an adaptive scheduler decided by in the grid that counts.
pub(super) fn pattern(run: &Entry, grid: Grid) -> Option<&Value> {
    let patterns = list(run, "issue_patterns");
    match grid {
        Grid::First => patterns.first(),
        Grid::Longest => {
            let longest = list(run, "grids").iter().max_by(|a, b| time(a).total_cmp(&time(b)))?;
            let [begin, end] = ["first_dispatched", "ended"].map(|at| number(longest, at));
            patterns.iter().find(|pattern| (begin..=end).contains(&number(pattern, "cycle")))
        }
    }
}

/// Cycles of a grid.
fn time(grid: &Value) -> f64 {
    number(grid, "ended") - number(grid, "first_dispatched")
}

pub(super) fn number(value: &Value, field: &str) -> f64 {
    value.get(field).and_then(Value::as_f64).unwrap_or(0.0)
}

/// Each phase of each slice's scheduler with the cycles in which it begins and ends.
fn phases(run: &Entry) -> Vec<(String, f64, f64)> {
    let all = list(run, "policy_phases");
    let phase = |(place, change): (usize, &Value)| {
        let slice = number(change, "slice");
        let next = all[place + 1..].iter().find(|later| number(later, "slice") == slice);
        let end = next.map_or(run.count("cycles"), |next| number(next, "cycle"));
        let name = change.get("phase").and_then(Value::as_str).unwrap_or("");
        (name.to_owned(), number(change, "cycle"), end)
    };
    all.iter().enumerate().map(phase).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metrics_are_those_of_the_record() {
        let record = json!({
            "ipc": 3.5, "cycles": 1000, "warps_under_way": 7.5, "slots": {"issued": 400, "idle": 100, "scoreboard": 300, "pipeline": 200},
            "dcache": {"hits": 30, "misses": 10}, "barriers": {"rtru": 0.25, "stalled": [100, 300], "stalled_at_exit": [0, 200]},
            "grids": [
                {"first_dispatched": 90, "last_dispatched": 100, "last_block_ended": 150, "ended": 155},
                {"first_dispatched": 200, "last_dispatched": 300, "last_block_ended": 450, "ended": 700},
            ],
            "counters": {"dcache_mshr_stalls": 9, "memory_latency": 600, "memory_reads": 5},
            "dram": {"row_hits": 6, "row_misses": 1, "row_conflicts": 1},
            "policy_phases": [
                {"slice": 0, "cycle": 0, "phase": "adapt"}, {"slice": 1, "cycle": 0, "phase": "adapt"},
                {"slice": 0, "cycle": 100, "phase": "decide"}, {"slice": 0, "cycle": 150, "phase": "recover"},
                {"slice": 0, "cycle": 200, "phase": "execute"}, {"slice": 0, "cycle": 600, "phase": "adapt"},
                {"slice": 0, "cycle": 700, "phase": "concave"},
            ],
            "issue_patterns": [
                {"cycle": 150, "resident": 8, "of_interest": 6, "convexity": 1.25},
                {"cycle": 700, "resident": 8, "of_interest": 2, "convexity": 0.5},
            ],
            "parallel": {
                "cycles": 900, "warp_instructions": 300, "ipc": 3.75, "load_latency": 40.5, "discrepancies": 7,
                "errors": 5, "error_rate": 0.125,
            },
        });
        let record = record.as_object().unwrap().clone();
        let run = Entry { machine: String::new(), sched: String::new(), record };
        for (metric, value) in [
            (Metric::Ipc, 3.5),
            (Metric::Inactive, 600.0),
            (Metric::Idle, 100.0),
            (Metric::Scoreboard, 300.0),
            (Metric::Pipeline, 200.0),
            (Metric::Misses, 0.25),
            (Metric::Reservation, 9.0),
            (Metric::UnderWay, 7.5),
            (Metric::Read, 120.0),
            (Metric::OpenRows, 0.75),
            (Metric::FirstGrid, 65.0),
            (Metric::LastGrid, 500.0),
            (Metric::LastBlock, 100.0),
            (Metric::Barriers, 0.2 + 0.1),
            (Metric::Exit, 0.1),
            (Metric::Rtru, 0.25),
            (Metric::Convex, 0.5),
            (Metric::Interest, 0.75),
            (Metric::Convexity, 1.25),
            (Metric::Adapting, 0.625),
            (Metric::ParallelCycles, 900.0),
            (Metric::ParallelInstructions, 300.0),
            (Metric::ParallelIpc, 3.75),
            (Metric::ParallelLoad, 40.5),
            (Metric::Discrepancies, 7.0),
            (Metric::Errors, 5.0),
            (Metric::ErrorRate, 12.5),
        ] {
            assert_eq!(metric.of(&run, Grid::First), Some(value), "{metric:?}");
        }
        for (metric, value) in [(Metric::Interest, 0.25), (Metric::Convexity, 0.5), (Metric::Ipc, 3.5)] {
            assert_eq!(metric.of(&run, Grid::Longest), Some(value), "{metric:?} of the longest grid");
        }
        let bare = Entry { machine: String::new(), sched: String::new(), record: serde_json::Map::new() };
        for metric in [
            Metric::Misses,
            Metric::Reservation,
            Metric::UnderWay,
            Metric::Read,
            Metric::OpenRows,
            Metric::FirstGrid,
            Metric::LastGrid,
            Metric::LastBlock,
            Metric::Barriers,
            Metric::Convex,
            Metric::Interest,
            Metric::Convexity,
            Metric::Adapting,
            Metric::Errors,
        ] {
            let numbers = [Grid::First, Grid::Longest].map(|grid| metric.of(&bare, grid));
            assert_eq!(numbers, [None, None], "{metric:?}");
        }
    }
}
