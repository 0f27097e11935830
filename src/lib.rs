//! Heddle generates a synthesizable RISC-V SIMT core whose warp schedulers are real, verified hardware.
#![warn(missing_docs)]

pub use heddle_ground::*;
pub use heddle_hardware::*;
pub use heddle_reference::*;
pub use heddle_simulator::*;

pub mod cli;
pub mod fpga;
pub mod kernels;
pub mod report;
pub mod views;
