//! An issue slice: wiring of everything between the instruction queues and the register file's write port.
mod back;
mod front;

use crate::rtl::prelude::*;
use crate::rtl::sched::CoreView;
use back::IssueBack;
use front::IssueFront;

module! {
    /// One issue slice: its front half, scoreboard, warp scheduler and operand stage, and its back half, collectors, integer
    /// units and commit.
    ///
    /// Ports: the fields below, grouped by where they come from and go to; masks of warps are W bits, of lanes T bits.
    /// Latency from issue in cycle i: operand stage i+1, collector and unit i+2 (a branch that is not taken resolves there, any
    /// other in i+3), ALU result in commit i+3, so that a dependent instruction issues in i+4; a multiplication commits in i+4, a division
    /// in i+3 and as many as it has steps, a floating-point sum or product in i+6.
    /// Reset: nothing in flight. Invariants: one instruction issues a cycle, of a warp in `own_warps` or, where warps are shared, of a visitor; a class whose collector may be occupied does not issue, so only the integer units, by a
    /// result that finds the write port taken, can hold the operand stage. Critical path: scoreboard, scheduler,
    /// register number of the granted head, register file address. Source: SWaS V-B (stages). Mirror in the model:
    /// `model::timing`.
    pub struct IssueSlice(cfg: &CoreConfig) [clock, reset]
    let (warps, threads) = (cfg.warps, cfg.threads);
    let fpu = usize::from(cfg.fpu);
    {
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
        /// Takes the entry of the sfu collector this cycle.
        pub sfu_ready: Signal<In, Bit>,
        /// A result for this slice.
        pub sfu_result: OfferedResult<In> = OfferedResult::new(cfg),
        // From the load-store unit.
        /// A result for this slice.
        pub lsu_result: OfferedResult<In> = OfferedResult::new(cfg),
        /// It completes the load.
        pub lsu_result_last: Signal<In, Bit>,
        // From that through which warps are shared, and to it.
        /// Who visits, and where own warps are.
        pub orders: Opt<SliceOrders<In>> = Opt::new(cfg.shares_warps(), SliceOrders::new(cfg)),
        /// A result that another slice has for a warp of this one.
        pub home: Opt<FloatResult<In>> = Opt::new(cfg.shares_warps(), FloatResult::new(cfg)),
        /// A result for a warp of another slice.
        pub away: Opt<FloatResult<Out>> = Opt::new(cfg.shares_warps(), FloatResult::new(cfg)),
        /// What can be shared, and where there is room.
        pub state: Opt<SliceState<Out>> = Opt::new(cfg.shares_warps(), SliceState::new(cfg)),
        // To the front end.
        /// W bits: the warp whose head is granted issue through this slice.
        pub issue_oh: Signal<Out, WarpMask> = signal(warps),
        /// W bits: the warp whose head leaves its queue, if one does.
        pub issue_fire_warps: Signal<Out, WarpMask> = signal(warps),
        /// The granted head, an instruction that issues if it leaves its queue and is no NOP (which only SWaS has).
        pub issue: Issue<Out> = Issue::new(cfg),
        /// A branch or jump was resolved in the cycle before.
        pub branch: Branch<Out> = Branch::new(cfg),
        // To the load-store unit.
        /// The instruction that waits in the mem collector.
        pub mem: MemInstruction<Out> = MemInstruction::new(cfg),
        // To the special unit.
        /// The instruction for the special unit that waits in the sfu collector.
        pub sfu: SfuInstruction<Out> = SfuInstruction::new(cfg),
        /// First register of lane 0.
        pub sfu_rs1: Signal<Out, Bits<32>>,
        /// Bit 0 of each lane's first register.
        pub sfu_flags: Signal<Out, Bits<32>> = signal(threads),
        // To the trace and the counters.
        /// What is written to the register file.
        pub commit: RegisterWrite<Out> = RegisterWrite::new(cfg),
        /// What the scheduler sees of the slice, and chooses; `fire`: the granted head leaves its queue.
        pub sched: TraceSched<Out> = TraceSched::new(cfg),
        /// The operand stage holds: whatever is chosen, nothing issues.
        pub operand_stall: Signal<Out, Bit>,
        /// With operand collectors: what they do.
        pub collect: Opt<CollectView<Out>> = Opt::new(cfg.collects(), CollectView::new(cfg)),
        /// Why the others do not issue.
        pub stall_on: Stalls<Out> = Stalls::new(cfg),
        /// With oracles: what they say.
        pub oracle: Opt<OracleView<Out>> = Opt::new(cfg.oracle, OracleView::new()),
        /// Anything is in the slice: between issue and commit, or a unit of the core.
        pub busy: Signal<Out, Bit>,
        front: IssueFront = IssueFront::new(cfg),
        back: IssueBack = IssueBack::new(cfg),
        shares: Const<Bit> = Const::new(cfg.shares_warps()),
        collects: Const<Bit> = Const::new(cfg.collects()),
        held: Opt<Reg<Bit>> = Opt::new(cfg.shares_warps() && !cfg.collects(), Reg::new()),
        _classes: usize = CLASSES,
    }
}

