//! The warp schedulers: one entry each, plain facts that import nothing.
//!
//! Command-line help, validation, contract tests, proofs and the co-simulation matrix ask [`POLICIES`]. An entry also
//! names a module and a type: `rtl::sched` and `model::sched` expand the same list into the declarations of their modules
//! and into constructors, so that a policy is registered here and nowhere else.

/// A pipeline stage at which a policy may choose a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Which warp fetches next.
    Fetch,
    /// Which warp of a slice issues next.
    Issue,
}

use Stage::{Fetch, Issue};

/// What the hardware keeps of each CTA slot, once a core, for the policies that order CTAs by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CtaTable {
    /// How many of its warps wait at a barrier or have exited: the warp priority table (BAWS 4.1).
    Waiting,
    /// Which CTAs have issued less (KAWS 3).
    Progress,
}

/// What is known of a policy without its hardware or its model. `tests/sched_contract/` holds each fact against both.
#[derive(Clone, Copy, Debug)]
pub struct PolicyInfo {
    /// Name on the command line and in reports.
    pub key: &'static str,
    /// The stages where it may be used.
    pub stages: &'static [Stage],
    /// The choice it makes, in a sentence.
    pub summary: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// What it reads of what schedulers see, `src/spec/scheduler_inputs.rs`.
    pub inputs: &'static [&'static str],
    /// What it orders CTAs by.
    pub table: Option<CtaTable>,
    /// It stays with the warp that fired last while that is ready.
    pub greedy: bool,
    /// It may grant nobody although some warp is ready.
    pub strict: bool,
    /// Its state may move in a cycle in which nothing happens.
    pub moves_every_cycle: bool,
    /// It may be inside the unified scheduler of SWaS.
    pub may_be_unified: bool,
    /// A warp may issue through another slice, unless told (KAWS 3).
    pub shares_warps: bool,
    /// Its decisions have a picture, `sim --pattern`.
    pub shows_pattern: bool,
    /// What fetches beside it if one key is given for both stages and it is for issue alone.
    pub at_fetch: &'static str,
    /// Of the unified scheduler: the policy inside, whose facts it has.
    pub inside: Option<&'static str>,
}

/// What an entry need not say.
const PLAIN: PolicyInfo = PolicyInfo {
    key: "",
    stages: &[],
    summary: "",
    source: "",
    inputs: &[],
    table: None,
    greedy: false,
    strict: false,
    moves_every_cycle: false,
    may_be_unified: false,
    shares_warps: false,
    shows_pattern: false,
    at_fetch: "lrr",
    inside: None,
};

