//! For whom fetching is critical.
use crate::prelude::*;

module! {
    /// Narrows warps down to those whose next instruction is missed first.
    ///
    /// Ports: `ready_warps`, `empty_warps`, `barrier_warps` -> `critical_warps` (of the ready ones those that are not at a
    /// barrier and have an empty queue; if there is none, those that are not at a barrier; if there is none, all).
    /// Latency: combinational. Reset: none. Invariants: there are critical warps if and only if some are ready.
    /// Critical path: two ORs of W bits. Source: BAWS 1, abstract; docs/SCHEDULERS.md, section 4.
    /// Mirror in the model: `model::sched::baws`.
    pub struct CriticalWarps(cfg: &CoreConfig) {
        /// Whom to choose from.
        pub ready_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// Nothing is queued, nor on its way.
        pub empty_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// Waiting at a barrier.
        pub barrier_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// Whom to choose from first.
        pub critical_warps: Signal<Out, WarpMask> = signal(cfg.warps),
        running, starved: Signal<Local, WarpMask> = signal(cfg.warps),
    }
}

impl Logic for CriticalWarps {
    #[hdl_gen]
    fn update(&mut self) {
        self.running.next = self.ready_warps.val() & !self.barrier_warps.val();
        self.starved.next = self.running.val() & self.empty_warps.val();
        self.critical_warps.next = self.ready_warps.val();
        if self.starved.val().any() {
            self.critical_warps.next = self.starved.val();
        } else if self.running.val().any() {
            self.critical_warps.next = self.running.val();
        }
    }
}
