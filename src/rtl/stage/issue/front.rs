//! The front half of an issue slice: from the instruction queues to the operand stage.
use crate::registry::Stage;
use crate::rtl::bundles::named_registers;
use crate::rtl::prelude::*;
use crate::rtl::sched::{self, oracle::Oracles, CoreView, SchedulerSocket};
use crate::rtl::stage::{banked::BankedOperands, operands::Operands, scoreboard::Scoreboard};

module! {
    /// Scoreboard, warp scheduler and operand stage of a slice.
    ///
    /// Ports: the fields below, grouped by where they come from and go to; masks of warps are W bits, of lanes T bits.
    /// Latency: an instruction that issues in cycle i is in the operand stage in i+1. Reset: nothing in flight.
    /// Invariants: one instruction issues a cycle, of a warp in `own_warps` or, where warps are shared, of a visitor; a
    /// class whose collector may be occupied does not issue, so only class sp can hold the operand stage.
    /// Critical path: scoreboard, scheduler, register number of the granted head, register file address.
    /// Source: SWaS V-B (stages). Mirror in the model: `model::timing`.
    pub struct IssueFront(cfg: &CoreConfig) [clock, reset]
    let (warps, threads) = (cfg.warps, cfg.threads);
    let fpu = usize::from(cfg.fpu);
    {
        _warps: usize = warps,
        _float_warps: usize = fpu * warps,
        _float_threads: usize = fpu * threads,
        _named: usize = named_registers(cfg),
        /// The warps that the slice owns.
        pub own_warps: Signal<In, WarpMask> = signal(warps),
        // From the instruction queues.
        /// The heads.
        pub heads: QueueHeads<In> = QueueHeads::new(cfg),
        /// The queue is emptied (SWaS: filled with NOPs).
        pub flush_warps: Signal<In, WarpMask> = signal(warps),
        /// The instruction at the head of the granted queue.
        pub head_instr: Signal<In, Bits<32>>,
        /// Its address.
        pub head_pc: Signal<In, Bits<32>>,
        // From the warp table.
        /// What all schedulers see alike.
        pub core: CoreView<In> = CoreView::new(cfg),
        /// Active lanes of each warp.
        pub tmask: Vec<Signal<In, Bits<32>>> = signals(warps, threads),
        // From the special unit.
        /// With a floating-point unit: the dynamic rounding mode of each warp.
        pub frm: Vec<Signal<In, Bits<3>>> = signals(fpu * warps, 3),
        /// Event: warp control, barrier or fence done; of the special and the load-store unit.
        pub resume_warps: Signal<In, WarpMask> = signal(warps),
        // From the back half.
        /// Room, branches, and what is written to the register file.
        pub back_: BackState<In> = BackState::new(cfg),
        // From that through which warps are shared.
        /// Who visits, and where own warps are.
        pub orders: Opt<SliceOrders<In>> = Opt::new(cfg.shares_warps(), SliceOrders::new(cfg)),
        // To the instruction queues.
        /// W bits: the warp whose head is granted issue through this slice.
        pub issue_oh: Signal<Out, WarpMask> = signal(warps),
        /// W bits: the warp whose head leaves its queue, if one does.
        pub issue_fire_warps: Signal<Out, WarpMask> = signal(warps),
        // To the back half.
        /// What the operand stage holds.
        pub operand: HeldOperands<Out> = HeldOperands::new(cfg),
        // To the trace, the counters, and that through which warps are shared.
        /// The granted head, an instruction that issues if it leaves its queue and is no NOP (which only SWaS has).
        pub issue: Issue<Out> = Issue::new(cfg),
        /// Its registers.
        pub granted: Registers<Out> = Registers::new(cfg),
        /// Heads that go to the special unit.
        pub special_warps: Signal<Out, WarpMask> = signal(warps),
        /// What the scheduler sees of the slice, and chooses; `fire`: the granted head leaves its queue.
        pub sched: TraceSched<Out> = TraceSched::new(cfg),
        /// The operand stage holds: whatever is chosen, nothing issues.
        pub operand_stall: Signal<Out, Bit>,
        /// With operand collectors: what they do.
        pub collect: Opt<CollectView<Out>> = Opt::new(cfg.collects(), CollectView::new(cfg)),
        /// With operand collectors: warps with an instruction in one.
        pub collecting_warps: Opt<Signal<Out, WarpMask>> = Opt::new(cfg.collects(), signal(warps)),
        /// Why the others do not issue.
        pub stall_on: Stalls<Out> = Stalls::new(cfg),
        /// With oracles: what they say.
        pub oracle: Opt<OracleView<Out>> = Opt::new(cfg.oracle, OracleView::new()),
        scoreboard: Scoreboard = Scoreboard::new(cfg),
        scheduler: SchedulerSocket = sched::build(cfg, Stage::Issue),
        oracles: Opt<Oracles> = Opt::new(cfg.oracle, Oracles::new(cfg)),
        banked: Opt<BankedOperands> = Opt::new(cfg.collects(), BankedOperands::new(cfg)),
        operands: Operands = Operands::new(cfg),
        used_warps: Vec<Signal<Local, WarpMask>> = signals(named_registers(cfg), warps),
        unified: Const<Bit> = Const::new(cfg.unified().is_some()),
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
        shares: Const<Bit> = Const::new(cfg.shares_warps()),
        collects: Const<Bit> = Const::new(cfg.collects()),
        has_oracles: Const<Bit> = Const::new(cfg.oracle),
    }
}

