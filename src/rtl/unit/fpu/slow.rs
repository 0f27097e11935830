//! The slow floating-point unit of a slice.
use super::super::super::cell::{signal, signals, Pipe, Reg};
use super::super::super::op::FpuOp;
use super::slow_lane::SlowLane;
use crate::comment;
use crate::config::CoreConfig;
use rust_hdl::prelude::*;

/// Conversions, division and square root, one instruction at a time.
///
/// Ports, from the sfu collector: `fs_valid`, `fs_op`, `fs_rm` 3 (rounding mode, 0 to 4), `fs_wid`, `fs_tmask` T,
/// `fs_rd` 6, `fs_a` and `fs_b` a lane; from commit `fs_result_ready`. To the collector `fs_ready`; to commit
/// `fs_result_valid`, `_wid`, `_rd`, `_tmask`, `_data` a lane, `_flags` 5 (NV DZ OF UF NX, NV the highest, of the active
/// lanes together); `fs_busy`.
/// Latency: 5 cycles for a conversion, 18 for a quotient or root (13 of them find two digits each). Reset: idle.
/// Invariants: the collector's entry may change once it was taken. Critical path: a lane's.
/// Source: RISC-V F 2.2. Mirror in the model: the arithmetic of `model::exec`.
#[derive(LogicBlock, Default)]
pub struct FpuSlow {
    _threads: usize,
    /// Rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    // From the sfu collector.
    /// An instruction of this unit is in the collector.
    pub fs_valid: Signal<In, Bit>,
    /// Its operation.
    pub fs_op: Signal<In, FpuOp>,
    /// Its rounding mode.
    pub fs_rm: Signal<In, Bits<3>>,
    /// Its warp.
    pub fs_wid: Signal<In, Bits<5>>,
    /// Its active lanes.
    pub fs_tmask: Signal<In, Bits<32>>,
    /// Destination.
    pub fs_rd: Signal<In, Bits<6>>,
    /// First operand of each lane.
    pub fs_a: Vec<Signal<In, Bits<32>>>,
    /// Second operand of each lane.
    pub fs_b: Vec<Signal<In, Bits<32>>>,
    // From commit.
    /// Commit takes the result this cycle.
    pub fs_result_ready: Signal<In, Bit>,
    // To the sfu collector.
    /// The instruction in the collector leaves it this cycle.
    pub fs_ready: Signal<Out, Bit>,
    // To commit.
    /// A result waits for the write port.
    pub fs_result_valid: Signal<Out, Bit>,
    /// Its warp.
    pub fs_result_wid: Signal<Out, Bits<5>>,
    /// Its register.
    pub fs_result_rd: Signal<Out, Bits<6>>,
    /// Its lanes.
    pub fs_result_tmask: Signal<Out, Bits<32>>,
    /// Its data.
    pub fs_result_data: Vec<Signal<Out, Bits<32>>>,
    /// Exceptions of its lanes.
    pub fs_result_flags: Signal<Out, Bits<5>>,
    /// An instruction is in the unit.
    pub fs_busy: Signal<Out, Bit>,
    lanes: Vec<SlowLane>,
    busy: Reg<Bit>,
    steps_left: Reg<Bits<5>>,
    from_integer: Pipe<Bit>,
    to_integer: Pipe<Bit>,
    root: Pipe<Bit>,
    is_signed: Pipe<Bit>,
    rounding: Pipe<Bits<3>>,
    wid: Pipe<Bits<5>>,
    rd: Pipe<Bits<6>>,
    tmask: Pipe<Bits<32>>,
    first: Pipe<Bits<28>>,
    start: Signal<Local, Bit>,
    converts: Signal<Local, Bit>,
    prepare: Signal<Local, Bit>,
    normalise: Signal<Local, Bit>,
    iterate: Signal<Local, Bit>,
    align: Signal<Local, Bit>,
    round: Signal<Local, Bit>,
}

impl FpuSlow {
    /// The slow floating-point unit of one slice.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (threads, wid) = (cfg.threads, cfg.wid_bits());
        Self {
            _threads: threads,
            fs_a: signals(threads, 32),
            fs_b: signals(threads, 32),
            fs_wid: signal(wid),
            fs_tmask: signal(threads),
            fs_result_wid: signal(wid),
            fs_result_tmask: signal(threads),
            fs_result_data: signals(threads, 32),
            lanes: (0..threads).map(|_| SlowLane::default()).collect(),
            wid: Pipe::<Bits<5>>::width(wid),
            tmask: Pipe::<Bits<32>>::width(threads),
            ..Self::default()
        }
    }
}

