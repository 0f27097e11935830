//! Co-simulation: the generated Verilog runs under Verilator and every instruction is checked.
//!
//! A [`Simulation`] is a core built once for a configuration; [`Simulation::run`] runs a [`Program`](loader::Program)
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
//! Architecture invariant: a file imports from its own group below and from those before it, and never in a circle: what a
//! run is made of, what can go wrong, the loop over cycles, and what is made with whole simulations.
//!
//! Architecture invariant: the reference model never reads the hardware. All that passes from the
//! trace port into the model is the order of issue, the order in which loads and stores act, the value of
//! timing-dependent CSRs, and with random reset what depends on values that nobody has written.
#![warn(missing_docs)]

// What a run is made of.
mod bench;
mod core;
mod declared;
mod elements;
mod link;
pub mod memory;
mod options;
mod ports;
mod rng;
mod scheduler_views;
mod trace;
pub mod verilator;

// What is counted, and what can go wrong: the checks of every cycle, each with what it compares.
mod collect;
mod core_counters;
mod counters;
mod dispatcher;
mod effects;
mod expected_faults;
mod failure;
mod grids;
mod history;
mod lockstep;
mod observers;
mod occupancy;
mod oracle;
mod order;
mod pending;
mod phases;
mod policy;
mod record;
mod recorder;
mod recording;
mod report;
mod sharing;
mod stats;
mod traffic;
mod unchecked;
mod under_way;
mod unified;
mod unknown;
mod waits;
mod watchdog;

// The loop over cycles, and the library's entrance to it.
mod run;
mod simulation;
mod training;

// What is made with whole simulations.
mod board;
mod comparison;
mod engine;
mod side_by_side;
mod timing_model;
mod uart;

pub use board::{simulate_board, BoardRun};
pub use comparison::{Comparison, Difference, Slot};
pub use core::CoreFault;
pub use engine::Engine;
pub use failure::{At, Failure, FailureKind, Mismatch, Starvation, Starved, Stuck};
pub use grids::GridTimes;
pub use options::{Check, RunOptions, Wave, Window};
pub use phases::{Barriers, Interval};
pub use policy::{PatternSeen, PhaseChange};
pub use recording::{Instruction, Phase, Quantity, Recording, Span, Stall};
pub use report::Report;
pub use rng::Rng;
pub use side_by_side::SideBySide;
pub use simulation::{SimError, Simulation};
pub use stats::{CacheStats, CollectorStats, Departures, Parallel, SharedIssues, Slots, Stats};
pub use timing_model::timing_model;
pub use uart::UartReceiver;
pub use waits::Wait;
