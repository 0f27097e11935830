//! The warp schedulers: one file a policy, all behind the same ports.
//!
//! [`shell`] declares the ports and the macro that makes a policy's module; a stage holds a [`SchedulerSocket`], which
//! [`build`] fills with the configured policy from the registry.
pub mod fixed;
pub mod gtlo;
pub mod gtlrr;
pub mod icount;
pub mod lo;
pub mod lrr;
pub mod oracle;
pub mod shell;
mod socket;
pub mod srr;
pub mod swas;

pub use shell::{Policy, PolicyConstructor, Port, SchedulerPorts};
pub use socket::SchedulerSocket;

use crate::config::CoreConfig;
use crate::registry::{self, Stage};

/// The scheduler that `cfg` names for `stage`.
///
/// # Panics
/// If the policy is not registered, which [`CoreConfig::validate`] excludes.
pub fn build(cfg: &CoreConfig, stage: Stage) -> SchedulerSocket {
    match stage {
        // The unified scheduler is at the issue stage, and fetch does as it says.
        Stage::Fetch if cfg.unified().is_some() => {
            SchedulerSocket::new(SchedulerPorts::new(cfg), Box::new(swas::SameWarp::new(cfg)))
        }
        Stage::Fetch => policy(cfg, &cfg.fetch),
        Stage::Issue => policy(cfg, &cfg.issue),
    }
}

/// The scheduler of that key.
fn policy(cfg: &CoreConfig, key: &str) -> SchedulerSocket {
    let policy = registry::find(key).expect("a validated configuration names registered policies");
    SchedulerSocket::new(SchedulerPorts::new(cfg), (policy.rtl)(cfg))
}
