//! What a core is: its configuration, the registry of the warp schedulers, and what these see. It imports nothing.
#![warn(missing_docs)]

pub mod config;
pub mod registry;
mod scheduler_inputs;
