//! What surrounds the core on an FPGA board: memory, console, power-on reset, clock. [`BoardTop`] wires it.
//!
//! The modules know one board family, Lattice's ECP5, in two leaves only: the PLL, and the power-on reset, which relies
//! on registers that start at a given value.
mod blinker;
mod loaded_ram;
mod memory;
mod pll;
mod report;
mod reset;
mod top;
mod uart;

pub use blinker::Blinker;
pub use loaded_ram::LoadedRam;
pub use memory::{BoardMemory, BOARD_STACK_BYTES};
pub use pll::{Pll, PllSettings, OSCILLATOR_MHZ};
pub use report::ExitReport;
pub use reset::PowerOnReset;
pub use top::{BoardParameters, BoardTop};
pub use uart::UartTransmitter;
