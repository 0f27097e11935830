//! The menu of warp schedulers: one line each. Command-line help, validation, contract tests, the
//! co-simulation matrix, golden outputs and documentation all iterate over [`POLICIES`].

use crate::model::sched as model_sched;
use crate::rtl::sched::shell::{constructor, PolicyConstructor};
use crate::rtl::sched::{fixed, gtlo, gtlrr, icount, lo, lrr, srr, swas};

/// A pipeline stage at which a policy may choose a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Which warp fetches next.
    Fetch,
    /// Which warp of a slice issues next.
    Issue,
}

/// One registered policy.
pub struct PolicyInfo {
    /// Name on the command line and in reports.
    pub key: &'static str,
    /// The stages where it may be used.
    pub stages: &'static [Stage],
    /// The choice it makes, in a sentence.
    pub summary: &'static str,
    /// It may grant nobody although some warp is ready, and its state moves in every cycle.
    pub strict: bool,
    /// Where it is defined.
    pub source: &'static str,
    /// Builds its hardware.
    pub rtl: PolicyConstructor,
    /// Makes its reference model.
    pub model: model_sched::Constructor,
}

use Stage::{Fetch, Issue};

/// Every policy, in the order in which they are listed to users.
pub const POLICIES: &[PolicyInfo] = &[
    PolicyInfo {
        key: "fixed",
        stages: &[Fetch, Issue],
        summary: "smallest ready warp slot",
        strict: false,
        source: "Vortex 2.2, VX_schedule.sv",
        rtl: constructor!(fixed::FixedPriority),
        model: model_sched::FixedPriority::boxed,
    },
    PolicyInfo {
        key: "srr",
        stages: &[Fetch, Issue],
        summary: "strict round-robin: each active warp has one cycle's turn, ready or not",
        strict: true,
        source: "SWaS II-B",
        rtl: constructor!(srr::StrictRoundRobin),
        model: model_sched::StrictRoundRobin::boxed,
    },
    PolicyInfo {
        key: "lrr",
        stages: &[Fetch, Issue],
        summary: "loose round-robin: first ready warp after the last that fired",
        strict: false,
        source: "SWaS II-B",
        rtl: constructor!(lrr::LooseRoundRobin),
        model: model_sched::LooseRoundRobin::boxed,
    },
    PolicyInfo {
        key: "lo",
        stages: &[Fetch, Issue],
        summary: "loose oldest: oldest ready warp",
        strict: false,
        source: "SWaS II-B",
        rtl: constructor!(lo::LooseOldest),
        model: model_sched::LooseOldest::boxed,
    },
    PolicyInfo {
        key: "gtlrr",
        stages: &[Fetch, Issue],
        summary: "greedy then loose round-robin: last warp that fired while it is ready, else the next",
        strict: false,
        source: "SWaS II-B",
        rtl: constructor!(gtlrr::GreedyLooseRoundRobin),
        model: model_sched::GreedyLooseRoundRobin::boxed,
    },
    PolicyInfo {
        key: "gtlo",
        stages: &[Fetch, Issue],
        summary: "greedy then loose oldest (GTO): last warp that fired while it is ready, else the oldest",
        strict: false,
        source: "SWaS II-B",
        rtl: constructor!(gtlo::GreedyLooseOldest),
        model: model_sched::GreedyLooseOldest::boxed,
    },
    PolicyInfo {
        key: "icount",
        stages: &[Fetch],
        summary: "fewest instructions fetched and not yet issued; of several, the oldest",
        strict: false,
        source: "SWaS II-B",
        rtl: constructor!(icount::FewestUnissued),
        model: model_sched::FewestUnissued::boxed,
    },
];

/// What `--sched swas` alone means.
pub const SWAS_DEFAULT: &str = "swas:gtlrr";

/// The unified scheduler of SWaS, which serves both stages at once, over each policy that it may hold.
pub const UNIFIED: &[PolicyInfo] = &[unified("swas:lrr"), unified("swas:gtlrr"), unified("swas:gtlo")];

const fn unified(key: &'static str) -> PolicyInfo {
    PolicyInfo {
        key,
        stages: &[Fetch, Issue],
        summary: "one selection a cycle for fetch and issue, by the policy behind the colon; queues filled with NOPs",
        strict: false,
        source: "SWaS IV-B, V-C",
        rtl: constructor!(swas::UnifiedScheduler),
        model: model_sched::Unified::boxed,
    }
}

/// Keys of the policies that may be used at `stage`.
pub fn keys(stage: Stage) -> Vec<&'static str> {
    POLICIES.iter().filter(|p| p.stages.contains(&stage)).map(|p| p.key).collect()
}

/// Whether the policy of that key may grant nobody although some warp is ready.
pub fn is_strict(key: &str) -> bool {
    find(key).is_some_and(|policy| policy.strict)
}

/// The policy of that key.
pub fn find(key: &str) -> Option<&'static PolicyInfo> {
    POLICIES.iter().chain(UNIFIED).find(|p| p.key == key)
}
