//! Where programs run: on the hardware in Verilator, on the timing model, or on both.

use anyhow::Context;
use clap::ValueEnum;

use super::{complain, UsageError};
use cosim::verilator::BuildOptions;
use cosim::{Comparison, Engine, Report, RunOptions, SimError, Simulation, Stats};
use loader::Program;
use model::timing::Latencies;
use spec::config::CoreConfig;

/// What `--engine` takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineKind {
    /// The generated Verilog, in lock step with the functional model
    #[default]
    Rtl,
    /// The timing model alone: many times faster, and needs no Verilator
    Model,
    /// Both, every issue slot and every counter compared
    Both,
}

impl EngineKind {
    /// As it is asked for.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rtl => "rtl",
            Self::Model => "model",
            Self::Both => "both",
        }
    }

    /// # Errors
    /// The run asks for something that the model lacks.
    pub(super) fn check(self, options: &RunOptions) -> Result<(), UsageError> {
        match self {
            Self::Model => Engine::check(options).map_err(UsageError::from_error),
            Self::Rtl | Self::Both => Ok(()),
        }
    }
}

/// A core on which programs run.
pub(super) enum Runner {
    Rtl(Box<Simulation>),
    Model(Box<Engine>),
    Both(Box<Simulation>),
}

impl Runner {
    /// # Errors
    /// The simulator cannot be built, or the model does not know the core.
    pub(super) fn new(kind: EngineKind, cfg: &CoreConfig, build: &BuildOptions) -> anyhow::Result<Self> {
        let simulation = || -> anyhow::Result<_> {
            let simulation = Simulation::new(cfg, build).context("cannot build the simulator")?;
            if simulation.found_damaged {
                complain("note: the cached simulator was damaged and has been built again\n");
            }
            Ok(Box::new(simulation))
        };
        Ok(match kind {
            EngineKind::Rtl => Self::Rtl(simulation()?),
            EngineKind::Model => Self::Model(Box::new(Engine::new(cfg))),
            EngineKind::Both => Self::Both(simulation()?),
        })
    }

    /// Runs a program; gives the comparison if both engines ran.
    ///
    /// # Errors
    /// What [`Simulation::run_with`] and [`Engine::run`] say.
    pub(super) fn run(
        &self,
        program: &Program,
        options: &RunOptions,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<(Report, Option<Comparison>), SimError> {
        match self {
            Self::Rtl(simulation) => Ok((simulation.run_with(program, options, progress)?, None)),
            Self::Model(engine) => Ok((engine.run(program, options, progress)?, None)),
            Self::Both(simulation) => {
                let latencies = Latencies::of(simulation.config());
                let (report, comparison) = simulation.run_predicted(program, options, latencies, progress)?;
                Ok((report, Some(comparison)))
            }
        }
    }
}
