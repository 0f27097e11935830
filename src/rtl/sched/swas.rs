//! SWaS: one warp scheduler for fetch and issue.
use super::SchedulerSocket;
use crate::rtl::cell::{signal, OneHotIndex};
use crate::{comment, scheduler};
use rust_hdl::prelude::*;

scheduler! {
    /// Selects one warp a cycle, for both stages: its head issues, and its next instruction is requested.
    ///
    /// Stands at the issue stage, where readiness is known; the schedule stage requests for the same warp ([`SameWarp`]).
    /// Any policy can be inside: it chooses among the eligible warps, which are those whose head is issue-ready and that
    /// are not suspended by a miss of the instruction cache. That their queues are full is no condition, because they
    /// always are: what is not fetched in time is a NOP.
    ///
    /// Ports: the standard ones of [`shell`](super::shell). Latency: combinational. Reset: that of the policy inside.
    /// Invariants: those of the policy inside, over the eligible warps; nothing is granted while the instruction cache takes
    /// no request, since a selection serves both stages or none. A miss counts in the cycle that signals it, so that no
    /// second request follows it and one NOP makes good for it.
    /// Critical path: tag memory -> comparison -> `suspended_warps` -> the policy inside -> PC and register numbers of the
    /// selected warp. It is what the scheme costs: the miss of one request decides on the next.
    /// Source: SWaS IV-B, V-C; SCHEDULERS section 3. Mirror in the model: `model::sched::swas`.
    pub struct UnifiedScheduler(cfg) {
        eligible_warps: Signal<Local, Bits<32>> = signal(cfg.warps),
        policy: SchedulerSocket = super::policy(cfg, cfg.unified().expect("a key of the unified scheduler")),
    }
}

impl Logic for UnifiedScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module UnifiedScheduler: Selects one warp a cycle, for both stages: its head issues, and its next instruction is requested.");
        comment!("1. candidates: none while nothing can be requested");
        self.eligible_warps.next = 0.into();
        if self.icache_req_ready.val() {
            self.eligible_warps.next = self.ready_warps.val() & !self.suspended_warps.val();
        }
        comment!("2. pick");
        self.policy.ready_warps.next = self.eligible_warps.val();
        self.policy.data_ready_warps.next = self.data_ready_warps.val() & !self.suspended_warps.val();
        self.policy.own_warps.next = self.own_warps.val();
        self.policy.fire.next = self.fire.val();
        self.policy.fired_oh.next = self.fired_oh.val();
        self.policy.fetch_fire_warps.next = self.fetch_fire_warps.val();
        self.policy.issue_fire_warps.next = self.issue_fire_warps.val();
        self.policy.memory_warps.next = self.memory_warps.val();
        self.policy.empty_warps.next = self.empty_warps.val();
        self.policy.suspended_warps.next = self.suspended_warps.val();
        self.policy.icache_req_ready.next = self.icache_req_ready.val();
        self.policy.barrier_warps.next = self.barrier_warps.val();
        self.policy.memory_done_warps.next = self.memory_done_warps.val();
        self.policy.barrier_arrive_warps.next = self.barrier_arrive_warps.val();
        self.policy.barrier_release_warps.next = self.barrier_release_warps.val();
        self.policy.active_warps.next = self.active_warps.val();
        self.policy.start_warps.next = self.start_warps.val();
        self.policy.exit_warps.next = self.exit_warps.val();
        for i in 0..self._warps {
            self.policy.older[i].next = self.older[i].val();
            self.policy.cta[i].next = self.cta[i].val();
            self.policy.unissued[i].next = self.unissued[i].val();
        }
        self.policy.cta_start.next = self.cta_start.val();
        self.policy.last_cta_dispatched.next = self.last_cta_dispatched.val();
        self.policy.kernel_start.next = self.kernel_start.val();
        self.grant_valid.next = self.policy.grant_valid.val();
        self.grant_oh.next = self.policy.grant_oh.val();
        self.grant_wid.next = self.policy.grant_wid.val();
        comment!("3. remember: the policy does");
    }
}

scheduler! {
    /// The fetch stage's side of the [`UnifiedScheduler`]: grants the warp that issues this cycle.
    ///
    /// Ports: the standard ones of [`shell`](super::shell). Latency: combinational. Reset: no state.
    /// Invariants: one grant if and only if a warp issues, an instruction or a NOP. Critical path: an encoder.
    /// Source: SWaS V-C; SCHEDULERS section 3, rule 2. Mirror in the model: `model::sched::swas`.
    pub struct SameWarp(cfg) {
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for SameWarp {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SameWarp: The fetch stage's side of the unified scheduler: grants the warp that issues this cycle.");
        comment!("1. candidates and pick: the warp that issues");
        self.grant_oh.next = self.issue_fire_warps.val();
        self.grant_valid.next = self.issue_fire_warps.val().any();
        self.encoder.mask_oh.next = self.issue_fire_warps.val();
        self.grant_wid.next = self.encoder.index.val();
    }
}
