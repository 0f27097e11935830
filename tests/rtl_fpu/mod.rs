//! The floating-point units' Verilog against software floating point.
mod arithmetic;
mod bench;
mod operands;
mod reference;
mod reference_checks;
mod verilog;
