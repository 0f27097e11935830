//! Warp phases: what warps do between two barriers, and how long they wait for each other (BAWS 3; docs/SCHEDULERS.md,
//! section 4).

use serde::Serialize;

use spec::config::{WarpMask, MAX_WARPS};

use model::members;
use model::sched::CoreView;

/// The warps that met at a barrier, from when the last of them could begin until it opened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Cycle from which all of them could run: the latest start or release of any.
    pub begin: u64,
    /// Cycle in which the barrier opened.
    pub end: u64,
    /// How many warps: those released, and those of their CTAs that exited in between.
    pub warps: u32,
    /// Those that it released, a bit each.
    #[serde(skip)]
    pub released: WarpMask,
    /// Ratio of temporal resource underutilisation: 0 if all arrived at once (BAWS 3.2).
    pub rtru: f64,
}

/// All barrier intervals of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Barriers {
    /// Of two warps or more, in the order in which the barriers opened.
    pub intervals: Vec<Interval>,
    /// Cycles that each warp slot waited at barriers.
    pub stalled: Vec<u64>,
}

impl Barriers {
    /// Mean of all intervals; `None` if there is none.
    pub fn rtru(&self) -> Option<f64> {
        let sum: f64 = self.intervals.iter().map(|interval| interval.rtru).sum();
        (!self.intervals.is_empty()).then(|| sum / self.intervals.len() as f64)
    }
}

/// What happens to the warps in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    start: WarpMask,
    exit: WarpMask,
    arrive: WarpMask,
    release: WarpMask,
}

/// Follows the warps from barrier to barrier.
pub(super) struct Phases {
    /// When each warp started, or left its last barrier.
    began: [u64; MAX_WARPS],
    /// When it arrived at the barrier that it is at, or exited.
    done: [Option<u64>; MAX_WARPS],
    exited: WarpMask,
    /// A barrier is of one block: two that open in a cycle are two. Without blocks all warps may meet.
    of_blocks: bool,
    seen: Barriers,
}

impl Phases {
    /// Of a core with so many warps, that runs grids or not.
    pub(super) fn new(warps: usize, of_blocks: bool) -> Self {
        let seen = Barriers { intervals: Vec::new(), stalled: vec![0; warps] };
        Self { began: [0; MAX_WARPS], done: [None; MAX_WARPS], exited: 0, of_blocks, seen }
    }

    /// Takes a cycle, in which all schedulers see `core`.
    #[inline]
    pub(super) fn cycle(&mut self, core: &CoreView, cycle: u64) {
        let events = Events {
            start: core.start_warps,
            exit: core.exit_warps,
            arrive: core.barrier.arrive_warps,
            release: core.barrier.release_warps,
        };
        if (events.start | events.exit | events.arrive | events.release) != 0 {
            self.happen(events, &core.cta.0, cycle);
        }
    }

    fn happen(&mut self, events: Events, cta: &[u8; MAX_WARPS], cycle: u64) {
        for wid in members(events.arrive | events.exit) {
            self.done[wid] = Some(cycle);
        }
        self.exited |= events.exit;
        let mut released = events.release;
        while released != 0 {
            let cta_of_first = cta[released.trailing_zeros() as usize];
            let others = members(released).filter(|&wid| self.of_blocks && cta[wid] != cta_of_first);
            let others = others.fold(0, |mask, wid| mask | 1 << wid);
            self.opens(released & !others, cta, cycle);
            released = others;
        }
        for wid in members(events.start) {
            (self.began[wid], self.done[wid]) = (cycle, None);
        }
        self.exited &= !events.start;
    }

    /// A barrier opens, for all that wait and those of their CTAs that need not come any more.
    fn opens(&mut self, released: WarpMask, cta: &[u8; MAX_WARPS], cycle: u64) {
        let begin = members(released).map(|wid| self.began[wid]).max().unwrap_or(0);
        let is_of_them = |wid: &usize| members(released).any(|other| cta[other] == cta[*wid]);
        let lately = |wid: &usize| self.done[*wid].is_some_and(|done| done >= begin);
        let exited = members(self.exited).filter(is_of_them).filter(lately);
        let times: Vec<u64> = members(released)
            .chain(exited)
            .map(|wid| self.done[wid].unwrap_or(cycle).saturating_sub(begin))
            .collect();
        if times.len() > 1 {
            let (warps, rtru) = (times.len() as u32, rtru(&times));
            let interval = Interval { begin, end: cycle, warps, released, rtru };
            self.seen.intervals.push(interval);
        }
        for wid in members(released) {
            // It waits from the cycle after its arrival to that of its release.
            self.seen.stalled[wid] += cycle - self.done[wid].unwrap_or(cycle);
            (self.began[wid], self.done[wid]) = (cycle, None);
        }
    }

