//! Small documented parts that designs are built from: registers, memories, arbiters, a multiplier, run-time widths.
//!
//! A cell whose counts or widths are run-time values declares the *maximum* in its Rust type and carries the
//! configured width as a mark on the signal ([`signal`]); the Verilog back end declares the configured width.
mod arbiter;
mod free_number;
mod mask;
mod multiplier;
mod onehot;
mod ram;
mod reg;
mod width;

pub use arbiter::{PriorityArbiter, RoundRobinArbiter};
pub use free_number::FreeNumber;
pub use mask::{Index, Mask, INDEX_BITS, MAX_MASK};
pub use multiplier::Multiplier;
pub use onehot::{IndexOneHot, OneHotIndex};
pub use ram::{LineRam, LutRam, SyncRam, SyncRamBe};
pub use reg::{pipes, regs, Pipe, Reg};
pub(crate) use reg::{REGISTER, RESET_VALUE};
pub use width::WIDTH_MARK;
pub use width::{constant, signal, signal_of, signals, Const};
