//! Co-simulation: the generated Verilog runs under Verilator and every instruction is checked.
//!
//! [`verilator`] turns Verilog text into a loaded, drivable model; [`Program`] reads what is to run
//! on it; [`memory`] is what its bus is connected to.

pub mod memory;
mod program;
mod rng;
pub mod verilator;

pub use program::{Program, ProgramError, Segment};
pub use rng::Rng;
