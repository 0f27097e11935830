//! How well simulators are built, for the programs that build some.

use clap::Args;

use super::engine::EngineKind;
use super::UsageError;
use cosim::verilator::{BuildOptions, Profile};

/// Without any, for long simulations.
#[derive(Args, Debug)]
pub(super) struct BuildArgs {
    /// Build simulators faster and with assertions; they then run slower
    #[arg(long, conflicts_with = "draft", help_heading = "Simulation")]
    quick: bool,
    /// Build simulators soonest, with assertions and not optimised: for less than some 100,000 cycles
    #[arg(long, help_heading = "Simulation")]
    draft: bool,
    /// Let the C++ compiler be guided by a profile of a short run: simulators take longer to build and run faster; needs clang
    #[arg(long, help_heading = "Simulation")]
    pgo: bool,
}

impl BuildArgs {
    /// The options that say so, with a space before each.
    pub(super) fn given(&self) -> String {
        let given = [("quick", self.quick), ("draft", self.draft), ("pgo", self.pgo)];
        given.into_iter().filter(|(_, given)| *given).map(|(name, _)| format!(" --{name}")).collect()
    }

    /// # Errors
    /// One is given, and the engine builds no simulator.
    pub(super) fn check(&self, engine: EngineKind) -> Result<(), UsageError> {
        match (engine, self.given().trim()) {
            (EngineKind::Rtl | EngineKind::Both, _) | (_, "") => Ok(()),
            (EngineKind::Model, given) => Err(UsageError(format!(
                "{given} has no effect with --engine model, which builds no simulator: leave it out"
            ))),
        }
    }

    /// How simulators are built.
    pub(super) fn options(&self) -> BuildOptions {
        let profile = match (self.quick, self.draft) {
            (true, _) => Profile::Quick,
            (_, true) => Profile::Draft,
            _ => Profile::Fast,
        };
        BuildOptions { guided: self.pgo, ..BuildOptions::new(profile) }
    }
}
