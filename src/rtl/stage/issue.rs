//! An issue slice: wiring of everything between the instruction queues and the register file's write port.
mod back;
mod front;

use crate::prelude::*;
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
    /// Reset: nothing in flight. Invariants: one instruction issues a cycle, of a warp in `own_warps` or, where warps are shared, of a shared warp; a class whose collector may be occupied does not issue, so only the integer units, by a
    /// result that finds the write port taken, can hold the operand stage. Critical path: scoreboard, scheduler,
    /// register number of the granted head, register file address. Source: SWaS IV-A (stages). Mirror in the model:
    /// `model::timing`.
    pub struct IssueSlice(cfg: &CoreConfig) [clock, reset] {
        // From all.
        /// Heads, warps, lanes, events.
        pub inputs_: SliceInputs<In> = SliceInputs::new(cfg),
        // From the special unit.
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
        /// A branch or jump was resolved in the cycle before.
        pub branch: Branch<Out> = Branch::new(cfg),
        // To the load-store unit.
        /// The instruction that waits in the mem collector.
        pub mem: MemInstruction<Out> = MemInstruction::new(cfg),
        // To the special unit.
        /// The instruction for the special unit that waits in the sfu collector.
        pub sfu: SfuRequest<Out> = SfuRequest::new(cfg),
        // To the front end, the trace and the counters.
        /// What issues, and what does not.
        pub view_: IssueView<Out> = IssueView::new(cfg),
        /// What is written to the register file.
        pub commit: RegisterWrite<Out> = RegisterWrite::new(cfg),
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
        Wires::join(&mut self.inputs_, &mut self.front.inputs_);
        Wires::join(&mut self.back.state_, &mut self.front.back_);
        Wires::join(&mut self.front.view_, &mut self.view_);
        comment!("2. the back half");
        Wires::join(&mut self.front.operand, &mut self.back.operand);
        Wires::join(&mut self.lsu_result, &mut self.back.lsu_result);
        self.back.lsu_result_last.next = self.lsu_result_last.val();
        Wires::join(&mut self.sfu_result, &mut self.back.sfu_result);
        Wires::join(&mut self.back.state_.branch, &mut self.branch);
        Wires::join(&mut self.back.state_.commit, &mut self.commit);
        Wires::join(&mut self.back.mem, &mut self.mem);
        Wires::join(&mut self.back.sfu, &mut self.sfu);
        self.busy.next = self.back.busy.val();
        if self.collects.val() {
            self.busy.next = self.back.busy.val() | self.front.collecting_warps.val().any();
        }
        if self.shares.val() {
            comment!("3. warp sharing: what it is told, and what is told");
            Wires::join(&mut self.orders, &mut self.front.orders);
            self.back.own_warps.next = self.inputs_.own_warps.val();
            self.back.accessing_warps.next = self.orders.accessing_warps.val();
            Wires::join(&mut self.home, &mut self.back.home);
            Wires::join(&mut self.back.away, &mut self.away);
            if self.collects.val() {
                self.state.collecting_warps.next = self.front.collecting_warps.val();
                Data::join(&mut self.front.view_.collect.free, &mut self.state.room);
                for k in 0..self._classes {
                    self.state.full[k].next = !self.front.view_.collect.free[k].val();
                }
            } else {
                self.held.d.next = self.front.view_.operand_stall.val();
                self.state.room[0].next = self.back.state_.mem_free.val();
                self.state.room[1].next = self.back.state_.sfu_free.val();
                self.state.room[2].next = self.back.sp_empty.val();
                self.state.full[0].next = !self.back.state_.mem_free.val();
                self.state.full[1].next = !self.back.state_.sfu_free.val();
                self.state.full[2].next = self.held.q.val();
            }
            self.state.ready_warps.next = self.front.view_.sched.view_.ready_warps.val();
            self.state.data_ready_warps.next = self.front.view_.sched.view_.data_ready_warps.val();
            self.state.special_warps.next = self.front.special_warps.val();
            self.state.stalled.next = self.front.view_.operand_stall.val();
            self.state.fire_warps.next = self.front.view_.issue_fire_warps.val();
            Wires::join(&mut self.front.granted, &mut self.state.registers);
            self.state.mem_leaves.next = self.back.mem_leaves.val();
            self.state.mem_leaves_wid.next = self.back.mem.head_.to_.wid.val();
            self.state.sfu_leaves.next = self.back.sfu_leaves.val();
            self.state.sfu_leaves_wid.next = self.back.sfu.its_.head_.to_.wid.val();
            self.state.passed_valid.next = self.back.state_.passed_valid.val();
            self.state.passed_wid.next = self.back.state_.passed_wid.val();
            self.state.taken_valid.next =
                self.back.state_.branch.valid.val() & self.back.state_.branch.taken.val();
            self.state.taken_wid.next = self.back.state_.branch.wid.val();
            Wires::join(&mut self.back.state_.commit, &mut self.state.commit);
        }
    }
}
