//! How a program is run.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::memory::{Disturbance, MemoryKind};
use loader::Program;
use model::GridLaunch;

/// The cycles that a wave or a view of a run shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First cycle.
    pub from: u64,
    /// Last cycle.
    pub to: u64,
}

impl Window {
    pub(super) fn contains(&self, cycle: u64) -> bool {
        (self.from..=self.to).contains(&cycle)
    }
}

/// A wave file and the cycles that it shall hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wave {
    /// The FST file.
    pub path: PathBuf,
    /// Its cycles.
    pub window: Window,
}

/// What is compared with the reference model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// Everything.
    #[default]
    Lockstep,
    /// Nothing: the hardware alone, for speed and for programs that the model cannot run.
    Off,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lockstep => "lockstep",
            Self::Off => "off",
        })
    }
}

impl FromStr for Check {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "lockstep" => Ok(Self::Lockstep),
            "off" => Ok(Self::Off),
            _ => Err(format!("unknown check `{text}`; valid ones are lockstep, off")),
        }
    }
}

/// How to run a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Timing of the memory.
    pub memory: MemoryKind,
    /// Random delays and refusals of the memory.
    pub disturbance: Disturbance,
    /// Chooses all that is random in a run.
    pub seed: u64,
    /// Cycles after which an unfinished program is given up.
    pub max_cycles: u64,
    /// What is checked.
    pub check: Check,
    /// Start registers and memories of the core from random values; the core must have been built
    /// with [`BuildOptions::random_reset`](super::verilator::BuildOptions::random_reset).
    pub random_reset: bool,
    /// Where to start, if not at the program's own entry.
    pub start_pc: Option<u32>,
    /// The word that the program finds in `mscratch`.
    pub start_arg: u32,
    /// Grids to run one after another, in place of the bare start at `start_pc` with `start_arg`. Requires: a core with
    /// a dispatcher, which can run each of them ([`GridLaunch::check`]).
    pub launches: Vec<GridLaunch>,
    /// Which performance counters the program's CSRs show: a class of [`isa::counter`](isa::counter).
    pub mpm_class: u8,
    /// Record waves; the core must have been built with [`BuildOptions::trace`](super::verilator::BuildOptions::trace).
    pub wave: Option<Wave>,
    /// Record what each warp does in these cycles, for `views`.
    pub record: Option<Window>,
    /// Tell how long warps wait for their turn or for a unit.
    pub waits: bool,
}

impl RunOptions {
    /// Where a program starts, unless grids are launched.
    pub(super) fn start_pc_of(&self, program: &Program) -> u32 {
        self.start_pc.unwrap_or(program.entry)
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            memory: MemoryKind::Ideal,
            disturbance: Disturbance::default(),
            seed: 1,
            max_cycles: 100_000_000,
            check: Check::Lockstep,
            random_reset: false,
            start_pc: None,
            start_arg: 0,
            launches: vec![],
            mpm_class: 0,
            wave: None,
            record: None,
            waits: false,
        }
    }
}
