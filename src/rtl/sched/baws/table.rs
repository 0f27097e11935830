//! The warp priority table of BAWS.
use crate::prelude::*;
use crate::sched::BarrierEvents;

module! {
    /// Counts for each CTA slot how many of its warps have reached a barrier, or the end, which is one too.
    ///
    /// Ports: `members` (the warps of each CTA slot), `active_warps`, the events `exit_warps`, `barrier` ->
    /// `waiting` (a count for each CTA slot). Latency: one cycle. Reset: all 0.
    /// Invariants: one warp arrives in a cycle, and one exits, since the one special unit performs an instruction at a time. What
    /// is counted waits or has exited: a count holds W-1 at most; were it to wrap with all W warps waiting, nobody would be left
    /// to choose. It is 0 where no warp is active.
    /// State: a count of log2 W bits for each CTA slot (the paper's: 6 bits for each of 8, so 6 bytes, as here with 64 warps and `--cta-slots 8`).
    /// Critical path: the barrier's release -> an OR of W bits -> an increment.
    /// Source: BAWS 1, 3, 4.1.2; docs/SCHEDULERS.md, section 4. Mirror in the model: `model::sched::baws`.
    pub struct WarpPriorityTable(cfg: &CoreConfig) [clock, reset] {
        /// The warps of each CTA slot.
        pub members: Vec<Signal<In, WarpMask>> = signals(cfg.ctas(), cfg.warps),
        /// Resident and not exited.
        pub active_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// Exits this cycle.
        pub exit_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// Barriers.
        pub barrier: BarrierEvents<In> = BarrierEvents::new(cfg),
        /// Warps of each CTA slot that wait or have exited.
        pub waiting: Vec<Signal<Out, WarpId>> = signals(cfg.ctas(), cfg.wid_bits()),
        count: Vec<Reg<WarpId>> = regs(cfg.ctas(), cfg.wid_bits()),
        will_wait, will_be_gone, stays: Signal<Local, WarpMask> = signal(cfg.warps),
        kept, with_waiting: Signal<Local, WarpId> = signal(cfg.wid_bits()),
        _ctas: usize = cfg.ctas(),
    }
}

impl Logic for WarpPriorityTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The last to arrive is released in the same cycle and does not wait; who waits already is counted.");
        self.will_wait.next = self.barrier.arrive_warps.val() & !self.barrier.release_warps.val();
        self.will_be_gone.next = self.exit_warps.val() & !self.barrier.warps.val();
        self.stays.next = self.active_warps.val() & !self.exit_warps.val();
        for c in 0..self._ctas {
            self.waiting[c].next = self.count[c].q.val();
            self.kept.next = self.count[c].q.val();
            if (self.barrier.release_warps.val() & self.members[c].val()).any() {
                self.kept.next = 0.into();
            }
            self.with_waiting.next = self.kept.val();
            if (self.will_wait.val() & self.members[c].val()).any() {
                self.with_waiting.next = self.kept.val() + 1;
            }
            self.count[c].d.next = self.with_waiting.val();
            if (self.will_be_gone.val() & self.members[c].val()).any() {
                self.count[c].d.next = self.with_waiting.val() + 1;
            }
            comment!("The end is reached by all: nobody waits for anybody.");
            if !(self.stays.val() & self.members[c].val()).any() {
                self.count[c].d.next = 0.into();
            }
        }
    }
}
