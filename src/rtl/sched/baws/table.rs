//! The warp priority table of BAWS.
use crate::prelude::*;

module! {
    /// Counts for each CTA slot how many of its warps wait at a barrier.
    ///
    /// Ports: `members` (the warps of each CTA slot), the events `arrive_warps`, `release_warps`, `cta_start`,
    /// `kernel_start` -> `waiting` (a count for each CTA slot). Latency: one cycle. Reset: all 0.
    /// Invariants: a count grows by one at most in a cycle, since the one special unit performs one barrier at a time. It holds
    /// W-1 at most; were it to wrap with all W warps waiting, nobody would be left to choose.
    /// State: a count of log2 W bits for each CTA slot (the paper's: 6 bits for each of 8, so 6 bytes).
    /// Critical path: the barrier's release -> an OR of W bits -> an increment.
    /// Source: BAWS 4.1.2; docs/SCHEDULERS.md, section 4. Mirror in the model: `model::sched::baws`.
    pub struct WarpPriorityTable(cfg: &CoreConfig) [clock, reset] {
        /// The warps of each CTA slot.
        pub members: Vec<Signal<In, WarpMask>> = signals(cfg.warps, cfg.warps),
        /// Arrives at a barrier.
        pub arrive_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// Released from a barrier.
        pub release_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// A CTA was dispatched to the slot.
        pub cta_start: Signal<In, WarpMask> = signal(cfg.warps),
        /// A kernel begins.
        pub kernel_start: Signal<In, Bit>,
        /// Warps of each CTA slot that wait.
        pub waiting: Vec<Signal<Out, WarpId>> = signals(cfg.warps, cfg.wid_bits()),
        count: Vec<Reg<WarpId>> = regs(cfg.warps, cfg.wid_bits()),
        will_wait: Signal<Local, WarpMask> = signal(cfg.warps),
        kept: Signal<Local, WarpId> = signal(cfg.wid_bits()),
        _warps: usize = cfg.warps,
    }
}

impl Logic for WarpPriorityTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The last to arrive is released in the same cycle and does not wait.");
        self.will_wait.next = self.arrive_warps.val() & !self.release_warps.val();
        for c in 0..self._warps {
            self.waiting[c].next = self.count[c].q.val();
            self.kept.next = self.count[c].q.val();
            if (self.release_warps.val() & self.members[c].val()).any() | self.cta_start.val().get_bit(c) {
                self.kept.next = 0.into();
            }
            self.count[c].d.next = self.kept.val();
            if (self.will_wait.val() & self.members[c].val()).any() {
                self.count[c].d.next = self.kept.val() + 1;
            }
            if self.kernel_start.val() {
                self.count[c].d.next = 0.into();
            }
        }
    }
}
