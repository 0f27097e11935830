//! How hardware is written here, in rust-hdl, and how it becomes Verilog. Nothing in it knows what the hardware is.
//!
//! [`module!`] declares a module as one list of fields, [`bundle!`] what travels together; [`cell`] has registers, memories
//! and arbiters, and [`verilog`] is the back end.
#![warn(missing_docs)]

pub mod bundle;
pub mod cell;
pub mod heading;
pub mod module;
pub mod prelude;
pub mod verilog;
pub mod widths;
