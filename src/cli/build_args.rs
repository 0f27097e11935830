//! How well simulators are built, for the programs that build some.

use clap::Args;

use crate::cosim::verilator::Profile;

#[derive(Args, Debug)]
pub(super) struct BuildArgs {
    /// Build simulators in a fraction of the time and with assertions: for less than some million cycles
    #[arg(long, help_heading = "Simulation")]
    quick: bool,
}

impl BuildArgs {
    /// The option that says so, with a space before it, or nothing.
    pub(super) fn option(&self) -> &'static str {
        if self.quick {
            " --quick"
        } else {
            ""
        }
    }

    pub(super) fn profile(&self) -> Profile {
        if self.quick {
            Profile::Quick
        } else {
            Profile::Fast
        }
    }
}
