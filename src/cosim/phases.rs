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
    /// The CTA slot in which a block begins. Its warps start with it, or one after another before another block begins.
    block: Option<u8>,
    exit: WarpMask,
    /// Active, and do not exit.
    stay: WarpMask,
    arrive: WarpMask,
    release: WarpMask,
}

/// A warp that has ended before its block. Its slot may have another one by now.
#[derive(Clone, Copy, Debug)]
struct Exited {
    wid: usize,
    cta: u8,
    began: u64,
    done: u64,
}

/// Follows the warps from barrier to barrier.
pub(super) struct Phases {
    /// When each warp started, or left its last barrier.
    began: [u64; MAX_WARPS],
    /// When it arrived at the barrier that it is at.
    arrived: [Option<u64>; MAX_WARPS],
    exited: Vec<Exited>,
    /// The CTA slot of the block that began last.
    latest: usize,
    /// For each CTA slot when the last of the warps that its block had exited. That was its end if no other starts.
    emptied: [Option<u64>; MAX_WARPS],
    /// A barrier is of one block: two that open in a cycle are two. Without blocks all warps may meet.
    of_blocks: bool,
    seen: Barriers,
}

impl Phases {
    /// Of a core with so many warps, that runs grids or not.
    pub(super) fn new(warps: usize, of_blocks: bool) -> Self {
        let none = || vec![0; warps];
        let seen = Barriers { intervals: Vec::new(), stalled: none(), stalled_at_exit: none() };
        Self {
            began: [0; MAX_WARPS],
            arrived: [None; MAX_WARPS],
            exited: Vec::new(),
            latest: 0,
            emptied: [None; MAX_WARPS],
            of_blocks,
            seen,
        }
    }

    /// Takes a cycle, in which all schedulers see `core`.
    #[inline]
    pub(super) fn cycle(&mut self, core: &CoreView, cycle: u64) {
        let (start, exit) = (core.start_warps, core.exit_warps);
        let (arrive, release) = (core.barrier.arrive_warps, core.barrier.release_warps);
        if start | exit | arrive | release != 0 {
            let block = (core.cta_start != 0).then(|| core.cta_start.trailing_zeros() as u8);
            let stay = core.active_warps & !exit;
            self.happen(Events { start, block, exit, stay, arrive, release }, &core.cta.0, cycle);
        }
    }

    fn happen(&mut self, events: Events, cta: &[u8; MAX_WARPS], cycle: u64) {
        for wid in members(events.arrive) {
            self.arrived[wid] = Some(cycle);
        }
        let exit = |wid: usize| Exited { wid, cta: cta[wid], began: self.began[wid], done: cycle };
        self.exited.extend(members(events.exit).map(exit));
        let mut released = events.release;
        while released != 0 {
            let cta_of_first = cta[released.trailing_zeros() as usize];
            let others = members(released).filter(|&wid| self.of_blocks && cta[wid] != cta_of_first);
            let others = others.fold(0, |mask, wid| mask | 1 << wid);
            self.opens(released & !others, cta, cycle);
            released = others;
        }
        for wid in members(events.exit) {
            let stays = members(events.stay).any(|other| cta[other] == cta[wid]);
            self.emptied[usize::from(cta[wid])] = (!stays).then_some(cycle);
        }
        for wid in members(events.start) {
            (self.began[wid], self.arrived[wid]) = (cycle, None);
        }
        if !self.of_blocks {
            self.exited.retain(|exited| events.start >> exited.wid & 1 == 0);
        } else if let Some(slot) = events.block {
            self.latest = usize::from(slot);
            self.ends(slot);
        } else if events.start != 0 {
            self.emptied[self.latest] = None;
        }
    }

    /// A barrier opens, for all that wait and those of their CTAs that need not come any more.
    fn opens(&mut self, released: WarpMask, cta: &[u8; MAX_WARPS], cycle: u64) {
        let is_of_them = |exited: &&Exited| members(released).any(|wid| cta[wid] == exited.cta);
        let begin = members(released).map(|wid| self.began[wid]).max().unwrap_or(0);
        let arrived = members(released).map(|wid| self.arrived[wid].unwrap_or(cycle));
        let done: Vec<u64> =
            arrived.chain(self.exited.iter().filter(is_of_them).map(|exited| exited.done)).collect();
        self.meet(Meeting { begin, end: cycle, at_exit: false, warps: released }, &done);
        for wid in members(released) {
            // It waits from the cycle after its arrival to that of its release.
            self.seen.stalled[wid] += cycle - self.arrived[wid].unwrap_or(cycle);
            (self.began[wid], self.arrived[wid]) = (cycle, None);
        }
    }

    /// The block of a CTA slot has ended, if one has been there.
    fn ends(&mut self, slot: u8) {
        let Some(end) = self.emptied[usize::from(slot)].take() else { return };
        let ended: Vec<Exited> = self.exited.extract_if(.., |exited| exited.cta == slot).collect();
        let begin = ended.iter().map(|exited| exited.began).max().unwrap_or(0);
        let warps = ended.iter().fold(0, |mask, exited| mask | 1 << exited.wid);
        let done: Vec<u64> = ended.iter().map(|exited| exited.done).collect();
        self.meet(Meeting { begin, end, at_exit: true, warps }, &done);
        for exited in ended {
            self.seen.stalled_at_exit[exited.wid] += end - exited.done;
        }
    }

    /// Warps have come together, or all have exited, each in the cycle that `done` says.
    fn meet(&mut self, Meeting { begin, end, at_exit, warps: released }: Meeting, done: &[u64]) {
        if done.len() > 1 {
            // Who had come before it began, or had left, takes no time of it.
            let times: Vec<u64> = done.iter().map(|done| done.saturating_sub(begin)).collect();
            let (warps, rtru) = (times.len() as u32, rtru(&times));
            self.seen.intervals.push(Interval { begin, end, warps, at_exit, released, rtru });
        }
    }

    /// What was seen of the whole run, which ends before that cycle. Who still waits has waited so far.
    pub(super) fn finish(mut self, cycle: u64) -> Barriers {
        if self.of_blocks {
            (0..MAX_WARPS as u8).for_each(|slot| self.ends(slot));
            for exited in &self.exited {
                self.seen.stalled_at_exit[exited.wid] += cycle.saturating_sub(exited.done + 1);
            }
        }
        for (stalled, arrived) in self.seen.stalled.iter_mut().zip(self.arrived) {
            *stalled += arrived.map_or(0, |arrived| cycle.saturating_sub(arrived + 1));
        }
        // The end of a block was known later than it was.
        self.seen.intervals.sort_by_key(|interval| interval.end);
        self.seen
    }
}

/// Of warps that meet.
struct Meeting {
    begin: u64,
    end: u64,
    at_exit: bool,
    /// Those that are released, or have ended.
    warps: WarpMask,
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
mod tests;
