//! The slow floating-point unit of a slice.
use super::slow_lane::SlowLane;
use crate::prelude::*;

module! {
    /// Conversions, division and square root, one instruction at a time.
    ///
    /// Ports: below; flags are 5 bits (NV DZ OF UF NX, NV the highest), those of the active lanes together. Latency:
    /// 4 cycles for a conversion, 18 for a quotient or root (13 of them find two digits each), times T / N if
    /// `fpu_slow_lanes` N is less than T: N lanes at a time then, the lowest first. Reset: idle. Invariants: the
    /// collector's entry may change once it was taken, which is when the last lanes start; until then it stays.
    /// Critical path: a lane's; the operand multiplexer of shared lanes stands before it. Source: RISC-V F 2.2.
    /// Mirror in the model: the arithmetic of `model::exec`, the latencies of `model::timing`.
    pub struct FpuSlow(cfg: &CoreConfig) [clock, reset]
    let (threads, units) = (cfg.threads, cfg.slow_lanes());
    let groups = threads / units;
    let shared = usize::from(groups > 1);
    let (shared_lanes, tid) = (shared * threads, cfg.tid_bits());
    {
        _units: usize = units,
        _own: usize = (1 - shared) * threads,
        _shared: usize = shared,
        _shared_lanes: usize = shared_lanes,
        _kept: usize = threads - units,
        /// From the sfu collector: an instruction of this unit.
        pub sfu: SfuEntry<In> = SfuEntry::new(cfg),
        // To the sfu collector.
        /// The instruction in the collector leaves it this cycle.
        pub fs_ready: Signal<Out, Bit>,
        // To commit.
        /// A result that waits, with the exceptions of its lanes.
        pub fs_result: FloatResult<Out> = FloatResult::new(cfg),
        /// An instruction is in the unit.
        pub fs_busy: Signal<Out, Bit>,
        lanes: Vec<SlowLane> = (0..units).map(|_| SlowLane::new()).collect(),
        busy: Reg<Bit>,
        steps_left: Reg<Bits<5>>,
        divisor, normalise, scale, align: Reg<Bit>,
        from_integer, to_integer, root, is_signed: Pipe<Bit>,
        rounding: Pipe<Bits<3>>,
        to: Destination<Registered> = Destination::new(cfg),
        first: Pipe<Bits<28>>,
        // For lanes that share units: groups of lanes take turns, told by their first lane.
        next_group: Vec<Reg<Bits<5>>> = regs(shared, tid),
        group: Vec<Pipe<Bits<5>>> = pipes(shared, tid),
        kept: Vec<Pipe<Bits<32>>> = pipes(threads - units, 32),
        kept_flags: Vec<Pipe<Bits<5>>> = pipes(shared, 5),
        lane_of: Vec<Signal<Local, Bits<5>>> = signals(shared * units, tid),
        own_result: Vec<Signal<Local, Bits<32>>> = signals(shared_lanes, 32),
        own_flags: Vec<Signal<Local, Bits<5>>> = signals(shared_lanes, 5),
        last_group: Vec<Const<Bits<5>>> = vec![constant(tid, (threads - units) as u64); shared],
        group_size: Vec<Const<Bits<5>>> = vec![constant(tid, units as u64 % threads as u64); shared],
        unit_of: Vec<Const<Bits<5>>> = (0..shared_lanes).map(|i| constant(bits_for(units), (i % units) as u64)).collect(),
        group_of: Vec<Const<Bits<5>>> = (0..shared_lanes).map(|i| constant(tid, (i / units * units) as u64)).collect(),
        begins, ends, last, start, op_from_integer, op_to_integer, op_root, op_signed, converts, iterate,
        round: Signal<Local, Bit>,
    }
}

