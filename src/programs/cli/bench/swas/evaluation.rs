//! The paper's tables and figures, computed from the runs.

use serde::Serialize;

use super::published::{self, BEST, POLICIES};
use crate::cli::sim::output::{rounded, Record};
use cosim::{Parallel, Slots};
use spec::config::CoreConfig;

/// One kernel on one core.
pub(super) struct Run {
    pub kernel: String,
    /// `(policy, policy)`, or twice the key of the unified scheduler.
    pub sched: (String, String),
    pub part: Parallel,
    /// Of the whole run.
    pub slots: Slots,
}

/// Where the numbers come from.
#[derive(Serialize)]
pub(super) struct Setting {
    /// What the machine is like.
    pub machine: &'static str,
    pub source: &'static str,
    pub kernels: Vec<String>,
    pub memory: String,
    pub jitter: u32,
    pub seed: u64,
    /// The cycles that count.
    pub window: &'static str,
    /// Schedulers aside.
    pub core: CoreConfig,
}

/// Table I, with the load latencies of VI-B1.
#[derive(Serialize)]
pub(super) struct Kernel {
    pub kernel: String,
    pub warp_instructions: u64,
    pub paper_instructions: Option<u64>,
    pub load_latency: Option<f64>,
    pub paper_load_latency: Option<(f64, f64)>,
}

/// A bar of Figs. 4 and 5.
#[derive(Serialize)]
pub(super) struct Baseline {
    pub kernel: String,
    pub fetch: &'static str,
    pub issue: &'static str,
    pub ipc: f64,
    pub errors: u64,
    pub error_rate: f64,
}

/// A bar of Figs. 6 to 8.
#[derive(Serialize)]
pub(super) struct Ratio {
    pub kernel: String,
    pub fetch: &'static str,
    pub issue: &'static str,
    pub ratio: f64,
    pub paper: Option<f64>,
}

/// A row of Table II.
#[derive(Serialize)]
pub(super) struct Comparison {
    pub kernel: String,
    pub ratio: f64,
    pub paper_ratio: Option<f64>,
    pub errors: u64,
    pub paper_errors: Option<u64>,
    pub swas_errors: u64,
}

/// Where the issue slots of the whole run went, in parts of all, for the best baseline and for SWaS over its policy.
#[derive(Serialize)]
pub(super) struct Split {
    pub kernel: String,
    pub sched: String,
    pub cycles: u64,
    pub issued: f64,
    pub nops: f64,
    pub idle: f64,
    pub scoreboard: f64,
    pub pipeline: f64,
    pub load_latency: Option<f64>,
}

/// What the paper says in words: one number, or the lowest and the highest.
#[derive(Serialize)]
pub(super) struct Statement {
    pub what: &'static str,
    pub heddle: Vec<f64>,
    pub paper: Vec<f64>,
}

/// All of it.
#[derive(Serialize)]
pub(super) struct Evaluation {
    #[serde(flatten)]
    pub setting: Setting,
    pub table_1: Vec<Kernel>,
    pub figures_4_and_5: Vec<Baseline>,
    pub figures_6_to_8: Vec<Ratio>,
    pub table_2: Vec<Comparison>,
    pub slots: Vec<Split>,
    pub text: Vec<Statement>,
    /// Each run as `sim --json` shows it.
    pub runs: Vec<Record>,
}

/// Fetch and issue policies of the nine baselines.
pub(super) fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    POLICIES.into_iter().flat_map(|fetch| POLICIES.into_iter().map(move |issue| (fetch, issue)))
}

/// The unified scheduler over a policy.
pub(super) fn unified(policy: &str) -> String {
    format!("swas:{policy}")
}

/// The runs, to be looked up.
struct Runs<'a>(&'a [Run]);

impl Runs<'_> {
    /// What was measured; nothing where there was no such run.
    fn of(&self, kernel: &str, fetch: &str, issue: &str) -> Parallel {
        self.find(kernel, fetch, issue).map(|run| run.part).unwrap_or_default()
    }

    fn find(&self, kernel: &str, fetch: &str, issue: &str) -> Option<&Run> {
        let is = |run: &&Run| run.kernel == kernel && run.sched.0 == fetch && run.sched.1 == issue;
        self.0.iter().find(is)
    }

    /// The slots of the best baseline, and of SWaS over its issue policy.
    fn splits(&self, kernel: &str) -> impl Iterator<Item = Split> {
        let swas = unified(BEST.1);
        let pairs = [(BEST.0, BEST.1), (swas.as_str(), swas.as_str())];
        pairs.map(|(fetch, issue)| self.find(kernel, fetch, issue).map(split)).into_iter().flatten()
    }

    fn swas(&self, kernel: &str, policy: &str) -> Parallel {
        self.of(kernel, &unified(policy), &unified(policy))
    }

    /// IPC of SWaS over the issue policy to that of the baseline; 0 where the baseline has none.
    fn ratio(&self, kernel: &str, fetch: &str, issue: &str) -> f64 {
        let baseline = self.of(kernel, fetch, issue).ipc();
        let ratio = self.swas(kernel, issue).ipc() / baseline;
        rounded(if baseline == 0.0 { 0.0 } else { ratio })
    }
}

fn split(run: &Run) -> Split {
    let Slots { issued, nops, idle, scoreboard, pipeline } = run.slots;
    let all = run.slots.total();
    let part = |slots: u64| rounded(slots as f64 / all.max(1) as f64);
    Split {
        kernel: run.kernel.clone(),
        sched: if run.sched.0 == run.sched.1 {
            run.sched.1.clone()
        } else {
            format!("{}-{}", run.sched.0, run.sched.1)
        },
        cycles: all,
        issued: part(issued),
        nops: part(nops),
        idle: part(idle),
        scoreboard: part(scoreboard),
        pipeline: part(pipeline),
        load_latency: run.part.load_latency().map(rounded),
    }
}

