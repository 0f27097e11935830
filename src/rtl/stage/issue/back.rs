//! The back half of an issue slice: what comes behind the operand stage.
use crate::prelude::*;
use crate::sharing::ResultSplit;
use crate::stage::collector::{AccessOrder, MemCollector, SfuCollector, SpCollector};
use crate::stage::commit::Commit;
use crate::unit::alu::Alu;
use crate::unit::divider::DivideUnit;
use crate::unit::fpu::FloatUnit;

module! {
    /// Collectors, units and commit of a slice. What it holds says its warp; only where warps are shared does it know which are its own.
    ///
    /// Ports: the fields below, grouped by where they come from and go to; masks of lanes are T bits. Latency from the
    /// operand stage in cycle i: collector and unit i+1, ALU result in commit i+2. Reset: nothing in flight. Invariants:
    /// what enters the collectors for memory and for the special unit finds room, for the scoreboard issues these classes
    /// only while they are free; at most one result a cycle is written. Critical path: none of its own.
    /// Source: none. Mirror in the model: `model::timing`.
    pub struct IssueBack(cfg: &CoreConfig) [clock, reset]
    let threads = cfg.threads;
    // With one slice, the queue for memory keeps all accesses in order.
    let shares = cfg.shares_warps();
    let ordered = cfg.slices > 1 && !shares;
    {
        _threads: usize = threads,
        // From the operand stage.
        /// What it holds.
        pub operand: HeldOperands<In> = HeldOperands::new(cfg),
        // From the special unit.
        /// A result for this slice.
        pub sfu_result: OfferedResult<In> = OfferedResult::new(cfg),
        // From the load-store unit.
        /// A result for this slice.
        pub lsu_result: OfferedResult<In> = OfferedResult::new(cfg),
        /// It completes the load.
        pub lsu_result_last: Signal<In, Bit>,
        // Of a slice that shares warps.
        /// The warps that the slice owns.
        pub own_warps: Opt<Signal<In, WarpMask>> = Opt::new(shares, signal(cfg.warps)),
        /// A bit a warp: warps with a load, store or fence in some slice's collector.
        pub accessing_warps: Opt<Signal<In, WarpMask>> = Opt::new(shares, signal(cfg.warps)),
        /// A result that another slice has for a warp of this one.
        pub home: Opt<FloatResult<In>> = Opt::new(shares, FloatResult::new(cfg)),
        /// A result for a warp of another slice.
        pub away: Opt<FloatResult<Out>> = Opt::new(shares, FloatResult::new(cfg)),
        /// Neither the sp collector nor the operand stage holds anything of the class.
        pub sp_empty: Opt<Signal<Out, Bit>> = Opt::new(shares && !cfg.collects(), Signal::default()),
        /// The first entry of the mem collector leaves.
        pub mem_leaves: Opt<Signal<Out, Bit>> = Opt::new(shares, Signal::default()),
        /// The entry of the sfu collector leaves.
        pub sfu_leaves: Opt<Signal<Out, Bit>> = Opt::new(shares, Signal::default()),
        // To the front half.
        /// Room, branches, and what is written to the register file.
        pub state_: BackState<Out> = BackState::new(cfg),
        // To the load-store unit.
        /// The instruction that waits in the mem collector.
        pub mem: MemInstruction<Out> = MemInstruction::new(cfg),
        // To the special unit.
        /// The instruction for the special unit that waits in the sfu collector.
        pub sfu: SfuRequest<Out> = SfuRequest::new(cfg),
        /// Anything is in the operand stage or behind it.
        pub busy: Signal<Out, Bit>,
        sp_collector: SpCollector = SpCollector::new(cfg),
        mem_collector: MemCollector = MemCollector::new(cfg),
        sfu_collector: SfuCollector = SfuCollector::new(cfg),
        access_order: Opt<AccessOrder> = Opt::new(ordered, AccessOrder::new()),
        alu: Alu = Alu::new(cfg),
        divider: DivideUnit = DivideUnit::new(cfg),
        fpu: Opt<FloatUnit> = Opt::new(cfg.fpu, FloatUnit::new(cfg)),
        result_split: Opt<ResultSplit> = Opt::new(shares, ResultSplit::new(cfg)),
        writer: Commit = Commit::new(cfg),
        is_ordered: Const<Bit> = Const::new(ordered),
        shares: Const<Bit> = Const::new(shares),
        collects: Const<Bit> = Const::new(cfg.collects()),
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
    }
}

