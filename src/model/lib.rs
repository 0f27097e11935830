//! The reference models: what a program does ([`Machine`]), what schedulers choose ([`sched`]), and when everything happens
//! ([`timing`]).
//!
//! [`Machine`] executes one instruction of one warp at a time, in whatever order its caller chooses;
//! the co-simulation follows the hardware's orders of issue and of memory with [`Machine::issue_to`] and
//! [`Machine::perform`], stand-alone runs use [`Machine::run`]. The semantics of each instruction are in `exec`, written from the instruction
//! set's definition and never from the hardware, so that the two check each other. [`sched`] holds the
//! warp schedulers' reference policies, likewise.
#![warn(missing_docs)]

pub mod collectors;
mod decoded;
mod dispatch;
mod exec;
mod fault;
mod grid;
mod machine;
pub mod memory;
mod per_warp;
mod retire;
mod run;
pub mod sched;
pub mod softfloat;
mod stale;
mod step;
pub mod timing;
mod warp;

pub use dispatch::{Dispatch, Started};
pub use exec::shuffle_source;
pub use fault::{Cause, Fault, Origin};
pub use grid::{GridLaunch, LaunchError, Placement, Residents, StartingWarps};
pub use machine::Machine;
pub use memory::Memory;
pub use per_warp::{members, PerWarp};
pub use retire::{MemoryAccess, Retire};
pub use run::{Blocked, Outcome};
pub use stale::StoredCode;
pub use warp::{Lanes, Wait, Warp};