/// Hands every entry, in the order in which they are listed to users, to another macro.
///
/// `key => module::Type { facts }`: the module is that of both `src/rtl/sched/` and `src/model/sched/`, the type's name
/// that of both hardware and model. A fact that is not given is that of `PLAIN`. Parameters of the core that belong to a
/// policy stand behind it as they would in `src/spec/config/sheet.rs`; without it they have no effect, unless they say
/// `policy: None`.
#[macro_export]
macro_rules! policies {
    ($with:ident) => {
        $with! {
            "fixed" => fixed::FixedPriority {
                stages: &[Fetch, Issue],
                summary: "smallest ready warp slot",
                source: "Vortex 2.2, VX_schedule.sv",
                inputs: &["stage.ready_warps"],
            }
            "srr" => srr::StrictRoundRobin {
                stages: &[Fetch, Issue],
                summary: "strict round-robin: each active warp has one cycle's turn, ready or not",
                source: "SWaS II-B",
                inputs: &["stage.ready_warps", "stage.own_warps", "core.active_warps", "core.kernel_start"],
                strict: true,
                moves_every_cycle: true,
            }
            "lrr" => lrr::LooseRoundRobin {
                stages: &[Fetch, Issue],
                summary: "loose round-robin: first ready warp after the last that fired",
                source: "SWaS II-B",
                inputs: &["stage.ready_warps", "stage.fire", "stage.fired_oh", "core.kernel_start"],
                may_be_unified: true,
            }
            "lo" => lo::LooseOldest {
                stages: &[Fetch, Issue],
                summary: "loose oldest: oldest ready warp",
                source: "SWaS II-B",
                inputs: &["stage.ready_warps", "core.older"],
            }
            "gtlrr" => gtlrr::GreedyLooseRoundRobin {
                stages: &[Fetch, Issue],
                summary: "greedy then loose round-robin: last warp that fired while it is ready, else the next",
                source: "SWaS II-B",
                inputs: &["stage.ready_warps", "stage.fire", "stage.fired_oh", "core.kernel_start"],
                greedy: true,
                may_be_unified: true,
            }
            "gtlo" => gtlo::GreedyLooseOldest {
                stages: &[Fetch, Issue],
                summary: "greedy then loose oldest (GTO): last warp that fired while it is ready, else the oldest",
                source: "SWaS II-B",
                inputs: &["stage.ready_warps", "stage.fire", "stage.fired_oh", "core.older", "core.kernel_start"],
                greedy: true,
                may_be_unified: true,
            }
            "icount" => icount::FewestUnissued {
                stages: &[Fetch],
                summary: "fewest instructions fetched and not yet issued; of several, the oldest",
                source: "SWaS II-B",
                inputs: &["stage.ready_warps", "stage.unissued", "core.older"],
            }
            "mwf-lrr" => mwf_lrr::MostWaitingRoundRobin {
                stages: &[Issue],
                summary: "most waiting first: the CTA with most warps at a barrier, inside it loose round-robin",
                source: "BAWS 4.1",
                inputs: &[
                    "stage.ready_warps", "stage.fired_oh", "core.active_warps", "core.start_warps",
                    "core.exit_warps", "core.older", "core.cta", "core.kernel_start", "core.barrier.warps",
                    "core.barrier.arrive_warps", "core.barrier.release_warps",
                ],
                table: Some(CtaTable::Waiting),
                at_fetch: "cff-lrr",
            }
            "mwf-gto" => mwf_gto::MostWaitingGreedyOldest {
                stages: &[Issue],
                summary: "most waiting first: the CTA with most warps at a barrier, inside it greedy then oldest",
                source: "BAWS 4.1",
                inputs: &[
                    "stage.ready_warps", "stage.fired_oh", "core.active_warps", "core.start_warps",
                    "core.exit_warps", "core.older", "core.cta", "core.kernel_start", "core.barrier.warps",
                    "core.barrier.arrive_warps", "core.barrier.release_warps",
                ],
                table: Some(CtaTable::Waiting),
                at_fetch: "cff",
            }
            "cff" => cff::CriticalFetchFirst {
                stages: &[Fetch],
                summary: "critical fetch first: empty queues first, in the order of mwf-gto; barriers last",
                source: "BAWS 1, abstract",
                inputs: &[
                    "stage.ready_warps", "stage.empty_warps", "core.active_warps", "core.exit_warps", "core.older",
                    "core.cta", "core.barrier.warps", "core.barrier.arrive_warps",
                    "core.barrier.release_warps",
                ],
                table: Some(CtaTable::Waiting),
            }
            "cff-lrr" => cff_lrr::CriticalFetchRoundRobin {
                stages: &[Fetch],
                summary: "critical fetch first: empty queues first, in the order of mwf-lrr; barriers last",
                source: "BAWS 1, abstract",
                inputs: &[
                    "stage.ready_warps", "stage.own_warps", "stage.empty_warps", "core.active_warps",
                    "core.start_warps", "core.exit_warps", "core.older", "core.cta", "core.kernel_start",
                    "core.issue_fire_warps", "core.barrier.warps", "core.barrier.arrive_warps",
                    "core.barrier.release_warps",
                ],
                table: Some(CtaTable::Waiting),
            }
            "kaws" => kaws::KernelAware {
                stages: &[Issue],
                summary: "oldest ready warp; once the last CTA is dispatched, of the CTA that has issued least (KAWS)",
                source: "KAWS 3",
                inputs: &[
                    "stage.ready_warps", "core.older", "core.cta", "core.cta_start", "core.last_cta_dispatched",
                    "core.kernel_start", "core.issue_fire_warps",
                ],
                table: Some(CtaTable::Progress),
                moves_every_cycle: true,
                shares_warps: true,
            } with {
                /// Whether kaws, once the last thread block is dispatched, goes by the blocks' progress [default: on]
                ///
                /// Else it is `lo` all the time.
                kaws_kernel_aware: bool = true => {
                    options: &[takes("--kaws-kernel-aware", "off|on")],
                    tries: "off",
                }
                /// Whether a warp may issue through another slice, under any policy [default: on with kaws and 2 slices or more]
                kaws_sharing: Option<bool> = None => {
                    options: &[takes("--kaws-sharing", "off|on")],
                    policy: None,
                    rules: &[slices_to_share_between],
                    tries: "off on",
                }
            }
            "ipaws" => ipaws::Adaptive {
                stages: &[Issue],
                summary: "as gtlo until the first warp exits; then that, or fewest instructions and lrr, by the issue pattern",
                source: "iPAWS 3",
                // With `--ipaws-block-counts` also `core.cta` and `core.cta_start`.
                inputs: &[
                    "stage.ready_warps",
                    "stage.fire",
                    "stage.fired_oh",
                    "core.active_warps",
                    "core.start_warps",
                    "core.exit_warps",
                    "core.older",
                    "core.kernel_start",
                    "core.issue_fire_warps",
                    "core.blocked_warps",
                    "core.barrier.warps",
                ],
                moves_every_cycle: true,
                shows_pattern: true,
            } with {
                /// Have ipaws count for each thread block, not for each warp
                ///
                /// With 48 warps and 8 blocks a sixth of the counters (3.5).
                ipaws_block_counts: bool = false => {
                    options: &[says("--ipaws-block-counts", "on")],
                    tries: "on",
                }
                /// Whether ipaws, before it goes over to round-robin, lets the warps behind catch up [default: on]
                ///
                /// Its phase Recover.
                ipaws_recover: bool = true => {
                    options: &[takes("--ipaws-recover", "off|on")],
                    tries: "off",
                }
            }
            "mto" => mto::MemoryThenOldest {
                stages: &[Issue],
                summary: "memory then oldest: oldest ready warp with a load or store, else the oldest",
                source: "MOTRR IV",
                inputs: &["stage.ready_warps", "stage.memory_warps", "core.older"],
            }
            "motrr" => motrr::MemoryOldestThenRoundRobin {
                stages: &[Issue],
                summary: "memory oldest then round-robin: oldest ready warp with a load or store, else as lrr",
                source: "MOTRR IV",
                inputs: &[
                    "stage.ready_warps",
                    "stage.memory_warps",
                    "stage.fire",
                    "stage.fired_oh",
                    "core.older",
                    "core.kernel_start",
                ],
            }
            "motrr-recency" => motrr_recency::MemoryOldestThenRecent {
                stages: &[Issue],
                summary: "as motrr, and of those without load or store first the warps whose memory access completed lately",
                source: "MOTRR III",
                inputs: &[
                    "stage.ready_warps",
                    "stage.memory_warps",
                    "stage.fire",
                    "stage.fired_oh",
                    "core.active_warps",
                    "core.older",
                    "core.kernel_start",
                    "core.memory.done_warps",
                ],
                moves_every_cycle: true,
            }
        }
    };
}
macro_rules! list {
    ($($key:literal => $module:ident::$policy:ident { $($fact:ident: $value:expr,)* } $(with $parameters:tt)?)*) => {
        /// Every policy, in the order in which they are listed to users.
        pub const POLICIES: &[PolicyInfo] = &[$(PolicyInfo { key: $key, $($fact: $value,)* ..PLAIN },)*];

        /// The unified scheduler over each of them.
        const OVER_EACH: &[PolicyInfo] =
            &[$(PolicyInfo { key: $key, $($fact: $value,)* ..PLAIN }.inside_unified(concat!("swas:", $key)),)*];
    };
}
policies!(list);

