//! Types for what chooses one of several: as wide as the largest needs it, declared with the width that is built.
use rust_hdl::prelude::Bits;

/// The most that a [`Mask`] can have bits for.
pub const MAX_MASK: usize = 64;
/// Bits of an [`Index`].
pub const INDEX_BITS: usize = MAX_MASK.ilog2() as usize;

/// A bit for each.
pub type Mask = Bits<MAX_MASK>;
/// The number of one.
pub type Index = Bits<INDEX_BITS>;
