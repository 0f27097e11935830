//! When the blocks of grids ran: what is left of the core behind the last dispatch (KAWS 3 and 4.2).

use serde::Serialize;

use model::sched::CoreView;
use spec::config::WarpMask;

/// When the blocks of a grid ran, in cycles from reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GridTimes {
    /// The first block began.
    pub first_dispatched: u64,
    /// The last one did, with its first warp: the milestone of KAWS, behind which no other block begins.
    pub last_dispatched: u64,
    /// The last warp of that block exited, unless the run ended before. Less `last_dispatched`, the execution time of the
    /// last CTA (KAWS, table 2).
    pub last_block_ended: Option<u64>,
    /// The last warp of all blocks exited, unless the run ended before.
    pub ended: Option<u64>,
}

/// What happens to the warps in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    /// A block begins. Its warps start with it, or one after another (`--warp-dispatch`) before another block begins.
    block: bool,
    start: WarpMask,
    exit: WarpMask,
    /// Until now all blocks had begun.
    all_dispatched: bool,
}

/// Follows the blocks of grids.
#[derive(Debug, Default)]
pub(super) struct Grids {
    times: Vec<GridTimes>,
    /// Warps that have not exited: of the block that began last, and all.
    last_block: WarpMask,
    running: WarpMask,
    /// All blocks of the last of `times` have begun.
    complete: bool,
}

impl Grids {
    /// Takes a cycle, in which all schedulers see `core`.
    #[inline]
    pub(super) fn cycle(&mut self, core: &CoreView, cycle: u64) {
        let (block, start, exit) = (core.cta_start != 0, core.start_warps, core.exit_warps);
        if start | exit != 0 {
            self.happen(Events { block, start, exit, all_dispatched: core.last_cta_dispatched }, cycle);
        }
    }

    fn happen(&mut self, events: Events, cycle: u64) {
        if events.exit != 0 {
            self.complete |= events.all_dispatched;
            if let Some(times) = self.times.last_mut() {
                times.ended = Some(cycle);
                if self.last_block & events.exit != 0 {
                    times.last_block_ended = Some(cycle);
                }
            }
            self.last_block &= !events.exit;
            self.running &= !events.exit;
        }
        if events.block {
            if self.complete || self.times.is_empty() {
                self.times.push(GridTimes { first_dispatched: cycle, ..GridTimes::default() });
                self.complete = false;
            }
            if let Some(times) = self.times.last_mut() {
                times.last_dispatched = cycle;
            }
            self.last_block = 0;
        }
        self.last_block |= events.start;
        self.running |= events.start;
    }

    /// The grids, in the order in which they ran.
    pub(super) fn finish(mut self) -> Vec<GridTimes> {
        if let Some(times) = self.times.last_mut() {
            times.last_block_ended = times.last_block_ended.filter(|_| self.complete && self.last_block == 0);
            times.ended = times.ended.filter(|_| self.complete && self.running == 0);
        }
        self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn times(at: [u64; 4]) -> GridTimes {
        let [first_dispatched, last_dispatched, last_block_ended, ended] = at;
        let (last_block_ended, ended) = (Some(last_block_ended), Some(ended));
        GridTimes { first_dispatched, last_dispatched, last_block_ended, ended }
    }

    /// Three blocks of two warps in four slots, of which the last outlives the second, then another grid.
    #[test]
    fn the_last_block_is_the_one_dispatched_last() {
        let mut grids = Grids::default();
        let mut happens = |cycle, start, exit, all_dispatched| {
            grids.happen(Events { block: start != 0, start, exit, all_dispatched }, cycle);
        };
        happens(10, 0b0011, 0, false);
        happens(11, 0b1100, 0, false);
        happens(50, 0, 0b0001, false);
        happens(60, 0, 0b0010, false);
        happens(61, 0b0011, 0, false);
        happens(70, 0, 0b1000, true);
        happens(80, 0, 0b0101, true);
        happens(90, 0, 0b0010, true);
        // A grid of one block; that all had been dispatched no longer holds.
        happens(100, 0b0001, 0, false);
        happens(120, 0, 0b0001, true);
        assert_eq!(grids.finish(), [times([10, 61, 90, 90]), times([100, 100, 120, 120])]);
    }

    /// The last block gets its slots one by one; its first warp is the last to exit.
    #[test]
    fn warps_that_start_later_are_of_the_same_block() {
        let mut grids = Grids::default();
        let mut happens = |cycle, block, start, exit, all_dispatched| {
            grids.happen(Events { block, start, exit, all_dispatched }, cycle);
        };
        happens(10, true, 0b001, 0, false);
        happens(11, false, 0b010, 0, false);
        happens(12, true, 0b100, 0, false);
        happens(40, false, 0, 0b001, true);
        happens(41, false, 0b001, 0, true);
        happens(50, false, 0, 0b011, true);
        happens(90, false, 0, 0b100, true);
        assert_eq!(grids.finish(), [times([10, 12, 90, 90])]);
    }

    #[test]
    fn an_earlier_block_may_outlive_the_last() {
        let mut grids = Grids::default();
        grids.happen(Events { block: true, start: 0b01, ..Events::default() }, 5);
        grids.happen(Events { block: true, start: 0b10, ..Events::default() }, 6);
        grids.happen(Events { exit: 0b10, all_dispatched: true, ..Events::default() }, 20);
        grids.happen(Events { exit: 0b01, all_dispatched: true, ..Events::default() }, 30);
        assert_eq!(grids.finish(), [times([5, 6, 20, 30])]);
    }

    /// A run that is cut has no end.
    #[test]
    fn what_did_not_happen_has_no_time() {
        let mut grids = Grids::default();
        grids.happen(Events { block: true, start: 0b11, ..Events::default() }, 5);
        grids.happen(Events { exit: 0b01, all_dispatched: true, ..Events::default() }, 20);
        let found = grids.finish();
        assert_eq!((found[0].last_block_ended, found[0].ended), (None, None));
    }
}
