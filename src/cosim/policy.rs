//! The policy check: in every cycle the reference model of each warp scheduler, given what the
//! hardware's scheduler sees, must choose the warp that the hardware chooses.

use crate::config::CoreConfig;
use crate::model::sched::{self, Ages, SchedulerModel, View};
use crate::registry::Stage;

use super::failure::{Checked, Mismatch};
use super::lockstep::Lockstep;
use super::oracle::OracleCheck;
use super::ports::TracePorts;
use super::stats::Departures;
use super::unified::UnifiedCheck;
use super::verilator::Model;

/// The models of all schedulers of a core.
pub(super) struct PolicyCheck {
    fetch: Scheduler,
    issue: Vec<Scheduler>,
    /// The queues under SWaS.
    unified: Option<UnifiedCheck>,
    oracles: Option<OracleCheck>,
    ages: Ages,
}

struct Scheduler {
    name: String,
    model: Box<dyn SchedulerModel>,
    /// Kept from cycle to cycle, since most of it does not change.
    view: View,
}

impl Scheduler {
    fn new(cfg: &CoreConfig, key: &str, stage: Stage, own_warps: u32, name: String) -> Option<Self> {
        let model = sched::build(key, cfg, stage)?;
        Some(Self { name, model, view: View { own_warps, ..View::default() } })
    }

    /// Compares one cycle's choice and moves the model's state.
    #[inline]
    fn check(&mut self, grant_oh: u32) -> Checked {
        let choice = self.model.pick(&self.view);
        if choice.map_or(0, |wid| 1 << wid) != grant_oh {
            return Err(self.mismatch(choice, grant_oh));
        }
        self.model.clock(&self.view, choice);
        Ok(())
    }

    #[cold]
    fn mismatch(&self, choice: Option<usize>, grant_oh: u32) -> Box<Mismatch> {
        let expected = choice.map_or("no warp".into(), |wid| format!("warp {wid}"));
        let got = match grant_oh.count_ones() {
            0 => "no warp".into(),
            1 => format!("warp {}", grant_oh.trailing_zeros()),
            _ => format!("several warps, {grant_oh:#x}"),
        };
        let what = format!("choice of {} among {:#x}", self.name, self.view.ready_warps);
        Mismatch::new(None, what, expected, got)
    }
}

impl PolicyCheck {
    /// Models in their reset state; `None` if a policy has no model.
    pub(super) fn new(cfg: &CoreConfig, trace: &TracePorts) -> Option<Self> {
        let all = u32::MAX >> (32 - cfg.warps);
        let name = format!("the fetch scheduler ({})", cfg.fetch);
        let fetch = Scheduler::new(cfg, &cfg.fetch, Stage::Fetch, all, name)?;
        let issue = (0..cfg.slices).map(|slice| {
            let own = (0..cfg.warps).filter(|w| w % cfg.slices == slice).fold(0, |mask, w| mask | 1 << w);
            let name = format!("the issue scheduler of slice {slice} ({})", cfg.issue);
            Scheduler::new(cfg, &cfg.issue, Stage::Issue, own, name)
        });
        let mut check = Self {
            fetch,
            issue: issue.collect::<Option<_>>()?,
            unified: cfg.unified().map(|_| UnifiedCheck::new(cfg)),
            oracles: OracleCheck::new(cfg, trace),
            ages: Ages::new(cfg.warps),
        };
        check.spread_ages();
        Some(check)
    }

