//! One run: the loop over clock cycles, and all that is checked in each.

use model::sched::{CoreView, View};
use model::timing::Record;
use model::{Cause, Fault, Memory};
use spec::config::CoreConfig;

use super::core::{Core, Launch};
use super::core_counters;
use super::counters::Counters;
use super::failure::{describe_core, At, Failure, FailureKind, Mismatch};
use super::grids::{GridTimes, Grids};
use super::link::Link;
use super::lockstep::Lockstep;
use super::memory::BusError;
use super::options::RunOptions;
use super::oracle;
use super::phases::{Barriers, Phases};
use super::policy::{Adaptive, PatternSeen, PhaseChange, PolicyCheck};
use super::ports::TracePorts;
use super::record;
use super::recorder::Recorder;
use super::recording::Recording;
use super::scheduler_views::Shows;
use super::stats::{Departures, Stats};
use super::trace::{Accessed, Committed, Issued};
use super::unchecked::Unchecked;
use super::verilator;
use super::watchdog::Watchdog;

/// Cycles between two calls of the progress function; a power of two.
const PROGRESS_CYCLES: u64 = 1 << 15;
/// Cycles within which a core that has something to do gets busy after reset.
const START_CYCLES: u64 = 16;

/// A core on its way through a program, and its observers.
pub(super) struct Run<'a> {
    core: Core,
    trace: &'a TracePorts,
    lockstep: Option<Lockstep>,
    /// In its place if there is no model.
    unchecked: Option<Unchecked>,
    policy: Option<PolicyCheck>,
    counters: Counters,
    phases: Phases,
    /// If something of the run is to be shown.
    recorder: Option<Recorder>,
    /// Unless the start is bare.
    grids: Option<Grids>,
    watchdog: Watchdog,
    /// What schedulers see in this cycle.
    view: View,
    threads: usize,
    slices: usize,
    /// There is a data cache.
    cached: bool,
}

/// Looks at a cycle.
pub(super) type Watcher<'a> = dyn FnMut(&Record, &CoreView) + 'a;

/// Who looks on during a run.
pub(super) struct Watch<'a> {
    /// Called with the counters now and then.
    pub(super) progress: &'a mut dyn FnMut(&Stats),
    /// Called in every cycle with what happens, and what all schedulers see.
    pub(super) records: Option<&'a mut Watcher<'a>>,
}

/// What a run leaves behind.
pub(super) struct Finished {
    pub(super) link: Link,
    pub(super) stats: Stats,
    pub(super) barriers: Barriers,
    pub(super) grids: Vec<GridTimes>,
    pub(super) policy_phases: Vec<PhaseChange>,
    pub(super) patterns: Vec<PatternSeen>,
    pub(super) recording: Option<Recording>,
    pub(super) failure: Option<Box<Failure>>,
}

/// Whether the run goes on; a failure ends it as an error does.
type Step<T = ()> = Result<T, FailureKind>;

impl<'a> Run<'a> {
    /// `reference` is the model's memory if there is to be a model; `launch` is what the core was told.
    pub(super) fn new(
        cfg: &CoreConfig,
        core: Core,
        trace: &'a TracePorts,
        reference: Option<Memory>,
        options: &RunOptions,
        launch: &Launch,
    ) -> Self {
        let checked = reference.is_some();
        Self {
            core,
            trace,
            unchecked: (!checked).then(|| Unchecked::new(cfg)),
            lockstep: reference.map(|memory| Lockstep::new(cfg, memory, launch, options.random_reset)),
            policy: checked.then(|| PolicyCheck::new(cfg, trace)),
            counters: Counters::new(cfg),
            phases: Phases::new(cfg.warps, !launch.grids.is_empty()),
            recorder: options.record.map(|window| Recorder::new(cfg, window)),
            grids: (!launch.grids.is_empty()).then(Grids::default),
            watchdog: Watchdog::of_run(cfg, options),
            view: View::default(),
            threads: cfg.threads,
            slices: cfg.slices,
            cached: cfg.dcache.bytes != 0,
        }
    }