    /// What was seen of the whole run.
    pub(super) fn finish(self) -> Barriers {
        self.seen
    }
}

/// BAWS 3.2, equation (1).
fn rtru(times: &[u64]) -> f64 {
    let longest = times.iter().copied().max().unwrap_or(0);
    let lost: u64 = times.iter().map(|time| longest - time).sum();
    match longest {
        0 => 0.0,
        _ => lost as f64 / (times.len() as u64 * longest) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(warps: WarpMask) -> Phases {
        let mut phases = Phases::new(8, false);
        phases.happen(Events { start: warps, ..Events::default() }, &[0; MAX_WARPS], 100);
        phases
    }

    /// Four warps that take 10, 20, 40 and 30 cycles: (30 + 20 + 0 + 10) / (4 * 40).
    #[test]
    fn an_interval_is_as_uneven_as_its_warps() {
        let mut phases = started(0b1111);
        for (wid, time) in [(0, 10), (1, 20), (3, 30)] {
            phases.happen(Events { arrive: 1 << wid, ..Events::default() }, &[0; MAX_WARPS], 100 + time);
        }
        phases.happen(Events { arrive: 0b0100, release: 0b1111, ..Events::default() }, &[0; MAX_WARPS], 140);
        // The next begins where this one ended: 5 and 10 cycles, 5 / (2 * 10).
        phases.happen(Events { arrive: 0b0001, ..Events::default() }, &[0; MAX_WARPS], 145);
        phases.happen(Events { arrive: 0b0010, release: 0b0011, ..Events::default() }, &[0; MAX_WARPS], 150);
        let barriers = phases.finish();
        let of = |begin, end, released: WarpMask, rtru| Interval {
            begin,
            end,
            warps: released.count_ones(),
            released,
            rtru,
        };
        assert_eq!(barriers.intervals, [of(100, 140, 0b1111, 0.375), of(140, 150, 0b11, 0.25)]);
        assert_eq!(barriers.stalled, [30 + 5, 20, 0, 10, 0, 0, 0, 0]);
        assert_eq!(barriers.rtru(), Some(0.3125));
    }

    /// w0 waits since before the others began, which takes no time of this interval; w2 exits instead of arriving, and
    /// w3, of another CTA, has no part in it: T is 0, 40, 10, so (40 + 0 + 30) / (3 * 40).
    #[test]
    fn who_came_before_or_has_left_counts() {
        let mut cta = [0; MAX_WARPS];
        cta[3] = 1;
        let mut phases = Phases::new(4, false);
        phases.happen(Events { arrive: 0b0001, ..Events::default() }, &cta, 90);
        phases.happen(Events { start: 0b1110, ..Events::default() }, &cta, 100);
        phases.happen(Events { exit: 0b1100, ..Events::default() }, &cta, 110);
        phases.happen(Events { arrive: 0b0010, release: 0b0011, ..Events::default() }, &cta, 140);
        let barriers = phases.finish();
        assert_eq!(barriers.intervals.len(), 1);
        assert_eq!(barriers.intervals[0].warps, 3);
        assert!((barriers.intervals[0].rtru - 70.0 / 120.0).abs() < 1e-12);
        assert_eq!(barriers.stalled, [50, 0, 0, 0]);
    }

    /// One block's barrier opens by an arrival, another's by the end of a warp.
    #[test]
    fn barriers_of_two_blocks_are_two_intervals() {
        let mut cta = [0; MAX_WARPS];
        (cta[2], cta[3]) = (1, 1);
        let intervals = |of_blocks| {
            let mut phases = Phases::new(4, of_blocks);
            phases.happen(Events { start: 0b1111, ..Events::default() }, &cta, 100);
            phases.happen(Events { arrive: 0b0001, ..Events::default() }, &cta, 110);
            phases.happen(Events { arrive: 0b0100, ..Events::default() }, &cta, 120);
            phases.happen(Events { exit: 0b1000, ..Events::default() }, &cta, 130);
            phases.happen(Events { arrive: 0b0010, release: 0b0111, ..Events::default() }, &cta, 140);
            phases.finish().intervals
        };
        let of = |warps, released, rtru| Interval { begin: 100, end: 140, warps, released, rtru };
        // 10 and 40 cycles, 20 and 30; all together 60 of 160.
        assert_eq!(intervals(true), [of(2, 0b11, 0.375), of(2, 0b100, 10.0 / 60.0)]);
        assert_eq!(intervals(false), [of(4, 0b111, 0.375)]);
    }

    /// A barrier of one warp is no meeting.
    #[test]
    fn one_warp_makes_no_interval() {
        let mut phases = started(1);
        phases.happen(Events { arrive: 1, release: 1, ..Events::default() }, &[0; MAX_WARPS], 120);
        assert_eq!(phases.finish(), Barriers { intervals: vec![], stalled: vec![0; 8] });
    }
}
