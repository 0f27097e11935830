//! The integer unit: one [`AluLane`] a lane, the result register, and branch resolution.
use super::super::cell::{pipes, signal, signals, Pipe, Reg};
use super::super::op::AluOp;
use crate::comment;
use crate::config::CoreConfig;
use rust_hdl::prelude::*;

/// One lane of the ALU: every single-cycle integer operation and every branch condition.
///
/// Ports: from the operand collector `op`, `a`, `b`; out `result` 32 and `taken`, the branch condition
/// (1 for a jump, 0 for anything that is no control transfer). A branch has the result 0, a jump `b`, where the operand
/// stage has put the link address. Latency: combinational. Reset: none. Invariants: none.
/// Critical path: subtraction, then the comparison with 0. Source: RISC-V Unprivileged 2.4,
/// 2.5 and Zicond. Mirror in the model: the arithmetic of `model::exec`.
#[derive(LogicBlock, Default)]
pub struct AluLane {
    /// Operation.
    pub op: Signal<In, AluOp>,
    /// First operand.
    pub a: Signal<In, Bits<32>>,
    /// Second operand.
    pub b: Signal<In, Bits<32>>,
    /// Value for `rd`.
    pub result: Signal<Out, Bits<32>>,
    /// The branch condition holds.
    pub taken: Signal<Out, Bit>,
    addend: Signal<Local, Bits<32>>,
    carry_in: Signal<Local, Bits<1>>,
    total: Signal<Local, Bits<34>>,
    below: Signal<Local, Bit>,
    less: Signal<Local, Bit>,
    equal: Signal<Local, Bit>,
    b_zero: Signal<Local, Bit>,
    left: Signal<Local, Bit>,
    fill: Signal<Local, Bits<32>>,
    shift_in: Signal<Local, Bits<32>>,
    by_16: Signal<Local, Bits<32>>,
    by_8: Signal<Local, Bits<32>>,
    by_4: Signal<Local, Bits<32>>,
    by_2: Signal<Local, Bits<32>>,
    by_1: Signal<Local, Bits<32>>,
    mirrored: Signal<Local, Bits<32>>,
    both: Signal<Local, Bit>,
    only_a: Signal<Local, Bit>,
    only_b: Signal<Local, Bit>,
}

