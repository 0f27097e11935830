//! The core in rust-hdl, and the back end that prints it as Verilog. This package cannot see the models.
#![warn(missing_docs)]

use heddle_ground::{config, files, isa, policies, registry, scheduler_inputs};

// Compiled below this package, and so not in it.
use heddle_widths as _;

pub mod rtl;
pub mod verilog;
