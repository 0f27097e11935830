//! The second engine: programs on the timing model alone, without hardware. It gives every issue slot, and so every
//! counter, as the hardware does; `run_predicted` and the tests compare them.

use std::time::Instant;

use model::timing::{Latencies, Predictor, Slot, Stop};
use model::{Fault, Memory};
use spec::config::{BusKind, CoreConfig};

use super::counters::Counters;
use super::failure::{At, Failure, FailureKind};
use super::grids::Grids;
use super::memory::RowStats;
use super::options::RunOptions;
use super::phases::Phases;
use super::policy::Adaptive;
use super::predictor::predictor;
use super::program::Program;
use super::simulation::{setting, Report, SimError};
use super::stats::Stats;
use super::watchdog::Watchdog;

/// Cycles between two calls of the progress function; a power of two.
const PROGRESS_CYCLES: u64 = 1 << 16;

/// What the model knows the timing of: a core.
pub struct Engine {
    cfg: CoreConfig,
}

impl Engine {
    /// # Errors
    /// The model lacks something that the core has.
    pub fn new(cfg: &CoreConfig) -> Result<Self, SimError> {
        let lacks = [
            (cfg.dcache.bytes != 0 && cfg.dcache.write_back, "a write-back data cache"),
            (cfg.line_paths() > 1, "several banks of the data cache (--cache-banks)"),
            (cfg.bus != BusKind::Native, "AXI4 (--bus axi4)"),
        ];
        check(&lacks)?;
        Ok(Self { cfg: cfg.clone() })
    }

    /// The core's configuration.
    pub fn config(&self) -> &CoreConfig {
        &self.cfg
    }

    /// # Errors
    /// The options ask for something that the model lacks.
    pub fn check(&self, options: &RunOptions) -> Result<(), SimError> {
        check(&[
            (options.random_reset, "random values at reset (--random-reset)"),
            (options.wave.is_some(), "waves of signals (--wave)"),
            (options.record.is_some(), "views of a run (--perfetto and others)"),
        ])
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
        self.check(options)?;
        for grid in &options.launches {
            grid.check(&self.cfg)?;
        }
        let start = Instant::now();
        let predictor = predictor(&self.cfg, program, options, Latencies::of(&self.cfg));
        let mut run =
            Run::new(&self.cfg, predictor.ok_or_else(|| unmodelled("a scheduler of this core"))?, options);
        let failure = loop {
            run.step();
            if let Some(failure) = run.end(options.max_cycles) {
                break failure;
            }
            if run.predictor.cycles().is_multiple_of(PROGRESS_CYCLES) {
                progress(&run.counters.stats());
            }
        };
        if run.predictor.reads_counters() {
            return Err(unmodelled("performance counters that the program reads"));
        }
        let setting = format!("{}, the model alone", setting(&self.cfg, program, options));
        let failure = failure.map(|kind| Failure::new(kind, run.predictor.cycles(), setting, None));
        let mut report = run.report(program, failure);
        report.wall = start.elapsed();
        Ok(report)
    }
}

fn check(lacks: &[(bool, &str)]) -> Result<(), SimError> {
    match lacks.iter().find(|(asked, _)| *asked) {
        Some((_, what)) => Err(unmodelled(what)),
        None => Ok(()),
    }
}

fn unmodelled(what: &str) -> SimError {
    SimError::Unmodelled(what.into())
}

/// A program on its way, and its observers.
pub(super) struct Run {
    pub(super) predictor: Predictor,
    counters: Counters,
    phases: Phases,
    grids: Option<Grids>,
    watchdog: Watchdog,
    requests: u64,
    adaptive: Adaptive,
}

impl Run {
    pub(super) fn new(cfg: &CoreConfig, predictor: Predictor, options: &RunOptions) -> Self {
        Self {
            predictor,
            counters: Counters::new(cfg, true),
            phases: Phases::new(cfg.warps, !options.launches.is_empty()),
            grids: (!options.launches.is_empty()).then(Grids::default),
            watchdog: Watchdog::of_run(cfg, options),
            requests: 0,
            adaptive: Adaptive::default(),
        }
    }

    /// The next cycle, and who has the issue slot of the first slice.
    #[inline]
    pub(super) fn step(&mut self) -> Option<Slot> {
        let cycle = self.predictor.cycles();
        for (slice, policy) in self.predictor.policies().enumerate() {
            self.adaptive.look(slice, cycle, policy);
        }
        let slot = self.predictor.cycle();
        if self.predictor.stop().is_some() {
            self.adaptive.forget(cycle);
            return slot;
        }
        let (record, core) = (self.predictor.record(), self.predictor.core_view());
        self.counters.cycle(record, core);
        self.phases.cycle(core, cycle);
        if let Some(grids) = &mut self.grids {
            grids.cycle(core, cycle);
        }
        self.requests += u64::from(record.bus.read) + u64::from(record.bus.write);
        self.watchdog.active(cycle, core.active_warps);
        for of_slice in &record.slices {
            if let Some(issued) = &of_slice.issued {
                self.watchdog.issued(cycle, At { wid: issued.wid, pc: issued.pc, raw: Some(issued.raw) });
            }
            if of_slice.loaded.is_some() || record.bus.response {
                self.watchdog.committed(cycle);
            }
        }
        slot
    }

    /// Whether the last cycle ends the run, and why it failed if it did.
    #[inline]
    fn end(&self, max_cycles: u64) -> Option<Option<FailureKind>> {
        match self.predictor.stop() {
            Some(Stop::Finished) => return Some(None),
            Some(&Stop::Fault(fault)) => return Some(Some(self.fault(fault))),
            None => {}
        }
        let cycle = self.predictor.cycles() - 1;
        let (record, core) = (self.predictor.record(), self.predictor.core_view());
        let stuck = || self.watchdog.stuck(record, core, Some(self.predictor.machine()));
        if self.watchdog.is_stuck(cycle) {
            return Some(Some(FailureKind::Hang { cycles: self.watchdog.patience, stuck: stuck() }));
        }
        (cycle >= max_cycles).then(|| {
            let starvation = self.watchdog.starvation(cycle, record, core);
            Some(FailureKind::TooLong { cycles: max_cycles, stuck: stuck(), starvation })
        })
    }

    #[cold]
    fn fault(&self, fault: Fault) -> FailureKind {
        let word = |pc: u32| self.predictor.machine().memory.read(pc & !3, 4).ok();
        FailureKind::of_program(At { wid: fault.wid, pc: fault.pc, raw: word(fault.pc) }, fault, word)
    }

    /// What has been counted.
    pub(super) fn stats(&mut self) -> Stats {
        self.counters.take(self.predictor.traffic());
        let rows = |[row_hits, row_misses, row_conflicts]: [u64; 3]| RowStats {
            row_hits,
            row_misses,
            row_conflicts,
        };
        Stats {
            memory_requests: self.requests,
            rows: self.predictor.memory_timing().rows().map(rows),
            ..self.counters.stats()
        }
    }

    fn report(mut self, program: &Program, failure: Option<Box<Failure>>) -> Report {
        let stats = self.stats();
        let mut memory: Memory = self.predictor.machine().memory.clone();
        memory.console_mut().flush();
        Report {
            program: program.name.clone(),
            failure,
            stats,
            barriers: self.phases.finish(),
            grids: self.grids.map_or_else(Vec::new, Grids::finish),
            policy_phases: self.adaptive.phases,
            patterns: self.adaptive.patterns,
            recording: None,
            memory,
            wall: Default::default(),
        }
    }
}
