//! (described with its first content)
pub mod cell;
pub mod sched;
