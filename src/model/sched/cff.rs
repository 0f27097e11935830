//! `cff`: critical fetch first.

use super::baws::PriorityTable;
use super::view::{oldest, SchedulerModel, View};
use spec::config::CoreConfig;

/// An empty queue before a fuller one, a CTA with more warps at its barrier before one with fewer, an older warp before a
/// younger; a warp that is at a barrier itself after all others.
#[derive(Clone, Debug)]
pub struct CriticalFetchFirst {
    table: PriorityTable,
}

impl CriticalFetchFirst {
    /// In its reset state: nobody waits.
    pub fn new(_: &CoreConfig) -> Self {
        Self { table: PriorityTable::default() }
    }
}

impl SchedulerModel for CriticalFetchFirst {
    fn pick(&self, view: &View) -> Option<usize> {
        // 1. candidates: three classes, of which the first that is not empty counts
        let (at_barrier, ready) = (view.core.barrier.warps, view.stage.ready_warps);
        let order = |warps| oldest(self.table.first_group(warps, view), view);
        // 2. pick
        order(ready & !at_barrier & view.stage.empty_warps)
            .or_else(|| order(ready & !at_barrier))
            .or_else(|| oldest(ready, view))
    }

    fn clock(&mut self, view: &View, _: Option<usize>) {
        // 3. remember what the table does
        self.table.clock(view);
    }
}
