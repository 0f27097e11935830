//! The reference models of the warp schedulers, one small file a policy.
//!
//! Each is written from the policy's definition alone, like its hardware counterpart in
//! `rtl`; that the two choose the same warp in every cycle is the check. A policy has two
//! halves, as hardware has: a combinational choice and what it remembers at the clock edge.
//! The registry's list declares the policies' modules.

mod ages;
mod baws;
mod constructors;
mod oracle;
mod recency;
mod sharing;
mod swas;
mod view;

pub use ages::Ages;
pub use oracle::{Events, Oracles};
pub use recency::RecencyRegister;
pub use sharing::{Sharing, SharingView, Visit, Visits, CLASSES};
pub use swas::{Entry, Queues, Unified};
pub use view::{
    BarrierEvents, CoreView, Counts, Inputs, IssuePattern, Mask, Masks, MemoryEvents, SchedulerModel, Slots,
    StageView, View, WarpPattern,
};

use spec::config::CoreConfig;
use spec::policies;
use spec::registry::{self, Stage};

macro_rules! modules {
    ($($key:literal => $module:ident::$policy:ident $facts:tt $(with $parameters:tt)?)*) => { $(pub mod $module;)* };
}
policies!(modules);

/// The model of policy `key`, or of the unified scheduler over one.
///
/// # Panics
/// If there is no such policy, which [`CoreConfig::validate`] excludes.
pub fn build(key: &str, cfg: &CoreConfig, stage: Stage) -> Box<dyn SchedulerModel> {
    match registry::find(key).and_then(|policy| policy.inside) {
        Some(inside) => Box::new(Unified::new(constructors::policy(cfg, inside), stage)),
        None => constructors::policy(cfg, key),
    }
}

#[cfg(test)]
mod tests;
