//! Types of what there is one of for each warp, as wide as they are in the largest core.
//!
//! A signal of them is declared with the width of its core, by `cfg.warps`, [`wid_bits`](spec::config::CoreConfig::wid_bits)
//! or [`warp_count_bits`](spec::config::CoreConfig::warp_count_bits). There are no more CTA slots, and no more requesters at
//! an arbiter, than warps, so masks and numbers of these are of the same types; of CTA slots they are declared with the widths
//! [`ctas`](spec::config::CoreConfig::ctas) and [`cta_bits`](spec::config::CoreConfig::cta_bits).
use hdl::cell::{constant, Const};
use rust_hdl::prelude::Bits;
use spec::config::{CoreConfig, MAX_WARPS};

/// Bits of a [`WarpId`].
pub const WID_BITS: usize = MAX_WARPS.ilog2() as usize;
/// Bits of a [`WarpCount`].
pub const WARP_COUNT_BITS: usize = WID_BITS + 1;

/// A bit for each warp.
pub type WarpMask = Bits<MAX_WARPS>;
/// The number of a warp.
pub type WarpId = Bits<WID_BITS>;
/// How many warps: none to all.
pub type WarpCount = Bits<WARP_COUNT_BITS>;

/// The CTA slot of each warp while there is no grid.
pub fn bare_ctas(cfg: &CoreConfig) -> Vec<Const<WarpId>> {
    (0..cfg.warps).map(|warp| constant(cfg.cta_bits(), cfg.bare_cta(warp) as u64)).collect()
}

/// The warps of each slice.
pub fn own_warps(cfg: &CoreConfig) -> Vec<Const<WarpMask>> {
    (0..cfg.slices).map(|slice| constant(cfg.warps, cfg.own_warps(slice))).collect()
}
