//! Warp phases: what warps do between two barriers, the last of which is the end of their block, and how long they wait for
//! each other (BAWS 3; docs/SCHEDULERS.md, section 4).

use serde::Serialize;

use spec::config::{WarpMask, MAX_WARPS};

use model::members;
use model::sched::CoreView;

/// The warps that met at a barrier, or at the end of their block, from when the last of them could begin until it opened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Cycle from which all of them could run: the latest start or release of any.
    pub begin: u64,
    /// Cycle in which the barrier opened, or the last warp exited.
    pub end: u64,
    /// How many warps: those released, and those of their CTAs that have exited.
    pub warps: u32,
    /// The barrier is the end of the block.
    pub at_exit: bool,
    /// Those that it released, or that have ended, a bit each.
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
    /// Cycles that each warp slot waited for the end of its block after its warp had exited.
    pub stalled_at_exit: Vec<u64>,
}

impl Barriers {
    /// Mean of all intervals; `None` if there is none.
    pub fn rtru(&self) -> Option<f64> {
        let sum: f64 = self.intervals.iter().map(|interval| interval.rtru).sum();
        (!self.intervals.is_empty()).then(|| sum / self.intervals.len() as f64)
    }

    /// Cycles that all warps together waited at barriers, those for the end of their blocks included.
    pub fn waited(&self) -> u64 {
        self.stalled.iter().chain(&self.stalled_at_exit).sum()
    }
}