/// What `--sched swas` alone means.
pub const SWAS_DEFAULT: &str = "swas:gtlrr";

/// What the oracles of SWaS can show a policy of a warp whose instruction has not been fetched: readiness, age and what
/// the policy granted.
const SEEN_BY_ORACLES: &[&str] =
    &["stage.ready_warps", "stage.fire", "stage.fired_oh", "core.older", "core.kernel_start"];

impl PolicyInfo {
    /// The unified scheduler of SWaS over this policy.
    const fn inside_unified(self, key: &'static str) -> Self {
        Self {
            key,
            stages: &[Fetch, Issue],
            summary: "one selection a cycle for fetch and issue, by the policy behind the colon; queues filled with NOPs",
            source: "SWaS IV-B, V-C",
            inside: Some(self.key),
            ..self
        }
    }

    /// Whether the oracles of SWaS can follow it: it looks at nothing that only a fetched instruction can tell.
    pub fn may_have_oracles(&self) -> bool {
        self.stages.contains(&Issue) && self.inputs.iter().all(|input| SEEN_BY_ORACLES.contains(input))
    }
}

/// The unified scheduler of SWaS, which serves both stages at once, over each policy that may be inside.
pub fn unified() -> impl Iterator<Item = &'static PolicyInfo> {
    OVER_EACH.iter().filter(|over| over.may_be_unified)
}

/// All that a scheduler's key may name: every policy, then the unified scheduler.
pub fn all() -> impl Iterator<Item = &'static PolicyInfo> {
    POLICIES.iter().chain(unified())
}

/// Keys of the policies that may be used at `stage`, beside the unified scheduler.
pub fn keys(stage: Stage) -> Vec<&'static str> {
    POLICIES.iter().filter(|p| p.stages.contains(&stage)).map(|p| p.key).collect()
}

/// The policy of that key, or the unified scheduler over one.
pub fn find(key: &str) -> Option<&'static PolicyInfo> {
    all().find(|p| p.key == key)
}

/// What fetches if this key alone is named for a core: the policy itself, or the one beside it if it is for issue alone.
pub fn at_fetch(key: &str) -> &str {
    let for_issue_alone = find(key).filter(|policy| !policy.stages.contains(&Stage::Fetch));
    for_issue_alone.map_or(key, |policy| policy.at_fetch)
}

/// Whether the policy of that key may grant nobody although some warp is ready.
pub fn is_strict(key: &str) -> bool {
    find(key).is_some_and(|policy| policy.strict)
}
