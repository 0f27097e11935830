//! The kernels of published evaluations, as grids: inputs, results computed on the host, and launches, by what limits
//! them (`sim/kernels/<family>/`).

pub(super) mod barrier;
pub(super) mod compute;
pub(super) mod memory;
pub(super) mod sparse;
pub(super) mod vortex3;

use super::launch::{quarter, Launch};
use spec::config::CoreConfig;

/// A thread for each of `n`, in blocks of a quarter of the core.
fn each(entry: &'static str, n: u32, cfg: &CoreConfig) -> Launch {
    let block = quarter(cfg);
    Launch::row(entry, n.div_ceil(block), block)
}
