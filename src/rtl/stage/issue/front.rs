//! The front half of an issue slice: from the instruction queues to the operand stage.
use crate::bundles::named_registers;
use crate::prelude::*;
use crate::sched::{self, oracle::Oracles, SchedulerSocket};
use crate::stage::{banked::BankedOperands, operands::Operands, scoreboard::Scoreboard};
use spec::registry::Stage;

module! {
    /// Scoreboard, warp scheduler and operand stage of a slice.
    ///
    /// Ports: the fields below, grouped by where they come from and go to; masks of warps are W bits, of lanes T bits.
    /// Latency: an instruction that issues in cycle i is in the operand stage in i+1. Reset: nothing in flight.
    /// Invariants: one instruction issues a cycle, of a warp in `own_warps` or, where warps are shared, of a shared warp; a
    /// class whose collector may be occupied does not issue, so only class sp can hold the operand stage.
    /// Critical path: scoreboard, scheduler, register number of the granted head, register file address.
    /// Source: SWaS IV-A (stages). Mirror in the model: `model::timing`.
    pub struct IssueFront(cfg: &CoreConfig) [clock, reset]
    let warps = cfg.warps;
    let fpu = usize::from(cfg.fpu);
    {
        _warps: usize = warps,
        _float_warps: usize = fpu * warps,
        _third_threads: usize = usize::from(cfg.reads_three()) * cfg.threads,
        _named: usize = named_registers(cfg),
        // From the rest of the core.
        /// Heads, warps, lanes, events.
        pub inputs_: SliceInputs<In> = SliceInputs::new(cfg),
        // From the back half.
        /// Room, branches, and what is written to the register file.
        pub back_: BackState<In> = BackState::new(cfg),
        // From that through which warps are shared.
        /// Who visits, and where own warps are.
        pub orders: Opt<SliceOrders<In>> = Opt::new(cfg.shares_warps(), SliceOrders::new(cfg)),
        // To the back half.
        /// What the operand stage holds.
        pub operand: HeldOperands<Out> = HeldOperands::new(cfg),
        // To the instruction queues, the trace, the counters, and that through which warps are shared.
        /// What issues, and what does not.
        pub view_: IssueView<Out> = IssueView::new(cfg),
        /// Its registers.
        pub granted: Registers<Out> = Registers::new(cfg),
        /// Heads that go to the special unit.
        pub special_warps: Signal<Out, WarpMask> = signal(warps),
        /// With operand collectors: warps with an instruction in one.
        pub collecting_warps: Opt<Signal<Out, WarpMask>> = Opt::new(cfg.collects(), signal(warps)),
        scoreboard: Scoreboard = Scoreboard::new(cfg),
        scheduler: SchedulerSocket = sched::build(cfg, Stage::Issue),
        oracles: Opt<Oracles> = Opt::new(cfg.oracle, Oracles::new(cfg)),
        banked: Opt<BankedOperands> = Opt::new(cfg.collects(), BankedOperands::new(cfg)),
        operands: Operands = Operands::new(cfg),
        no_registers: Registers<Zero> = Registers::new(cfg),
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
        self.view_.sched.view_.fire.next =
            self.scheduler.grant.valid.val() & !self.operands.operand_stall.val();
        self.view_.issue.valid.next = self.view_.sched.view_.fire.val();
        if self.unified.val() {
            comment!("a NOP goes nowhere");
            self.view_.issue.valid.next = self.view_.sched.view_.fire.val()
                & !(self.scheduler.grant.oh.val() & self.inputs_.heads.nop_warps.val()).any();
        }
        self.view_.issue.wid.next = self.scheduler.grant.wid.val();
        self.view_.issue_oh.next = self.scheduler.grant.oh.val();
        self.view_.issue.pc.next = self.inputs_.head_pc.val();
        self.view_.issue.instr.next = self.inputs_.head_instr.val();
        self.view_.sched.view_.fired_oh.next = 0.into();
        if !self.operands.operand_stall.val() {
            self.view_.sched.view_.fired_oh.next = self.scheduler.grant.oh.val();
        }
        self.view_.issue_fire_warps.next = self.view_.sched.view_.fired_oh.val();
        if self.shares.val() {
            comment!("A warp of another slice, if no own warp is ready.");
            self.view_.issue_oh.next = self.scheduler.grant.oh.val() | self.orders.visit.oh.val();
            self.view_.issue.wid.next = self.scheduler.grant.wid.val() | self.orders.visit.wid.val();
            if self.orders.visit.valid.val() {
                self.view_.issue.valid.next = true;
                self.view_.issue_fire_warps.next = self.orders.visit.oh.val();
            }
        }
        comment!("The granted head is an OR of masked fields, for the grant is one hot.");
        self.view_.issue.tmask.next = 0.into();
        for i in 0..self._warps {
            if self.view_.issue_oh.val().get_bit(i) {
                self.view_.issue.tmask.next = self.view_.issue.tmask.val() | self.inputs_.tmask[i].val();
            }
        }
        for k in 0..self._named {
            self.granted.number[k].next = 0.into();
            self.used_warps[k].next = 0.into();
            for i in 0..self._warps {
                self.used_warps[k].next =
                    self.used_warps[k].val().replace_bit(i, self.inputs_.heads.registers[i].used[k].val());
                if self.view_.issue_oh.val().get_bit(i) {
                    self.granted.number[k].next =
                        self.granted.number[k].val() | self.inputs_.heads.registers[i].number[k].val();
                }
            }
            self.granted.used[k].next = (self.view_.issue_oh.val() & self.used_warps[k].val()) != 0;
        }
        comment!("2. who may issue. What a reserved rounding mode makes illegal is for the special unit, which reports it.");
        self.special_warps.next = self.inputs_.heads.sfu_warps.val();
        for i in 0..self._float_warps {
            if self.has_fpu.val()
                && self.inputs_.heads.dynamic_rounding_warps.val().get_bit(i)
                    & (self.inputs_.frm[i].val() > bits::<3>(4))
            {
                self.special_warps.next = self.special_warps.val().replace_bit(i, true);
            }
            self.operands.frm[i].next = self.inputs_.frm[i].val();
        }
        self.scoreboard.own_warps.next = self.inputs_.own_warps.val();
        self.scoreboard.active_warps.next = self.inputs_.core.active_warps.val();
        self.scoreboard.start_warps.next = self.inputs_.core.start_warps.val();
        self.scoreboard.barrier_warps.next = self.inputs_.core.barrier.warps.val();
        self.scoreboard.resume_warps.next = self.inputs_.resume_warps.val();
        Wires::join(&mut self.inputs_.heads, &mut self.scoreboard.heads);
        self.scoreboard.heads.sfu_warps.next = self.special_warps.val();
        self.scoreboard.flush_warps.next = self.inputs_.flush_warps.val();
        self.scoreboard.mem_free.next = self.back_.mem_free.val();
        self.scoreboard.sfu_free.next = self.back_.sfu_free.val();
        self.scoreboard.operand_stall.next = self.operands.operand_stall.val();
        self.scoreboard.issue_fire_warps.next = self.view_.sched.view_.fired_oh.val();
        self.scoreboard.operand_write_warps.next = self.operands.operand_write_warps.val();
        self.scoreboard.operand_rd.next = self.operands.operand.sp.head_.to_.rd.val();
        self.scoreboard.passed_valid.next = self.back_.passed_valid.val();
        self.scoreboard.passed_wid.next = self.back_.passed_wid.val();
        Wires::join(&mut self.back_.branch, &mut self.scoreboard.branch);
        Wires::join(&mut self.back_.commit.write_, &mut self.scoreboard.commit);
        comment!("3. who does");
        self.view_.sched.view_.ready_warps.next = self.scoreboard.ready_warps.val();
        self.view_.sched.view_.data_ready_warps.next = self.scoreboard.data_ready_warps.val();
        self.view_.sched.view_.own_warps.next = self.inputs_.own_warps.val();
        self.view_.sched.view_.memory_warps.next = self.inputs_.heads.memory_warps.val();
        self.view_.sched.view_.empty_warps.next = !self.inputs_.heads.valid_warps.val();
        for i in 0..self._warps {
            self.view_.sched.view_.unissued[i].next = 0.into();
        }
        Wires::join(&mut self.view_.sched.view_, &mut self.scheduler.stage);
        Wires::join(&mut self.inputs_.core, &mut self.scheduler.core);
        Wires::join(&mut self.inputs_.tables, &mut self.scheduler.tables);
        if self.has_oracles.val() {
            Wires::join(&mut self.view_.sched.view_, &mut self.oracles.stage);
            Wires::join(&mut self.inputs_.core, &mut self.oracles.core);
            self.oracles.absent_warps.next = self.scoreboard.stall_on.ibuffer.val();
            Wires::join(&mut self.back_.branch, &mut self.oracles.branch);
            self.oracles.grant_oh.next = self.scheduler.grant.oh.val();
            self.oracles.stalled.next = self.operands.operand_stall.val();
            if self.unified.val() {
                self.oracles.stalled.next =
                    self.operands.operand_stall.val() | !self.inputs_.core.icache_req_ready.val();
            }
            Wires::join(&mut self.oracles.view, &mut self.view_.oracle);
        }
        comment!("4. operand stage");
        Wires::join(&mut self.view_.issue, &mut self.operands.issue);
        Wires::join(&mut self.granted, &mut self.operands.registers);
        self.operands.issue_write_warps.next =
            self.view_.issue_oh.val() & self.inputs_.heads.write_warps.val();
        self.operands.issue_mem.next = (self.view_.issue_oh.val() & self.inputs_.heads.mem_warps.val()) != 0;
        self.operands.issue_sfu.next = (self.view_.issue_oh.val() & self.special_warps.val()) != 0;
        Wires::join(&mut self.back_.commit, &mut self.operands.commit);
        self.operands.collector_ready.next = self.back_.sp_free.val();
        if self.collects.val() {
            comment!("With operand collectors between issue and the operand stage.");
            Wires::join(&mut self.view_.issue, &mut self.banked.issue);
            Wires::join(&mut self.granted, &mut self.banked.registers);
            self.banked.issue_mem.next =
                (self.view_.issue_oh.val() & self.inputs_.heads.mem_warps.val()) != 0;
            self.banked.issue_sfu.next = (self.view_.issue_oh.val() & self.special_warps.val()) != 0;
            self.banked.issue_write_warps.next =
                self.view_.sched.view_.fired_oh.val() & self.inputs_.heads.write_warps.val();
            Wires::join(&mut self.back_.commit, &mut self.banked.commit);
            self.banked.room[0].next = self.back_.mem_free.val() & !self.operands.holds.val();
            self.banked.room[1].next = self.back_.sfu_free.val() & !self.operands.holds.val();
            self.banked.room[2].next = !self.operands.holds.val();
            self.scoreboard.mem_free.next = self.banked.view.free[0].val();
            self.scoreboard.sfu_free.next = self.banked.view.free[1].val();
            self.scoreboard.sp_free.next = self.banked.view.free[2].val();
            self.scoreboard.collecting_warps.next = self.banked.held_warps.val();
            self.scoreboard.operand_write_warps.next = self.banked.entered_write_warps.val();
            self.scoreboard.operand_rd.next = self.banked.entered_rd.val();
            Wires::join(&mut self.banked.collected.issue_, &mut self.operands.issue);
            Data::join(&mut self.no_registers, &mut self.operands.registers);
            self.operands.registers.number[0].next = self.banked.collected.rd.val();
            self.operands.registers.used[0].next = self.banked.collected.use_rd.val();
            self.operands.issue_write_warps.next = 0.into();
            self.operands.issue_mem.next = self.banked.collected_mem.val();
            self.operands.issue_sfu.next = self.banked.collected_sfu.val();
            Wires::join(&mut self.banked.view, &mut self.view_.collect);
            self.collecting_warps.next = self.banked.held_warps.val();
            Data::join(&mut self.banked.words[0].data, &mut self.operands.collected.rs1);
            Data::join(&mut self.banked.words[1].data, &mut self.operands.collected.rs2);
            for i in 0..self._third_threads {
                self.operands.collected.rs3[i].next = self.banked.words[2].data[i].val();
            }
        }
        Wires::join(&mut self.operands.operand, &mut self.operand);
        Wires::join(&mut self.scoreboard.stall_on, &mut self.view_.stall_on);
        self.view_.operand_stall.next = self.operands.operand_stall.val();
        self.view_.sched.grant_oh.next = self.scheduler.grant.oh.val();
        if self.shares.val() {
            Wires::join(&mut self.orders.absent, &mut self.scoreboard.absent);
            if self.collects.val() {
                self.banked.visit.next = self.orders.visit.valid.val();
                Wires::join(&mut self.orders.words, &mut self.banked.shared_words);
            } else {
                self.operands.visit.next = self.orders.visit.valid.val();
                Wires::join(&mut self.orders.words, &mut self.operands.shared_words);
            }
        }
    }
}
