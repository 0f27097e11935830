//! What is told of a run.

use std::time::Duration;

use model::Memory;

use super::failure::Failure;
use super::grids::GridTimes;
use super::phases::Barriers;
use super::policy::{PatternSeen, PhaseChange};
use super::recording::Recording;
use super::stats::Stats;
use super::waits::Wait;

/// A run that came to an end: passed, or failed with its reason.
#[derive(Clone, Debug)]
pub struct Report {
    /// The program's name.
    pub program: String,
    /// `None`: it finished, and every check agreed.
    pub failure: Option<Box<Failure>>,
    /// Counters.
    pub stats: Stats,
    /// How warps waited for each other at barriers.
    pub barriers: Barriers,
    /// The longest wait of each warp slot that was active for its turn, or for a unit, if it was to be told.
    pub waits: Vec<Wait>,
    /// When the blocks of each grid ran, in the order of the grids; empty after a bare start.
    pub grids: Vec<GridTimes>,
    /// What adaptive issue schedulers did when, by their models; empty without the lock-step check.
    pub policy_phases: Vec<PhaseChange>,
    /// What those schedulers decided by.
    pub patterns: Vec<PatternSeen>,
    /// What was recorded, if something was to be.
    pub recording: Option<Recording>,
    /// The memory that the hardware left behind, with console and exit code.
    pub memory: Memory,
    /// Time of simulation, without build and load.
    pub wall: Duration,
}

impl Report {
    /// The exit code that the program wrote, if it wrote one.
    pub fn exit_code(&self) -> Option<u32> {
        self.memory.exit_code()
    }

    /// What the program printed.
    pub fn console(&self) -> &str {
        self.memory.console().text()
    }

    /// Whether the run finished, agreed with the model, and the program itself did not report an error. One without
    /// an exit code reports none: it is up to the caller to ask for it, as the programs of the command line do.
    pub fn passed(&self) -> bool {
        self.failure.is_none() && self.exit_code().unwrap_or(0) == 0
    }

    /// Simulated clock cycles a second, in thousands.
    pub fn kilocycles_per_second(&self) -> f64 {
        let seconds = self.wall.as_secs_f64();
        if seconds == 0.0 {
            return 0.0;
        }
        self.stats.cycles as f64 / seconds / 1000.0
    }
}
