//! Policy `motrr-recency`, MOTRR with its recency register.
use super::recency::RecencyRegister;
use crate::prelude::*;

scheduler! {
    /// Grants the oldest ready warp whose head is a load or a store; if there is none, the next ready one of those whose
    /// memory access completed lately; if there is none, the next ready one.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the pointer moves at the edge after `fire`,
    /// never on a grant alone; the recency register as [`RecencyRegister`] says, also in cycles in which nothing happens.
    /// Reset, and the start of a kernel: as if warp W-1 had fired last; no warp is recent.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting: a recent warp that stays ready keeps
    /// the others out. Critical path: two increments of W bits, a multiplexer and an encoder, behind whether any ready warp
    /// is recent. Source: MOTRR III, Algorithm 1; docs/SCHEDULERS.md, section 7. Ours: one pointer for both groups, which
    /// any fire moves. Mirror in the model: `model::sched::motrr_recency`.
    pub struct MemoryOldestThenRecent(cfg) {
        /// One-hot.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::with_reset(cfg.warps, 1 << (cfg.warps - 1)),
        memory, recent: Signal<Local, WarpMask> = signal(cfg.warps),
        top: Const<WarpMask> = constant(cfg.warps, 1 << (cfg.warps - 1)),
        recency: RecencyRegister = RecencyRegister::new(cfg),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        turn: NextInTurn = NextInTurn::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for MemoryOldestThenRecent {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the ready warps with a load or a store; and, side by side, the recent ones or all");
        self.memory.next = self.stage.ready_warps.val() & self.stage.memory_warps.val();
        self.recent.next = self.stage.ready_warps.val() & self.recency.recent_warps.val();
        self.oldest.candidates.next = self.memory.val();
        self.turn.candidates.next = self.recent.val();
        if !self.recent.val().any() {
            self.turn.candidates.next = self.stage.ready_warps.val();
        }
        self.turn.last_oh.next = self.last_fired.q.val();
        comment!("2. pick the oldest of the former, else the next of the latter");
        self.grant.oh.next = self.turn.next_oh.val();
        if self.memory.val().any() {
            self.grant.oh.next = self.oldest.oldest_oh.val();
        }
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that fired, and whose accesses complete");
        if self.stage.fire.val() {
            self.last_fired.d.next = self.stage.fired_oh.val();
        }
        if self.core.kernel_start.val() {
            self.last_fired.d.next = self.top.val();
        }
        self.recency.clear.next = self.core.kernel_start.val();
        self.recency.done_warps.next = self.core.memory.done_warps.val();
        self.recency.active_warps.next = self.core.active_warps.val();
        Wires::join(&mut self.core.older, &mut self.oldest.older);
        Wires::join(&mut self.core.older, &mut self.recency.older);
    }
}