impl Logic for IssueSlice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the front half");
        self.front.own_warps.next = self.own_warps.val();
        Wires::join(&mut self.heads, &mut self.front.heads);
        self.front.flush_warps.next = self.flush_warps.val();
        self.front.head_instr.next = self.head_instr.val();
        self.front.head_pc.next = self.head_pc.val();
        Wires::join(&mut self.core, &mut self.front.core);
        Wires::join(&mut self.tmask, &mut self.front.tmask);
        Wires::join(&mut self.frm, &mut self.front.frm);
        self.front.resume_warps.next = self.resume_warps.val();
        Wires::join(&mut self.back.state_, &mut self.front.back_);
        self.issue_oh.next = self.front.issue_oh.val();
        self.issue_fire_warps.next = self.front.issue_fire_warps.val();
        Wires::join(&mut self.front.issue, &mut self.issue);
        Wires::join(&mut self.front.sched, &mut self.sched);
        Wires::join(&mut self.front.stall_on, &mut self.stall_on);
        self.operand_stall.next = self.front.operand_stall.val();
        Wires::join(&mut self.front.collect, &mut self.collect);
        Wires::join(&mut self.front.oracle, &mut self.oracle);
        comment!("2. the back half");
        Wires::join(&mut self.front.operand, &mut self.back.operand);
        Wires::join(&mut self.lsu_result, &mut self.back.lsu_result);
        self.back.lsu_result_last.next = self.lsu_result_last.val();
        Wires::join(&mut self.sfu_result, &mut self.back.sfu_result);
        self.back.sfu_ready.next = self.sfu_ready.val();
        Wires::join(&mut self.back.state_.branch, &mut self.branch);
        Wires::join(&mut self.back.state_.commit, &mut self.commit);
        Wires::join(&mut self.back.mem, &mut self.mem);
        Wires::join(&mut self.back.sfu, &mut self.sfu);
        self.sfu_rs1.next = self.back.sfu_rs1.val();
        self.sfu_flags.next = self.back.sfu_flags.val();
        self.busy.next = self.back.busy.val();
        if self.collects.val() {
            self.busy.next = self.back.busy.val() | self.front.collecting_warps.val().any();
        }
        if self.shares.val() {
            comment!("3. warp sharing: what it is told, and what is told");
            Wires::join(&mut self.orders, &mut self.front.orders);
            self.back.own_warps.next = self.own_warps.val();
            self.back.accessing_warps.next = self.orders.accessing_warps.val();
            Wires::join(&mut self.home, &mut self.back.home);
            Wires::join(&mut self.back.away, &mut self.away);
            if self.collects.val() {
                self.state.collecting_warps.next = self.front.collecting_warps.val();
                for k in 0..self._classes {
                    self.state.room[k].next = self.front.collect.free[k].val();
                    self.state.full[k].next = !self.front.collect.free[k].val();
                }
            } else {
                self.held.d.next = self.front.operand_stall.val();
                self.state.room[0].next = self.back.state_.mem_free.val();
                self.state.room[1].next = self.back.state_.sfu_free.val();
                self.state.room[2].next = self.back.sp_empty.val();
                self.state.full[0].next = !self.back.state_.mem_free.val();
                self.state.full[1].next = !self.back.state_.sfu_free.val();
                self.state.full[2].next = self.held.q.val();
            }
            self.state.ready_warps.next = self.front.sched.view_.ready_warps.val();
            self.state.data_ready_warps.next = self.front.sched.view_.data_ready_warps.val();
            self.state.special_warps.next = self.front.special_warps.val();
            self.state.stalled.next = self.front.operand_stall.val();
            self.state.fire_warps.next = self.front.issue_fire_warps.val();
            Wires::join(&mut self.front.granted, &mut self.state.registers);
            self.state.mem_leaves.next = self.back.mem_leaves.val();
            self.state.mem_leaves_wid.next = self.back.mem.wid.val();
            self.state.sfu_leaves.next = self.back.sfu_leaves.val();
            self.state.sfu_leaves_wid.next = self.back.sfu.wid.val();
            self.state.passed_valid.next = self.back.state_.passed_valid.val();
            self.state.passed_wid.next = self.back.state_.passed_wid.val();
            self.state.taken_valid.next =
                self.back.state_.branch.valid.val() & self.back.state_.branch.taken.val();
            self.state.taken_wid.next = self.back.state_.branch.wid.val();
            Wires::join(&mut self.back.state_.commit, &mut self.state.commit);
        }
    }
}