/// What happens to the warps in a cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    start: WarpMask,
    exit: WarpMask,
    /// Active, and do not exit.
    stay: WarpMask,
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
        let none = || vec![0; warps];
        let seen = Barriers { intervals: Vec::new(), stalled: none(), stalled_at_exit: none() };
        Self { began: [0; MAX_WARPS], done: [None; MAX_WARPS], exited: 0, of_blocks, seen }
    }

    /// Takes a cycle, in which all schedulers see `core`.
    #[inline]
    pub(super) fn cycle(&mut self, core: &CoreView, cycle: u64) {
        let events = Events {
            start: core.start_warps,
            exit: core.exit_warps,
            stay: core.active_warps & !core.exit_warps,
            arrive: core.barrier.arrive_warps,
            release: core.barrier.release_warps,
        };
        let Events { start, exit, arrive, release, .. } = events;
        if (start | exit | arrive | release) != 0 {
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
        if self.of_blocks {
            self.ends(events, cta, cycle);
        }
        for wid in members(events.start) {
            (self.began[wid], self.done[wid]) = (cycle, None);
        }
        self.exited &= !events.start;
    }

    /// A barrier opens, for all that wait and those of their CTAs that need not come any more.
    fn opens(&mut self, released: WarpMask, cta: &[u8; MAX_WARPS], cycle: u64) {
        let is_of_them = |wid: &usize| members(released).any(|other| cta[other] == cta[*wid]);
        let exited = members(self.exited).filter(is_of_them).fold(0, |mask, wid| mask | 1 << wid);
        self.meet(released, exited, cycle);
        for wid in members(released) {
            // It waits from the cycle after its arrival to that of its release.
            self.seen.stalled[wid] += cycle - self.done[wid].unwrap_or(cycle);
            (self.began[wid], self.done[wid]) = (cycle, None);
        }
    }

    /// Blocks end, of whose warps none stays.
    fn ends(&mut self, events: Events, cta: &[u8; MAX_WARPS], cycle: u64) {
        let mut exits = events.exit;
        while exits != 0 {
            let slot = cta[exits.trailing_zeros() as usize];
            let of_block = |warps: WarpMask| {
                members(warps).filter(|&wid| cta[wid] == slot).fold(0, |mask, wid| mask | 1 << wid)
            };
            let ended: WarpMask = of_block(self.exited);
            if of_block(events.stay) == 0 {
                self.meet(0, ended, cycle);
                for wid in members(ended) {
                    self.seen.stalled_at_exit[wid] += cycle - self.done[wid].unwrap_or(cycle);
                }
                self.exited &= !ended;
            }
            exits &= !ended;
        }
    }

    /// Warps are released that have come together, or all have exited.
    fn meet(&mut self, released: WarpMask, exited: WarpMask, cycle: u64) {
        let at_exit = released == 0;
        let latest = members(if at_exit { exited } else { released }).map(|wid| self.began[wid]).max();
        let begin = latest.unwrap_or(0);
        // Who had come before that, or had left, takes no time of it.
        let time = |wid: usize| self.done[wid].unwrap_or(cycle).saturating_sub(begin);
        let times: Vec<u64> = members(released | exited).map(time).collect();
        if times.len() > 1 {
            let (warps, rtru) = (times.len() as u32, rtru(&times));
            let released = if at_exit { exited } else { released };
            self.seen.intervals.push(Interval { begin, end: cycle, warps, at_exit, released, rtru });
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
            at_exit: false,
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
            phases.happen(Events { exit: 0b1000, stay: 0b0111, ..Events::default() }, &cta, 130);
            phases.happen(Events { arrive: 0b0010, release: 0b0111, ..Events::default() }, &cta, 140);
            phases.finish().intervals
        };
        let at_exit = false;
        let of = |warps, released, rtru| Interval { begin: 100, end: 140, warps, at_exit, released, rtru };
        // 10 and 40 cycles, 20 and 30; all together 60 of 160.
        assert_eq!(intervals(true), [of(2, 0b11, 0.375), of(2, 0b100, 10.0 / 60.0)]);
        assert_eq!(intervals(false), [of(4, 0b111, 0.375)]);
    }

    /// The end of a block is a barrier (BAWS 1, 3; figure 3): from the last barrier on its warps take 0, 20 and 40 cycles, for
    /// w0 has gone before, and the block that goes on beside it has no part in it.
    #[test]
    fn a_block_ends_with_a_barrier() {
        let mut cta = [0; MAX_WARPS];
        cta[3] = 1;
        let mut phases = Phases::new(4, true);
        phases.happen(Events { start: 0b1111, ..Events::default() }, &cta, 100);
        phases.happen(Events { exit: 0b0001, stay: 0b1110, ..Events::default() }, &cta, 110);
        phases.happen(Events { arrive: 0b0010, ..Events::default() }, &cta, 120);
        phases.happen(Events { arrive: 0b0100, release: 0b0110, ..Events::default() }, &cta, 140);
        phases.happen(Events { exit: 0b0010, stay: 0b1100, ..Events::default() }, &cta, 160);
        phases.happen(Events { exit: 0b0100, stay: 0b1000, ..Events::default() }, &cta, 180);
        let barriers = phases.finish();
        let met: Vec<_> = barriers.intervals.iter().map(|i| (i.begin, i.end, i.warps, i.at_exit)).collect();
        assert_eq!(met, [(100, 140, 3, false), (140, 180, 3, true)]);
        let lost = [(30.0 + 20.0) / 120.0, (40.0 + 20.0) / 120.0];
        for (interval, lost) in barriers.intervals.iter().zip(lost) {
            assert!((interval.rtru - lost).abs() < 1e-12, "{interval:?}");
        }
        assert_eq!(barriers.waited(), 110);
        assert_eq!((barriers.stalled, barriers.stalled_at_exit), (vec![0, 20, 0, 0], vec![70, 20, 0, 0]));
    }

    /// The next block in the same slots begins anew, and without blocks no warp waits for another's end.
    #[test]
    fn an_end_is_of_one_block() {
        let run = |of_blocks| {
            let mut phases = Phases::new(2, of_blocks);
            for begin in [100, 200] {
                phases.happen(Events { start: 0b11, ..Events::default() }, &[0; MAX_WARPS], begin);
                phases.happen(
                    Events { exit: 1, stay: 0b10, ..Events::default() },
                    &[0; MAX_WARPS],
                    begin + 30,
                );
                phases.happen(Events { exit: 0b10, ..Events::default() }, &[0; MAX_WARPS], begin + 40);
            }
            let barriers = phases.finish();
            (barriers.rtru(), barriers.intervals.len(), barriers.stalled_at_exit)
        };
        assert_eq!(run(true), (Some(10.0 / 80.0), 2, vec![20, 0]));
        assert_eq!(run(false), (None, 0, vec![0, 0]));
    }

    /// A barrier of one warp is no meeting.
    #[test]
    fn one_warp_makes_no_interval() {
        let mut phases = started(1);
        phases.happen(Events { arrive: 1, release: 1, ..Events::default() }, &[0; MAX_WARPS], 120);
        assert_eq!(phases.finish().intervals, []);
    }
}
