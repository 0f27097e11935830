//! `cff`: critical fetch first, in the order of `mwf-gto`.

use super::baws::{critical, MostWaiting};
use super::view::{SchedulerModel, View};
use spec::config::CoreConfig;

/// An empty queue before a fuller one, a warp at a barrier after all others; of equals the one that `mwf-gto` would issue,
/// the oldest.
#[derive(Clone, Debug)]
pub struct CriticalFetchFirst {
    order: MostWaiting,
}

impl CriticalFetchFirst {
    /// In its reset state: nobody waits.
    pub fn new(_: &CoreConfig) -> Self {
        Self { order: MostWaiting::default() }
    }
}

impl SchedulerModel for CriticalFetchFirst {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = critical(view);
        // 2. pick
        self.order.oldest(candidates, view)
    }

    fn clock(&mut self, view: View, _: Option<usize>) {
        // 3. remember what the table does
        self.order.clock(view, None);
    }
}