fn errors(part: &Parallel) -> u64 {
    part.departures.unwrap_or_default().errors
}

impl Evaluation {
    /// Computes everything from the runs; `records` are the same for others to read.
    pub(super) fn new(setting: Setting, runs: &[Run], records: Vec<Record>) -> Self {
        let runs = Runs(runs);
        let each = || setting.kernels.iter();
        let table_1 = each().map(|kernel| {
            let (part, paper) = (runs.of(kernel, BEST.0, BEST.1), published::find(kernel));
            Kernel {
                kernel: kernel.clone(),
                warp_instructions: part.warp_instructions,
                paper_instructions: paper.map(|paper| paper.instructions),
                load_latency: part.load_latency().map(rounded),
                paper_load_latency: paper.map(|paper| paper.load_latency),
            }
        });
        let baseline = |kernel: &str, (fetch, issue)| {
            let part = runs.of(kernel, fetch, issue);
            let error_rate = rounded(part.error_rate().unwrap_or(0.0));
            let (ipc, errors) = (rounded(part.ipc()), errors(&part));
            Baseline { kernel: kernel.to_owned(), fetch, issue, ipc, errors, error_rate }
        };
        let figures_4_and_5: Vec<_> =
            each().flat_map(|kernel| pairs().map(move |pair| baseline(kernel, pair))).collect();
        let ratio = |kernel: &str, (fetch, issue)| Ratio {
            kernel: kernel.to_owned(),
            fetch,
            issue,
            ratio: runs.ratio(kernel, fetch, issue),
            paper: published::ratio(kernel, fetch, issue),
        };
        let table_2 = each().map(|kernel| {
            let paper = published::find(kernel);
            Comparison {
                kernel: kernel.clone(),
                ratio: runs.ratio(kernel, BEST.0, BEST.1),
                paper_ratio: paper.map(|paper| paper.ratio),
                errors: errors(&runs.of(kernel, BEST.0, BEST.1)),
                paper_errors: paper.map(|paper| paper.errors),
                swas_errors: POLICIES.iter().map(|policy| errors(&runs.swas(kernel, policy))).sum(),
            }
        });
        let (table_1, table_2): (Vec<_>, Vec<_>) = (table_1.collect(), table_2.collect());
        let figures_6_to_8 = each().flat_map(|kernel| pairs().map(move |pair| ratio(kernel, pair))).collect();
        let slots = each().flat_map(|kernel| runs.splits(kernel)).collect();
        let text = statements(&figures_4_and_5, &table_2);
        Self { setting, table_1, figures_4_and_5, figures_6_to_8, table_2, slots, text, runs: records }
    }

    /// The baseline of a kernel and a pair of policies.
    pub(super) fn baseline(&self, kernel: &str, (fetch, issue): (&str, &str)) -> Option<&Baseline> {
        let is = |bar: &&Baseline| bar.kernel == kernel && bar.fetch == fetch && bar.issue == issue;
        self.figures_4_and_5.iter().find(is)
    }

    /// SWaS to that baseline.
    pub(super) fn ratio(&self, kernel: &str, (fetch, issue): (&str, &str)) -> Option<&Ratio> {
        let is = |bar: &&Ratio| bar.kernel == kernel && bar.fetch == fetch && bar.issue == issue;
        self.figures_6_to_8.iter().find(is)
    }
}

/// Lowest and highest.
fn limits(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let (low, high) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
    vec![rounded(low.min(high)), rounded(high)]
}

fn statements(bars: &[Baseline], table_2: &[Comparison]) -> Vec<Statement> {
    let of = |kernel: &'static str| bars.iter().filter(move |bar| is(&bar.kernel, kernel));
    let mut text = vec![
        Statement {
            what: "baseline IPC, lowest and highest",
            heddle: limits(bars.iter().map(|bar| bar.ipc)),
            paper: published::IPC.to_vec(),
        },
        Statement {
            what: "baseline error rate in percent, lowest and highest",
            heddle: limits(bars.iter().map(|bar| 100.0 * bar.error_rate)),
            paper: published::ERROR_PERCENT.to_vec(),
        },
    ];
    if of("hotspot3D").next().is_some() {
        text.push(Statement {
            what: "baseline errors of hotspot3D, fewest and most",
            heddle: limits(of("hotspot3D").map(|bar| bar.errors as f64)),
            paper: published::HOTSPOT_3D_ERRORS.to_vec(),
        });
    }
    for (kernel, what) in [
        ("psort", "psort: mean IPC with fetch gtlo, to that with the other two"),
        ("psort_loop", "psort_loop: the same"),
    ] {
        if of(kernel).next().is_none() {
            continue;
        }
        let mean = |gtlo: bool| {
            let ipc: Vec<_> = of(kernel).filter(|b| (b.fetch == "gtlo") == gtlo).map(|b| b.ipc).collect();
            ipc.iter().sum::<f64>() / ipc.len() as f64
        };
        text.push(Statement {
            what,
            heddle: vec![rounded(mean(true) / mean(false))],
            paper: vec![published::PSORT_GTLO_FETCH],
        });
    }
    text.push(Statement {
        what: "errors under SWaS, all kernels and policies",
        heddle: vec![table_2.iter().map(|row| row.swas_errors as f64).sum()],
        paper: vec![0.0],
    });
    text
}

fn is(kernel: &str, name: &str) -> bool {
    kernel.split_once(':').map_or(kernel, |(name, _)| name) == name
}