impl Logic for AluLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AluLane: One lane of the ALU: every single-cycle integer operation and every branch condition.");
        comment!("1. one adder for sum and difference: a complement and a carry subtract. The carry enters at an extra lowest bit, so that it costs no second adder.");
        self.addend.next = !self.b.val();
        self.carry_in.next = 1.into();
        if self.op.val() == AluOp::Add {
            self.addend.next = self.b.val();
            self.carry_in.next = 0.into();
        }
        self.total.next = ((bit_cast::<34, 32>(self.a.val()) << bits::<6>(1)) | 1_u64)
            + ((bit_cast::<34, 32>(self.addend.val()) << bits::<6>(1))
                | bit_cast::<34, 1>(self.carry_in.val()));
        comment!("2. comparisons, of everything but an addition: a difference of 0 means equal, no carry out below");
        self.below.next = !self.total.val().get_bit(33);
        self.less.next = self.below.val();
        if self.a.val().get_bit(31) != self.b.val().get_bit(31) {
            self.less.next = self.a.val().get_bit(31);
        }
        self.equal.next = self.total.val().get_bits::<32>(1) == 0;
        self.b_zero.next = self.b.val() == 0;
        comment!("3. one right shifter serves all shifts: a left shift goes through it mirrored");
        self.left.next = self.op.val() == AluOp::Sll;
        self.fill.next = 0.into();
        if (self.op.val() == AluOp::Sra) & self.a.val().get_bit(31) {
            self.fill.next = 0xFFFF_FFFF_u64.into();
        }
        self.shift_in.next = self.a.val();
        if self.left.val() {
            for i in 0..32 {
                self.shift_in.next = self.shift_in.val().replace_bit(i, self.a.val().get_bit(31 - i));
            }
        }
        self.by_16.next = self.shift_in.val();
        if self.b.val().get_bit(4) {
            self.by_16.next = (self.shift_in.val() >> bits::<5>(16)) | (self.fill.val() & 0xFFFF_0000_u64);
        }
        self.by_8.next = self.by_16.val();
        if self.b.val().get_bit(3) {
            self.by_8.next = (self.by_16.val() >> bits::<5>(8)) | (self.fill.val() & 0xFF00_0000_u64);
        }
        self.by_4.next = self.by_8.val();
        if self.b.val().get_bit(2) {
            self.by_4.next = (self.by_8.val() >> bits::<5>(4)) | (self.fill.val() & 0xF000_0000_u64);
        }
        self.by_2.next = self.by_4.val();
        if self.b.val().get_bit(1) {
            self.by_2.next = (self.by_4.val() >> bits::<5>(2)) | (self.fill.val() & 0xC000_0000_u64);
        }
        self.by_1.next = self.by_2.val();
        if self.b.val().get_bit(0) {
            self.by_1.next = (self.by_2.val() >> bits::<5>(1)) | (self.fill.val() & 0x8000_0000_u64);
        }
        self.mirrored.next = 0.into();
        for i in 0..32 {
            self.mirrored.next = self.mirrored.val().replace_bit(i, self.by_1.val().get_bit(31 - i));
        }
        comment!("4. logic: where both operands have a one, where only one has. What passes an operand is a logic operation, too.");
        self.both.next = false;
        self.only_a.next = false;
        self.only_b.next = false;
        match self.op.val() {
            AluOp::And => self.both.next = true,
            AluOp::Or => {
                self.both.next = true;
                self.only_a.next = true;
                self.only_b.next = true;
            }
            AluOp::Xor => {
                self.only_a.next = true;
                self.only_b.next = true;
            }
            AluOp::CzeroEqz => {
                self.both.next = !self.b_zero.val();
                self.only_a.next = !self.b_zero.val();
            }
            AluOp::CzeroNez => self.only_a.next = self.b_zero.val(),
            AluOp::PassB => {
                self.both.next = true;
                self.only_b.next = true;
            }
            AluOp::Jump => {
                self.both.next = true;
                self.only_b.next = true;
            }
            _ => self.both.next = false,
        }
        comment!("5. result: an OR of what the operation selects");
        self.result.next = 0.into();
        if self.both.val() {
            self.result.next = self.a.val() & self.b.val();
        }
        if self.only_a.val() {
            self.result.next = self.result.val() | (self.a.val() & !self.b.val());
        }
        if self.only_b.val() {
            self.result.next = self.result.val() | (!self.a.val() & self.b.val());
        }
        if (self.op.val() == AluOp::Add) | (self.op.val() == AluOp::Sub) {
            self.result.next = self.result.val() | self.total.val().get_bits::<32>(1);
        }
        if (self.op.val() == AluOp::Srl) | (self.op.val() == AluOp::Sra) {
            self.result.next = self.result.val() | self.by_1.val();
        }
        if self.left.val() {
            self.result.next = self.result.val() | self.mirrored.val();
        }
        if ((self.op.val() == AluOp::Slt) & self.less.val())
            | ((self.op.val() == AluOp::Sltu) & self.below.val())
        {
            self.result.next = self.result.val() | 1_u64;
        }
        comment!("6. branch condition");
        self.taken.next = false;
        match self.op.val() {
            AluOp::Beq => self.taken.next = self.equal.val(),
            AluOp::Bne => self.taken.next = !self.equal.val(),
            AluOp::Blt => self.taken.next = self.less.val(),
            AluOp::Bge => self.taken.next = !self.less.val(),
            AluOp::Bltu => self.taken.next = self.below.val(),
            AluOp::Bgeu => self.taken.next = !self.below.val(),
            AluOp::Jump => self.taken.next = true,
            _ => self.taken.next = false,
        }
    }
}

