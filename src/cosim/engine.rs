//! The second engine: programs on the timing model alone, without hardware. It gives every issue slot, and so every
//! counter, as the hardware does; `run_predicted` and the tests compare them.

use std::time::Instant;

use isa::counter::ROTATION;
use model::timing::{Latencies, Seen as OfCycle, SliceRecord, Stop, TimingModel};
use model::Fault;
use spec::config::CoreConfig;

use super::counters::Counters;
use super::failure::{At, Failure, FailureKind};
use super::observers::{Observers, Seen};
use super::options::RunOptions;
use super::policy::Adaptive;
use super::report::Report;
use super::simulation::{setting, SimError};
use super::stats::Stats;
use super::timing_model::timing_model;
use loader::Program;

/// Cycles between two calls of the progress function; a power of two.
const PROGRESS_CYCLES: u64 = 1 << 16;

/// What the model knows the timing of: a core.
pub struct Engine {
    cfg: CoreConfig,
}

impl Engine {
    /// The engine of a core.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { cfg: cfg.clone() }
    }

    /// The core's configuration.
    pub fn config(&self) -> &CoreConfig {
        &self.cfg
    }

    /// # Errors
    /// The options ask for something that the model lacks.
    pub fn check(options: &RunOptions) -> Result<(), SimError> {
        match options {
            RunOptions { random_reset: true, .. } => {
                Err(unmodelled("random values at reset (--random-reset)"))
            }
            RunOptions { wave: Some(_), .. } => Err(unmodelled("waves of signals (--wave)")),
            _ => Ok(()),
        }
    }

    /// Runs a program from reset to its end, or to a limit; `progress` is called with the counters now and then.
    ///
    /// # Errors
    /// Options, or a program, that ask for what the model lacks; a grid that the core cannot run.
    pub fn run(
        &self,
        program: &Program,
        options: &RunOptions,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<Report, SimError> {
        Self::check(options)?;
        for grid in &options.launches {
            grid.check(&self.cfg)?;
        }
        let start = Instant::now();
        let timing = timing_model(&self.cfg, program, options, Latencies::of(&self.cfg));
        let mut run = Run::new(&self.cfg, timing, options);
        let failure = run.finish(options.max_cycles, progress);
        let mut report = run.report(program, options, failure);
        report.wall = start.elapsed();
        Ok(report)
    }
}

fn unmodelled(what: &str) -> SimError {
    SimError::Unmodelled(what.into())
}

/// A program on its way, and its observers.
pub(super) struct Run {
    pub(super) timing: Box<dyn TimingModel>,
    cfg: CoreConfig,
    counters: Counters,
    /// The last cycle is not counted yet: a program that reads a counter learns of it later.
    uncounted: bool,
    mpm_class: u8,
    observers: Observers,
    /// Issue schedulers adapt.
    adapts: bool,
    adaptive: Adaptive,
}

impl Run {
    pub(super) fn new(cfg: &CoreConfig, timing: Box<dyn TimingModel>, options: &RunOptions) -> Self {
        Self {
            adapts: timing.policy(0).phase().is_some(),
            timing,
            cfg: cfg.clone(),
            counters: Counters::new(cfg),
            uncounted: false,
            mpm_class: options.mpm_class,
            observers: Observers::new(cfg, options),
            adaptive: Adaptive::default(),
        }
    }

    /// Runs to the end; says why the run failed, if it did.
    pub(super) fn finish(
        &mut self,
        max_cycles: u64,
        progress: &mut dyn FnMut(&Stats),
    ) -> Option<FailureKind> {
        let mut cycle = self.timing.cycles();
        while self.step(cycle) {
            if let Some(failure) = self.limit(cycle, max_cycles) {
                return Some(failure);
            }
            cycle += 1;
            if cycle.is_multiple_of(PROGRESS_CYCLES) {
                progress(&self.counters.stats());
            }
        }
        self.fault().map(|fault| self.failure(fault))
    }

