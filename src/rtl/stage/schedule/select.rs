//! Which warp of a slice fetches.
use crate::prelude::*;
use crate::sched::{self, CoreView, CtaTables, SchedulerSocket};
use spec::registry::{self, Stage};

module! {
    /// The choice of the warp of a slice that fetches in this cycle.
    ///
    /// Fetch-ready is who may fetch (`able_warps`) and whose queue has room. If there is no such warp, the room of the head that
    /// issues this cycle counts, so that one warp alone can issue every cycle from a queue of t_F + 1 entries. With
    /// `--fetch-width 2`, for empty queues only, it does not.
    ///
    /// Ports: below, W masks. Latency: combinational but for the policy's state. Reset: that of the policy. Invariants: a fetch for which only a
    /// head that is granted issue makes room is given up if that does not leave.
    /// Critical path: issue grant -> PC multiplexer -> cache memories. When slices share warps, or under a policy that may grant nobody,
    /// issue grant -> fetch-ready -> fetch policy -> PC multiplexer.
    /// Source: SWaS IV-A, V-B; docs/SCHEDULERS.md, section 1 ("fetch-ready"). Mirror in the model: that of the policy.
    pub struct FetchSelect(cfg: &CoreConfig) [clock, reset]
    let (warps, unified) = (cfg.warps, cfg.unified().is_some());
    let direct = !registry::is_strict(&cfg.fetch) && !unified && !cfg.shares_warps() && !cfg.fetches_pairs();
    {
        /// The warps of the slice.
        pub own_warps: Signal<In, WarpMask> = signal(warps),
        /// Warps that fetch if there is room.
        pub able_warps: Signal<In, WarpMask> = signal(warps),
        /// There is no room in the queue.
        pub full_warps: Signal<In, WarpMask> = signal(warps),
        /// The head is granted issue.
        pub issue_grant_warps: Signal<In, WarpMask> = signal(warps),
        /// The head issues.
        pub issue_fire_warps: Signal<In, WarpMask> = signal(warps),
        /// The head is a load or a store.
        pub head_memory_warps: Signal<In, WarpMask> = signal(warps),
        /// Instructions of each warp that are queued or in flight.
        pub occupancy: Vec<Signal<In, Bits<4>>> = signals(warps, bits_for(cfg.queue_depth + 1)),
        /// Where each warp fetches next.
        pub pc: Vec<Signal<In, Bits<32>>> = signals(warps, 32),
        /// What all schedulers see alike.
        pub core: CoreView<In> = CoreView::new(cfg),
        /// What they see of CTAs.
        pub tables: CtaTables<In> = CtaTables::new(cfg),
        /// The instruction cache takes a fetch this cycle.
        pub icache_req_ready: Signal<In, Bit>,
        /// The fetch that is requested.
        pub fetch: Fetch<Out> = Fetch::new(cfg),
        /// The warp of the fetch that is taken.
        pub fire_warps: Signal<Out, WarpMask> = signal(warps),
        /// What the policy sees.
        pub sched: TraceSched<Out> = TraceSched::new(cfg),
        scheduler: SchedulerSocket = sched::build(cfg, Stage::Fetch),
        leaving_index: Opt<OneHotIndex> = Opt::new(direct, OneHotIndex::new(warps)),
        starved_warps, open_warps, leaving_warps, ready_warps, roomy_warps: Signal<Local, WarpMask> = signal(warps),
        fetch_address: Signal<Local, Bits<32>>,
        _warps: usize = warps,
        unified: Const<Bit> = Const::new(unified),
        direct: Const<Bit> = Const::new(direct),
        pairs: Const<Bit> = Const::new(cfg.fetches_pairs()),
    }
}

impl Logic for FetchSelect {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread leaving_warps: the unified scheduler chooses by the issue stage");
        comment!("unread open_warps: the unified scheduler chooses by the issue stage");
        comment!("unread issue_grant_warps, issue_fire_warps: for an empty queue no head makes room");
        comment!("1. candidates: fetch-ready warps; and who has nothing, nor anything on its way");
        self.starved_warps.next = self.own_warps.val();
        for i in 0..self._warps {
            if self.occupancy[i].val().any() {
                self.starved_warps.next = self.starved_warps.val().replace_bit(i, false);
            }
        }
        self.open_warps.next = self.own_warps.val() & self.able_warps.val() & (!self.full_warps.val());
        comment!(
            "The room that a head leaves counts if there is no other, so that the fetch slot is not lost."
        );
        self.leaving_warps.next = self.own_warps.val() & self.able_warps.val() & self.issue_grant_warps.val();
        if self.pairs.val() {
            self.leaving_warps.next = 0.into();
        }
        if self.unified.val() {
            comment!("SWaS: the warp that issues");
            self.ready_warps.next = self.issue_grant_warps.val();
        } else {
            self.ready_warps.next = self.open_warps.val();
            if !self.open_warps.val().any() {
                self.ready_warps.next = self.leaving_warps.val();
            }
        }
        comment!("2. pick");
        self.sched.view_.ready_warps.next = self.ready_warps.val();
        self.sched.view_.data_ready_warps.next = self.ready_warps.val();
        self.sched.view_.own_warps.next = self.own_warps.val();
        self.sched.view_.memory_warps.next = self.head_memory_warps.val();
        self.sched.view_.empty_warps.next = self.starved_warps.val();
        Wires::join(&mut self.occupancy, &mut self.sched.view_.unissued);
        self.sched.grant_oh.next = self.scheduler.grant.oh.val();
        self.fetch.wid.next = self.scheduler.grant.wid.val();
        if self.direct.val() {
            comment!(
                "One slice grants one warp, so there is no choice, and the policy would take long to make it."
            );
            self.leaving_index.mask_oh.next = self.leaving_warps.val();
            if !self.open_warps.val().any() {
                self.sched.grant_oh.next = self.leaving_warps.val();
                self.fetch.wid.next = self.leaving_index.index.val();
            }
        }
        comment!("3. the request");
        comment!(
            "Whether the granted head really leaves is known late: if not, there is no room, and no fetch."
        );
        self.roomy_warps.next = (!self.full_warps.val()) | self.issue_fire_warps.val();
        if self.pairs.val() {
            self.roomy_warps.next = !self.full_warps.val();
        }
        self.fetch.valid.next = (self.sched.grant_oh.val() & self.roomy_warps.val()).any();
        self.fetch_address.next = 0.into();
        for i in 0..self._warps {
            if self.sched.grant_oh.val().get_bit(i) {
                self.fetch_address.next = self.fetch_address.val() | self.pc[i].val();
            }
        }
        self.fetch.pc.next = self.fetch_address.val();
        self.fire_warps.next = 0.into();
        if self.icache_req_ready.val() {
            self.fire_warps.next = self.sched.grant_oh.val() & self.roomy_warps.val();
        }
        self.sched.view_.fire.next = self.fetch.valid.val() & self.icache_req_ready.val();
        self.sched.view_.fired_oh.next = self.fire_warps.val();
        Wires::join(&mut self.sched.view_, &mut self.scheduler.stage);
        if self.direct.val() {
            self.scheduler.stage.ready_warps.next = self.open_warps.val();
            self.scheduler.stage.data_ready_warps.next = self.open_warps.val();
        }
        Wires::join(&mut self.core, &mut self.scheduler.core);
        Wires::join(&mut self.tables, &mut self.scheduler.tables);
    }
}
