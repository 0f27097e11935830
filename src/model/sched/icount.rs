//! `icount`: fewest instructions fetched and not yet issued.

use super::view::{age, SchedulerModel, View};
use crate::members;
use spec::config::CoreConfig;

/// The ready warp with the fewest instructions on their way, the oldest of several; nothing to remember.
#[derive(Clone, Debug)]
pub struct FewestUnissued;

impl FewestUnissued {
    /// There is nothing to reset.
    pub fn new(_: &CoreConfig) -> Self {
        Self
    }
}

impl SchedulerModel for FewestUnissued {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick: a warp's age is the number of candidates before it
        members(candidates).min_by_key(|wid| (view.stage.unissued[*wid], age(*wid, candidates, view)))
    }

    fn clock(&mut self, _: View, _: Option<usize>) {}
}
