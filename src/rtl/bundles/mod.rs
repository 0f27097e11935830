//! What travels between the units, declared once: [`bundle`](super::bundle) says how.
mod execute;
mod fault;

pub use execute::{Branch, MaskChange, MemInstruction, SfuInstruction, SpInstruction, UnitResult, Writeback};
pub use fault::Fault;
