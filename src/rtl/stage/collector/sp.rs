//! The collector in front of the integer unit, the multiplier and the floating-point pipeline.
use super::super::super::cell::{pipes, signal, signals, Pipe, Reg};
use super::super::super::op::{FpuOp, ALU_CONTROLS};
use crate::config::CoreConfig;
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// One entry for the class `sp`.
    ///
    /// Ports, from the operand stage: `operand_valid` (an instruction of this class is there) and its fields
    /// `operand_*`; from the units `sp_ready` (the entry leaves). To the operand stage `collector_ready`; to the
    /// units `sp_valid` and the entry `sp_*`. Latency: one cycle. Reset: empty. Invariants: an entry stays until
    /// it is taken; `collector_ready` lets the next one in the same cycle, so the class runs at full rate.
    /// Critical path: none of its own. Source: none. Mirror in the model: none.
    pub struct SpCollector(cfg: &CoreConfig) [clock, reset]
    let (threads, wid, fpu) = (cfg.threads, cfg.wid_bits(), usize::from(cfg.fpu));
    {
        _threads: usize = threads,
        _fpu: usize = fpu,
        _float_threads: usize = fpu * threads,
        // From the operand stage.
        /// An instruction of this class is in the operand stage.
        pub operand_valid: Signal<In, Bit>,
        /// Its warp.
        pub operand_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub operand_tmask: Signal<In, Bits<32>> = signal(threads),
        /// The last of them, one hot.
        pub operand_last_lane: Signal<In, Bits<32>> = signal(threads),
        /// Destination.
        pub operand_rd: Signal<In, Bits<6>>,
        /// There is a destination.
        pub operand_use_rd: Signal<In, Bit>,
        /// Minor opcode, for the multiplier.
        pub operand_funct3: Signal<In, Bits<3>>,
        /// Operation, for the integer unit.
        pub operand_alu_control: Signal<In, Bits<16>> = signal(ALU_CONTROLS),
        /// It is for the multiplier.
        pub operand_mul: Signal<In, Bit>,
        /// It is a branch or a jump.
        pub operand_resolves: Signal<In, Bit>,
        /// Where it branches to.
        pub operand_target: Signal<In, Bits<32>>,
        /// First operand of each lane.
        pub operand_a: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Second operand of each lane.
        pub operand_b: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// With a floating-point unit: it is for that unit.
        pub operand_fpu: Vec<Signal<In, Bit>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: operation for it.
        pub operand_fpu_op: Vec<Signal<In, FpuOp>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: rounding mode.
        pub operand_rounding: Vec<Signal<In, Bits<3>>> = signals(fpu, 3),
        /// With a floating-point unit: third operand of each lane.
        pub operand_c: Vec<Signal<In, Bits<32>>> = signals(fpu * threads, 32),
        // From the units.
        /// The unit that the entry is for takes it this cycle.
        pub sp_ready: Signal<In, Bit>,
        // To the operand stage.
        /// The operand stage may move on.
        pub collector_ready: Signal<Out, Bit>,
        // To the units.
        /// There is an entry.
        pub sp_valid: Signal<Out, Bit>,
        /// Its warp.
        pub sp_wid: Signal<Out, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub sp_tmask: Signal<Out, Bits<32>> = signal(threads),
        /// The last of them, one hot.
        pub sp_last_lane: Signal<Out, Bits<32>> = signal(threads),
        /// Destination.
        pub sp_rd: Signal<Out, Bits<6>>,
        /// There is a destination.
        pub sp_use_rd: Signal<Out, Bit>,
        /// Minor opcode.
        pub sp_funct3: Signal<Out, Bits<3>>,
        /// Operation.
        pub sp_alu_control: Signal<Out, Bits<16>> = signal(ALU_CONTROLS),
        /// It is for the multiplier.
        pub sp_mul: Signal<Out, Bit>,
        /// It is a branch or a jump.
        pub sp_resolves: Signal<Out, Bit>,
        /// Where it branches to.
        pub sp_target: Signal<Out, Bits<32>>,
        /// First operand of each lane.
        pub sp_a: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// Second operand of each lane.
        pub sp_b: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// With a floating-point unit: it is for that unit.
        pub sp_fpu: Vec<Signal<Out, Bit>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: operation for it.
        pub sp_fpu_op: Vec<Signal<Out, FpuOp>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: rounding mode.
        pub sp_rounding: Vec<Signal<Out, Bits<3>>> = signals(fpu, 3),
        /// With a floating-point unit: third operand of each lane.
        pub sp_c: Vec<Signal<Out, Bits<32>>> = signals(fpu * threads, 32),
        valid: Reg<Bit>,
        wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid),
        tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(threads),
        last_lane: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(threads),
        rd: Pipe<Bits<6>>,
        use_rd: Pipe<Bit>,
        funct3: Pipe<Bits<3>>,
        alu_control: Pipe<Bits<16>> = Pipe::<Bits<16>>::width(ALU_CONTROLS),
        mul: Pipe<Bit>,
        resolves: Pipe<Bit>,
        target: Pipe<Bits<32>>,
        a: Vec<Pipe<Bits<32>>> = pipes(threads, 32),
        b: Vec<Pipe<Bits<32>>> = pipes(threads, 32),
        fpu: Vec<Pipe<Bit>> = vec![Pipe::new(); fpu],
        fpu_op: Vec<Pipe<FpuOp>> = vec![Pipe::new(); fpu],
        rounding: Vec<Pipe<Bits<3>>> = pipes(fpu, 3),
        c: Vec<Pipe<Bits<32>>> = pipes(fpu * threads, 32),
        free: Signal<Local, Bit>,
    }
}