impl Logic for FpuSlow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FpuSlow: Conversions, division and square root, one instruction at a time.");
        dff_setup!(self, clock, busy, steps_left, from_integer, to_integer, root, is_signed, rounding);
        dff_setup!(self, clock, wid, rd, tmask, first);
        comment!("1. take the next instruction");
        self.fs_ready.next = !self.busy.q.val();
        self.start.next = self.fs_valid.val() & !self.busy.q.val();
        if self.start.val() {
            self.busy.d.next = true;
            self.from_integer.d.next =
                (self.fs_op.val() == FpuOp::CvtSW) | (self.fs_op.val() == FpuOp::CvtSWu);
            self.to_integer.d.next = (self.fs_op.val() == FpuOp::CvtWS) | (self.fs_op.val() == FpuOp::CvtWuS);
            self.is_signed.d.next = (self.fs_op.val() == FpuOp::CvtWS) | (self.fs_op.val() == FpuOp::CvtSW);
            self.root.d.next = self.fs_op.val() == FpuOp::Sqrt;
            self.rounding.d.next = self.fs_rm.val();
            self.wid.d.next = self.fs_wid.val();
            self.rd.d.next = self.fs_rd.val();
            self.tmask.d.next = self.fs_tmask.val();
        }
        comment!("2. steps: prepare, normalise, 13 iterations unless it is a conversion, align, round");
        self.converts.next = self.from_integer.q.val() | self.to_integer.q.val();
        if self.steps_left.q.val() != 0 {
            self.steps_left.d.next = self.steps_left.q.val() - 1;
        }
        if self.start.val() {
            self.steps_left.d.next = 4.into();
            if (self.fs_op.val() == FpuOp::Div) | (self.fs_op.val() == FpuOp::Sqrt) {
                self.steps_left.d.next = 17.into();
            }
        }
        self.align.next = self.steps_left.q.val() == 2;
        self.round.next = self.steps_left.q.val() == 1;
        if self.converts.val() {
            self.prepare.next = self.steps_left.q.val() == 4;
            self.normalise.next = self.steps_left.q.val() == 3;
            self.iterate.next = false;
        } else {
            self.prepare.next = self.steps_left.q.val() == 17;
            self.normalise.next = self.steps_left.q.val() == 16;
            self.iterate.next =
                (self.steps_left.q.val() > bits::<5>(2)) & !self.steps_left.q.val().get_bit(4);
        }
        comment!("3. the worth of a root's next digit, the same in all lanes: 1, then two places on");
        if self.iterate.val() {
            self.first.d.next = self.first.q.val() >> bits::<5>(2);
        }
        if self.prepare.val() {
            self.first.d.next = 0.into();
            if self.root.q.val() {
                self.first.d.next = 0x200_0000.into();
            }
        }
        comment!("4. hand the result over");
        self.fs_busy.next = self.busy.q.val();
        self.fs_result_valid.next = self.busy.q.val() & (self.steps_left.q.val() == 0);
        if self.fs_result_valid.val() & self.fs_result_ready.val() {
            self.busy.d.next = false;
        }
        self.fs_result_wid.next = self.wid.q.val();
        self.fs_result_rd.next = self.rd.q.val();
        self.fs_result_tmask.next = self.tmask.q.val();
        comment!("5. lanes");
        self.fs_result_flags.next = 0.into();
        for i in 0..self._threads {
            self.lanes[i].clock.next = self.clock.val();
            self.lanes[i].start.next = self.start.val();
            self.lanes[i].prepare.next = self.prepare.val();
            self.lanes[i].normalise.next = self.normalise.val();
            self.lanes[i].iterate.next = self.iterate.val();
            self.lanes[i].align.next = self.align.val();
            self.lanes[i].round.next = self.round.val();
            self.lanes[i].from_integer.next = self.from_integer.q.val();
            self.lanes[i].to_integer.next = self.to_integer.q.val();
            self.lanes[i].root.next = self.root.q.val();
            self.lanes[i].is_signed.next = self.is_signed.q.val();
            self.lanes[i].rounding.next = self.rounding.q.val();
            self.lanes[i].first.next = self.first.q.val();
            self.lanes[i].a.next = self.fs_a[i].val();
            self.lanes[i].b.next = self.fs_b[i].val();
            self.fs_result_data[i].next = self.lanes[i].result.val();
            if self.tmask.q.val().get_bit(i) {
                self.fs_result_flags.next = self.fs_result_flags.val() | self.lanes[i].flags.val();
            }
        }
    }
}
