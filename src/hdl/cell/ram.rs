//! Memories with one read and one write port and a run-time width and depth.
//!
//! No memory has a reset or an initial value. An address at or beyond `depth` reads 0 in the Rust model and an
//! unknown value in Verilog; a write there is lost. The address ports are declared `clog2(depth)` bits wide.
mod bytes;
mod line;
mod lut;
mod sync;

use crate::prelude::*;

pub use bytes::SyncRamBe;
pub use line::LineRam;
pub use lut::LutRam;
pub use sync::SyncRam;

/// Widest address port: memories have at most 65,536 words.
const ADDRESS: usize = 16;

fn address<D: Direction>(depth: usize) -> Signal<D, Bits<ADDRESS>> {
    signal(clog2(depth.max(2)))
}

/// The word at an address; 0 beyond the last.
fn word<const N: usize>(words: &[Bits<N>], address: Bits<ADDRESS>) -> Bits<N> {
    words.get(address.index()).copied().unwrap_or_default()
}

/// The bits of `value` that a word of `width` bits keeps.
fn cut<const N: usize>(value: Bits<N>, width: usize) -> Bits<N> {
    value & (Bits::<N>::mask() >> (N - width.clamp(1, N)) as u64)
}
