//! (described with its first content)
pub mod cell;
pub mod mem;
pub mod op;
pub mod sched;
pub mod stage;
pub mod unit;
