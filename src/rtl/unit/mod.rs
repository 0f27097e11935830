//! Execution units.
pub mod alu;
pub mod divider;
pub mod multiplier;
