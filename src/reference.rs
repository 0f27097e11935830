//! What a program does, and what a scheduler chooses, written from the definitions alone: this package cannot see the
//! hardware.
#![warn(missing_docs)]

use heddle_ground::{config, isa, policies, registry, scheduler_inputs};

pub mod model;
