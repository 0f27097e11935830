//! (described with its first content)
pub mod cell;
pub mod op;
pub mod sched;
pub mod stage;
