//! The policy check: in every cycle the reference model of each warp scheduler, given what the
//! hardware's scheduler sees, must choose the warp that the hardware chooses.

use serde::Serialize;

use model::sched::{self, Ages, CoreView, Inputs, IssuePattern, SchedulerModel, StageView, View};
use model::timing::Record;
use spec::config::{CoreConfig, WarpMask};
use spec::registry::Stage;

use super::collect::CollectCheck;
use super::core::Core;
use super::dispatcher::DispatchCheck;
use super::failure::{Checked, Mismatch};
use super::lockstep::Lockstep;
use super::oracle::OracleCheck;
use super::ports::TracePorts;
use super::scheduler_views::Shows;
use super::sharing::SharingCheck;
use super::stats::Departures;
use super::unified::UnifiedCheck;

/// An adaptive issue scheduler begins to do something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseChange {
    /// The scheduler's slice.
    pub slice: usize,
    /// First cycle of the phase.
    pub cycle: u64,
    /// What it does from then on.
    pub phase: &'static str,
}

/// What the adaptive issue schedulers of all slices decided by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternSeen {
    /// The cycle after the decision.
    pub cycle: u64,
    /// What it saw.
    pub pattern: IssuePattern,
}

/// What adaptive issue schedulers do when, in the order in which they begin it, and what they decided by.
#[derive(Default)]
pub(super) struct Adaptive {
    pub(super) phases: Vec<PhaseChange>,
    pub(super) patterns: Vec<PatternSeen>,
}

impl Adaptive {
    /// Looks at a slice's scheduler at the beginning of a cycle.
    #[inline]
    pub(super) fn look(&mut self, slice: usize, cycle: u64, scheduler: &dyn SchedulerModel) {
        let Some(phase) = scheduler.phase() else { return };
        let last = self.phases.iter().rev().find(|change| change.slice == slice);
        if last.is_none_or(|change| change.phase != phase) {
            self.phases.push(PhaseChange { slice, cycle, phase });
            // All slices decide alike.
            let decided = scheduler.decided().filter(|_| slice == 0).cloned();
            self.patterns.extend(decided.map(|pattern| PatternSeen { cycle, pattern }));
        }
    }

    /// The cycle was none: the program had ended.
    pub(super) fn forget(&mut self, cycle: u64) {
        self.phases.retain(|change| change.cycle != cycle);
        self.patterns.retain(|seen| seen.cycle != cycle);
    }
}

/// The models of all schedulers of a core.
pub(super) struct PolicyCheck {
    fetch: Vec<Scheduler>,
    issue: Vec<Scheduler>,
    /// The queues under SWaS.
    unified: Option<UnifiedCheck>,
    oracles: Option<OracleCheck>,
    collect: Option<CollectCheck>,
    sharing: Option<SharingCheck>,
    ages: Ages,
    dispatch: DispatchCheck,
    pub(super) adaptive: Adaptive,
}

struct Scheduler {
    name: String,
    model: Box<dyn SchedulerModel>,
    /// What its stage has told it in this cycle.
    stage: StageView,
}

impl Scheduler {
    fn new(cfg: &CoreConfig, key: &str, stage: Stage, name: String) -> Self {
        Self { name, model: sched::build(key, cfg, stage), stage: StageView::default() }
    }

    /// Compares one cycle's choice and moves the model's state.
    #[inline]
    fn check(&mut self, view: View, grant_oh: WarpMask) -> Checked {
        let choice = self.model.pick(view);
        if choice.map_or(0, |wid| 1 << wid) != grant_oh {
            return Err(self.mismatch(view.stage.ready_warps, choice, grant_oh));
        }
        self.model.clock(view, choice);
        Ok(())
    }

    #[cold]
    fn mismatch(&self, ready: WarpMask, choice: Option<usize>, grant_oh: WarpMask) -> Box<Mismatch> {
        let expected = choice.map_or("no warp".into(), |wid| format!("warp {wid}"));
        let got = match grant_oh.count_ones() {
            0 => "no warp".into(),
            1 => format!("warp {}", grant_oh.trailing_zeros()),
            _ => format!("several warps, {grant_oh:#x}"),
        };
        let what = format!("choice of {} among {ready:#x}", self.name);
        Mismatch::new(None, what, expected, got)
    }
}

