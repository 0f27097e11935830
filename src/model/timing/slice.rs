//! An issue slice: its instruction cache, its issue scheduler, and its units.

use super::collect::Collect;
use super::fetch::{Decoded, Request};
use super::icache::InstructionCache;
use super::latencies::Latencies;
use super::order::AccessOrder;
use super::units::{Outlook, Units};
use crate::sched::{self, Oracles, SchedulerModel, StageView, CLASSES};
use spec::config::{CoreConfig, WarpMask};
use spec::registry::Stage;

/// What a slice has of its own. What few have is in a box: whether it is there is then one comparison.
pub(super) struct Slice {
    pub own_warps: WarpMask,
    pub icache: InstructionCache,
    pub policy: Box<dyn SchedulerModel>,
    pub oracles: Option<Box<Oracles>>,
    pub units: Units,
    /// Between issue and the operand stage, if there are any.
    pub collect: Option<Box<Collect>>,
    /// What keeps warp control behind the accesses before it, if there are several slices that share nothing.
    pub order: Option<AccessOrder>,
}

impl Slice {
    pub fn new(cfg: &CoreConfig, number: usize, latencies: Latencies) -> Self {
        Self {
            own_warps: cfg.own_warps(number),
            icache: InstructionCache::new(&cfg.icache),
            policy: sched::build(&cfg.issue, cfg, Stage::Issue),
            oracles: cfg.oracle.then(|| Box::new(Oracles::new(cfg))),
            units: Units::new(latencies),
            collect: cfg.collects().then(|| Box::new(Collect::new(cfg))),
            order: (cfg.slices > 1 && !cfg.shares_warps()).then(AccessOrder::default),
        }
    }

    /// Whether anything is between issue and commit.
    pub fn busy(&self) -> bool {
        self.units.busy() || self.collect.as_ref().is_some_and(|collect| collect.held_warps() != 0)
    }
}

/// What a slice does in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub outlook: Outlook,
    /// The operand stage holds, and nothing may issue.
    pub stalled: bool,
    /// Of each class, whether there certainly is room for what issues.
    pub room: [bool; CLASSES.len()],
    /// The same for what leaves the operand collectors.
    pub room_behind: [bool; CLASSES.len()],
    /// Warps in the operand collectors.
    pub collecting_warps: WarpMask,
    /// The tag of the line that comes for its instruction cache.
    pub arrived: Option<u8>,
    /// The warp that missed, and whether what it requested since is void.
    pub missed: Option<(usize, bool)>,
    /// The special unit takes its instruction.
    pub special: bool,
    /// What its issue scheduler sees, whom it chooses, and who issues.
    pub at_issue: StageView,
    pub choice: Option<usize>,
    pub selected: Option<usize>,
    /// The warp of another slice that issues instead.
    pub guest: Option<usize>,
    /// Whether a warp can fetch, whom its fetch scheduler chooses, and who fetches.
    pub can_fetch: bool,
    pub fetching: Option<usize>,
    pub fetches: Option<usize>,
    /// The request that is made.
    pub fetched: Option<Request>,
    /// What its decoder says of fetching.
    pub decoded: Decoded,
    /// Whether its oracles choose otherwise.
    pub departs: [bool; 2],
}

impl Turn {
    /// The warp that issues.
    pub fn issuing(&self) -> Option<usize> {
        self.selected.or(self.guest)
    }
}
