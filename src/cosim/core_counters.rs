//! The core's own performance counters, as they are at the end of a run.

use isa::counter::{COUNTERS, ROTATION};

use super::core::Core;
use super::ports::TracePorts;
use super::verilator;

/// What the core has counted itself.
pub(super) type Totals = [u64; COUNTERS.len()];

/// Lets a core that has come to rest go on until it has shown all its totals, which it does one a cycle.
pub(super) fn drain(core: &mut Core, trace: &TracePorts) -> verilator::Result<Option<Totals>> {
    let Some(ports) = trace.counter else { return Ok(None) };
    let mut totals = [0; COUNTERS.len()];
    // The last cycle's events reach the counters one cycle later, and the sums yet another.
    for cycle in 0..ROTATION + 2 {
        if let (2.., Some(total)) = (cycle, totals.get_mut(core.model.read(ports.number) as usize)) {
            *total = core.model.read(ports.total);
        }
        // Nothing is left for the bus to refuse.
        let _ = core.clock()?;
    }
    Ok(Some(totals))
}
