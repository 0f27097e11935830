//! Policy `gtlrr`, greedy then loose round-robin.
use crate::prelude::*;

scheduler! {
    /// Grants the warp that fired last while it is ready, else the first ready warp after it, wrapping.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the pointer moves at the edge after
    /// `fire`, never on a grant alone. Reset, and the start of a kernel: no warp has fired, scanning begins at warp 0.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting: a warp that stays ready keeps the grant.
    /// Critical path: two increments of W bits in parallel, a multiplexer and an encoder. That the greedy warp is the first
    /// of a scan that begins at itself makes this policy no larger than `lrr`.
    /// Source: SWaS II-B; docs/SCHEDULERS.md, section 2. Ours: greediness belongs to the slot; it ends when another warp fires, not
    /// when the warp is not ready for a while and nobody fires. Mirror in the model: `model::sched::gtlrr`.
    pub struct GreedyLooseRoundRobin(cfg) {
        /// One-hot, or none.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
        from_last, candidates: Signal<Local, WarpMask> = signal(cfg.warps),
        one: Const<WarpMask> = constant(cfg.warps, 1),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for GreedyLooseRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the last that fired and the ready warps after it, or all ready ones when there is none");
        self.from_last.next = self.stage.ready_warps.val() & (!(self.last_fired.q.val() - self.one.val()));
        self.candidates.next = self.from_last.val();
        if !self.from_last.val().any() {
            self.candidates.next = self.stage.ready_warps.val();
        }
        comment!("2. pick the smallest slot of them");
        self.grant.oh.next = self.candidates.val() & ((!self.candidates.val()) + self.one.val());
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that fired");
        if self.stage.fire.val() {
            self.last_fired.d.next = self.stage.fired_oh.val();
        }
        if self.core.kernel_start.val() {
            self.last_fired.d.next = 0.into();
        }
    }
}