impl Logic for IssueBack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. collectors");
        Wires::join(&mut self.operand.sp, &mut self.sp_collector.operand);
        Wires::join(&mut self.operand.mem, &mut self.mem_collector.operand);
        Wires::join(&mut self.operand.sfu, &mut self.sfu_collector.operand);
        Wires::join(&mut self.operand.c, &mut self.sp_collector.operand_c);
        self.state_.sp_free.next = self.sp_collector.collector_ready.val();
        self.state_.mem_free.next = self.mem_collector.mem_free.val();
        comment!("Registered state alone: what a unit does this cycle is known too late for the scheduler.");
        self.state_.sfu_free.next =
            !self.operand.sfu.its_.valid.val() & !self.sfu_collector.sfu.its_.valid.val();
        self.sp_collector.sp_ready.next = self.alu.alu_ready.val();
        self.sfu_collector.sfu_ready.next = self.sfu.ready.val();
        if self.sfu_collector.sfu.its_.div.val() {
            comment!("A division without a destination is dropped.");
            self.sfu_collector.sfu_ready.next =
                self.divider.div_ready.val() | !self.sfu_collector.sfu.its_.head_.use_rd.val();
        }
        if self.has_fpu.val() {
            if self.sp_collector.sp.fpu.val() {
                self.sp_collector.sp_ready.next = self.fpu.sp_ready.val();
            }
            if self.sfu_collector.sfu.its_.fpu.val() {
                self.sfu_collector.sfu_ready.next = self.fpu.sfu_ready.val();
            }
        }
        if self.is_ordered.val() {
            self.access_order.operand_access.next = self.operand.mem.valid.val();
            self.access_order.operand_control.next = self.operand.sfu.its_.valid.val()
                & (self.operand.sfu.its_.wctl.val() | self.operand.sfu.its_.barrier.val());
            self.access_order.operand_funct3.next = self.operand.sfu.its_.head_.funct3.val();
            self.access_order.mem_leaves.next = self.mem_collector.mem.valid.val() & self.mem.ready.val();
        }
        comment!("2. units of the slice");
        Wires::join(&mut self.sp_collector.sp, &mut self.alu.sp);
        Wires::join(&mut self.sfu_collector.sfu, &mut self.divider.sfu);
        self.divider.sfu.its_.valid.next = self.sfu_collector.sfu.its_.valid.val()
            & self.sfu_collector.sfu.its_.div.val()
            & self.sfu_collector.sfu.its_.head_.use_rd.val();
        if self.has_fpu.val() {
            Wires::join(&mut self.sp_collector.sp, &mut self.fpu.sp);
            Wires::join(&mut self.sfu_collector.sfu, &mut self.fpu.sfu);
            self.fpu.sp.valid.next = self.sp_collector.sp.valid.val() & self.sp_collector.sp.fpu.val();
            self.fpu.sfu.its_.valid.next =
                self.sfu_collector.sfu.its_.valid.val() & self.sfu_collector.sfu.its_.fpu.val();
            Data::join(&mut self.sp_collector.sp_c, &mut self.fpu.sp_c);
            comment!("The floating-point units share their collectors with the other units, and commit.");
            if self.sp_collector.sp.fpu.val() {
                self.alu.sp.valid.next = false;
            }
        }
        comment!("3. commit");
        Wires::join(&mut self.lsu_result, &mut self.writer.results[0]);
        Wires::join(&mut self.sfu_result, &mut self.writer.results[1]);
        Wires::join(&mut self.divider.div_result, &mut self.writer.results[2]);
        Wires::join(&mut self.alu.alu_result, &mut self.writer.results[3]);
        self.writer.lsu_last.next = self.lsu_result_last.val();
        Wires::join(&mut self.fpu.fpu_result, &mut self.writer.fpu_result);
        if self.shares.val() {
            comment!("Results of shared warps go to their own slices, from which come those of own warps.");
            self.result_split.own_warps.next = self.own_warps.val();
            Wires::join(&mut self.divider.div_result, &mut self.result_split.results[0]);
            Wires::join(&mut self.alu.alu_result, &mut self.result_split.results[1]);
            for u in 0..2 {
                self.writer.results[u + 2_usize].valid.next = self.result_split.own_valid[u].val();
                self.result_split.own_ready[u].next = self.writer.results[u + 2_usize].ready.val();
            }
            if self.has_fpu.val() {
                Wires::join(&mut self.fpu.fpu_result, &mut self.result_split.fpu_result);
                self.writer.fpu_result.offer_.valid.next = self.result_split.fpu_own_valid.val();
                self.result_split.fpu_own_ready.next = self.writer.fpu_result.offer_.ready.val();
            }
            Wires::join(&mut self.home, &mut self.writer.home);
            Wires::join(&mut self.result_split.away, &mut self.away);
        }
        comment!("4. to the outside");
        Wires::join(&mut self.alu.branch, &mut self.state_.branch);
        self.state_.passed_valid.next = self.alu.passed_valid.val();
        self.state_.passed_wid.next = self.sp_collector.sp.head_.to_.wid.val();
        Wires::join(&mut self.mem_collector.mem, &mut self.mem);
        Wires::join(&mut self.sfu_collector.sfu.its_, &mut self.sfu.its_);
        Wires::join(&mut self.writer.commit, &mut self.state_.commit);
        self.sfu.its_.valid.next =
            self.sfu_collector.sfu.its_.valid.val() & !self.sfu_collector.sfu.its_.div.val();
        self.sfu.rs1.next = self.sfu_collector.sfu.rs1[0].val();
        self.sfu.flags.next = 0.into();
        for i in 0..self._threads {
            self.sfu.flags.next =
                self.sfu.flags.val().replace_bit(i, self.sfu_collector.sfu.rs1[i].val().get_bit(0));
        }
        comment!("5. what is under way here; the units outside have signals of their own");
        self.busy.next = self.operand.sp.valid.val()
            | self.operand.mem.valid.val()
            | self.operand.sfu.its_.valid.val()
            | self.sp_collector.sp.valid.val()
            | self.mem_collector.mem.valid.val()
            | self.sfu_collector.sfu.its_.valid.val()
            | self.alu.alu_result.valid.val()
            | self.divider.div_busy.val();
        if self.has_fpu.val() {
            self.busy.next = self.busy.val() | self.fpu.fpu_busy.val();
            if self.sfu_collector.sfu.its_.fpu.val() {
                self.sfu.its_.valid.next = false;
            }
        }
        if self.shares.val() {
            comment!("6. warp sharing: what can be taken, and what leaves");
            if !self.collects.val() {
                self.sp_empty.next = !self.operand.sp.valid.val() & !self.sp_collector.sp.valid.val();
            }
            self.mem_leaves.next = self.mem_collector.mem.valid.val() & self.mem.ready.val();
            self.sfu_leaves.next =
                self.sfu_collector.sfu.its_.valid.val() & self.sfu_collector.sfu_ready.val();
            comment!("What may let other warps go on waits for its own warp's accesses, wherever they are.");
            if (self.sfu_collector.sfu.its_.barrier.val()
                | (self.sfu_collector.sfu.its_.wctl.val()
                    & (self.sfu_collector.sfu.its_.head_.funct3.val() != 2)
                    & (self.sfu_collector.sfu.its_.head_.funct3.val() != 3)))
                & self.accessing_warps.val().get_bit(self.sfu_collector.sfu.its_.head_.to_.wid.val().index())
            {
                self.sfu.its_.valid.next = false;
            }
        }
        if self.is_ordered.val() && self.access_order.waits.val() {
            self.sfu.its_.valid.next = false;
        }
    }
}
