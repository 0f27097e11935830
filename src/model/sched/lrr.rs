//! `lrr`: loose round-robin.

use super::view::{next_after, SchedulerModel, View};
use spec::config::CoreConfig;

/// The first ready warp after the last that fired, in slot order, wrapping.
#[derive(Clone, Debug)]
pub struct LooseRoundRobin {
    warps: usize,
    last_fired: usize,
}

impl LooseRoundRobin {
    /// In its reset state: scanning begins at warp 0.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { warps: cfg.warps, last_fired: cfg.warps - 1 }
    }
}

impl SchedulerModel for LooseRoundRobin {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick: the warps behind the last one, else from warp 0
        next_after(self.last_fired, candidates)
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        // 3. remember
        if view.core.kernel_start {
            self.last_fired = self.warps - 1;
        } else if let Some(wid) = granted.filter(|_| view.stage.fire) {
            self.last_fired = wid;
        }
    }
}
