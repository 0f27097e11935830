//! `fixed`: the smallest ready warp slot.

use super::{lowest, SchedulerModel, View};
use crate::config::CoreConfig;
use crate::registry::Stage;

/// Fixed priority; nothing to remember.
#[derive(Clone, Debug, Default)]
pub struct FixedPriority;

impl FixedPriority {
    /// The registry's constructor.
    pub fn boxed(_: &CoreConfig, _: Stage) -> Box<dyn SchedulerModel> {
        Box::new(Self)
    }
}

impl SchedulerModel for FixedPriority {
    fn pick(&self, view: &View) -> Option<usize> {
        // 1. candidates
        let candidates = view.ready_warps;
        // 2. pick
        lowest(candidates)
    }

    fn clock(&mut self, _: &View, _: Option<usize>) {}
}
