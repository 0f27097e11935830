//! How wide a counter's accumulator is.
use isa::counter::{Counter, COUNTERS, ROTATION};
use spec::config::{bits_for, CoreConfig};

/// Cycles from one turn of a counter to the next, at most: a read may take each second cycle from the rotation.
pub const TURN_CYCLES: usize = 2 * ROTATION;

/// Bits of a counter's accumulator, which holds what comes in [`TURN_CYCLES`].
pub fn width(counter: &Counter, cfg: &CoreConfig) -> usize {
    bits_for(TURN_CYCLES * (counter.most)(cfg) + 1)
}

/// Bits of the widest.
pub fn widest(cfg: &CoreConfig) -> usize {
    COUNTERS.iter().map(|counter| width(counter, cfg)).max().unwrap_or(1)
}
