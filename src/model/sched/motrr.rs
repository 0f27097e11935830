//! `motrr`: memory oldest then round-robin.

use super::view::{next_after, oldest, SchedulerModel, View};
use spec::config::CoreConfig;

/// The oldest ready warp with a load or a store, else the first ready warp after the last that fired.
#[derive(Clone, Debug)]
pub struct MemoryOldestThenRoundRobin {
    warps: usize,
    last_fired: usize,
}

impl MemoryOldestThenRoundRobin {
    /// In its reset state: scanning begins at warp 0.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { warps: cfg.warps, last_fired: cfg.warps - 1 }
    }
}

impl SchedulerModel for MemoryOldestThenRoundRobin {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        oldest(candidates & view.stage.memory_warps, view).or_else(|| next_after(self.last_fired, candidates))
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        // 3. remember: any fire moves the pointer, that of a load or a store too
        if view.core.kernel_start {
            self.last_fired = self.warps - 1;
        } else if let Some(wid) = granted.filter(|_| view.stage.fire) {
            self.last_fired = wid;
        }
    }
}
