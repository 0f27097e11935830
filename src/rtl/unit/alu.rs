//! The integer unit: an [`AluLane`] and a [`MultiplyLane`] a lane, votes and shuffles between them ([`CrossLane`]), the
//! result register, and branch resolution.
mod cross_lane;
mod lane;
mod multiply;
mod shuffle;

use crate::prelude::*;

pub use cross_lane::CrossLane;
pub use lane::AluLane;
pub use multiply::MultiplyLane;
pub use shuffle::ShuffleLane;

module! {
    /// The integer unit of a slice: ALU and multiplier for each thread, one result register, branch resolution.
    ///
    /// Ports: below. Latency: the condition is known in the cycle the instruction is in the collector. A branch that
    /// is not taken lets its warp go on at once; what goes elsewhere does so a cycle later, from registers, because
    /// the comparison leaves no time for the front end. The result is registered at the end of the collector's cycle,
    /// too: ALU, multiplier and what crosses lanes have a register each, and all but one of them show 0. Reset: no
    /// result, no branch. Invariants: the condition of a warp is that of its last active lane; an instruction that
    /// writes nothing never waits for the result register. Critical path: a lane's comparison, last-lane multiplexer; a
    /// lane's partial product; its sum. Source: docs/ISA.md, section 1 (last lane decides). Mirror in the model: `model::exec`.
    pub struct Alu(cfg: &CoreConfig) [clock, reset]
    let threads = cfg.threads;
    {
        _threads: usize = threads,
        /// From the sp collector: an instruction for the integer unit.
        pub sp: SpInstruction<In> = SpInstruction::new(cfg),
        // To the sp collector.
        /// The instruction in the collector leaves it this cycle.
        pub alu_ready: Signal<Out, Bit>,
        // To the scoreboard.
        /// The branch in the collector leaves it and is not taken.
        pub passed_valid: Signal<Out, Bit>,
        /// To the front end and the scoreboard: a branch or jump left the collector in the cycle before.
        pub branch: Branch<Out> = Branch::new(cfg),
        // To commit.
        /// A result that waits for the write port.
        pub alu_result: OfferedResult<Out> = OfferedResult::new(cfg),
        lanes: Vec<AluLane> = (0..threads).map(|_| AluLane::new()).collect(),
        multipliers: Vec<MultiplyLane> = (0..threads).map(|_| MultiplyLane::new()).collect(),
        exchange: Opt<CrossLane> = Opt::new(cfg.cross_lane, CrossLane::new(cfg)),
        cross_lane: Const<Bit> = Const::new(cfg.cross_lane),
        _cross_threads: usize = usize::from(cfg.cross_lane) * threads,
        _asking: usize = if cfg.cross_lane && threads > 1 { threads } else { 0 },
        valid: Reg<Bit>,
        result: UnitResult<Registered> = UnitResult::new(cfg),
        resolved: Branch<Registered> = Branch::new(cfg),
        taken_lanes: Signal<Local, Bits<32>> = signal(threads),
        resolves, goes_elsewhere, free, load: Signal<Local, Bit>,
        btfn: Const<Bit> = Const::new(cfg.btfn),
    }
}

impl Logic for Alu {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. lanes");
        self.taken_lanes.next = 0.into();
        for i in 0..self._threads {
            self.lanes[i].control.next = self.sp.alu_control.val();
            self.lanes[i].a.next = self.sp.a[i].val();
            self.lanes[i].b.next = self.sp.b[i].val();
            self.multipliers[i].control.next = self.sp.multiply_control.val();
            self.multipliers[i].a.next = self.sp.a[i].val();
            self.multipliers[i].b.next = self.sp.b[i].val();
            self.taken_lanes.next = self.taken_lanes.val().replace_bit(i, self.lanes[i].condition.val());
        }
        comment!("2. who may go: only what writes a register needs the result register");
        self.free.next = !self.valid.q.val() | self.alu_result.ready.val();
        self.alu_ready.next = self.free.val() | !self.sp.head_.use_rd.val();
        self.load.next = self.sp.valid.val() & self.sp.head_.use_rd.val() & self.free.val();
        comment!("3. resolution: the last active lane decides for the warp");
        self.resolves.next = self.sp.valid.val() & self.sp.resolves.val() & self.alu_ready.val();
        self.goes_elsewhere.next = (self.taken_lanes.val() & self.sp.last_lane.val()) != 0;
        comment!("What writes a register, and so may wait, is a jump and, unless that is predicted, goes elsewhere.");
        self.passed_valid.next = self.sp.valid.val() & self.sp.resolves.val() & !self.goes_elsewhere.val();
        if self.btfn.val() {
            if self.sp.ahead.val() {
                self.goes_elsewhere.next = (self.taken_lanes.val() & self.sp.last_lane.val()) == 0;
            }
            self.passed_valid.next = self.resolves.val() & !self.goes_elsewhere.val();
        }
        self.resolved.valid.d.next = self.resolves.val();
        self.resolved.taken.d.next = self.goes_elsewhere.val();
        self.resolved.wid.d.next = self.sp.head_.to_.wid.val();
        self.resolved.target.d.next = self.sp.target.val();
        Data::join(&mut self.resolved, &mut self.branch);
        comment!("4. result register");
        if self.free.val() {
            self.valid.d.next = self.load.val();
        }
        if self.load.val() {
            Data::join(&mut self.sp.head_.to_, &mut self.result.to_);
        }
        self.alu_result.valid.next = self.valid.q.val();
        Data::join(&mut self.result, &mut self.alu_result.result_);
        for i in 0..self._threads {
            if self.load.val() {
                self.result.data[i].d.next = self.lanes[i].result.val();
                if self.sp.multiplies.val() {
                    self.result.data[i].d.next = 0.into();
                }
            }
            if self.cross_lane.val() && self.load.val() & self.sp.crosses.val() {
                self.result.data[i].d.next = 0.into();
            }
            self.multipliers[i].load.next = self.load.val();
            self.multipliers[i].multiplies.next = self.sp.multiplies.val();
            self.alu_result.result_.data[i].next =
                self.result.data[i].q.val() | self.multipliers[i].result.val();
        }
        if self.cross_lane.val() {
            self.exchange.load.next = self.load.val();
            self.exchange.crosses.next = self.sp.crosses.val();
            self.exchange.operation.next = self.sp.head_.funct3.val();
            self.exchange.tmask.next = self.sp.head_.to_.tmask.val();
            for i in 0..self._asking {
                self.exchange.b[i].next = self.sp.b[i].val();
            }
            for i in 0..self._cross_threads {
                self.exchange.a[i].next = self.sp.a[i].val();
                self.alu_result.result_.data[i].next = self.result.data[i].q.val()
                    | self.multipliers[i].result.val()
                    | self.exchange.result[i].val();
            }
        }
    }
}
