//! Prediction of the schedule, and its comparison with what the hardware does, slot by slot.

use std::fmt;
use std::time::{Duration, Instant};

use isa::counter::COUNTERS;
use model::timing::{Latencies, Predictor, Slot, Stop};
use spec::config::{BusKind, CoreConfig};

use super::engine;
use super::options::RunOptions;
use super::predictor::predictor;
use super::program::Program;
use super::run::Watch;
use super::simulation::{Report, SimError, Simulation};
use super::stats::Stats;

/// Why a prediction may differ from the hardware although neither is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reservation {
    /// The data cache is write-back; the predictor's is write-through.
    WriteBack,
    /// The data cache has several banks.
    CacheBanks,
    /// The bus is AXI4; the predictor's is the native one.
    Axi4,
    /// The program reads counters of events.
    Counters,
    /// An instruction faults.
    Fault,
}

impl fmt::Display for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WriteBack => "the data cache is predicted as write-through",
            Self::CacheBanks => "the data cache is predicted as a single bank",
            Self::Axi4 => "the bus is predicted as the native one",
            Self::Counters => "the program reads counters of events, whose values are not predicted",
            Self::Fault => "an instruction faults, and the prediction ends there",
        })
    }
}

/// The first issue slot that the hardware gives to another than the prediction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The cycle, from the end of reset on.
    pub cycle: u64,
    /// Who was to have the slot.
    pub predicted: Option<Slot>,
    /// Who has it.
    pub measured: Option<Slot>,
}

/// A prediction beside the run that it predicts.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Cycles in which the core is busy, as predicted.
    pub predicted_cycles: u64,
    /// The hardware's cycles.
    pub measured_cycles: u64,
    /// Issue slots compared: one a cycle, with or without an instruction, those included in which a grid is taken
    /// or, between two grids, about to be.
    pub slots: u64,
    /// Slots that differ.
    pub differing: u64,
    /// The first of them.
    pub first: Option<Difference>,
    /// Counters that differ, as modelled and as measured; none where equality is not promised.
    pub counters: Vec<(&'static str, u64, u64)>,
    /// What may explain differences; without any, equality is promised.
    pub reservations: Vec<Reservation>,
    /// Time of the prediction alone.
    pub wall: Duration,
}

impl Comparison {
    /// Whether every slot and the end agree.
    pub fn equal(&self) -> bool {
        self.differing == 0 && self.predicted_cycles == self.measured_cycles && self.counters.is_empty()
    }

    /// Whether prediction and hardware differ where they must not.
    pub fn broken(&self) -> bool {
        !self.equal() && self.reservations.is_empty()
    }

    /// Predicted clock cycles a second, in thousands.
    pub fn kilocycles_per_second(&self) -> f64 {
        let seconds = self.wall.as_secs_f64();
        if seconds == 0.0 {
            return 0.0;
        }
        self.predicted_cycles as f64 / seconds / 1000.0
    }
}

/// The counters in which a run on the model differs from that on the hardware.
fn differing_counters(modelled: &Stats, measured: &Stats) -> Vec<(&'static str, u64, u64)> {
    let counts = modelled.counts.iter().zip(&measured.counts);
    let all = COUNTERS.iter().zip(counts).filter(|(_, (model, hardware))| model != hardware);
    all.map(|(counter, (&model, &hardware))| (counter.name, model, hardware)).collect()
}

fn reservations(cfg: &CoreConfig, predictor: &Predictor) -> Vec<Reservation> {
    let causes = [
        (cfg.dcache.bytes != 0 && cfg.dcache.write_back, Reservation::WriteBack),
        (cfg.line_paths() > 1, Reservation::CacheBanks),
        (cfg.bus != BusKind::Native, Reservation::Axi4),
        (predictor.reads_counters(), Reservation::Counters),
        (matches!(predictor.stop(), Some(Stop::Fault(_))), Reservation::Fault),
    ];
    causes.into_iter().filter_map(|(holds, cause)| holds.then_some(cause)).collect()
}

impl Simulation {
    /// Predicts a program's schedule, then runs it and compares. `None` instead of the comparison if a policy of the core has
    /// no model.
    ///
    /// # Errors
    /// As [`Simulation::run_with`].
    pub fn run_predicted(
        &self,
        program: &Program,
        options: &RunOptions,
        latencies: Latencies,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(Report, Option<Comparison>), SimError> {
        let new = || predictor(self.config(), program, options, latencies);
        let (Some(mut whole), Some(beside)) = (new(), new()) else {
            return Ok((self.run_with(program, options, progress)?, None));
        };
        let mut beside = engine::Run::new(self.config(), beside, options);
        let start = Instant::now();
        whole.run(options.max_cycles);
        let predicted_cycles = whole.busy_cycles();
        let wall = start.elapsed();

        let (mut slots, mut differing, mut first) = (0, 0, None);
        let mut compare = |measured: Option<Slot>| {
            let predicted = beside.step();
            if predicted != measured {
                differing += 1;
                first.get_or_insert(Difference { cycle: slots, predicted, measured });
            }
            slots += 1;
        };
        let report = self.run_watched(program, options, Watch { progress, slots: Some(&mut compare) })?;
        let reservations = reservations(self.config(), &whole);
        let counters = match reservations.is_empty() && report.failure.is_none() {
            true => differing_counters(&beside.stats(), &report.stats),
            false => vec![],
        };
        let comparison = Comparison {
            counters,
            predicted_cycles,
            measured_cycles: report.stats.cycles,
            slots,
            differing,
            first,
            reservations,
            wall,
        };
        Ok((report, Some(comparison)))
    }
}
