//! `mwf-lrr`: most waiting first, then loose round-robin.

use super::baws::{LastFired, PriorityTable};
use super::view::{lowest, Mask, SchedulerModel, View};
use spec::config::{CoreConfig, MAX_WARPS};

/// Of the CTA with most warps at a barrier that has a ready warp, the first ready one after its last that fired.
#[derive(Clone, Debug)]
pub struct MostWaitingRoundRobin {
    table: PriorityTable,
    last: LastFired,
}

impl MostWaitingRoundRobin {
    /// In its reset state: nobody waits, scanning begins at warp 0.
    pub fn new(_: &CoreConfig) -> Self {
        Self { table: PriorityTable::default(), last: LastFired::default() }
    }
}

impl SchedulerModel for MostWaitingRoundRobin {
    fn pick(&self, view: &View) -> Option<usize> {
        // 1. candidates
        let candidates = self.table.first_group(view.stage.ready_warps, view);
        // 2. pick: the warps behind the last one, else from warp 0
        let last = self.last.of(candidates, &self.table, view);
        let behind = last.map_or(candidates, |wid| candidates & !(Mask::MAX >> (MAX_WARPS - 1 - wid)));
        lowest(behind).or_else(|| lowest(candidates))
    }

    fn clock(&mut self, view: &View, granted: Option<usize>) {
        // 3. remember
        self.last.clock(view, granted);
        self.table.clock(view);
    }
}