    /// Runs until the core is no longer busy, a check fails, or a limit is reached.
    pub(super) fn finish(mut self, options: &RunOptions, watch: &mut Watch) -> verilator::Result<Finished> {
        let mut was_busy = false;
        // When the core was told of what it is to do now.
        let mut told = 0;
        let mut departures = None;
        let failure = loop {
            let busy = self.core.busy();
            if !busy && (was_busy || self.core.cycle > told + START_CYCLES) {
                // The last active warp may be the one that faulted.
                departures = self.departures();
                let ended = self.fault().and_then(|()| self.at_end(was_busy));
                if ended.is_err() || !self.core.has_more() {
                    break ended.err();
                }
                self.core.present();
                told = self.core.cycle;
                was_busy = false;
            }
            was_busy |= busy;
            let observed = self.observe(options.max_cycles, watch);
            let bus = self.core.clock()?;
            let outcome = observed.and_then(|()| bus.or_else(|error| self.bus_error(error)));
            if let Err(kind) = outcome {
                break Some(kind);
            }
            if self.core.cycle.is_multiple_of(PROGRESS_CYCLES) {
                (watch.progress)(&self.counters.stats());
            }
        };
        let cycle = self.core.cycle;
        // Fetching ahead may go on while the counters are read.
        let (requests, rows) = (self.core.link.accepted(), self.core.link.rows());
        let failure = match failure {
            None if self.lockstep.is_some() => self.counters_disagree()?,
            other => other,
        };
        let history = self.lockstep.as_ref().map(|l| &l.history);
        let failure = failure.map(|kind| Failure::new(kind, cycle, String::new(), history));
        let mut stats = self.counters.stats();
        let link = self.core.finish()?;
        stats.memory_requests = requests;
        stats.rows = rows;
        stats.departures = departures;
        let Adaptive { phases: policy_phases, patterns } =
            self.policy.map_or_else(Default::default, |policy| policy.adaptive);
        let grids = self.grids.map_or_else(Vec::new, Grids::finish);
        let barriers = self.phases.finish();
        let recording = self.recorder.map(|recorder| recorder.finish(&barriers.intervals));
        Ok(Finished { link, stats, barriers, grids, policy_phases, patterns, recording, failure })
    }

    /// What the ports show of this cycle.
    #[inline]
    fn record(&self) -> Record {
        record::read(&self.core, &self.view.core, self.trace, self.slices, self.cached)
    }

    /// Everything that is looked at once a cycle, before the clock rises.
    #[inline]
    fn observe(&mut self, max_cycles: u64, watch: &mut Watch) -> Step {
        let cycle = self.core.cycle;
        self.trace.core.show(&self.core.model, 0, &mut self.view.core);
        let record = self.record();
        if let Some(records) = &mut watch.records {
            records(&record, &self.view.core);
        }
        self.counters.cycle(&record);
        self.phases.cycle(&self.view.core, cycle);
        self.watchdog.active(cycle, self.view.core.active_warps);
        if let Some(recorder) = &mut self.recorder {
            recorder.cycle(&record, &self.view.core, cycle);
        }
        if let Some(grids) = &mut self.grids {
            grids.cycle(&self.view.core, cycle);
        }
        if let (Some(policy), Some(lockstep)) = (&mut self.policy, &mut self.lockstep) {
            policy.cycle(&self.core, self.trace, &mut self.view, lockstep)?;
        }
        self.commits(cycle)?;
        self.accesses(cycle)?;
        self.issues(cycle)?;
        self.fault()?;
        if self.watchdog.is_stuck(cycle) {
            return Err(FailureKind::Hang { cycles: self.watchdog.patience, stuck: self.stuck() });
        }
        if cycle >= max_cycles {
            let starvation = self.watchdog.starvation(cycle, &record);
            return Err(FailureKind::TooLong { cycles: max_cycles, stuck: self.stuck(), starvation });
        }
        Ok(())
    }

    /// A fault that the core reports ends the run, whether or not the model agrees.
    #[inline]
    fn fault(&self) -> Step {
        let Some(fault) = self.core.fault() else { return Ok(()) };
        Err(match &self.lockstep {
            Some(lockstep) => self.agreed(lockstep.expected.reported(&fault)?),
            None => {
                let before = |unchecked: &Unchecked| unchecked.stray_before(fault.wid, fault.pc);
                if let Some(earlier) = self.unchecked.as_ref().and_then(before) {
                    return Err(earlier);
                }
                let raw = self.word(fault.pc);
                // What is not mapped reads as zero, an illegal instruction.
                let is_fetch = raw.is_none() && Some(fault.cause) == Cause::IllegalInstruction.code();
                let what = match is_fetch {
                    true => format!("{} at {:#010x}", Cause::Unmapped, fault.pc),
                    false => describe_core(&fault, raw),
                };
                let at = At { wid: fault.wid, pc: fault.pc, raw };
                FailureKind::Fault { at: Some(at), what, origin: None }
            }
        })
    }

