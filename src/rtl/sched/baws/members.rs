//! The warp slots of each CTA slot.
use crate::config::CoreConfig;
use crate::rtl::cell::{signal, signals};
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Which warp slots belong to each CTA slot.
    ///
    /// Ports: `cta` (the CTA slot of each warp) -> `members` (a mask of warps for each CTA slot). Latency: combinational.
    /// Reset: none. Invariants: a warp slot is a member of one CTA; those of exited warps are of that which they were of last.
    /// Critical path: a comparison of a CTA number, from a register. Source: none. Mirror in the model: none, it compares
    /// the numbers.
    pub struct CtaMembers(cfg: &CoreConfig) {
        /// CTA slot of each warp.
        pub cta: Vec<Signal<In, Bits<5>>> = signals(cfg.warps, cfg.wid_bits()),
        /// The warps of each CTA slot.
        pub members: Vec<Signal<Out, Bits<32>>> = signals(cfg.warps, cfg.warps),
        mask: Signal<Local, Bits<32>> = signal(cfg.warps),
        _warps: usize = cfg.warps,
    }
}

impl Logic for CtaMembers {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaMembers: Which warp slots belong to each CTA slot.");
        for c in 0..self._warps {
            self.mask.next = 0.into();
            for w in 0..self._warps {
                if self.cta[w].val() == c.to_bits::<5>() {
                    self.mask.next = self.mask.val().replace_bit(w, true);
                }
            }
            self.members[c].next = self.mask.val();
        }
    }
}
