//! Builds and drives the Verilated core, in lock step with the models.
#![warn(missing_docs)]

use heddle_ground::{children, config, files, isa, registry, scheduler_inputs, tools};
use heddle_hardware::{rtl, verilog};
use heddle_reference::model;

pub mod cosim;