impl Logic for FpuSlow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. take the next instruction, or the next lanes of the same");
        self.last.next = true;
        self.fs_ready.next = !self.busy.q.val();
        self.begins.next = self.sfu.its_.valid.val() & !self.busy.q.val();
        self.ends.next = self.busy.q.val() & (self.steps_left.q.val() == 0);
        self.start.next = self.begins.val();
        for k in 0..self._shared {
            self.last.next = self.group[k].q.val() == self.last_group[k].val();
            self.start.next = self.begins.val() | (self.ends.val() & !self.last.val());
            comment!("The last group is followed by the first, of the next instruction.");
            if self.start.val() {
                self.group[k].d.next = self.next_group[k].q.val();
                self.next_group[k].d.next = self.next_group[k].q.val() + self.group_size[k].val();
            }
            self.fs_ready.next = self.start.val() & (self.next_group[k].q.val() == self.last_group[k].val());
        }
        self.op_from_integer.next = self.from_integer.q.val();
        self.op_to_integer.next = self.to_integer.q.val();
        self.op_root.next = self.root.q.val();
        self.op_signed.next = self.is_signed.q.val();
        if self.start.val() {
            self.busy.d.next = true;
            self.op_from_integer.next =
                (self.sfu.its_.fpu_op.val() == FpuOp::CvtSW) | (self.sfu.its_.fpu_op.val() == FpuOp::CvtSWu);
            self.op_to_integer.next =
                (self.sfu.its_.fpu_op.val() == FpuOp::CvtWS) | (self.sfu.its_.fpu_op.val() == FpuOp::CvtWuS);
            self.op_signed.next =
                (self.sfu.its_.fpu_op.val() == FpuOp::CvtWS) | (self.sfu.its_.fpu_op.val() == FpuOp::CvtSW);
            self.op_root.next = self.sfu.its_.fpu_op.val() == FpuOp::Sqrt;
            self.rounding.d.next = self.sfu.its_.rounding.val();
            Data::join(&mut self.sfu.its_.head_.to_, &mut self.to);
        }
        self.from_integer.d.next = self.op_from_integer.val();
        self.to_integer.d.next = self.op_to_integer.val();
        self.root.d.next = self.op_root.val();
        self.is_signed.d.next = self.op_signed.val();
        comment!(
            "2. steps: start, normalise, align, round; in a division start, divisor, normalise, scale, 13 iterations, round"
        );
        self.converts.next = self.from_integer.q.val() | self.to_integer.q.val();
        if self.steps_left.q.val() != 0 {
            self.steps_left.d.next = self.steps_left.q.val() - 1;
        }
        comment!("Registers, although `steps_left` tells the same: a lane's longest path begins with what is normalised.");
        self.divisor.d.next = false;
        self.normalise.d.next = self.divisor.q.val();
        self.scale.d.next = self.normalise.q.val() & !self.converts.val();
        self.align.d.next = self.normalise.q.val() & self.converts.val();
        if self.start.val() {
            self.steps_left.d.next = 3.into();
            self.normalise.d.next = true;
            if (self.sfu.its_.fpu_op.val() == FpuOp::Div) | (self.sfu.its_.fpu_op.val() == FpuOp::Sqrt) {
                self.steps_left.d.next = 17.into();
                self.divisor.d.next = true;
                self.normalise.d.next = false;
            }
        }
        self.iterate.next = !self.converts.val()
            & (self.steps_left.q.val() > bits::<5>(1))
            & (self.steps_left.q.val() < bits::<5>(15));
        self.round.next = self.steps_left.q.val() == 1;
        comment!("3. the worth of a root's next digit, the same in all lanes: 1, then two places on");
        if self.iterate.val() {
            self.first.d.next = self.first.q.val() >> bits::<5>(2);
        }
        if self.start.val() {
            self.first.d.next = 0.into();
            if self.op_root.val() {
                self.first.d.next = 0x200_0000.into();
            }
        }
        comment!("4. hand the result over");
        self.fs_busy.next = self.busy.q.val();
        self.fs_result.offer_.valid.next = self.ends.val() & self.last.val();
        if self.fs_result.offer_.valid.val() & self.fs_result.offer_.ready.val() {
            self.busy.d.next = false;
        }
        Data::join(&mut self.to, &mut self.fs_result.offer_.result_.to_);
        comment!("5. units");
        for u in 0..self._units {
            self.lanes[u].start.next = self.start.val();
            self.lanes[u].divisor.next = self.divisor.q.val();
            self.lanes[u].normalise.next = self.normalise.q.val();
            self.lanes[u].scale.next = self.scale.q.val();
            self.lanes[u].iterate.next = self.iterate.val();
            self.lanes[u].align.next = self.align.q.val();
            self.lanes[u].round.next = self.round.val();
            self.lanes[u].from_integer.next = self.op_from_integer.val();
            self.lanes[u].to_integer.next = self.op_to_integer.val();
            self.lanes[u].root.next = self.op_root.val();
            self.lanes[u].is_signed.next = self.op_signed.val();
            self.lanes[u].rounding.next = self.rounding.q.val();
            self.lanes[u].first.next = self.first.q.val();
        }
        self.fs_result.flags.next = 0.into();
        comment!("6. a unit a lane");
        for i in 0..self._own {
            self.lanes[i].a.next = self.sfu.rs1[i].val();
            self.lanes[i].b.next = self.sfu.rs2[i].val();
            self.fs_result.offer_.result_.data[i].next = self.lanes[i].result.val();
            if self.to.tmask.q.val().get_bit(i) {
                self.fs_result.flags.next = self.fs_result.flags.val() | self.lanes[i].flags.val();
            }
        }
        comment!("7. shared units: the operands of a group's lanes, and the results of the groups before");
        for k in 0..self._shared {
            for u in 0..self._units {
                self.lane_of[u].next = self.next_group[k].q.val() | u.to_bits::<5>();
                self.lanes[u].a.next = 0.into();
                self.lanes[u].b.next = 0.into();
                for i in 0..self._shared_lanes {
                    if self.lane_of[u].val() == i.to_bits::<5>() {
                        self.lanes[u].a.next = self.sfu.rs1[i].val();
                        self.lanes[u].b.next = self.sfu.rs2[i].val();
                    }
                }
            }
            for i in 0..self._shared_lanes {
                self.own_result[i].next = 0.into();
                self.own_flags[i].next = 0.into();
                for u in 0..self._units {
                    if self.unit_of[i].val() == u.to_bits::<5>() {
                        self.own_result[i].next = self.lanes[u].result.val();
                        self.own_flags[i].next = self.lanes[u].flags.val();
                    }
                }
                self.fs_result.offer_.result_.data[i].next = self.own_result[i].val();
                if self.to.tmask.q.val().get_bit(i) & (self.group_of[i].val() == self.group[k].q.val()) {
                    self.fs_result.flags.next = self.fs_result.flags.val() | self.own_flags[i].val();
                }
            }
            self.fs_result.flags.next = self.fs_result.flags.val() | self.kept_flags[k].q.val();
            if self.ends.val() {
                self.kept_flags[k].d.next = self.fs_result.flags.val();
            }
            if self.begins.val() {
                self.kept_flags[k].d.next = 0.into();
            }
            for i in 0..self._kept {
                if self.ends.val() & (self.group_of[i].val() == self.group[k].q.val()) {
                    self.kept[i].d.next = self.own_result[i].val();
                }
                self.fs_result.offer_.result_.data[i].next = self.kept[i].q.val();
            }
        }
    }
}
