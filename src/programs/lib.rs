//! The programs: command line, FPGA flow, reports, and views of a run.
#![warn(missing_docs)]

pub mod cli;
pub mod fpga;
pub mod report;
pub mod views;