    /// The next cycle, by its number; `false`, and none, if the run has ended.
    #[inline]
    pub(super) fn step(&mut self, cycle: u64) -> bool {
        if self.adapts {
            for slice in 0..self.cfg.slices {
                self.adaptive.look(slice, cycle, self.timing.policy(slice));
            }
        }
        let Some(mut seen) = self.timing.cycle() else {
            self.adaptive.forget(cycle);
            return false;
        };
        if let Some(csr) = seen.counter_read {
            // An event is in what is read two cycles later (`PerfCounters`); the memory of the totals begins with nothing.
            let filled = cycle >= ROTATION as u64;
            self.timing.answer(if filled { self.counters.word(self.mpm_class, csr) } else { 0 });
            seen = self.timing.seen();
        }
        let OfCycle { record, record_before, core, .. } = seen;
        if self.uncounted {
            self.counters.cycle(record_before);
        }
        self.uncounted = true;
        self.observers.cycle(record, core, cycle);
        let watchdog = &mut self.observers.watchdog;
        // By number: to zip the two costs a call for each slice, for lack of link-time optimisation.
        for slice in 0..self.cfg.slices {
            let SliceRecord { issued, written, .. } = &record.slices[slice];
            if let Some(issued) = issued {
                watchdog.issued(cycle, At { wid: issued.wid, pc: issued.pc, raw: Some(issued.raw) });
            } else if written.is_some() || record.begun[slice].is_some() {
                watchdog.committed(cycle);
            }
        }
        true
    }

    /// The fault with which the program has ended, if so.
    pub(super) fn fault(&self) -> Option<Fault> {
        match self.timing.stop() {
            Some(&Stop::Fault(fault)) => Some(fault),
            _ => None,
        }
    }

    /// Whether the run has to be given up after this cycle, and why.
    #[inline]
    fn limit(&self, cycle: u64, max_cycles: u64) -> Option<FailureKind> {
        let watchdog = &self.observers.watchdog;
        let hangs = watchdog.is_stuck(cycle);
        (hangs || cycle >= max_cycles).then(|| {
            let record = self.timing.record();
            let stuck = watchdog.stuck(record, Some(self.timing.machine()));
            if hangs {
                return FailureKind::Hang { cycles: watchdog.patience, stuck };
            }
            let starvation = watchdog.starvation(cycle, record);
            FailureKind::TooLong { cycles: max_cycles, stuck, starvation }
        })
    }

    #[cold]
    fn failure(&self, fault: Fault) -> FailureKind {
        let word = |pc: u32| self.timing.machine().memory.read(pc & !3, 4).ok();
        FailureKind::of_program(At { wid: fault.wid, pc: fault.pc, raw: word(fault.pc) }, fault, word)
    }

    /// What has been counted.
    fn stats(&mut self) -> Stats {
        if std::mem::take(&mut self.uncounted) {
            self.counters.cycle(self.timing.record());
        }
        Stats {
            memory_requests: self.timing.memory_requests(),
            rows: self.timing.memory_rows(),
            ..self.counters.stats()
        }
    }

    /// What the run reports, whose time the caller knows.
    pub(super) fn report(
        mut self,
        program: &Program,
        options: &RunOptions,
        failure: Option<FailureKind>,
    ) -> Report {
        let setting = format!("{}, the model alone", setting(&self.cfg, program, options));
        let failure = failure.map(|kind| Failure::new(kind, self.timing.cycles(), setting, None));
        let stats = self.stats();
        let Seen { barriers, waits, grids, recording } = self.observers.finish(self.timing.cycles());
        let mut memory = self.timing.into_memory();
        memory.console_mut().flush();
        Report {
            program: program.name.clone(),
            failure,
            stats,
            barriers,
            waits,
            grids,
            recording,
            policy_phases: self.adaptive.phases,
            patterns: self.adaptive.patterns,
            memory,
            wall: Default::default(),
        }
    }
}
