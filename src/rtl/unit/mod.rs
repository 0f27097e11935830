//! Execution units.
pub mod alu;
pub mod divider;
pub mod lsu;
pub mod multiplier;
