//! `lo`: loose oldest.

use super::view::{oldest, SchedulerModel, View};
use spec::config::CoreConfig;

/// The oldest ready warp; nothing to remember.
#[derive(Clone, Debug)]
pub struct LooseOldest;

impl LooseOldest {
    /// There is nothing to reset.
    pub fn new(_: &CoreConfig) -> Self {
        Self
    }
}

impl SchedulerModel for LooseOldest {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        oldest(candidates, view)
    }

    fn clock(&mut self, _: View, _: Option<usize>) {}
}
