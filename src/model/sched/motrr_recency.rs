//! `motrr-recency`: MOTRR with its recency register.

use super::view::{next_after, oldest, SchedulerModel, View};
use super::RecencyRegister;
use spec::config::CoreConfig;

/// The oldest ready warp with a load or a store, else the next recent one, else the next.
#[derive(Clone, Debug)]
pub struct MemoryOldestThenRecent {
    warps: usize,
    last_fired: usize,
    recency: RecencyRegister,
}

impl MemoryOldestThenRecent {
    /// In its reset state: scanning begins at warp 0, and no warp is recent.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { warps: cfg.warps, last_fired: cfg.warps - 1, recency: RecencyRegister::default() }
    }
}

impl SchedulerModel for MemoryOldestThenRecent {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        oldest(candidates & view.stage.memory_warps, view)
            .or_else(|| next_after(self.last_fired, candidates & self.recency.recent()))
            .or_else(|| next_after(self.last_fired, candidates))
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        // 3. remember
        if view.core.kernel_start {
            (self.last_fired, self.recency) = (self.warps - 1, RecencyRegister::default());
            return;
        }
        if let Some(wid) = granted.filter(|_| view.stage.fire) {
            self.last_fired = wid;
        }
        self.recency.clock(view);
    }
}
