//! What the units of a core need, in cycles.

use spec::config::CoreConfig;

/// Cycles from the collector to the result, where it waits for the register file's write port.
///
/// An instruction is in its collector two cycles after it has issued, if nothing is in its way, and what needs its result
/// can issue the cycle after it has been written: an addition takes 2 + 1 + 1 cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// DIV, DIVU, REM, REMU besides the steps of the division; one at a time.
    pub divide: u32,
    /// Bits of the dividend in a step of a division, which takes a cycle.
    pub divide_bits: u32,
    /// Every division has as many steps as one of 32 bits.
    pub divide_fixed: bool,
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
    /// Those of the `small` preset.
    fn default() -> Self {
        Self::of(&CoreConfig::default())
    }
}

impl Latencies {
    /// Those of a core with this configuration.
    pub fn of(cfg: &CoreConfig) -> Self {
        Self {
            divide: 1,
            divide_bits: cfg.div_bits as u32,
            divide_fixed: cfg.div_fixed,
            float: 4,
            convert: 4,
            float_divide: 18,
            turns: (cfg.threads / cfg.slow_lanes()) as u32,
        }
    }

    /// Cycles of a division of these numbers, those of the active lanes (ARCHITECTURE.md, "The pipeline").
    pub fn division(&self, is_signed: bool, dividends: impl Iterator<Item = u32>) -> u32 {
        let bits = |dividend: u32| match is_signed && dividend >> 31 != 0 {
            true => 33 - dividend.leading_ones(),
            false => 32 - dividend.leading_zeros(),
        };
        let longest = if self.divide_fixed { 32 } else { dividends.map(bits).max().unwrap_or(0) };
        self.divide + longest.div_ceil(self.divide_bits)
    }
}
