//! One run: the loop over clock cycles, and all that is checked in each.

mod ending;
mod events;

use std::time::Instant;

use model::sched::{CoreView, Inputs};
use model::timing::Record;
use model::Machine;
use spec::config::CoreConfig;

use super::core::Core;
use super::counters::Counters;
use super::failure::{Failure, FailureKind};
use super::lockstep::Lockstep;
use super::observers::{Observers, Seen};
use super::options::RunOptions;
use super::policy::{Adaptive, PolicyCheck};
use super::ports::TracePorts;
use super::record;
use super::report::Report;
use super::scheduler_views::Shows;
use super::stats::Stats;
use super::unchecked::Unchecked;
use super::verilator;
use loader::Program;

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
    observers: Observers,
    /// What schedulers see in this cycle.
    inputs: Inputs,
    /// What happens in it.
    record: Record,
    cfg: &'a CoreConfig,
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

/// Whether the run goes on; a failure ends it as an error does.
type Step<T = ()> = Result<T, FailureKind>;

impl<'a> Run<'a> {
    /// `reference` is the model if there is to be one.
    pub(super) fn new(
        cfg: &'a CoreConfig,
        core: Core,
        trace: &'a TracePorts,
        reference: Option<Machine>,
        options: &RunOptions,
    ) -> Self {
        let checked = reference.is_some();
        Self {
            core,
            trace,
            unchecked: (!checked).then(|| Unchecked::new(cfg)),
            lockstep: reference.map(|machine| Lockstep::new(cfg, machine, options.random_reset)),
            policy: checked.then(|| PolicyCheck::new(cfg, trace)),
            counters: Counters::new(cfg),
            observers: Observers::new(cfg, options),
            inputs: Inputs::default(),
            record: Record::default(),
            cfg,
            slices: cfg.slices,
            cached: cfg.dcache.bytes != 0,
        }
    }

    /// Runs until the core is no longer busy, a check fails, or a limit is reached; `setting` is how to see that again.
    pub(super) fn finish(
        mut self,
        (program, setting): (&Program, String),
        options: &RunOptions,
        watch: &mut Watch,
    ) -> verilator::Result<Report> {
        let start = Instant::now();
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
        let failure = failure.map(|kind| Failure::new(kind, cycle, setting, history));
        let mut stats = self.counters.stats();
        let mut memory = self.core.finish()?.into_memory();
        let wall = start.elapsed();
        memory.console_mut().flush();
        stats.memory_requests = requests;
        stats.rows = rows;
        stats.departures = departures;
        let Adaptive { phases: policy_phases, patterns } =
            self.policy.map_or_else(Default::default, |policy| policy.adaptive);
        let Seen { barriers, waits, grids, recording } = self.observers.finish(cycle);
        Ok(Report {
            program: program.name.clone(),
            failure,
            stats,
            barriers,
            waits,
            grids,
            policy_phases,
            patterns,
            recording,
            memory,
            wall,
        })
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
        self.observers.cycle(record, &self.inputs.core, cycle);
        if let (Some(policy), Some(lockstep)) = (&mut self.policy, &mut self.lockstep) {
            policy.cycle(&self.core, self.trace, &self.record, &mut self.inputs, lockstep)?;
        }
        self.commits(cycle)?;
        self.accesses(cycle)?;
        self.issues(cycle)?;
        self.fault()?;
        let watchdog = &self.observers.watchdog;
        if watchdog.is_stuck(cycle) {
            return Err(FailureKind::Hang { cycles: watchdog.patience, stuck: self.stuck() });
        }
        if cycle >= max_cycles {
            let starvation = watchdog.starvation(cycle, &self.record);
            return Err(FailureKind::TooLong { cycles: max_cycles, stuck: self.stuck(), starvation });
        }
        Ok(())
    }
}
