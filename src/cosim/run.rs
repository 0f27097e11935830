//! One run: the loop over clock cycles, and all that is checked in each.

mod ending;
mod events;

use model::sched::{CoreView, Inputs};
use model::timing::Record;
use model::Memory;
use spec::config::CoreConfig;

use super::core::{Core, Launch};
use super::counters::Counters;
use super::failure::{Failure, FailureKind};
use super::grids::{GridTimes, Grids};
use super::link::Link;
use super::lockstep::Lockstep;
use super::options::RunOptions;
use super::phases::{Barriers, Phases};
use super::policy::{Adaptive, PatternSeen, PhaseChange, PolicyCheck};
use super::ports::TracePorts;
use super::record;
use super::recorder::Recorder;
use super::recording::Recording;
use super::scheduler_views::Shows;
use super::stats::Stats;
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
    inputs: Inputs,
    /// What happens in it.
    record: Record,
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
            inputs: Inputs::default(),
            record: Record::default(),
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

    /// Reads what the ports show of this cycle.
    #[inline]
    fn read(&mut self) {
        self.trace.core.show(&self.core.model, 0, &mut self.inputs.core);
        record::read(&self.core, &self.inputs.core, self.trace, self.slices, self.cached, &mut self.record);
    }

    /// Everything that is looked at once a cycle, before the clock rises.
    #[inline]
    fn observe(&mut self, max_cycles: u64, watch: &mut Watch) -> Step {
        let cycle = self.core.cycle;
        self.read();
        let record = &self.record;
        if let Some(records) = &mut watch.records {
            records(record, &self.inputs.core);
        }
        self.counters.cycle(record);
        self.phases.cycle(&self.inputs.core, cycle);
        self.watchdog.active(cycle, self.inputs.core.active_warps);
        if let Some(recorder) = &mut self.recorder {
            recorder.cycle(record, &self.inputs.core, cycle);
        }
        if let Some(grids) = &mut self.grids {
            grids.cycle(&self.inputs.core, cycle);
        }
        if let (Some(policy), Some(lockstep)) = (&mut self.policy, &mut self.lockstep) {
            policy.cycle(&self.core, self.trace, &self.record, &mut self.inputs, lockstep)?;
        }
        self.commits(cycle)?;
        self.accesses(cycle)?;
        self.issues(cycle)?;
        self.fault()?;
        if self.watchdog.is_stuck(cycle) {
            return Err(FailureKind::Hang { cycles: self.watchdog.patience, stuck: self.stuck() });
        }
        if cycle >= max_cycles {
            let starvation = self.watchdog.starvation(cycle, &self.record);
            return Err(FailureKind::TooLong { cycles: max_cycles, stuck: self.stuck(), starvation });
        }
        Ok(())
    }
}
