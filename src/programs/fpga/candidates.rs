//! The cores whose areas are measured.

use spec::config::{CoreConfig, DataCacheConfig};
use spec::registry::{self, Stage};

use super::published::{Published, PUBLISHED};

/// What the names of rows begin with that are of a scheduler.
pub(super) const SCHEDULER: &str = "issue ";

/// What the names of rows begin with that are of a paper's state.
const STATE: &str = "state ";

/// What the names of rows begin with that are of another module alone.
pub(super) const PART: &str = "part ";

/// What of a core is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// It is one of the cores that are compared.
    Core,
    /// Its issue scheduler.
    Scheduler,
    /// The module of what a paper counts.
    State(Published),
    /// A module of that name.
    Part(&'static str),
}

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its name in the table.
    pub name: String,
    /// The core, without trace port.
    pub cfg: CoreConfig,
    /// What of it.
    pub kind: Kind,
}

/// The usual configurations, without a dispatcher of thread blocks but for two, then what they do not have: other dividers,
/// SWaS, banks; each scheduler of the issue stage, on `small` without floating point, data cache and counters; what the papers
/// count, at their sizes; and parts of cores.
pub fn candidates() -> Vec<Candidate> {
    let with_grids = |name| CoreConfig { trace_port: false, ..CoreConfig::preset(name).unwrap_or_default() };
    let preset = |name| CoreConfig { grid: false, ..with_grids(name) };
    let usual = |name: &str, cfg| Candidate { name: name.into(), cfg, kind: Kind::Core };
    let none = DataCacheConfig { bytes: 0, ..preset("small").dcache };
    let integer = CoreConfig { fpu: false, dcache: none, ..preset("small") };
    let bare = CoreConfig { counters: false, ..integer.clone() };
    let mut all = vec![
        usual("tiny", preset("tiny")),
        usual("small without FPU and L1 and counters", bare.clone()),
        usual("small without FPU and L1", integer),
        usual("small without FPU", CoreConfig { fpu: false, ..preset("small") }),
        usual("small", preset("small")),
        usual("small with grids", with_grids("small")),
        usual("4x4 for speed with grids", with_grids("small-fast")),
    ];
    let dividers = [(1, false), (4, false), (1, true), (2, true), (4, true)];
    all.extend(dividers.map(|(div_bits, div_fixed)| {
        let cfg = CoreConfig { div_bits, div_fixed, ..bare.clone() };
        usual(&format!("divider{}", of_divider(&cfg)), cfg)
    }));
    let whole = CoreConfig { fpu: false, ..preset("small") };
    all.push(usual(
        "small without FPU under swas:gtlrr",
        CoreConfig { fetch: "swas:gtlrr".into(), issue: "swas:gtlrr".into(), ..whole.clone() },
    ));
    all.push(usual("small without FPU with 2 cache banks", CoreConfig { cache_banks: 2, ..whole.clone() }));
    all.extend([(4, 2), (2, 1)].map(|(register_banks, collectors)| {
        let name =
            format!("small without FPU with {register_banks} register banks and {collectors} collectors");
        usual(&name, CoreConfig { register_banks, collectors, ..whole.clone() })
    }));
    let at_issue = registry::all().filter(|policy| policy.stages.contains(&Stage::Issue));
    all.extend(at_issue.map(|policy| {
        // The unified scheduler serves both stages.
        let fetch = if policy.inside.is_some() { policy.key.into() } else { bare.fetch.clone() };
        let cfg = CoreConfig { issue: policy.key.into(), fetch, ..bare.clone() };
        Candidate { name: format!("{SCHEDULER}{}", policy.key), cfg, kind: Kind::Scheduler }
    }));
    all.extend(PUBLISHED.map(|state| Candidate {
        name: format!("{STATE}{}", state.name),
        cfg: state.core(),
        kind: Kind::State(state),
    }));
    all.extend(parts(&preset("small")));
    all
}

/// What tells a core's divider from others.
fn of_divider(CoreConfig { div_bits, div_fixed, .. }: &CoreConfig) -> String {
    format!(" of {div_bits} bits a cycle{}", if *div_fixed { " in fixed time" } else { "" })
}

/// Modules alone: those of warp sharing, for 8 warps in 4 slices, and the lanes and dividers of `small`.
fn parts(small: &CoreConfig) -> Vec<Candidate> {
    let part = |module, variant: &str, cfg: CoreConfig| Candidate {
        name: format!("{PART}{module}{variant}"),
        cfg,
        kind: Kind::Part(module),
    };
    let shared = CoreConfig { warps: 8, slices: 4, issue: "kaws".into(), ..small.clone() };
    let lanes = ["FpuLane", "SlowLane"].map(|module| part(module, "", small.clone()));
    let dividers = [false, true].into_iter().flat_map(|div_fixed| {
        [1, 2, 4].map(|div_bits| {
            let cfg = CoreConfig { div_bits, div_fixed, ..small.clone() };
            part("DivideUnit", &of_divider(&cfg), cfg)
        })
    });
    let sharing = ["WarpSharingControl", "ClassOrder"].map(|module| part(module, "", shared.clone()));
    sharing.into_iter().chain(lanes).chain(dividers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_rows_can_stand_in_lists_and_in_files_of_comma_separated_values() {
        assert_eq!(candidates().iter().find(|candidate| candidate.name.contains(',')), None);
    }
}
