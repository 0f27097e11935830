//! `ipaws`: adapting to the pattern in which instructions issue.

use super::view::{age, next_after, oldest, IssuePattern, Mask, SchedulerModel, View, WarpPattern};
use crate::members;
use spec::config::{CoreConfig, MAX_WARPS};

/// What is counted of a warp; it saturates.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    inst: u32,
    score: u32,
    stall: u32,
}

/// Who is to catch up, and how far.
#[derive(Clone, Copy, Debug)]
struct Behind {
    residents: Mask,
    youngest: usize,
    /// Instructions that the oldest had issued.
    enough: u32,
}

#[derive(Clone, Debug)]
enum Phase {
    Adapt,
    /// All that the decision goes by is known when it begins; it is told so many cycles later.
    Decide {
        left: usize,
        pattern: IssuePattern,
        behind: Behind,
    },
    Concave,
    Recover(Behind),
    Execute,
}

/// As `gtlo` until the first exit is judged; then that, or the fewest instructions and thereafter as `lrr`.
#[derive(Clone, Debug)]
pub struct Adaptive {
    warps: usize,
    /// The warps of a CTA share the counts of its slot.
    by_block: bool,
    recovers: bool,
    phase: Phase,
    last_fired: Option<usize>,
    counts: [Counts; MAX_WARPS],
    /// Exits since Adapt ended.
    exited: Mask,
    /// What the last decision went by, for those who look on, until the phase after it ends.
    decided: Option<IssuePattern>,
}

impl Adaptive {
    /// In its reset state: Adapt, and no warp has fired.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            warps: cfg.warps,
            by_block: cfg.ipaws_block_counts,
            recovers: cfg.ipaws_recover,
            phase: Phase::Adapt,
            last_fired: None,
            counts: [Counts::default(); MAX_WARPS],
            exited: 0,
            decided: None,
        }
    }

    fn counts_of(&self, wid: usize, view: View) -> Counts {
        self.counts[set_of(self.by_block, wid, view)]
    }

    /// Judges the resident warps of a cycle whose events are counted.
    fn judge(&self, view: View) -> Phase {
        let residents = view.core.active_warps;
        let mut by_age: Vec<usize> = members(residents).collect();
        by_age.sort_by_key(|wid| age(*wid, residents, view));
        let stalls: Vec<_> = by_age.iter().map(|wid| self.counts_of(*wid, view).stall).collect();
        let most = stalls.iter().max().copied().unwrap_or(0);
        let is_limit = |stall: &u32| *stall == most;
        // The warps of a CTA that share its counts are of interest together.
        let limit =
            if self.by_block { stalls.iter().rposition(is_limit) } else { stalls.iter().position(is_limit) };
        let of_interest = match limit {
            Some(limit) if most > 0 => limit + 1,
            _ => by_age.len(),
        };
        let warps: Vec<_> = by_age
            .iter()
            .enumerate()
            .map(|(place, &wid)| {
                let Counts { inst, score, stall } = self.counts_of(wid, view);
                let score = (place < of_interest).then_some(score.into());
                WarpPattern { wid, age: place as u32, inst: inst.into(), stall: stall.into(), score }
            })
            .collect();
        let mut pattern = IssuePattern { warps, concave: false };
        pattern.concave = pattern.score_sum() < pattern.threshold();
        let (eldest, youngest) = (by_age[0], by_age[by_age.len() - 1]);
        let behind = Behind { residents, youngest, enough: self.counts_of(eldest, view).inst };
        Phase::Decide { left: 3 * self.warps, pattern, behind }
    }

    /// The phase that follows a cycle that began with `counts`.
    fn next_phase(&mut self, view: View, counts: &[Counts; MAX_WARPS]) -> Option<Phase> {
        let by_block = self.by_block;
        match &mut self.phase {
            Phase::Adapt if view.core.exit_warps != 0 => Some(self.judge(view)),
            Phase::Decide { left, pattern, behind } => {
                *left -= 1;
                if *left > 0 {
                    return None;
                }
                let (concave, behind) = (pattern.concave, *behind);
                self.decided = Some(std::mem::take(pattern));
                Some(match (concave, self.recovers) {
                    (true, _) => Phase::Concave,
                    (false, true) => Phase::Recover(behind),
                    (false, false) => Phase::Execute,
                })
            }
            Phase::Recover(Behind { youngest, enough, .. }) => {
                let caught_up = counts[set_of(by_block, *youngest, view)].inst >= *enough
                    || self.exited >> *youngest & 1 != 0;
                self.decided = self.decided.take().filter(|_| !caught_up);
                caught_up.then_some(Phase::Execute)
            }
            _ => None,
        }
    }

    fn count(&mut self, view: View) {
        // Where several warps have one set, what happens to some of them in a cycle counts once.
        let add = |count: &mut u32| *count = count.saturating_add(1);
        let issued = view.core.issue_fire_warps;
        let waited = if issued != 0 { view.core.barrier.warps } else { 0 };
        let by_block = self.by_block;
        let sets = |warps: Mask| {
            members(members(warps).fold(0, |sets: Mask, wid| sets | 1 << set_of(by_block, wid, view)))
        };
        sets(issued).for_each(|set| add(&mut self.counts[set].inst));
        sets(issued | waited).for_each(|set| add(&mut self.counts[set].score));
        sets(view.core.blocked_warps & !issued).for_each(|set| add(&mut self.counts[set].stall));
    }
}

/// Which counts are a warp's.
fn set_of(by_block: bool, wid: usize, view: View) -> usize {
    if by_block {
        view.core.cta[wid].into()
    } else {
        wid
    }
}

impl SchedulerModel for Adaptive {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        match (&self.phase, self.last_fired) {
            (Phase::Recover(Behind { residents, .. }), _) => {
                let behind = candidates & residents & !self.exited;
                let candidates = if behind != 0 { behind } else { candidates };
                members(candidates)
                    .min_by_key(|wid| (self.counts_of(*wid, view).inst, age(*wid, candidates, view)))
            }
            (Phase::Execute, last) => next_after(last.unwrap_or(self.warps - 1), candidates),
            (_, Some(last)) if candidates >> last & 1 != 0 => Some(last),
            _ => oldest(candidates, view),
        }
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        // 3. remember
        if view.core.kernel_start {
            self.phase = Phase::Adapt;
            self.decided = None;
            self.last_fired = None;
            self.counts = [Counts::default(); MAX_WARPS];
            return;
        }
        let before = self.counts;
        self.count(view);
        let begins = matches!(self.phase, Phase::Adapt);
        let next = self.next_phase(view, &before);
        self.exited = view.core.exit_warps | if begins { 0 } else { self.exited };
        self.phase = next.unwrap_or_else(|| self.phase.clone());
        let begun = if self.by_block { view.core.cta_start } else { view.core.start_warps };
        members(begun).for_each(|set| self.counts[set] = Counts::default());
        if view.stage.fire {
            self.last_fired = granted.or(self.last_fired);
        }
    }

    fn decided(&self) -> Option<&IssuePattern> {
        self.decided.as_ref()
    }

    fn phase(&self) -> Option<&'static str> {
        Some(match self.phase {
            Phase::Adapt => "adapt",
            Phase::Decide { .. } => "decide",
            Phase::Concave => "concave",
            Phase::Recover(_) => "recover",
            Phase::Execute => "execute",
        })
    }
}
