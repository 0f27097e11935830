//! The warp schedulers: one file a policy, all behind the same ports.
//!
//! [`view`] has the ports, [`shell`] the macro that makes a policy's module; a stage holds a [`SchedulerSocket`], which
//! [`build`] fills with the configured policy. The registry's list declares the policies' modules.
pub mod adapt;
mod baws;
mod constructors;
pub mod oracle;
pub mod recency;
pub mod shell;
mod socket;
pub mod swas;
mod tables;
pub mod view;

pub use shell::Policy;
pub use socket::{SchedulerPorts, SchedulerSocket};
pub use tables::{CtaTables, CtaTracker};
pub use view::{BarrierEvents, CoreView, Grant, MemoryEvents, StageView};

use crate::prelude::*;
use constructors::policy;
use spec::policies;
use spec::registry::Stage;

macro_rules! modules {
    ($($key:literal => $module:ident::$policy:ident $facts:tt $(with $parameters:tt)?)*) => { $(pub mod $module;)* };
}
policies!(modules);

/// The scheduler that `cfg` names for `stage`.
///
/// # Panics
/// If the policy is not registered, which [`CoreConfig::validate`] excludes.
pub fn build(cfg: &CoreConfig, stage: Stage) -> SchedulerSocket {
    let unified = |half| SchedulerSocket::new(cfg, half);
    match (stage, cfg.unified()) {
        // The unified scheduler is at the issue stage, and fetch does as it says.
        (Stage::Fetch, Some(_)) => unified(Box::new(swas::SameWarp::new(cfg))),
        (Stage::Issue, Some(_)) => unified(Box::new(swas::UnifiedScheduler::new(cfg))),
        (Stage::Fetch, None) => policy(cfg, &cfg.fetch),
        (Stage::Issue, None) => policy(cfg, &cfg.issue),
    }
}
