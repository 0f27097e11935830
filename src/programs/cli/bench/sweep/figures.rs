//! What the runs say: cycles, IPC beside that of the baseline, and where the issue slots went.

use serde::Serialize;

use super::entry::{Entry, LongestWait};
use crate::cli::bench::figure::{distinct, geometric_mean};
use crate::cli::sim::output::rounded;

/// All figures, and the runs that they come from.
#[derive(Serialize)]
pub(in crate::cli::bench) struct Figures {
    /// The scheduler with which the others are compared.
    pub baseline: String,
    /// A machine with a memory each.
    pub settings: Vec<Setting>,
    /// In the order of presets, memories, kernels and policies.
    pub runs: Vec<Entry>,
}

/// A machine with a memory.
#[derive(Serialize)]
pub(in crate::cli::bench) struct Setting {
    pub machine: String,
    pub memory: String,
    pub kernels: Vec<String>,
    pub scheds: Vec<String>,
    pub cells: Vec<Cell>,
    pub geometric_means: Vec<Mean>,
}

/// A kernel with a scheduler, over all seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::cli::bench) struct Cell {
    pub kernel: String,
    pub sched: String,
    /// Mean of all seeds.
    pub cycles: f64,
    /// The fewest and the most of any seed.
    pub cycles_range: [f64; 2],
    /// Of any warp with any seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_wait: Option<LongestWait>,
    /// Thread instructions a cycle, geometric mean of all seeds.
    pub ipc: f64,
    /// To that of the baseline: geometric mean of all seeds' ratios.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalised: Option<f64>,
    /// Where the issue slots went, in parts of all.
    pub split: Split,
    /// Cycles of a thread's load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_latency: Option<f64>,
    /// Parts of the lookups that miss; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icache_misses: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dcache_misses: Option<f64>,
}

/// Every issue slot, in parts of all: their sum is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(in crate::cli::bench) struct Split {
    pub issued: f64,
    /// NOPs of SWaS.
    pub nops: f64,
    /// No warp had an instruction to issue.
    pub idle: f64,
    /// A warp waited for a register, and none of those that did had a load under way.
    pub scoreboard: f64,
    /// A warp waited for a register while it had a load under way.
    pub load: f64,
    /// A warp waited for a unit alone.
    pub pipeline: f64,
}

impl Split {
    /// Names and values, in the order in which they are shown.
    pub(in crate::cli::bench) fn parts(&self) -> [(&'static str, f64); 6] {
        let Self { issued, nops, idle, scoreboard, load, pipeline } = *self;
        [
            ("issued", issued),
            ("nops", nops),
            ("idle", idle),
            ("scoreboard", scoreboard),
            ("load", load),
            ("pipeline", pipeline),
        ]
    }

    fn of(runs: &[&Entry]) -> Self {
        let sum = |path: &str| runs.iter().map(|run| run.count(path)).sum::<f64>();
        let kinds =
            ["issued", "nops", "idle", "scoreboard", "pipeline"].map(|kind| sum(&format!("slots.{kind}")));
        let all: f64 = kinds.iter().sum();
        let load = sum("counters.scoreboard_load");
        let [issued, nops, idle, waiting, pipeline] = kinds;
        let part = |slots: f64| if all == 0.0 { 0.0 } else { rounded(slots / all) };
        Self {
            issued: part(issued),
            nops: part(nops),
            idle: part(idle),
            scoreboard: part(waiting - load),
            load: part(load),
            pipeline: part(pipeline),
        }
    }
}

/// How a scheduler does on all kernels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::cli::bench) struct Mean {
    pub sched: String,
    /// Geometric mean of the kernels' IPC to that of the baseline.
    pub mean: f64,
    /// So many kernels ran with both.
    pub kernels: usize,
}

impl Figures {
    pub(in crate::cli::bench) fn new(mut runs: Vec<Entry>, baseline: String) -> Self {
        runs.sort_by_key(Entry::place);
        let memories: Vec<String> = runs.iter().map(Entry::memory).collect();
        let machines = distinct(runs.iter().map(|run| run.machine.as_str()));
        let memories = distinct(memories.iter().map(String::as_str));
        let mut settings = vec![];
        for machine in &machines {
            for memory in &memories {
                let is = |run: &&Entry| run.machine == *machine && run.memory() == *memory;
                let own: Vec<&Entry> = runs.iter().filter(is).collect();
                if !own.is_empty() {
                    settings.push(Setting::new(machine, memory, &own, &baseline));
                }
            }
        }
        Self { baseline, settings, runs }
    }
}

impl Setting {
    fn new(machine: &str, memory: &str, runs: &[&Entry], baseline: &str) -> Self {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let kernels = owned(distinct(runs.iter().map(|run| run.kernel())));
        // A scheduler that failed somewhere need not be in the first kernel's runs.
        let mut scheds = owned(distinct(runs.iter().map(|run| run.sched.as_str())));
        let place = |sched: &String| spec::registry::all().position(|policy| policy.key == *sched);
        scheds.sort_by_key(place);
        let mut cells = vec![];
        for kernel in &kernels {
            for sched in &scheds {
                cells.extend(cell(kernel, sched, runs, baseline));
            }
        }
        let mean = |sched: &String| {
            let own = cells.iter().filter(|cell| cell.sched == *sched);
            let ratios: Vec<f64> = own.filter_map(|cell| cell.normalised).collect();
            let mean = geometric_mean(&ratios)?;
            Some(Mean { sched: sched.clone(), mean: rounded(mean), kernels: ratios.len() })
        };
        let geometric_means = scheds.iter().filter_map(mean).collect();
        Self { machine: machine.into(), memory: memory.into(), kernels, scheds, cells, geometric_means }
    }