    /// Checks the cycle that the trace port shows.
    #[inline]
    pub(super) fn cycle(&mut self, model: &Model, trace: &TracePorts, lockstep: &Lockstep) -> Checked {
        let mask = |port| model.read(port) as u32;
        let fetch_fire = mask(trace.fetch_fire) != 0;
        let fetch_grant = mask(trace.fetch_grant_oh);
        let issue_fire = mask(trace.issue_sched_fire);
        let mut common = Common {
            active_warps: mask(trace.active_warps),
            barrier_warps: mask(trace.barrier_warps),
            suspended_warps: mask(trace.held_warps),
            icache_req_ready: mask(trace.icache_req_ready) != 0,
            fetch_fire_warps: if fetch_fire { fetch_grant } else { 0 },
            issue_fire_warps: 0,
            memory_done_warps: mask(trace.memory_done_warps),
            barrier_arrive_warps: mask(trace.barrier_arrive_warps),
            barrier_release_warps: mask(trace.barrier_release_warps),
            start_warps: mask(trace.start_warps),
            exit_warps: mask(trace.exit_warps),
        };
        for slice in (0..self.issue.len()).filter(|slice| issue_fire >> slice & 1 != 0) {
            common.issue_fire_warps |= trace.issue_sched_grant_oh.get(model, slice);
        }

        let view = &mut self.fetch.view;
        view.ready_warps = mask(trace.fetch_ready_warps);
        view.data_ready_warps = mask(trace.fetch_data_ready_warps);
        view.memory_warps = mask(trace.fetch_memory_warps);
        view.empty_warps = mask(trace.fetch_empty_warps);
        for (wid, unissued) in view.unissued.iter_mut().enumerate().take(self.ages.warps()) {
            *unissued = trace.fetch_unissued.get(model, wid) as u8;
        }
        view.fire = fetch_fire;
        common.show(view);
        self.fetch.check(fetch_grant)?;

        for (slice, scheduler) in self.issue.iter_mut().enumerate() {
            let view = &mut scheduler.view;
            view.ready_warps = trace.issue_sched_ready_warps.get(model, slice);
            if self.unified.is_some() {
                // SWaS: the choice as if every queue were full, which they are
                view.ready_warps |= mask(trace.stall_ibuffer);
            }
            view.data_ready_warps = trace.issue_sched_data_ready_warps.get(model, slice);
            view.memory_warps = trace.issue_sched_memory_warps.get(model, slice);
            view.empty_warps = trace.issue_sched_empty_warps.get(model, slice);
            view.fire = issue_fire >> slice & 1 != 0;
            common.show(view);
            scheduler.check(trace.issue_sched_grant_oh.get(model, slice))?;
            if let Some(oracles) = &mut self.oracles {
                oracles.cycle(slice, &scheduler.view, model, trace)?;
            }
        }

        if let Some(unified) = &mut self.unified {
            unified.cycle(model, trace, lockstep)?;
        }
        if common.start_warps != 0 {
            // Younger from the next cycle on.
            self.ages.start(common.start_warps);
            self.spread_ages();
        }
        Ok(())
    }

    /// The end of a run, with what the hardware's oracles have counted.
    pub(super) fn finish(&self, counted: Option<Departures>) -> Checked {
        self.oracles.as_ref().map_or(Ok(()), |oracles| oracles.finish(counted))
    }

    fn spread_ages(&mut self) {
        self.fetch.view.older = *self.ages.older();
        for scheduler in &mut self.issue {
            scheduler.view.older = *self.ages.older();
        }
    }
}

/// What all schedulers of the core see alike.
struct Common {
    active_warps: u32,
    barrier_warps: u32,
    suspended_warps: u32,
    icache_req_ready: bool,
    fetch_fire_warps: u32,
    issue_fire_warps: u32,
    memory_done_warps: u32,
    barrier_arrive_warps: u32,
    barrier_release_warps: u32,
    start_warps: u32,
    exit_warps: u32,
}

impl Common {
    #[inline]
    fn show(&self, view: &mut View) {
        view.active_warps = self.active_warps;
        view.barrier_warps = self.barrier_warps;
        view.suspended_warps = self.suspended_warps;
        view.icache_req_ready = self.icache_req_ready;
        view.fetch_fire_warps = self.fetch_fire_warps;
        view.issue_fire_warps = self.issue_fire_warps;
        view.memory_done_warps = self.memory_done_warps;
        view.barrier_arrive_warps = self.barrier_arrive_warps;
        view.barrier_release_warps = self.barrier_release_warps;
        view.start_warps = self.start_warps;
        view.exit_warps = self.exit_warps;
    }
}
