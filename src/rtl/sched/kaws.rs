//! Policy `kaws`, the kernel-aware priority of KAWS.
mod progress;

use crate::prelude::*;

pub use progress::CtaProgress;

scheduler! {
    /// Grants the oldest ready warp; once the last CTA of the grid is dispatched, one of the CTA that has issued least.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the order of the CTAs is that of their
    /// progress before the last cycle. Reset: none. Invariants: one grant if and only if some warp is ready. No bound
    /// on waiting. Critical path: that of `lo`: who goes before whom is known before who is ready.
    /// Source: KAWS 3; docs/SCHEDULERS.md, section 5. Mirror in the model: `model::sched::kaws`.
    pub struct KernelAware(cfg) {
        kernel_aware: Const<Bit> = Const::new(cfg.kaws_kernel_aware),
        /// Of each CTA slot, the warps of those that go before it.
        preceding: Vec<Signal<Local, WarpMask>> = signals(cfg.ctas(), cfg.warps),
        earlier: Signal<Local, WarpMask> = signal(cfg.warps),
        first: OldestWarp = OldestWarp::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
        _ctas: usize = cfg.ctas(),
    }
}

impl Logic for KernelAware {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clock, reset: policies have the same ports, and this one no state");
        comment!("unread earlier: without the order by progress age alone decides");
        comment!("1. candidates: the ready warps");
        self.first.candidates.next = self.stage.ready_warps.val();
        comment!("2. pick whom no other goes before: the older goes before; behind the milestone the CTA that does, and in it the older");
        for c in 0..self._ctas {
            self.preceding[c].next = 0.into();
            for d in 0..self._ctas {
                if self.tables.ahead[c].val().get_bit(d) {
                    self.preceding[c].next = self.preceding[c].val() | self.tables.members[d].val();
                }
            }
        }
        for i in 0..self._warps {
            self.earlier.next = 0.into();
            for c in 0..self._ctas {
                if self.tables.members[c].val().get_bit(i) {
                    self.earlier.next =
                        self.preceding[c].val() | (self.tables.members[c].val() & self.core.older[i].val());
                }
            }
            self.first.older[i].next = self.core.older[i].val();
            if self.kernel_aware.val() && self.core.last_cta_dispatched.val() {
                self.first.older[i].next = self.earlier.val();
            }
        }
        self.grant.oh.next = self.first.oldest_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember: the table does");
    }
}
