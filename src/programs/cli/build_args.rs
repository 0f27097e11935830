//! How well simulators are built, for the programs that build some.

use clap::Args;

use cosim::verilator::Profile;

/// Without either, for long simulations.
#[derive(Args, Debug)]
pub(super) struct BuildArgs {
    /// Build simulators faster and with assertions; they then run slower
    #[arg(long, conflicts_with = "draft", help_heading = "Simulation")]
    quick: bool,
    /// Build simulators soonest, with assertions and not optimised: for less than some 100,000 cycles
    #[arg(long, help_heading = "Simulation")]
    draft: bool,
}

impl BuildArgs {
    /// The option that says so, with a space before it, or nothing.
    pub(super) fn option(&self) -> &'static str {
        match (self.quick, self.draft) {
            (true, _) => " --quick",
            (_, true) => " --draft",
            _ => "",
        }
    }

    pub(super) fn profile(&self) -> Profile {
        match (self.quick, self.draft) {
            (true, _) => Profile::Quick,
            (_, true) => Profile::Draft,
            _ => Profile::Fast,
        }
    }
}
