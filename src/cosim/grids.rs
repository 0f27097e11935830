//! When the blocks of grids ran: what is left of the core behind the last dispatch (KAWS 3 and 4.2).

use serde::Serialize;

use model::sched::CoreView;
use spec::config::WarpMask;

/// When the blocks of a grid ran, in cycles from reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GridTimes {
    /// The first block was dispatched.
    pub first_dispatched: u64,
    /// The last one was: the milestone of KAWS, behind which warp slots that become free stay so.
    pub last_dispatched: u64,
    /// The last warp of that block exited. Less `last_dispatched`, the execution time of the last CTA (KAWS, table 2).
    pub last_block_ended: u64,
    /// The last warp of all blocks exited.
    pub ended: u64,
}

/// What happens to the warps in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    start: WarpMask,
    exit: WarpMask,
    /// Until now all blocks had been dispatched.
    all_dispatched: bool,
}

/// Follows the blocks of grids.
#[derive(Debug, Default)]
pub(super) struct Grids {
    times: Vec<GridTimes>,
    /// Warps of the block dispatched last that have not exited.
    last_block: WarpMask,
    /// All blocks of the last of `times` have been dispatched.
    complete: bool,
}

impl Grids {
    /// Takes a cycle, in which all schedulers see `core`.
    #[inline]
    pub(super) fn cycle(&mut self, core: &CoreView, cycle: u64) {
        let (start, exit) = (core.start_warps, core.exit_warps);
        if start | exit != 0 {
            self.happen(Events { start, exit, all_dispatched: core.last_cta_dispatched }, cycle);
        }
    }

    fn happen(&mut self, events: Events, cycle: u64) {
        if events.exit != 0 {
            self.complete |= events.all_dispatched;
            let left = self.last_block & !events.exit;
            if let Some(times) = self.times.last_mut() {
                times.ended = cycle;
                if self.last_block != 0 && left == 0 {
                    times.last_block_ended = cycle;
                }
            }
            self.last_block = left;
        }
        if events.start != 0 {
            if self.complete || self.times.is_empty() {
                self.times.push(GridTimes { first_dispatched: cycle, ..GridTimes::default() });
                self.complete = false;
            }
            if let Some(times) = self.times.last_mut() {
                times.last_dispatched = cycle;
            }
            self.last_block = events.start;
        }
    }

    /// The grids, in the order in which they ran.
    pub(super) fn finish(self) -> Vec<GridTimes> {
        self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three blocks of two warps in four slots, of which the last outlives the second, then another grid.
    #[test]
    fn the_last_block_is_the_one_dispatched_last() {
        let mut grids = Grids::default();
        let mut happens = |cycle, start, exit, all_dispatched| {
            grids.happen(Events { start, exit, all_dispatched }, cycle);
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
        let times = |first_dispatched, last_dispatched, last_block_ended, ended| GridTimes {
            first_dispatched,
            last_dispatched,
            last_block_ended,
            ended,
        };
        assert_eq!(grids.finish(), [times(10, 61, 90, 90), times(100, 100, 120, 120)]);
    }

    #[test]
    fn an_earlier_block_may_outlive_the_last() {
        let mut grids = Grids::default();
        grids.happen(Events { start: 0b01, ..Events::default() }, 5);
        grids.happen(Events { start: 0b10, ..Events::default() }, 6);
        grids.happen(Events { exit: 0b10, all_dispatched: true, ..Events::default() }, 20);
        grids.happen(Events { exit: 0b01, all_dispatched: true, ..Events::default() }, 30);
        let times = grids.finish();
        assert_eq!((times[0].last_block_ended, times[0].ended), (20, 30));
    }
}
