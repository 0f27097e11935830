//! `mwf-gto`: most waiting first, then greedy then oldest.

use super::baws::MostWaiting;
use super::view::{SchedulerModel, View};
use spec::config::CoreConfig;

/// Of the CTA with most warps at a barrier that has a ready warp, its last that fired while ready, else its oldest.
#[derive(Clone, Debug)]
pub struct MostWaitingGreedyOldest {
    order: MostWaiting,
}

impl MostWaitingGreedyOldest {
    /// In its reset state: nobody waits, no warp is greedy.
    pub fn new(_: &CoreConfig) -> Self {
        Self { order: MostWaiting::default() }
    }
}

impl SchedulerModel for MostWaitingGreedyOldest {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        self.order.greedy(candidates, view)
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        // 3. remember
        self.order.clock(view, granted.filter(|_| view.stage.fire));
    }
}