impl Logic for SpCollector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SpCollector: One entry for the class sp.");
        comment!("1. room");
        self.free.next = !self.valid.q.val() | self.sp_ready.val();
        self.collector_ready.next = self.free.val();
        comment!("2. load");
        if self.free.val() {
            self.valid.d.next = self.operand_valid.val();
        }
        if self.free.val() & self.operand_valid.val() {
            self.wid.d.next = self.operand_wid.val();
            self.tmask.d.next = self.operand_tmask.val();
            self.last_lane.d.next = self.operand_last_lane.val();
            self.rd.d.next = self.operand_rd.val();
            self.use_rd.d.next = self.operand_use_rd.val();
            self.funct3.d.next = self.operand_funct3.val();
            self.alu_control.d.next = self.operand_alu_control.val();
            self.mul.d.next = self.operand_mul.val();
            self.resolves.d.next = self.operand_resolves.val();
            self.target.d.next = self.operand_target.val();
        }
        for i in 0..self._threads {
            if self.free.val() & self.operand_valid.val() {
                self.a[i].d.next = self.operand_a[i].val();
                self.b[i].d.next = self.operand_b[i].val();
            }
            self.sp_a[i].next = self.a[i].q.val();
            self.sp_b[i].next = self.b[i].q.val();
        }
        // The third operand keeps still for all others.
        for k in 0..self._fpu {
            if self.free.val() & self.operand_valid.val() {
                self.fpu[k].d.next = self.operand_fpu[k].val();
                self.fpu_op[k].d.next = self.operand_fpu_op[k].val();
                self.rounding[k].d.next = self.operand_rounding[k].val();
            }
            self.sp_fpu[k].next = self.fpu[k].q.val();
            self.sp_fpu_op[k].next = self.fpu_op[k].q.val();
            self.sp_rounding[k].next = self.rounding[k].q.val();
            for i in 0..self._float_threads {
                if self.free.val() & self.operand_valid.val() & self.operand_fpu[k].val() {
                    self.c[i].d.next = self.operand_c[i].val();
                }
                self.sp_c[i].next = self.c[i].q.val();
            }
        }
        comment!("3. entry");
        self.sp_valid.next = self.valid.q.val();
        self.sp_wid.next = self.wid.q.val();
        self.sp_tmask.next = self.tmask.q.val();
        self.sp_last_lane.next = self.last_lane.q.val();
        self.sp_rd.next = self.rd.q.val();
        self.sp_use_rd.next = self.use_rd.q.val();
        self.sp_funct3.next = self.funct3.q.val();
        self.sp_alu_control.next = self.alu_control.q.val();
        self.sp_mul.next = self.mul.q.val();
        self.sp_resolves.next = self.resolves.q.val();
        self.sp_target.next = self.target.q.val();
    }
}
