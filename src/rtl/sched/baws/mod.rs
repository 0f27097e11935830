//! What `mwf-lrr`, `mwf-gto` and those that fetch in their order have in common: the warp priority table of BAWS, the choice of
//! a CTA by it and of a warp in it, which warp of a CTA fired last, and for whom fetching is critical.
mod critical;
mod greedy;
mod group;
mod last;
mod table;
mod turns;

use crate::prelude::*;
use crate::sched::CtaTables;

pub use critical::CriticalWarps;
pub use greedy::GreedyInCta;
pub use group::MostWaitingCta;
pub use last::LastOfCta;
pub use table::WarpPriorityTable;
pub use turns::TurnsInCta;

bundle! {
    /// What orders the CTAs: which there are, who of them waits, and how old they are. As in the schedulers' inputs.
    pub struct CtaState(cfg: &CoreConfig) {
        forward {
            /// Bit `j` of element `i`: warp `j` is older than warp `i`.
            older: [WarpMask; cfg.warps] = cfg.warps,
            /// What is kept of CTAs.
            tables: bundle CtaTables(cfg),
        }
    }
}
