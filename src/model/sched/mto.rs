//! `mto`: memory then oldest.

use super::view::{oldest, SchedulerModel, View};
use spec::config::CoreConfig;

/// The oldest ready warp with a load or a store, else the oldest ready warp; nothing to remember.
#[derive(Clone, Debug)]
pub struct MemoryThenOldest;

impl MemoryThenOldest {
    /// There is nothing to reset.
    pub fn new(_: &CoreConfig) -> Self {
        Self
    }
}

impl SchedulerModel for MemoryThenOldest {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        oldest(candidates & view.stage.memory_warps, view).or_else(|| oldest(candidates, view))
    }

    fn clock(&mut self, _: View, _: Option<usize>) {}
}
