//! `gtlrr`: greedy then loose round-robin.

use super::view::{SchedulerModel, View};
use spec::config::CoreConfig;

/// The warp that fired last while it is ready, else the first ready warp after it, wrapping.
#[derive(Clone, Debug)]
pub struct GreedyLooseRoundRobin {
    warps: usize,
    last_fired: Option<usize>,
}

impl GreedyLooseRoundRobin {
    /// In its reset state: no warp is greedy; scanning begins at warp 0.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { warps: cfg.warps, last_fired: None }
    }
}

impl SchedulerModel for GreedyLooseRoundRobin {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let is_ready = |wid: &usize| view.stage.ready_warps >> wid & 1 != 0;
        // 2. pick: the greedy warp, else round-robin behind it
        if let Some(greedy) = self.last_fired.filter(is_ready) {
            return Some(greedy);
        }
        let first = self.last_fired.map_or(0, |wid| wid + 1);
        (0..self.warps).map(|step| (first + step) % self.warps).find(is_ready)
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        // 3. remember
        if view.core.kernel_start {
            self.last_fired = None;
        } else if view.stage.fire && granted.is_some() {
            self.last_fired = granted;
        }
    }
}
