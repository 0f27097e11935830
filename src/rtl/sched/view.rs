//! What a scheduler sees, as bundles: made from the list in [`scheduler_inputs`](spec::scheduler_inputs!).
use crate::prelude::*;
use spec::scheduler_inputs;

/// A bundle for each group.
macro_rules! bundles {
    ($($(#[doc = $doc:literal])* $name:ident { $($fields:tt)* })*) => {
        $(bundles! { @ cfg [$(#[doc = $doc])* $name] [] $($fields)* })*
    };
    // A field's type, one after the other.
    (@ $cfg:ident $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $field:ident: part $type:ident, $($more:tt)*) => {
        bundles! { @ $cfg $head [$($done)* $(#[doc = $doc])* $field: bundle $type($cfg),] $($more)* }
    };
    (@ $cfg:ident $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $field:ident: $kind:ident Flag, $($more:tt)*) => {
        bundles! { @ $cfg $head [$($done)* $(#[doc = $doc])* $field: Bit,] $($more)* }
    };
    (@ $cfg:ident $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $field:ident: $kind:ident Mask, $($more:tt)*) => {
        bundles! { @ $cfg $head [$($done)* $(#[doc = $doc])* $field: WarpMask = $cfg.warps,] $($more)* }
    };
    (@ $cfg:ident $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $field:ident: $kind:ident CtaMask, $($more:tt)*) => {
        bundles! { @ $cfg $head [$($done)* $(#[doc = $doc])* $field: WarpMask = $cfg.ctas(),] $($more)* }
    };
    (@ $cfg:ident $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $field:ident: $kind:ident Masks, $($more:tt)*) => {
        bundles! { @ $cfg $head [$($done)* $(#[doc = $doc])* $field: [WarpMask; $cfg.warps] = $cfg.warps,] $($more)* }
    };
    (@ $cfg:ident $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $field:ident: $kind:ident Slots, $($more:tt)*) => {
        bundles! { @ $cfg $head [$($done)* $(#[doc = $doc])* $field: [WarpId; $cfg.warps] = $cfg.cta_bits(),] $($more)* }
    };
    (@ $cfg:ident $head:tt [$($done:tt)*] $(#[doc = $doc:literal])* $field:ident: $kind:ident Counts, $($more:tt)*) => {
        bundles! {
            @ $cfg $head
            [$($done)* $(#[doc = $doc])* $field: [Bits<4>; $cfg.warps] = bits_for($cfg.queue_depth + 1),]
            $($more)*
        }
    };
    (@ $cfg:ident [$(#[doc = $doc:literal])* $name:ident] [$($done:tt)*]) => {
        bundle! {
            $(#[doc = $doc])*
            pub struct $name($cfg: &CoreConfig) {
                forward { $($done)* }
            }
        }
    };
}
scheduler_inputs!(bundles);

bundle! {
    /// A scheduler's choice.
    pub struct Grant(cfg: &CoreConfig) {
        forward {
            /// A warp is granted.
            valid: Bit,
            /// The granted warp, or none.
            oh: WarpMask = cfg.warps,
            /// Its number; 0 without a grant.
            wid: WarpId = cfg.wid_bits(),
        }
    }
}
