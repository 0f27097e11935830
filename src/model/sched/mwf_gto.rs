//! `mwf-gto`: most waiting first, then greedy then oldest.

use super::baws::{LastFired, PriorityTable};
use super::view::{oldest, SchedulerModel, View};
use spec::config::CoreConfig;

/// Of the CTA with most warps at a barrier that has a ready warp, its last that fired while ready, else its oldest.
#[derive(Clone, Debug)]
pub struct MostWaitingGreedyOldest {
    table: PriorityTable,
    last: LastFired,
}

impl MostWaitingGreedyOldest {
    /// In its reset state: nobody waits, no warp is greedy.
    pub fn new(_: &CoreConfig) -> Self {
        Self { table: PriorityTable::default(), last: LastFired::default() }
    }
}

impl SchedulerModel for MostWaitingGreedyOldest {
    fn pick(&self, view: &View) -> Option<usize> {
        // 1. candidates
        let candidates = self.table.first_group(view.stage.ready_warps, view);
        // 2. pick
        let greedy = self.last.of(candidates, &self.table, view);
        greedy.filter(|wid| candidates >> wid & 1 != 0).or_else(|| oldest(candidates, view))
    }

    fn clock(&mut self, view: &View, granted: Option<usize>) {
        // 3. remember
        self.last.clock(view, granted);
        self.table.clock(view);
    }
}
