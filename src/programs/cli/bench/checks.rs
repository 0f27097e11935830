//! What must hold of the core before an experiment begins.

use crate::cli::{ConfigArgs, UsageError};
use cosim::SimError;
use spec::config::CoreConfig;

/// # Errors
/// Schedulers are given where an experiment has its own.
pub(super) fn check_no_schedulers(core: &ConfigArgs) -> Result<(), UsageError> {
    match core.gives(&["--sched", "--fetch", "--issue"]) {
        true => Err(UsageError(
            "the experiment chooses the schedulers: leave --sched, --fetch, --issue out".into(),
        )),
        false => Ok(()),
    }
}

/// # Errors
/// The core has no trace port, without which nothing can be checked.
pub(super) fn check_traced(cfg: &CoreConfig) -> Result<(), UsageError> {
    match cfg.trace_port {
        true => Ok(()),
        false => Err(UsageError(SimError::NoTracePort.to_string())),
    }
}

/// # Errors
/// The core, which has `what` built in, breaks rules.
pub(super) fn check_possible(cfg: &CoreConfig, what: &str) -> Result<(), UsageError> {
    cfg.validate().map_err(|rules| {
        let rules: Vec<_> = rules.iter().map(ToString::to_string).collect();
        UsageError(format!("{what} cannot be built into this core: {}", rules.join("; ")))
    })
}
