//! The floating-point units' Verilog against software floating point.
mod verilog;
