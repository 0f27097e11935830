//! SWaS: one warp scheduler for fetch and issue.
use super::SchedulerSocket;
use crate::prelude::*;

scheduler! {
    /// Selects one warp a cycle, for both stages: its head issues, and its next instruction is requested.
    ///
    /// Stands at the issue stage, where readiness is known; the schedule stage requests for the same warp ([`SameWarp`]).
    /// Any policy can be inside: it chooses among the eligible warps, which are those whose head is issue-ready and that
    /// are not suspended by a miss of the instruction cache. That their queues are full is no condition, because they
    /// always are: what is not fetched in time is a NOP.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational. Reset: that of the policy inside.
    /// Invariants: those of the policy inside, over the eligible warps; nothing is granted while the instruction cache takes
    /// no request, since a selection serves both stages or none. A miss holds its warp from a register: what the warp
    /// requests before that is a NOP like what missed.
    /// Critical path: that of the policy inside -> PC and register numbers of the selected warp.
    /// Source: SWaS IV-B, V-C; docs/SCHEDULERS.md, section 3. Mirror in the model: `model::sched::swas`.
    pub struct UnifiedScheduler(cfg) {
        eligible_warps: Signal<Local, WarpMask> = signal(cfg.warps),
        policy: SchedulerSocket = super::policy(cfg, cfg.unified().expect("a key of the unified scheduler")),
    }
}

impl Logic for UnifiedScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: none while nothing can be requested");
        self.eligible_warps.next = 0.into();
        if self.core.icache_req_ready.val() {
            self.eligible_warps.next = self.stage.ready_warps.val() & !self.core.held_warps.val();
        }
        comment!("2. pick");
        Data::join(&mut self.stage, &mut self.policy.stage);
        self.policy.stage.ready_warps.next = self.eligible_warps.val();
        self.policy.stage.data_ready_warps.next =
            self.stage.data_ready_warps.val() & !self.core.held_warps.val();
        Wires::join(&mut self.core, &mut self.policy.core);
        Wires::join(&mut self.policy.grant, &mut self.grant);
        comment!("3. remember: the policy does");
    }
}

scheduler! {
    /// The fetch stage's side of the [`UnifiedScheduler`]: grants the warp that issues this cycle.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational. Reset: no state.
    /// Invariants: one grant if and only if a warp issues, an instruction or a NOP. Critical path: an encoder.
    /// Source: SWaS V-C; docs/SCHEDULERS.md, section 3, rule 2. Mirror in the model: `model::sched::swas`.
    pub struct SameWarp(cfg) {
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for SameWarp {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread clock, reset: policies have the same ports, and this one no state");
        comment!("1. candidates and pick: the warp that issues");
        self.grant.oh.next = self.core.issue_fire_warps.val();
        self.grant.valid.next = self.core.issue_fire_warps.val().any();
        self.encoder.mask_oh.next = self.core.issue_fire_warps.val();
        self.grant.wid.next = self.encoder.index.val();
    }
}
