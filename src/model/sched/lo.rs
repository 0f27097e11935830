//! `lo`: loose oldest.

use super::{oldest, SchedulerModel, View};
use crate::config::CoreConfig;
use crate::registry::Stage;

/// The oldest ready warp; nothing to remember.
#[derive(Clone, Debug, Default)]
pub struct LooseOldest;

impl LooseOldest {
    /// The registry's constructor.
    pub fn boxed(_: &CoreConfig, _: Stage) -> Box<dyn SchedulerModel> {
        Box::new(Self)
    }
}

impl SchedulerModel for LooseOldest {
    fn pick(&self, view: &View) -> Option<usize> {
        // 1. candidates
        let candidates = view.ready_warps;
        // 2. pick
        oldest(candidates, view)
    }

    fn clock(&mut self, _: &View, _: Option<usize>) {}
}