impl Logic for IssueFront {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the grant. A full operand stage is known late: it stops the grant, not the choice.");
        self.sched.view_.fire.next = self.scheduler.grant.valid.val() & !self.operands.operand_stall.val();
        self.issue.valid.next = self.sched.view_.fire.val();
        if self.unified.val() {
            comment!("a NOP goes nowhere");
            self.issue.valid.next = self.sched.view_.fire.val()
                & !(self.scheduler.grant.oh.val() & self.heads.nop_warps.val()).any();
        }
        self.issue.wid.next = self.scheduler.grant.wid.val();
        self.issue_oh.next = self.scheduler.grant.oh.val();
        self.issue.pc.next = self.head_pc.val();
        self.issue.instr.next = self.head_instr.val();
        self.sched.view_.fired_oh.next = 0.into();
        if !self.operands.operand_stall.val() {
            self.sched.view_.fired_oh.next = self.scheduler.grant.oh.val();
        }
        self.issue_fire_warps.next = self.sched.view_.fired_oh.val();
        if self.shares.val() {
            comment!("A warp of another slice, if no own warp is ready.");
            self.issue_oh.next = self.scheduler.grant.oh.val() | self.orders.visit.oh.val();
            self.issue.wid.next = self.scheduler.grant.wid.val() | self.orders.visit.wid.val();
            if self.orders.visit.valid.val() {
                self.issue.valid.next = true;
                self.issue_fire_warps.next = self.orders.visit.oh.val();
            }
        }
        comment!("The granted head is an OR of masked fields, for the grant is one hot.");
        self.issue.tmask.next = 0.into();
        for i in 0..self._warps {
            if self.issue_oh.val().get_bit(i) {
                self.issue.tmask.next = self.issue.tmask.val() | self.tmask[i].val();
            }
        }
        for k in 0..self._named {
            self.granted.number[k].next = 0.into();
            self.used_warps[k].next = 0.into();
            for i in 0..self._warps {
                self.used_warps[k].next =
                    self.used_warps[k].val().replace_bit(i, self.heads.registers[i].used[k].val());
                if self.issue_oh.val().get_bit(i) {
                    self.granted.number[k].next =
                        self.granted.number[k].val() | self.heads.registers[i].number[k].val();
                }
            }
            self.granted.used[k].next = (self.issue_oh.val() & self.used_warps[k].val()) != 0;
        }
        comment!("2. who may issue. What a reserved rounding mode makes illegal is for the special unit, which reports it.");
        self.special_warps.next = self.heads.sfu_warps.val();
        for i in 0..self._float_warps {
            if self.has_fpu.val()
                && self.heads.dynamic_rounding_warps.val().get_bit(i) & (self.frm[i].val() > bits::<3>(4))
            {
                self.special_warps.next = self.special_warps.val().replace_bit(i, true);
            }
            self.operands.frm[i].next = self.frm[i].val();
        }
        self.scoreboard.own_warps.next = self.own_warps.val();
        self.scoreboard.active_warps.next = self.core.active_warps.val();
        self.scoreboard.start_warps.next = self.core.start_warps.val();
        self.scoreboard.barrier_warps.next = self.core.barrier.warps.val();
        self.scoreboard.resume_warps.next = self.resume_warps.val();
        Wires::join(&mut self.heads, &mut self.scoreboard.heads);
        self.scoreboard.heads.sfu_warps.next = self.special_warps.val();
        self.scoreboard.flush_warps.next = self.flush_warps.val();
        self.scoreboard.mem_free.next = self.back_.mem_free.val();
        self.scoreboard.sfu_free.next = self.back_.sfu_free.val();
        self.scoreboard.operand_stall.next = self.operands.operand_stall.val();
        self.scoreboard.issue_fire_warps.next = self.sched.view_.fired_oh.val();
        self.scoreboard.operand_write_warps.next = self.operands.operand_write_warps.val();
        self.scoreboard.operand_rd.next = self.operands.operand.sp.rd.val();
        self.scoreboard.passed_valid.next = self.back_.passed_valid.val();
        self.scoreboard.passed_wid.next = self.back_.passed_wid.val();
        Wires::join(&mut self.back_.branch, &mut self.scoreboard.branch);
        Wires::join(&mut self.back_.commit.write_, &mut self.scoreboard.commit);
        comment!("3. who does");
        self.sched.view_.ready_warps.next = self.scoreboard.ready_warps.val();
        self.sched.view_.data_ready_warps.next = self.scoreboard.data_ready_warps.val();
        self.sched.view_.own_warps.next = self.own_warps.val();
        self.sched.view_.memory_warps.next = self.heads.memory_warps.val();
        self.sched.view_.empty_warps.next = !self.heads.valid_warps.val();
        for i in 0..self._warps {
            self.sched.view_.unissued[i].next = 0.into();
        }
        Wires::join(&mut self.sched.view_, &mut self.scheduler.stage);
        Wires::join(&mut self.core, &mut self.scheduler.core);
        if self.has_oracles.val() {
            Wires::join(&mut self.sched.view_, &mut self.oracles.stage);
            Wires::join(&mut self.core, &mut self.oracles.core);
            self.oracles.absent_warps.next = self.scoreboard.stall_on.ibuffer.val();
            Wires::join(&mut self.back_.branch, &mut self.oracles.branch);
            self.oracles.grant_oh.next = self.scheduler.grant.oh.val();
            self.oracles.stalled.next = self.operands.operand_stall.val();
            if self.unified.val() {
                self.oracles.stalled.next =
                    self.operands.operand_stall.val() | !self.core.icache_req_ready.val();
            }
            Wires::join(&mut self.oracles.view, &mut self.oracle);
        }
        comment!("4. operand stage");
        Wires::join(&mut self.issue, &mut self.operands.issue);
        Wires::join(&mut self.granted, &mut self.operands.registers);
        self.operands.issue_write_warps.next = self.issue_oh.val() & self.heads.write_warps.val();
        self.operands.issue_mem.next = (self.issue_oh.val() & self.heads.mem_warps.val()) != 0;
        self.operands.issue_sfu.next = (self.issue_oh.val() & self.special_warps.val()) != 0;
        Wires::join(&mut self.back_.commit, &mut self.operands.commit);
        self.operands.collector_ready.next = self.back_.sp_free.val();
        if self.collects.val() {
            comment!("With operand collectors between issue and the operand stage.");
            Wires::join(&mut self.issue, &mut self.banked.issue);
            Wires::join(&mut self.granted, &mut self.banked.registers);
            self.banked.issue_mem.next = (self.issue_oh.val() & self.heads.mem_warps.val()) != 0;
            self.banked.issue_sfu.next = (self.issue_oh.val() & self.special_warps.val()) != 0;
            self.banked.issue_write_warps.next =
                self.sched.view_.fired_oh.val() & self.heads.write_warps.val();
            Wires::join(&mut self.back_.commit, &mut self.banked.commit);
            self.banked.room[0].next = self.back_.mem_free.val() & !self.operands.holds.val();
            self.banked.room[1].next = self.back_.sfu_free.val() & !self.operands.holds.val();
            self.banked.room[2].next = !self.operands.holds.val();
            self.scoreboard.mem_free.next = self.banked.free[0].val();
            self.scoreboard.sfu_free.next = self.banked.free[1].val();
            self.scoreboard.sp_free.next = self.banked.free[2].val();
            self.scoreboard.collecting_warps.next = self.banked.held_warps.val();
            self.scoreboard.operand_write_warps.next = self.banked.entered_write_warps.val();
            self.scoreboard.operand_rd.next = self.banked.entered_rd.val();
            Wires::join(&mut self.banked.collected, &mut self.operands.issue);
            for k in 0..self._named {
                self.operands.registers.number[k].next = 0.into();
                self.operands.registers.used[k].next = false;
            }
            self.operands.registers.number[0].next = self.banked.collected_rd.val();
            self.operands.registers.used[0].next = self.banked.collected_use_rd.val();
            self.operands.issue_write_warps.next = 0.into();
            self.operands.issue_mem.next = self.banked.collected_mem.val();
            self.operands.issue_sfu.next = self.banked.collected_sfu.val();
            Wires::join(&mut self.banked.view, &mut self.collect);
            self.collecting_warps.next = self.banked.held_warps.val();
            Data::join(&mut self.banked.words[0].data, &mut self.operands.collected.rs1);
            Data::join(&mut self.banked.words[1].data, &mut self.operands.collected.rs2);
            for i in 0..self._float_threads {
                self.operands.collected.rs3[i].next = self.banked.words[2].data[i].val();
            }
        }
        Wires::join(&mut self.operands.operand, &mut self.operand);
        Wires::join(&mut self.scoreboard.stall_on, &mut self.stall_on);
        self.operand_stall.next = self.operands.operand_stall.val();
        self.sched.grant_oh.next = self.scheduler.grant.oh.val();
        if self.shares.val() {
            Wires::join(&mut self.orders.absent, &mut self.scoreboard.absent);
            if self.collects.val() {
                self.banked.visit.next = self.orders.visit.valid.val();
                Wires::join(&mut self.orders.words, &mut self.banked.visitor);
            } else {
                self.operands.visit.next = self.orders.visit.valid.val();
                Wires::join(&mut self.orders.words, &mut self.operands.visitor);
            }
        }
    }
}
