//! Policy `srr`, strict round-robin.
use crate::prelude::*;

scheduler! {
    /// Gives every active warp its turn, one a cycle in slot order, and grants it if it is ready then.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the pointer moves every cycle in which
    /// this scheduler has an active warp, whether or not anything fires.
    /// Reset, and the start of a kernel: as if warp W-1 had had the last turn, so that warp 0 is the first.
    /// Invariants: at most one grant, possibly none although some warp is ready; a warp that stays active has a turn
    /// at least once in W cycles.
    /// Critical path: one AND from `ready_warps`, for the turn hangs on registers alone; the encoder.
    /// Source: SWaS II-B; docs/SCHEDULERS.md, section 2. Ours: the pointer names the last turn, so a slot that is not active takes
    /// no turn, not even in the cycle after its warp has exited; a warp at a barrier is active and keeps its turns.
    /// Mirror in the model: `model::sched::srr`.
    pub struct StrictRoundRobin(cfg) {
        /// One-hot.
        last_turn: Reg<WarpMask> = Reg::<WarpMask>::with_reset(cfg.warps, 1 << (cfg.warps - 1)),
        members, after_last, candidates, turn: Signal<Local, WarpMask> = signal(cfg.warps),
        one: Const<WarpMask> = constant(cfg.warps, 1),
        top: Const<WarpMask> = constant(cfg.warps, 1 << (cfg.warps - 1)),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for StrictRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "1. candidates: the active warps after the last turn, or all active ones when there is none"
        );
        self.members.next = self.core.active_warps.val() & self.stage.own_warps.val();
        self.after_last.next =
            self.members.val() & (!(self.last_turn.q.val() | (self.last_turn.q.val() - self.one.val())));
        self.candidates.next = self.after_last.val();
        if !self.after_last.val().any() {
            self.candidates.next = self.members.val();
        }
        comment!("2. pick the smallest slot of them: its turn, ready or not");
        self.turn.next = self.candidates.val() & ((!self.candidates.val()) + self.one.val());
        self.grant.oh.next = self.turn.val() & self.stage.ready_warps.val();
        self.grant.valid.next = self.grant.oh.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember whose turn it was");
        if self.members.val().any() {
            self.last_turn.d.next = self.turn.val();
        }
        if self.core.kernel_start.val() {
            self.last_turn.d.next = self.top.val();
        }
    }
}
