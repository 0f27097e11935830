//! What the units of a core need, in cycles.

use crate::config::CoreConfig;

/// Cycles from the operand collector to the result, where it waits for the register file's write port.
///
/// An instruction is in its collector two cycles after it has issued, if nothing is in its way, and what needs its result
/// can issue the cycle after it has been written: an addition takes 2 + 1 + 1 cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// MUL, MULH, MULHSU, MULHU; pipelined.
    pub multiply: usize,
    /// DIV, DIVU, REM, REMU; one at a time.
    pub divide: u32,
    /// The floating-point pipeline.
    pub float: usize,
    /// Conversion between integer and floating point; one at a time, shared with the following.
    pub convert: u32,
    /// FDIV and FSQRT.
    pub float_divide: u32,
    /// Turns that the lanes of a warp take at the unit for these and for conversions, each as long as the above. The
    /// instruction stays in its collector until the last turn begins.
    pub turns: u32,
}

impl Default for Latencies {
    /// Those of a core in which each lane has a slow floating-point unit of its own.
    fn default() -> Self {
        Self { multiply: 2, divide: 33, float: 4, convert: 4, float_divide: 18, turns: 1 }
    }
}

impl Latencies {
    /// Those of a core with this configuration.
    pub fn of(cfg: &CoreConfig) -> Self {
        Self { turns: (cfg.threads / cfg.slow_lanes()) as u32, ..Self::default() }
    }
}
