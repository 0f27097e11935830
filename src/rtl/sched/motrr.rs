//! Policy `motrr`, memory oldest then round-robin.
use crate::prelude::*;

scheduler! {
    /// Grants the oldest ready warp whose head is a load or a store; if there is none, the first ready warp after the last
    /// that fired.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the pointer moves at the edge after `fire`,
    /// never on a grant alone. Reset, and the start of a kernel: as if warp W-1 had fired last.
    /// Invariants: one grant if and only if some warp is ready; while no ready warp has a load or a store, a warp that stays
    /// ready waits for at most W-1 fires. Critical path: an OR of W bits beside two increments, a multiplexer and an encoder.
    /// Source: MOTRR III, IV; docs/SCHEDULERS.md, section 7. Ours: the fire of a load or store moves the pointer too.
    /// Mirror in the model: `model::sched::motrr`.
    pub struct MemoryOldestThenRoundRobin(cfg) {
        /// One-hot.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::with_reset(cfg.warps, 1 << (cfg.warps - 1)),
        memory: Signal<Local, WarpMask> = signal(cfg.warps),
        top: Const<WarpMask> = constant(cfg.warps, 1 << (cfg.warps - 1)),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        turn: NextInTurn = NextInTurn::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for MemoryOldestThenRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the ready warps with a load or a store; and, side by side, all ready ones");
        self.memory.next = self.stage.ready_warps.val() & self.stage.memory_warps.val();
        self.oldest.candidates.next = self.memory.val();
        Wires::join(&mut self.core.older, &mut self.oldest.older);
        self.turn.candidates.next = self.stage.ready_warps.val();
        self.turn.last_oh.next = self.last_fired.q.val();
        comment!("2. pick the oldest of the former, else the next of the latter");
        self.grant.oh.next = self.turn.next_oh.val();
        if self.memory.val().any() {
            self.grant.oh.next = self.oldest.oldest_oh.val();
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
