//! Co-simulation: the generated Verilog runs under Verilator and every instruction is checked.
//!
//! [`verilator`] turns Verilog text into a loaded, drivable model.

pub mod verilator;