impl PolicyCheck {
    /// Models in their reset state.
    pub(super) fn new(cfg: &CoreConfig, trace: &TracePorts) -> Self {
        let fetch = (0..cfg.slices).map(|slice| {
            let name = format!("the fetch scheduler of slice {slice} ({})", cfg.fetch);
            Scheduler::new(cfg, &cfg.fetch, Stage::Fetch, name)
        });
        let issue = (0..cfg.slices).map(|slice| {
            let name = format!("the issue scheduler of slice {slice} ({})", cfg.issue);
            Scheduler::new(cfg, &cfg.issue, Stage::Issue, name)
        });
        Self {
            fetch: fetch.collect(),
            issue: issue.collect(),
            unified: cfg.unified().map(|_| UnifiedCheck::new(cfg)),
            oracles: OracleCheck::new(cfg),
            collect: CollectCheck::new(cfg, trace),
            sharing: SharingCheck::new(cfg, trace),
            ages: Ages::new(cfg.warps),
            dispatch: DispatchCheck::new(cfg),
            adaptive: Adaptive::default(),
        }
    }

    /// Checks the cycle of a record, as the trace port shows it; of `inputs` the part that all schedulers see alike has been read.
    #[inline]
    pub(super) fn cycle(
        &mut self,
        dut: &Core,
        trace: &TracePorts,
        record: &Record,
        inputs: &mut Inputs,
        lockstep: &mut Lockstep,
    ) -> Checked {
        let model = &dut.model;
        let core = &inputs.core;
        let taken = dut.taken();
        if let Some(starting) = self.dispatch.cycle(core, taken)? {
            lockstep.machine.start_warps(starting);
        }
        if let Some(launch) = taken {
            lockstep.launch(launch)?;
        }
        if core.older[..self.ages.warps()] != self.ages.older()[..self.ages.warps()] {
            return Err(self.wrong_ages(core));
        }
        for (slice, scheduler) in self.fetch.iter_mut().enumerate() {
            trace.fetch.show(model, slice, &mut inputs.stage);
            scheduler.check(inputs.view(), trace.fetch_grant_oh.get_wide(model, slice))?;
        }

        let mut blocked = 0;
        for (slice, scheduler) in self.issue.iter_mut().enumerate() {
            trace.issue_sched.show(model, slice, &mut inputs.stage);
            blocked |= inputs.stage.data_ready_warps & !inputs.stage.ready_warps;
            if self.unified.is_some() {
                // SWaS: the choice as if every queue were full, which they are
                inputs.stage.ready_warps |= model.read(trace.stall_ibuffer);
            }
            scheduler.stage = inputs.stage;
            self.adaptive.look(slice, dut.cycle, &*scheduler.model);
            scheduler.check(inputs.view(), trace.issue_sched_grant_oh.get_wide(model, slice))?;
            if let Some(oracles) = &mut self.oracles {
                oracles.cycle(slice, record, inputs.view(), model, trace)?;
            }
        }

        let seen = inputs.core.blocked_warps;
        if seen != blocked {
            let what = "warps of all slices without room";
            return Err(Mismatch::new(None, what, format!("{blocked:#x}"), format!("{seen:#x}")));
        }

        if let Some(sharing) = &mut self.sharing {
            let stages = self.issue.iter().map(|scheduler| &scheduler.stage);
            sharing.cycle(record, model, lockstep, self.collect.as_ref(), &inputs.core, stages)?;
        }
        if let Some(collect) = &mut self.collect {
            collect.cycle(record, model, lockstep)?;
        }
        if let Some(unified) = &mut self.unified {
            unified.cycle(record, &inputs.core, model, trace, lockstep)?;
        }
        if inputs.core.start_warps != 0 {
            // Younger from the next cycle on.
            self.ages.start(inputs.core.start_warps);
        }
        Ok(())
    }

    #[cold]
    fn wrong_ages(&self, core: &CoreView) -> Box<Mismatch> {
        let warps = self.ages.warps();
        let show = |older: &[WarpMask]| format!("{older:#x?}");
        let what = "order of age: the older warps of each";
        Mismatch::new(None, what, show(&self.ages.older()[..warps]), show(&core.older[..warps]))
    }

    /// The end of a run, with what the hardware's oracles have counted.
    pub(super) fn finish(&self, counted: Option<Departures>) -> Checked {
        self.oracles.as_ref().map_or(Ok(()), |oracles| oracles.finish(counted))
    }
}
