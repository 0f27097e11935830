//! Warp sharing between issue slices (KAWS 3): a warp issues through another slice whose collector is free.
//!
//! [`WarpSharing`] is beside the slices, in cores of several that share: the control unit of the paper, the order of what a
//! warp has in two slices, a read port more for every register file, and the way home for results.
mod control;
mod order;
mod registers;
mod result_split;
mod results;
mod unit;

pub use control::WarpSharingControl;
pub use order::ClassOrder;
pub use registers::GuestRegisters;
pub use result_split::ResultSplit;
pub use results::ResultReturn;
pub use unit::WarpSharing;
