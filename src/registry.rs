//! The menu of warp schedulers: one line each. Command-line help, validation, contract tests, the
//! co-simulation matrix, golden outputs and documentation all iterate over [`POLICIES`].

use crate::model::sched as model_sched;
use crate::rtl::sched::shell::{constructor, PolicyConstructor};
use crate::rtl::sched::{fixed, lrr};

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
        source: "Vortex 2.2, VX_schedule.sv",
        rtl: constructor!(fixed::FixedPriority),
        model: model_sched::FixedPriority::boxed,
    },
    PolicyInfo {
        key: "lrr",
        stages: &[Fetch, Issue],
        summary: "loose round-robin: first ready warp after the last that fired",
        source: "SWaS II-B",
        rtl: constructor!(lrr::LooseRoundRobin),
        model: model_sched::LooseRoundRobin::boxed,
    },
];

/// Keys of the policies that may be used at `stage`.
pub fn keys(stage: Stage) -> Vec<&'static str> {
    POLICIES.iter().filter(|p| p.stages.contains(&stage)).map(|p| p.key).collect()
}

/// The policy of that key.
pub fn find(key: &str) -> Option<&'static PolicyInfo> {
    POLICIES.iter().find(|p| p.key == key)
}
