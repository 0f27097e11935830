//! What `mwf-lrr`, `mwf-gto` and `cff` have in common: the warp priority table of BAWS, the choice of a CTA by it, and which
//! warp of a CTA fired last.
mod group;
mod last;
mod table;

pub use group::MostWaitingCta;
pub use last::LastOfCta;
pub use table::WarpPriorityTable;
