//! Policy `lrr`, loose round-robin.
use crate::prelude::*;

scheduler! {
    /// Grants the first ready warp after the last that fired, in slot order, wrapping.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the pointer moves at the edge after
    /// `fire`, never on a grant alone. Reset, and the start of a kernel: as if warp W-1 had fired last, so that scanning begins
    /// at warp 0.
    /// Invariants: one grant if and only if some warp is ready; a warp that stays ready waits for at most W-1 fires.
    /// Critical path: that of `NextInTurn`, then an encoder.
    /// Source: SWaS II-B; docs/SCHEDULERS.md, section 2. Mirror in the model: `model::sched::lrr`.
    pub struct LooseRoundRobin(cfg) {
        /// One-hot.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::with_reset(cfg.warps, 1 << (cfg.warps - 1)),
        top: Const<WarpMask> = constant(cfg.warps, 1 << (cfg.warps - 1)),
        turn: NextInTurn = NextInTurn::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for LooseRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the ready warps");
        self.turn.candidates.next = self.stage.ready_warps.val();
        comment!("2. pick the first of them after the last that fired");
        self.turn.last_oh.next = self.last_fired.q.val();
        self.grant.oh.next = self.turn.next_oh.val();
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
