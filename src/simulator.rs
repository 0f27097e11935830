//! Builds and drives the Verilated core, in lock step with the models.
#![warn(missing_docs)]

use heddle_ground::{config, files, isa, registry, scheduler_inputs};
use heddle_hardware::{rtl, verilog};
use heddle_reference::model;

pub mod cosim;
