//! `mwf-lrr`: most waiting first, then loose round-robin.

use super::baws::MostWaiting;
use super::view::{SchedulerModel, View};
use spec::config::CoreConfig;

/// Of the CTA with most warps at a barrier that has a ready warp, the first ready one after its last that fired.
#[derive(Clone, Debug)]
pub struct MostWaitingRoundRobin {
    order: MostWaiting,
}

impl MostWaitingRoundRobin {
    /// In its reset state: nobody waits, scanning begins at warp 0.
    pub fn new(_: &CoreConfig) -> Self {
        Self { order: MostWaiting::default() }
    }
}

impl SchedulerModel for MostWaitingRoundRobin {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        self.order.in_turn(candidates, view)
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        // 3. remember
        self.order.clock(view, granted.filter(|_| view.stage.fire));
    }
}