/// The integer unit of a slice: a lane for each thread, one result register, branch resolution.
///
/// Ports, from the sp collector: `sp_valid` (an ALU instruction is there), `sp_op`, `sp_a` and `sp_b` a lane,
/// `sp_wid`, `sp_tmask`, `sp_last_lane` T (one hot: the last active lane), `sp_rd` 6, `sp_use_rd`,
/// `sp_resolves` (branch or jump), `sp_target` 32; from commit `alu_result_ready`. To the collector `alu_ready`; to the
/// scoreboard `passed_valid`; to it and the front end `branch_*`; to commit `alu_result_*`.
/// Latency: the condition is known in the cycle the instruction is in the collector. A branch that is not taken
/// lets its warp go on at once; what goes elsewhere does so a cycle later, from registers, because the comparison
/// leaves no time for the front end. The result is registered at the end of the collector's cycle, too. Reset: no
/// result, no branch. Invariants: the condition of a warp is that of its last active
/// lane; an instruction that writes nothing never waits for the result register.
/// Critical path: a lane's comparison, last-lane multiplexer.
/// Source: VORTEX_ABI 3.2 (last lane decides). Mirror in the model: `model::exec`.
#[derive(LogicBlock, Default)]
pub struct Alu {
    _threads: usize,
    /// Rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    // From the sp collector.
    /// An ALU instruction is in the collector.
    pub sp_valid: Signal<In, Bit>,
    /// Its operation.
    pub sp_op: Signal<In, AluOp>,
    /// First operand of each lane.
    pub sp_a: Vec<Signal<In, Bits<32>>>,
    /// Second operand of each lane.
    pub sp_b: Vec<Signal<In, Bits<32>>>,
    /// Its warp.
    pub sp_wid: Signal<In, Bits<5>>,
    /// Its active lanes.
    pub sp_tmask: Signal<In, Bits<32>>,
    /// The last of them, one hot.
    pub sp_last_lane: Signal<In, Bits<32>>,
    /// Destination.
    pub sp_rd: Signal<In, Bits<6>>,
    /// There is a destination.
    pub sp_use_rd: Signal<In, Bit>,
    /// It is a branch or a jump.
    pub sp_resolves: Signal<In, Bit>,
    /// Where it branches to.
    pub sp_target: Signal<In, Bits<32>>,
    // From commit.
    /// Commit takes the result this cycle.
    pub alu_result_ready: Signal<In, Bit>,
    // To the sp collector.
    /// The instruction in the collector leaves it this cycle.
    pub alu_ready: Signal<Out, Bit>,
    // To the scoreboard.
    /// The branch in the collector leaves it and is not taken.
    pub passed_valid: Signal<Out, Bit>,
    // To the front end and the scoreboard.
    /// A branch or jump left the collector in the cycle before.
    pub branch_valid: Signal<Out, Bit>,
    /// It is taken.
    pub branch_taken: Signal<Out, Bit>,
    /// Its warp.
    pub branch_wid: Signal<Out, Bits<5>>,
    /// Where it branches to.
    pub branch_target: Signal<Out, Bits<32>>,
    // To commit.
    /// A result waits for the write port.
    pub alu_result_valid: Signal<Out, Bit>,
    /// Its warp.
    pub alu_result_wid: Signal<Out, Bits<5>>,
    /// Its register.
    pub alu_result_rd: Signal<Out, Bits<6>>,
    /// Its lanes.
    pub alu_result_tmask: Signal<Out, Bits<32>>,
    /// Its data.
    pub alu_result_data: Vec<Signal<Out, Bits<32>>>,
    lanes: Vec<AluLane>,
    valid: Reg<Bit>,
    wid: Pipe<Bits<5>>,
    rd: Pipe<Bits<6>>,
    tmask: Pipe<Bits<32>>,
    data: Vec<Pipe<Bits<32>>>,
    resolved: Reg<Bit>,
    taken: Pipe<Bit>,
    resolved_wid: Pipe<Bits<5>>,
    target: Pipe<Bits<32>>,
    taken_lanes: Signal<Local, Bits<32>>,
    resolves: Signal<Local, Bit>,
    goes_elsewhere: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    load: Signal<Local, Bit>,
}

