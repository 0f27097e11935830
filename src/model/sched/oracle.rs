//! The oracles of SWaS: what the issue scheduler would choose if no instruction were fetched too late.

use super::constructors;
use super::view::{Mask, SchedulerModel, StageView, View};
use spec::config::{CoreConfig, FETCH_LATENCY};
use spec::registry;

/// `osched1` and `osched2` of a slice (docs/SCHEDULERS.md, section 3).
pub struct Oracles {
    choosers: [Box<dyn SchedulerModel>; 2],
    /// Whether the policy stays with the warp that issued last: then the oracles go on from the one that really did.
    greedy: bool,
    unified: bool,
    cycle: u64,
    /// From which cycle on each warp can repeat or redirect its fetch, after its last miss or taken branch.
    fetches_from: Vec<u64>,
}

/// What happens to a slice in a cycle, beside what its scheduler sees.
#[derive(Clone, Copy, Debug, Default)]
pub struct Events {
    /// Warps that could issue if their queue had a head.
    pub absent_warps: Mask,
    /// Warps whose branch or jump turns out taken.
    pub taken_warps: Mask,
    /// What the issue scheduler grants.
    pub granted: Option<usize>,
    /// Whether no grant can issue.
    pub stalled: bool,
}

impl Oracles {
    /// In their reset state.
    pub fn new(cfg: &CoreConfig) -> Self {
        let policy = cfg.unified().unwrap_or(&cfg.issue);
        let chooser = || constructors::policy(cfg, policy);
        Self {
            choosers: [chooser(), chooser()],
            greedy: registry::find(policy).is_some_and(|policy| policy.greedy),
            unified: cfg.unified().is_some(),
            cycle: 0,
            fetches_from: vec![0; cfg.warps],
        }
    }

    /// One cycle. Whether it is a discrepancy, and whether it is an error.
    pub fn cycle(&mut self, view: View, events: &Events) -> [bool; 2] {
        let excused = self.excused_warps(view.core.held_warps);
        // Under SWaS a suspended warp has a head, and may not issue it.
        let withheld = if self.unified { view.stage.ready_warps & view.core.held_warps } else { 0 };
        let present = view.stage.ready_warps & !withheld;
        let absent = events.absent_warps | withheld;
        let mut differs = [false; 2];
        for (k, ready_warps) in [present | absent, present | absent & !excused].into_iter().enumerate() {
            let mut stage = StageView { ready_warps, data_ready_warps: ready_warps, ..*view.stage };
            let choice = self.choosers[k].pick(View { stage: &stage, ..view });
            differs[k] = !events.stalled && choice != events.granted;
            let followed = if self.greedy { events.granted } else { choice };
            stage.fire = followed.is_some() && !events.stalled;
            stage.fired_oh = followed.filter(|_| stage.fire).map_or(0, |wid| 1 << wid);
            self.choosers[k].clock(View { stage: &stage, ..view }, followed);
        }
        self.cycle += 1;
        for (wid, from) in self.fetches_from.iter_mut().enumerate() {
            if (view.core.held_warps | events.taken_warps) >> wid & 1 != 0 {
                *from = self.cycle;
            }
        }
        differs
    }

    /// Warps whose head may be absent: suspended, or for the time that a fetch takes at best after that or a taken branch.
    fn excused_warps(&self, suspended_warps: Mask) -> Mask {
        let fetch = FETCH_LATENCY as u64 + 1;
        let recent = |from: u64| from != 0 && self.cycle - from < fetch;
        let warps = self.fetches_from.iter().enumerate().filter(|(_, from)| recent(**from));
        warps.fold(suspended_warps, |mask, (wid, _)| mask | 1 << wid)
    }
}
