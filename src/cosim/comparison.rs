//! Both engines side by side: what the model says of every cycle, and what the hardware does.

use std::collections::VecDeque;

use isa::counter::COUNTERS;
use model::sched::CoreView;
use model::timing::{Latencies, Record};
use model::Fault;

use super::engine;
use super::failure::{Failure, FailureKind};
use super::options::RunOptions;
use super::report::Report;
use super::run::Watch;
use super::simulation::{SimError, Simulation};
use super::stats::Stats;
use super::timing_model::timing_model;
use loader::Program;

/// How many issue slots before a difference are told.
const SLOTS_TOLD: usize = 8;

/// Who has an issue slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The cycle.
    pub cycle: u64,
    /// The slice.
    pub slice: usize,
    /// The warp.
    pub wid: usize,
    /// Address of its instruction; `None` for a NOP.
    pub pc: Option<u32>,
}

/// The first cycle of which model and hardware say different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The cycle, from the end of reset on.
    pub cycle: u64,
    /// What differs.
    pub signal: String,
    /// As the model has it.
    pub modelled: String,
    /// As the hardware has it.
    pub measured: String,
    /// The last issue slots on which they agreed.
    pub slots: Vec<Slot>,
}

/// A run on both engines.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What the model's run reports.
    pub modelled: Report,
    /// The hardware's cycles.
    pub measured_cycles: u64,
    /// Cycles compared, those included in which a grid is taken or, between two grids, about to be.
    pub cycles: u64,
    /// Cycles that differ.
    pub differing: u64,
    /// The first of them.
    pub first: Option<Difference>,
    /// Counters that differ, as modelled and as measured; none if the run failed.
    pub counters: Vec<(&'static str, u64, u64)>,
    /// An instruction faults. The model's run ends there, the hardware's some cycles later.
    faults: bool,
}

impl Comparison {
    /// Whether every cycle and the end agree.
    pub fn equal(&self) -> bool {
        let ends = self.faults || self.modelled.stats.cycles == self.measured_cycles;
        self.differing == 0 && ends && self.counters.is_empty()
    }
}

/// The counters in which a run on the model differs from that on the hardware.
fn differing_counters(modelled: &Stats, measured: &Stats) -> Vec<(&'static str, u64, u64)> {
    let counts = modelled.counts.iter().zip(&measured.counts);
    let all = COUNTERS.iter().zip(counts).filter(|(_, (model, hardware))| model != hardware);
    all.map(|(counter, (&model, &hardware))| (counter.name, model, hardware)).collect()
}

/// The model beside the hardware.
struct Beside {
    model: engine::Run,
    cycles: u64,
    differing: u64,
    first: Option<Difference>,
    slots: VecDeque<Slot>,
}

impl Beside {
    /// Takes a cycle of the hardware.
    fn cycle(&mut self, record: &Record, core: &CoreView) {
        // What the hardware does between an instruction that faults and its report is nobody's concern.
        if self.model.fault().is_some() {
            return;
        }
        self.model.step(self.cycles);
        if self.model.fault().is_some() {
            return;
        }
        let seen = self.model.timing.seen();
        let mut core = *core;
        if core.active_warps == 0 {
            // While hardware walks over the warps to give each its CTA slot, nobody is there to ask for it.
            core.cta = seen.core.cta;
        }
        if seen.record != record || *seen.core != core {
            self.differing += 1;
            let difference = seen.record.difference(record).or_else(|| seen.core.difference(&core));
            if let Some((signal, modelled, measured)) = difference.filter(|_| self.first.is_none()) {
                let slots = self.slots.iter().copied().collect();
                self.first = Some(Difference { cycle: self.cycles, signal, modelled, measured, slots });
            }
        }
        for (slice, of_slice) in record.slices.iter().enumerate().filter(|_| self.first.is_none()) {
            let Some(wid) = of_slice.fires else { continue };
            if self.slots.len() == SLOTS_TOLD {
                self.slots.pop_front();
            }
            let pc = of_slice.issued.map(|issued| issued.pc);
            self.slots.push_back(Slot { cycle: self.cycles, slice, wid, pc });
        }
        self.cycles += 1;
    }
}

impl Simulation {
    /// Runs a program on hardware and model in step, and compares every cycle.
    ///
    /// # Errors
    /// As [`Simulation::run_with`].
    pub fn run_predicted(
        &self,
        program: &Program,
        options: &RunOptions,
        latencies: Latencies,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(Report, Comparison), SimError> {
        let timing = timing_model(self.config(), program, options, latencies);
        let model = engine::Run::new(self.config(), timing, options);
        let mut beside = Beside { model, cycles: 0, differing: 0, first: None, slots: VecDeque::new() };
        let mut compare = |record: &Record, core: &CoreView| beside.cycle(record, core);
        let report = self.run_watched(program, options, Watch { progress, records: Some(&mut compare) })?;
        let Beside { mut model, cycles, mut differing, mut first, slots } = beside;
        // Where the hardware was cut the model is too, in the same cycle.
        let cut = |failure: &Failure| matches!(failure.kind, FailureKind::TooLong { .. });
        let failure = match report.failure.as_deref().is_some_and(cut) {
            true => None,
            false => model.finish(options.max_cycles, &mut |_| {}),
        };
        let fault = model.fault();
        if let (Some(Fault { cause, pc, wid, .. }), None) = (fault, &report.failure) {
            differing += 1;
            first.get_or_insert(Difference {
                cycle: cycles,
                signal: "end".into(),
                modelled: format!("{cause} at {pc:#010x}, warp {wid}"),
                measured: "the program passes".into(),
                slots: slots.into(),
            });
        }
        let modelled = model.report(program, options, failure);
        let counters = match report.failure.is_none() {
            true => differing_counters(&modelled.stats, &report.stats),
            false => vec![],
        };
        let comparison = Comparison {
            counters,
            modelled,
            measured_cycles: report.stats.cycles,
            cycles,
            differing,
            first,
            faults: fault.is_some(),
        };
        Ok((report, comparison))
    }
}
