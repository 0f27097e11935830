//! Small documented parts that the stages are built from: registers, memories, a multiplier, run-time widths.
//!
//! A cell whose counts or widths are run-time values declares the *maximum* in its Rust type and carries the
//! configured width as a mark on the signal ([`signal`]); the Verilog back end declares the configured width.
mod age_matrix;
mod arbiter;
mod cta_members;
mod fewest;
mod free_number;
mod multiplier;
mod oldest;
mod onehot;
mod ram;
mod reg;
mod turn;
mod width;
mod youngest;

pub use age_matrix::AgeMatrix;
pub use arbiter::{PriorityArbiter, RoundRobinArbiter};
pub use cta_members::CtaMembers;
pub use fewest::FewestOf;
pub use free_number::FreeNumber;
pub use multiplier::Multiplier;
pub use oldest::OldestWarp;
pub use onehot::{IndexOneHot, OneHotIndex};
pub use ram::{LineRam, LutRam, SyncRam, SyncRamBe};
pub use reg::{pipes, regs, Pipe, Reg};
pub(crate) use reg::{REGISTER, RESET_VALUE};
pub use turn::NextInTurn;
pub use width::WIDTH_MARK;
pub use width::{constant, signal, signal_of, signals, Const};
pub use youngest::YoungestWarp;