    /// Instructions that issue: the model executes them.
    #[inline]
    fn issues(&mut self, cycle: u64) -> Step {
        let Self { core, trace, lockstep, unchecked, watchdog, .. } = self;
        let mut valid = core.model.read(trace.issue_valid);
        while valid != 0 {
            let slice = valid.trailing_zeros() as usize;
            valid &= valid - 1;
            let issued = Issued::read(&core.model, trace, cycle, slice);
            watchdog.issued(cycle, At { wid: issued.wid, pc: issued.pc, raw: Some(issued.raw) });
            if let Some(lockstep) = lockstep {
                lockstep.decided_by_unknown(&issued).map_or(Ok(()), Err)?;
                if let Some(fault) = lockstep.issue(&issued)? {
                    return Err(self.agreed(fault));
                }
            }
            if let Some(unchecked) = unchecked {
                unchecked.issue(&issued, core.link.memory()).map_or(Ok(()), Err)?;
            }
        }
        if let Some(lockstep) = lockstep {
            lockstep.expected.overdue(cycle, watchdog.patience)?;
        }
        Ok(())
    }

    /// Register writes.
    #[inline]
    fn commits(&mut self, cycle: u64) -> Step {
        let Self { core, trace, lockstep, unchecked, watchdog, .. } = self;
        let mut valid = core.model.read(trace.commit_valid);
        if valid == 0 {
            return Ok(());
        }
        watchdog.committed(cycle);
        while valid != 0 {
            let slice = valid.trailing_zeros() as usize;
            valid &= valid - 1;
            let committed = Committed::read(&core.model, trace, cycle, slice, self.threads);
            if let Some(lockstep) = lockstep {
                lockstep.commit(&committed)?;
            }
            if let Some(unchecked) = unchecked {
                unchecked.commit(&committed);
            }
        }
        Ok(())
    }

    /// Loads and stores, as the load-store unit begins them.
    #[inline]
    fn accesses(&mut self, cycle: u64) -> Step {
        let Self { core, trace, lockstep, watchdog, .. } = self;
        if core.model.read(trace.access_valid) == 0 {
            return Ok(());
        }
        watchdog.committed(cycle);
        let Some(lockstep) = lockstep else { return Ok(()) };
        Ok(lockstep.access(&Accessed::read(&core.model, trace, cycle, self.threads))?)
    }

    fn departures(&self) -> Option<Departures> {
        oracle::departures(&self.core.model, self.trace)
    }

    /// The core is no longer busy.
    fn at_end(&self, was_busy: bool) -> Step {
        if !was_busy {
            let what = "start after reset";
            return Err(Mismatch::new(None, what, "busy", format!("idle for {START_CYCLES} cycles")).into());
        }
        self.core.link.finish().or_else(|error| self.bus_error(error))?;
        let Some(lockstep) = &self.lockstep else { return Ok(()) };
        lockstep.finish(self.core.link.memory())?;
        if let Some(policy) = &self.policy {
            policy.finish(self.departures())?;
        }
        if self.core.link.awaits_data() {
            return Err(Mismatch::new(None, "memory bus at the end", "idle", "data reads wait").into());
        }
        Ok(())
    }

    /// After the end: how the core's own counters differ from the simulator's, if they do.
    fn counters_disagree(&mut self) -> verilator::Result<Option<FailureKind>> {
        let totals = core_counters::drain(&mut self.core, self.trace)?;
        let Some(lockstep) = &self.lockstep else { return Ok(None) };
        let agreement = self.counters.agree(totals, &self.core, &lockstep.traffic);
        Ok(agreement.err().map(FailureKind::from))
    }

    #[cold]
    fn bus_error(&self, error: BusError) -> Step {
        Err(match (error, &self.lockstep) {
            (BusError::Unmapped { line, write }, Some(lockstep)) => {
                self.agreed(lockstep.expected.unmapped(line, write)?)
            }
            (BusError::Unmapped { line, write }, None) => {
                let placed = self.unchecked.as_ref().and_then(|unchecked| unchecked.unmapped(line, write));
                let unplaced = || FailureKind::Fault { at: None, what: error.to_string(), origin: None };
                placed.unwrap_or_else(unplaced)
            }
            _ => Mismatch::new(None, "bus protocol", "a request that stays and is allowed", error).into(),
        })
    }

    /// A fault of the program, on which all observers agree.
    #[cold]
    fn agreed(&self, (at, fault): (At, Fault)) -> FailureKind {
        FailureKind::of_program(at, fault, |pc| self.word(pc))
    }

    #[cold]
    fn stuck(&self) -> Vec<super::failure::Stuck> {
        let machine = self.lockstep.as_ref().map(|l| &l.machine);
        self.watchdog.stuck(&self.record(), machine)
    }

    fn word(&self, pc: u32) -> Option<u32> {
        self.core.link.memory().read(pc & !3, 4).ok()
    }
}
