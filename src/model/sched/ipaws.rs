//! `ipaws`: adapting to the pattern in which instructions issue.

use super::view::{age, next_after, oldest, IssuePattern, Mask, SchedulerModel, View, WarpPattern};
use crate::members;
use spec::config::{CoreConfig, MAX_WARPS};

/// What is counted of a warp; it saturates.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    inst: u32,
    btime: u32,
    stall: u32,
}

/// A decision under way.
#[derive(Clone, Debug, Default)]
struct Decision {
    residents: Mask,
    /// Warps looked at so far, three times each slot.
    looked: usize,
    limit: Option<(usize, u32)>,
    least: Option<(usize, u32)>,
    most: u32,
    scores: Vec<u64>,
    seen: Vec<WarpPattern>,
}

#[derive(Clone, Debug)]
enum Phase {
    Adapt,
    Decide(Decision),
    Concave,
    Recover { least: usize, most: u32 },
    Execute,
}

/// As `gtlo` until the first exit is judged; then that, or the fewest instructions and thereafter as `lrr`.
#[derive(Clone, Debug)]
pub struct Adaptive {
    warps: usize,
    recovers: bool,
    phase: Phase,
    last_fired: Option<usize>,
    counts: [Counts; MAX_WARPS],
    /// Exits since Adapt ended.
    exited: Mask,
    /// What the last decision went by, for those who look on, until the phase after it ends.
    decided: Option<IssuePattern>,
}

impl Decision {
    /// Looks at the next slot; what it says when it was the last.
    fn look(&mut self, warps: usize, counts: &[Counts; MAX_WARPS], view: &View) -> Option<bool> {
        let (round, wid) = (self.looked / warps, self.looked % warps);
        self.looked += 1;
        let is_older = |other: usize, than: usize| view.core.older[than] >> other & 1 != 0;
        let Counts { inst, btime, stall } = counts[wid];
        let resident = self.residents >> wid & 1 != 0;
        if round == 0 && resident {
            let beats = |(best, value): (usize, u32)| stall > value || stall == value && is_older(best, wid);
            if stall > 0 && self.limit.is_none_or(beats) {
                self.limit = Some((wid, stall));
            }
            let beats = |(best, value): (usize, u32)| inst < value || inst == value && is_older(best, wid);
            if self.least.is_none_or(beats) {
                self.least = Some((wid, inst));
            }
            self.most = self.most.max(inst);
            let age = age(wid, self.residents, view);
            self.seen.push(WarpPattern { wid, age, inst: inst.into(), score: None });
        }
        let of_interest = self.limit.is_none_or(|(limit, _)| wid == limit || is_older(wid, limit));
        if round == 1 && resident && of_interest {
            let score = u64::from(inst) + u64::from(btime);
            self.scores.push(score);
            let of_this = self.seen.iter_mut().find(|seen| seen.wid == wid);
            of_this.into_iter().for_each(|seen| seen.score = Some(score));
        }
        (self.looked == 3 * warps).then(|| {
            let largest = self.scores.iter().max().copied().unwrap_or(0);
            2 * self.scores.iter().sum::<u64>() < self.scores.len() as u64 * largest
        })
    }
}

impl Adaptive {
    /// In its reset state: Adapt, and no warp has fired.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            warps: cfg.warps,
            recovers: cfg.ipaws_recover,
            phase: Phase::Adapt,
            last_fired: None,
            counts: [Counts::default(); MAX_WARPS],
            exited: 0,
            decided: None,
        }
    }

    /// The phase that follows the cycle; the counts are still those of its beginning.
    fn next_phase(&mut self, view: &View) -> Option<Phase> {
        match &mut self.phase {
            Phase::Adapt if view.core.exit_warps & view.stage.own_warps != 0 => {
                let residents = view.core.active_warps & view.stage.own_warps;
                Some(Phase::Decide(Decision { residents, ..Decision::default() }))
            }
            Phase::Decide(decision) => {
                let concave = decision.look(self.warps, &self.counts, view)?;
                self.decided = Some(IssuePattern { warps: std::mem::take(&mut decision.seen), concave });
                Some(match (concave, self.recovers, decision.least) {
                    (true, ..) => Phase::Concave,
                    (false, true, Some((least, _))) => Phase::Recover { least, most: decision.most },
                    (false, ..) => Phase::Execute,
                })
            }
            Phase::Recover { least, most } => {
                let caught_up = self.counts[*least].inst >= *most || self.exited >> *least & 1 != 0;
                self.decided = self.decided.take().filter(|_| !caught_up);
                caught_up.then_some(Phase::Execute)
            }
            _ => None,
        }
    }

    fn count(&mut self, view: &View, granted: Option<usize>) {
        let add = |count: &mut u32| *count = count.saturating_add(1);
        if let Some(wid) = granted.filter(|_| view.stage.fire) {
            add(&mut self.counts[wid].inst);
        }
        for wid in members(view.core.barrier.warps & view.stage.own_warps) {
            if view.core.issue_fire_warps & !(1 << wid) != 0 {
                add(&mut self.counts[wid].btime);
            }
        }
        if let Some(wid) = oldest(view.stage.data_ready_warps, view) {
            if view.stage.ready_warps >> wid & 1 == 0 {
                add(&mut self.counts[wid].stall);
            }
        }
        for wid in members(view.core.start_warps) {
            self.counts[wid] = Counts::default();
        }
    }
}

impl SchedulerModel for Adaptive {
    fn pick(&self, view: &View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        match (&self.phase, self.last_fired) {
            (Phase::Recover { .. }, _) => {
                members(candidates).min_by_key(|wid| (self.counts[*wid].inst, age(*wid, candidates, view)))
            }
            (Phase::Execute, last) => next_after(last.unwrap_or(self.warps - 1), candidates),
            (_, Some(last)) if candidates >> last & 1 != 0 => Some(last),
            _ => oldest(candidates, view),
        }
    }

    fn clock(&mut self, view: &View, granted: Option<usize>) {
        // 3. remember
        if view.core.kernel_start {
            self.phase = Phase::Adapt;
            self.decided = None;
            self.last_fired = None;
            self.counts = [Counts::default(); MAX_WARPS];
            return;
        }
        let begins = matches!(self.phase, Phase::Adapt);
        let next = self.next_phase(view);
        self.exited = view.core.exit_warps | if begins { 0 } else { self.exited };
        self.phase = next.unwrap_or_else(|| self.phase.clone());
        self.count(view, granted);
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
            Phase::Decide(_) => "decide",
            Phase::Concave => "concave",
            Phase::Recover { .. } => "recover",
            Phase::Execute => "execute",
        })
    }
}
