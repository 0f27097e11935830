//! Policy `cff-lrr`, critical fetch first, in the order of `mwf-lrr`.
use super::baws::{CriticalWarps, TurnsInCta};
use crate::prelude::*;

scheduler! {
    /// Fetches for an empty queue first, and of several for the warp that `mwf-lrr` would issue next.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the table follows a barrier's events one
    /// cycle later, the pointers the warp that issues. Reset, and the start of a kernel: as `mwf-lrr`.
    /// Invariants: one grant if and only if some warp is ready. No bound on waiting.
    /// Critical path: `CriticalWarps`, `TurnsInCta`, an encoder.
    /// Source: BAWS 1 and abstract; docs/SCHEDULERS.md, section 4. Table and memory are this scheduler's own, so that any policy
    /// may issue; those of `mwf-lrr` hold the same (ours). Mirror in the model: `model::sched::cff_lrr`.
    pub struct CriticalFetchRoundRobin(cfg) {
        critical: CriticalWarps = CriticalWarps::new(cfg),
        choice: TurnsInCta = TurnsInCta::new(cfg),
        issued: Signal<Local, WarpMask> = signal(cfg.warps),
        one: Const<WarpMask> = constant(cfg.warps, 1),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for CriticalFetchRoundRobin {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: not at a barrier and the queue empty; if there is none, not at a barrier; if there is none, all");
        self.critical.ready_warps.next = self.stage.ready_warps.val();
        self.critical.empty_warps.next = self.stage.empty_warps.val();
        self.critical.barrier_warps.next = self.core.barrier.warps.val();
        self.choice.warps.next = self.critical.critical_warps.val();
        Wires::join(&mut self.core.older, &mut self.choice.state.older);
        Wires::join(&mut self.tables, &mut self.choice.state.tables);
        self.choice.kernel_start.next = self.core.kernel_start.val();
        comment!("2. pick whom `mwf-lrr` would");
        self.grant.oh.next = self.choice.chosen_oh.val();
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that issues; if slices share warps, several may, and the smallest slot counts");
        self.issued.next = self.core.issue_fire_warps.val() & self.stage.own_warps.val();
        self.choice.fired_oh.next = self.issued.val() & ((!self.issued.val()) + self.one.val());
        self.choice.start_warps.next = self.core.start_warps.val();
    }
}
