//! From a core to an FPGA with open tools: yosys synthesises, nextpnr places and routes, ecppack makes the bitstream.
//!
//! Every step is kept in the cache under a key made of all that went into it, so a repeated run is immediate and
//! another seed repeats placement alone.

mod board;
pub mod candidates;
mod error;
mod flow;
mod netlist;
mod pins;
mod published;
mod report;
mod system;
pub mod table;
mod tools;

pub use board::{Board, BOARDS};
pub use error::FlowError;
pub use flow::{pack, place, synthesise, Netlist, Routed, Target};
pub use netlist::netlist_verilog;
pub use report::{Area, Timing};
pub use system::{System, SystemError, SystemOptions, BOARD_TOP};
pub use tools::Tools;
