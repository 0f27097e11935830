//! Policy `lrr`, loose round-robin.
use crate::rtl::cell::{constant, signal, Const, OneHotIndex, Reg};
use crate::{comment, scheduler};
use rust_hdl::prelude::*;

scheduler! {
    /// Grants the first ready warp after the last that fired, in slot order, wrapping.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the pointer moves at the edge after
    /// `fire`, never on a grant alone. Reset, and the start of a kernel: as if warp W-1 had fired last, so that scanning begins
    /// at warp 0.
    /// Invariants: one grant if and only if some warp is ready; a warp that stays ready waits for at most W-1 fires.
    /// Critical path: two increments of W bits in parallel, a multiplexer and an encoder.
    /// Source: SWaS II-B; docs/SCHEDULERS.md, section 2. Mirror in the model: `model::sched::lrr`.
    pub struct LooseRoundRobin(cfg) {
        /// One-hot.
        last_fired: Reg<Bits<32>> = Reg::<Bits<32>>::with_reset(cfg.warps, 1 << (cfg.warps - 1)),
        after_last: Signal<Local, Bits<32>> = signal(cfg.warps),
        one: Const<Bits<32>> = constant(cfg.warps, 1),
        top: Const<Bits<32>> = constant(cfg.warps, 1 << (cfg.warps - 1)),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for LooseRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LooseRoundRobin: Grants the first ready warp after the last that fired, in slot order, wrapping.");
        comment!(
            "1. candidates: the ready warps after the last that fired, or all ready ones when there is none"
        );
        self.after_last.next = self.stage.ready_warps.val()
            & (!(self.last_fired.q.val() | (self.last_fired.q.val() - self.one.val())));
        comment!("2. pick the smallest slot of them; both choices are made side by side");
        self.grant.oh.next = self.after_last.val() & ((!self.after_last.val()) + self.one.val());
        if !self.after_last.val().any() {
            self.grant.oh.next =
                self.stage.ready_warps.val() & ((!self.stage.ready_warps.val()) + self.one.val());
        }
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that fired");
        if self.stage.fire.val() {
            self.last_fired.d.next = self.stage.fired_oh.val();
        }
        if self.core.kernel_start.val() {
            self.last_fired.d.next = self.top.val();
        }
    }
}