impl Alu {
    /// The integer unit of one slice.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (threads, wid) = (cfg.threads, cfg.wid_bits());
        Self {
            _threads: threads,
            sp_a: signals(threads, 32),
            sp_b: signals(threads, 32),
            sp_wid: signal(wid),
            sp_tmask: signal(threads),
            sp_last_lane: signal(threads),
            alu_result_wid: signal(wid),
            alu_result_tmask: signal(threads),
            alu_result_data: signals(threads, 32),
            lanes: (0..threads).map(|_| AluLane::default()).collect(),
            branch_wid: signal(wid),
            wid: Pipe::<Bits<5>>::width(wid),
            resolved_wid: Pipe::<Bits<5>>::width(wid),
            tmask: Pipe::<Bits<32>>::width(threads),
            data: pipes(threads, 32),
            taken_lanes: signal(threads),
            ..Self::default()
        }
    }
}

impl Logic for Alu {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Alu: The integer unit of a slice: a lane for each thread, one result register, branch resolution.");
        dff_setup!(self, clock, valid, wid, rd, tmask, resolved, taken, resolved_wid, target);
        comment!("1. lanes");
        self.taken_lanes.next = 0.into();
        for i in 0..self._threads {
            self.lanes[i].op.next = self.sp_op.val();
            self.lanes[i].a.next = self.sp_a[i].val();
            self.lanes[i].b.next = self.sp_b[i].val();
            self.taken_lanes.next = self.taken_lanes.val().replace_bit(i, self.lanes[i].taken.val());
        }
        comment!("2. who may go: only what writes a register needs the result register");
        self.free.next = !self.valid.q.val() | self.alu_result_ready.val();
        self.alu_ready.next = self.free.val() | !self.sp_use_rd.val();
        self.load.next = self.sp_valid.val() & self.sp_use_rd.val() & self.free.val();
        comment!("3. resolution: the last active lane decides for the warp");
        self.resolves.next = self.sp_valid.val() & self.sp_resolves.val() & self.alu_ready.val();
        self.goes_elsewhere.next = (self.taken_lanes.val() & self.sp_last_lane.val()) != 0;
        self.passed_valid.next = self.resolves.val() & !self.goes_elsewhere.val();
        self.resolved.d.next = self.resolves.val();
        self.taken.d.next = self.goes_elsewhere.val();
        self.resolved_wid.d.next = self.sp_wid.val();
        self.target.d.next = self.sp_target.val();
        self.branch_valid.next = self.resolved.q.val();
        self.branch_taken.next = self.taken.q.val();
        self.branch_wid.next = self.resolved_wid.q.val();
        self.branch_target.next = self.target.q.val();
        comment!("4. result register");
        if self.free.val() {
            self.valid.d.next = self.load.val();
        }
        if self.load.val() {
            self.wid.d.next = self.sp_wid.val();
            self.rd.d.next = self.sp_rd.val();
            self.tmask.d.next = self.sp_tmask.val();
        }
        for i in 0..self._threads {
            self.data[i].clock.next = self.clock.val();
            self.data[i].d.next = self.data[i].q.val();
            if self.load.val() {
                self.data[i].d.next = self.lanes[i].result.val();
            }
            self.alu_result_data[i].next = self.data[i].q.val();
        }
        self.alu_result_valid.next = self.valid.q.val();
        self.alu_result_wid.next = self.wid.q.val();
        self.alu_result_rd.next = self.rd.q.val();
        self.alu_result_tmask.next = self.tmask.q.val();
    }
}
