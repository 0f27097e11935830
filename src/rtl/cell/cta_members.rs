//! The warp slots of each CTA slot.
use crate::prelude::*;

module! {
    /// Which warp slots belong to each CTA slot.
    ///
    /// Ports: `cta` (the CTA slot of each warp) -> `members` (a mask of warps for each CTA slot). Latency: combinational.
    /// Reset: none. Invariants: a warp slot is a member of one CTA; those of exited warps are of that which they were of last.
    /// Critical path: a comparison of a CTA number, from a register. Source: none. Mirror in the model: none, it compares
    /// the numbers.
    pub struct CtaMembers(cfg: &CoreConfig) {
        /// CTA slot of each warp.
        pub cta: Vec<Signal<In, WarpId>> = signals(cfg.warps, cfg.cta_bits()),
        /// The warps of each CTA slot.
        pub members: Vec<Signal<Out, WarpMask>> = signals(cfg.ctas(), cfg.warps),
        mask: Signal<Local, WarpMask> = signal(cfg.warps),
        _warps: usize = cfg.warps,
        _ctas: usize = cfg.ctas(),
    }
}

impl Logic for CtaMembers {
    #[hdl_gen]
    fn update(&mut self) {
        for c in 0..self._ctas {
            self.mask.next = 0.into();
            for w in 0..self._warps {
                if self.cta[w].val() == c.to_bits::<WID_BITS>() {
                    self.mask.next = self.mask.val().replace_bit(w, true);
                }
            }
            self.members[c].next = self.mask.val();
        }
    }
}
