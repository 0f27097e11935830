//! Heddle generates a synthesizable RISC-V SIMT core whose warp schedulers are real, verified hardware.
#![warn(missing_docs)]

pub mod cli;
pub mod config;
pub mod cosim;
pub mod files;
pub mod fpga;
pub mod isa;
pub mod kernels;
pub mod model;
pub mod registry;
pub mod report;
pub mod rtl;
mod scheduler_inputs;
pub mod verilog;
pub mod views;
