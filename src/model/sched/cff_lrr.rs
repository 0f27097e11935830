//! `cff-lrr`: critical fetch first, in the order of `mwf-lrr`.

use super::baws::{critical, MostWaiting};
use super::view::{lowest, SchedulerModel, View};
use spec::config::CoreConfig;

/// An empty queue before a fuller one, a warp at a barrier after all others; of equals the one that `mwf-lrr` would issue.
#[derive(Clone, Debug)]
pub struct CriticalFetchRoundRobin {
    order: MostWaiting,
}

impl CriticalFetchRoundRobin {
    /// In its reset state: nobody waits, scanning begins at warp 0.
    pub fn new(_: &CoreConfig) -> Self {
        Self { order: MostWaiting::default() }
    }
}

impl SchedulerModel for CriticalFetchRoundRobin {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = critical(view);
        // 2. pick
        self.order.in_turn(candidates, view)
    }

    fn clock(&mut self, view: View, _: Option<usize>) {
        // 3. remember what issues; of several, which go through several slices, the smallest slot
        self.order.clock(view, lowest(view.core.issue_fire_warps & view.stage.own_warps));
    }
}
