//! Co-simulation: the generated Verilog runs under Verilator and every instruction is checked.
//!
//! A [`Simulation`] is a core built once for a configuration; [`Simulation::run`] runs a [`Program`]
//! on it and gives a [`Report`]. While the hardware runs,
//! - the reference model executes each instruction in the order of issue, and performs loads and stores in the order
//!   in which the load-store unit takes them; what issues, what is written to registers and what is stored must agree,
//!   as must the memories at the end;
//! - the reference model of each warp scheduler must choose the hardware's warp in every cycle;
//! - the bus protocol is checked, and a watchdog notices that nothing moves any more.
//!
//! [`verilator`] turns Verilog text into a loaded, drivable model; [`memory`] is what the core's bus
//! is connected to.
//!
//! Architecture invariant: the reference model never reads the hardware. All that passes from the
//! trace port into the model is the order of issue, the order in which loads and stores act, and the value of
//! timing-dependent CSRs.

mod board;
mod core;
mod counters;
mod failure;
mod history;
mod link;
mod lockstep;
pub mod memory;
mod oracle;
mod order;
mod policy;
mod ports;
mod prediction;
mod program;
mod rng;
mod run;
mod side_by_side;
mod simulation;
mod stats;
mod traffic;
mod uart;
mod unchecked;
mod unified;
mod unknown;
pub mod verilator;
mod watchdog;

pub use board::{simulate_board, BoardRun};
pub use core::{CoreFault, Wave};
pub use failure::{At, Failure, FailureKind, Mismatch, Stuck};
pub use prediction::{predictor, Comparison, Difference, Reservation};
pub use program::{Program, ProgramError, Segment};
pub use rng::Rng;
pub use side_by_side::SideBySide;
pub use simulation::{Check, Report, RunOptions, SimError, Simulation};
pub use stats::{CacheStats, Departures, Parallel, Slots, Stats};
pub use uart::UartReceiver;
