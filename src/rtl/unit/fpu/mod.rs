//! The floating-point units, binary32 of IEEE 754-2019 as RISC-V's F extension (2.2) uses it.
//!
//! [`FpuPipeline`] takes an instruction a cycle and needs four: [`unpack`], [`special`], [`simple`], [`exponents`]
//! and [`significand`] in the first, [`align`], [`normalise`] and [`round`] in one each. Everything additive or
//! multiplicative is one fused multiply-add there (`a + b` is `a * 1 + b`, `a * b` is `a * b + 0`).
//! [`FpuSlow`] takes one instruction at a time: conversions, division and square root, which share a normaliser, a
//! right shifter and the rounding. Both have one lane for each thread. [`FloatUnit`] is the two of them as an issue
//! slice has them.
pub mod align;
pub mod exponents;
pub mod lane;
pub mod normalise;
pub mod order;
mod pipeline;
pub mod prepare;
pub mod recurrence;
pub mod round;
pub mod shift;
pub mod significand;
pub mod simple;
mod slow;
pub mod slow_lane;
pub mod slow_special;
pub mod special;
pub mod to_integer;
mod unit;
pub mod unpack;

pub use pipeline::FpuPipeline;
pub use slow::FpuSlow;
pub use unit::FloatUnit;
