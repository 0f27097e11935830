//! What the units of a core need, in cycles.

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
}

impl Default for Latencies {
    /// Those of the generated cores.
    fn default() -> Self {
        Self { multiply: 2, divide: 33, float: 4, convert: 5, float_divide: 18 }
    }
}
