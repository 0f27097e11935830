//! What everything else asks, and what itself asks nothing: no hardware, no model.
#![warn(missing_docs)]

pub mod children;
pub mod config;
pub mod files;
pub mod isa;
pub mod registry;
mod scheduler_inputs;
pub mod tools;