    pub(in crate::cli::bench) fn cell(&self, kernel: &str, sched: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.kernel == kernel && cell.sched == sched)
    }
}

/// The figures of a kernel with a scheduler; none if a seed is missing or failed.
fn cell(kernel: &str, sched: &str, runs: &[&Entry], baseline: &str) -> Option<Cell> {
    let of = |sched: &str| -> Vec<&Entry> {
        runs.iter().copied().filter(|run| run.kernel() == kernel && run.sched == sched).collect()
    };
    let own = of(sched);
    if own.is_empty() || own.iter().any(|run| !run.passed()) {
        return None;
    }
    let base = of(baseline);
    let ratio = |run: &&Entry| {
        let same = base.iter().find(|other| other.count("seed") == run.count("seed") && other.passed())?;
        Some(run.count("ipc") / same.count("ipc"))
    };
    let ratios: Option<Vec<f64>> = own.iter().map(ratio).collect();
    let ipcs: Vec<f64> = own.iter().map(|run| run.count("ipc")).collect();
    let sum = |path: &str| own.iter().map(|run| run.count(path)).sum::<f64>();
    let part = |part: f64, whole: f64| (whole != 0.0).then(|| rounded(part / whole));
    let misses = |cache: &str| {
        let [hits, misses] = ["hits", "misses"].map(|field| sum(&format!("{cache}.{field}")));
        part(misses, hits + misses)
    };
    let cycles = || own.iter().map(|run| run.count("cycles"));
    Some(Cell {
        kernel: kernel.into(),
        sched: sched.into(),
        cycles: rounded(sum("cycles") / own.len() as f64),
        cycles_range: [cycles().fold(f64::MAX, f64::min), cycles().fold(0.0, f64::max)],
        longest_wait: own.iter().filter_map(|run| run.longest_wait()).reduce(LongestWait::longer),
        ipc: geometric_mean(&ipcs).map_or(0.0, rounded),
        normalised: ratios.and_then(|ratios| geometric_mean(&ratios)).map(rounded),
        split: Split::of(&own),
        load_latency: part(sum("counters.load_latency"), sum("counters.loads")),
        icache_misses: misses("icache"),
        dcache_misses: misses("dcache"),
    })
}

#[cfg(test)]
pub(in crate::cli::bench) mod tests {
    use serde_json::json;

    use super::*;

    /// A run of 1000 slots, of which `issued` were used.
    pub(in super::super) fn run(kernel: &str, sched: &str, seed: u64, ipc: f64, result: &str) -> Entry {
        let cycles = 1000.0 / ipc;
        let record = json!({
            "kernel": kernel, "memory": "dram", "jitter": 3, "backpressure": 0, "seed": seed, "result": result,
            "failure": "it broke", "cycles": cycles, "ipc": ipc, "warp_instructions": 250, "thread_instructions": 1000,
            "slots": {"issued": 250, "nops": 0, "idle": 250, "scoreboard": 400, "pipeline": 100},
            "counters": {"scoreboard_load": 300, "load_latency": 900, "loads": 30},
            "icache": {"hits": 99, "misses": 1}, "dcache": {"hits": 0, "misses": 0},
            "waits": [{"cycles": 7, "others": 6}, {"cycles": 20 * seed, "others": 9}],
        });
        let record = record.as_object().unwrap().clone();
        Entry { machine: "tiny".into(), sched: sched.into(), record }
    }

    #[test]
    fn ipc_is_normalised_seed_by_seed_and_kernel_by_kernel() {
        let runs = vec![
            run("vecadd:9", "gtlo", 1, 1.0, "pass"),
            run("vecadd:9", "gtlo", 2, 4.0, "pass"),
            run("vecadd:9", "lrr", 1, 0.5, "pass"),
            run("vecadd:9", "lrr", 2, 0.5, "pass"),
            run("psort:9", "gtlo", 1, 0.25, "pass"),
            run("psort:9", "lrr", 1, 1.0, "pass"),
            run("empty", "gtlo", 1, 1.0, "fail"),
            run("empty", "lrr", 1, 1.0, "pass"),
        ];
        let figures = Figures::new(runs, "lrr".into());
        let [setting] = &figures.settings[..] else { panic!("one machine, one memory") };
        assert_eq!((setting.machine.as_str(), setting.memory.as_str()), ("tiny", "dram, jitter 3"));
        assert_eq!(setting.kernels, ["empty", "vecadd:9", "psort:9"]);
        let normalised = |kernel| setting.cell(kernel, "gtlo").map(|cell| cell.normalised.unwrap());
        // Ratios 2 and 8; 1/4; and a failed run is no figure.
        assert_eq!(["vecadd:9", "psort:9", "empty"].map(normalised), [Some(4.0), Some(0.25), None]);
        let mean = |sched: &str| setting.geometric_means.iter().find(|mean| mean.sched == sched).unwrap();
        assert_eq!((mean("gtlo").mean, mean("gtlo").kernels), (1.0, 2));
        assert_eq!((mean("lrr").mean, mean("lrr").kernels), (1.0, 3));
        let cell = setting.cell("vecadd:9", "gtlo").unwrap();
        assert_eq!((cell.cycles, cell.ipc, cell.load_latency), (625.0, 2.0, Some(30.0)));
        assert_eq!(cell.cycles_range, [250.0, 1000.0]);
        assert_eq!(cell.longest_wait, Some(LongestWait { cycles: 40.0, others: 9.0 }));
        assert_eq!((cell.icache_misses, cell.dcache_misses), (Some(0.01), None));
        assert_eq!(cell.split.parts().map(|(_, part)| part), [0.25, 0.0, 0.25, 0.1, 0.3, 0.1]);
    }
}
