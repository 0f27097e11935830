//! How long warps wait at the issue stage though nothing of their own is missing: for their turn, or for a unit that others
//! use.

use model::timing::Record;
use model::{members, PerWarp};
use serde::Serialize;
use spec::config::{CoreConfig, WarpMask, MAX_SLICES};

/// The longest wait of a warp slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Wait {
    /// The warp slot.
    pub warp: usize,
    /// Cycles from the first in which the head of its queue lacked nothing of its own to the one in which it issued, which
    /// does not count.
    pub cycles: u64,
    /// The first of them.
    pub from: u64,
    /// Instructions that the warp's scheduler issued meanwhile, NOPs of SWaS among them.
    pub others: u64,
}

pub(super) struct Waits {
    slices: usize,
    /// Under SWaS a warp that waits for a line of instructions is suspended.
    suspends: bool,
    waiting: WarpMask,
    /// Since when, and how much their schedulers had issued.
    began: PerWarp<(u64, u64)>,
    issued: [u64; MAX_SLICES],
    seen: WarpMask,
    longest: PerWarp<Wait>,
}

impl Waits {
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        Self {
            slices: cfg.slices,
            suspends: cfg.unified().is_some(),
            waiting: 0,
            began: PerWarp::default(),
            issued: [0; MAX_SLICES],
            seen: 0,
            longest: PerWarp::default(),
        }
    }

    #[inline]
    pub(super) fn cycle(&mut self, record: &Record, cycle: u64) {
        let suspended = if self.suspends { record.held_warps } else { 0 };
        let lack = record.stall_control | record.stall_ibuffer | record.stall_scoreboard | suspended;
        let waiting = record.active_warps & !lack;
        self.seen |= record.active_warps;
        for warp in members(waiting & !self.waiting) {
            self.began[warp] = (cycle, self.issued[self.slice_of(warp)]);
        }
        self.waiting = waiting;
        for slice in 0..self.slices {
            if let Some(warp) = record.slices[slice].fires {
                self.end(warp, cycle);
                self.waiting &= !(1 << warp);
            }
        }
        for slice in 0..self.slices {
            self.issued[slice] += u64::from(record.slices[slice].fires.is_some());
        }
    }

    /// Slices are a power of two, and division takes long.
    fn slice_of(&self, warp: usize) -> usize {
        warp & (self.slices - 1) & (MAX_SLICES - 1)
    }

    /// A wait ends in that cycle.
    #[inline]
    fn end(&mut self, warp: usize, cycle: u64) {
        let (from, issued) = self.began[warp];
        if self.waiting >> warp & 1 != 0 && cycle - from > self.longest[warp].cycles {
            let others = self.issued[self.slice_of(warp)] - issued;
            self.longest[warp] = Wait { warp, cycles: cycle - from, from, others };
        }
    }

    /// The longest of each warp that was active in so many cycles, those that have not ended among them.
    pub(super) fn finish(mut self, cycles: u64) -> Vec<Wait> {
        (0..self.longest.len()).for_each(|warp| self.end(warp, cycles));
        let seen = (0..self.longest.len()).filter(|warp| self.seen >> warp & 1 != 0);
        seen.map(|warp| Wait { warp, ..self.longest[warp] }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(warp: usize, cycles: u64, from: u64, others: u64) -> Wait {
        Wait { warp, cycles, from, others }
    }

    /// The waits of warps 0 and 1 in cycles of which each has who lacks something and who issues.
    fn seen(cfg: &CoreConfig, cycles: &[(WarpMask, Option<usize>)]) -> Vec<Wait> {
        let mut waits = Waits::new(cfg);
        for (cycle, &(lack, fires)) in cycles.iter().enumerate() {
            let mut record = Record { active_warps: 3, stall_scoreboard: lack, ..Record::default() };
            record.slices[0].fires = fires;
            waits.cycle(&record, cycle as u64);
        }
        waits.finish(cycles.len() as u64)
    }

    #[test]
    fn a_wait_lasts_from_when_nothing_is_missing_to_the_issue() {
        let cfg = CoreConfig::default();
        let cycles =
            [(2, Some(0)), (3, None), (0, Some(0)), (0, Some(0)), (0, None), (0, Some(1)), (0, Some(0))];
        assert_eq!(seen(&cfg, &cycles), [wait(0, 2, 4, 1), wait(1, 3, 2, 2)]);
    }

    #[test]
    fn a_wait_counts_to_the_end_of_the_run_and_ends_where_something_is_missing_again() {
        let cfg = CoreConfig::default();
        let cycles = [(0, Some(0)), (2, None), (0, Some(0)), (0, Some(0))];
        assert_eq!(seen(&cfg, &cycles), [wait(0, 1, 1, 0), wait(1, 2, 2, 2)]);
    }

    #[test]
    fn a_warp_that_swas_has_suspended_does_not_wait() {
        let swas = CoreConfig { fetch: "swas:lrr".into(), issue: "swas:lrr".into(), ..CoreConfig::default() };
        for (cfg, longest) in [(CoreConfig::default(), 2), (swas, 0)] {
            let mut waits = Waits::new(&cfg);
            let record = Record { active_warps: 1, held_warps: 1, ..Record::default() };
            (0..2).for_each(|cycle| waits.cycle(&record, cycle));
            assert_eq!(waits.finish(2), [wait(0, longest, 0, 0)]);
        }
    }
}
