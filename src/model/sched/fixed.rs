//! `fixed`: the smallest ready warp slot.

use super::view::{lowest, SchedulerModel, View};
use spec::config::CoreConfig;

/// Fixed priority; nothing to remember.
#[derive(Clone, Debug)]
pub struct FixedPriority;

impl FixedPriority {
    /// There is nothing to reset.
    pub fn new(_: &CoreConfig) -> Self {
        Self
    }
}

impl SchedulerModel for FixedPriority {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        lowest(candidates)
    }

    fn clock(&mut self, _: View, _: Option<usize>) {}
}
