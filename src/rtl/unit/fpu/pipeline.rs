//! The pipelined floating-point unit of a slice.
use super::lane::FpuLane;
use crate::prelude::*;

/// Cycles from the collector to the result.
const STAGES: usize = 4;

module! {
    /// Addition, multiplication, multiply-add, sign injection, minimum, maximum, comparison, classification and moves.
    ///
    /// Ports: below; flags are 5 bits (NV DZ OF UF NX, NV the highest), those of the active lanes together. Latency:
    /// `STAGES` cycles, an instruction a cycle; a result that commit does not take holds the whole pipeline. Reset:
    /// pipeline empty. Invariants: results leave in the order of the instructions. Critical path: a lane's. Source:
    /// RISC-V F 2.2. Mirror in the model: the arithmetic of `model::exec`.
    pub struct FpuPipeline(cfg: &CoreConfig) [clock, reset]
    let threads = cfg.threads;
    {
        _threads: usize = threads,
        _stages: usize = STAGES,
        /// From the sp collector: an instruction of this unit.
        pub sp: SpInstruction<In> = SpInstruction::new(cfg),
        /// Third operand of each lane.
        pub sp_c: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        // To the sp collector.
        /// The instruction in the collector leaves it this cycle.
        pub fp_ready: Signal<Out, Bit>,
        // To commit.
        /// A result that waits, with the exceptions of its lanes.
        pub fp_result: FloatResult<Out> = FloatResult::new(cfg),
        /// Something is in the pipeline.
        pub fp_busy: Signal<Out, Bit>,
        lanes: Vec<FpuLane> = (0..threads).map(|_| FpuLane::new()).collect(),
        valid: Vec<Reg<Bit>> = (0..STAGES).map(|_| Reg::new()).collect(),
        rounding: Vec<Pipe<Bits<3>>> = pipes(STAGES, 3),
        to: Vec<Destination<Registered>> = (0..STAGES).map(|_| Destination::new(cfg)).collect(),
        occupied: Signal<Local, Bits<4>>,
        advance, adds, multiplies, fused, negate_product, negate_addend: Signal<Local, Bit>,
    }
}

impl Logic for FpuPipeline {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. hold while the result at the end is not taken");
        self.fp_result.offer_.valid.next = self.valid[0].q.val();
        self.advance.next = !self.valid[0].q.val() | self.fp_result.offer_.ready.val();
        self.fp_ready.next = self.advance.val();
        comment!("2. operation");
        self.adds.next = (self.sp.fpu_op.val() == FpuOp::Add) | (self.sp.fpu_op.val() == FpuOp::Sub);
        self.multiplies.next = self.sp.fpu_op.val() == FpuOp::Mul;
        self.negate_product.next =
            (self.sp.fpu_op.val() == FpuOp::Nmsub) | (self.sp.fpu_op.val() == FpuOp::Nmadd);
        self.negate_addend.next = (self.sp.fpu_op.val() == FpuOp::Sub)
            | (self.sp.fpu_op.val() == FpuOp::Msub)
            | (self.sp.fpu_op.val() == FpuOp::Nmadd);
        self.fused.next = self.negate_product.val()
            | (self.sp.fpu_op.val() == FpuOp::Madd)
            | (self.sp.fpu_op.val() == FpuOp::Msub);
        comment!("3. lanes");
        self.occupied.next = bits::<4>(0)
            .replace_bit(0, self.sp.valid.val())
            .replace_bit(1, self.valid[3].q.val())
            .replace_bit(2, self.valid[2].q.val())
            .replace_bit(3, self.valid[1].q.val());
        self.fp_result.flags.next = 0.into();
        for i in 0..self._threads {
            self.lanes[i].occupied.next = self.occupied.val();
            self.lanes[i].enable.next = self.advance.val();
            self.lanes[i].operation_.op.next = self.sp.fpu_op.val();
            self.lanes[i].operation_.adds.next = self.adds.val();
            self.lanes[i].operation_.multiplies.next = self.multiplies.val();
            self.lanes[i].operation_.fused.next = self.fused.val();
            self.lanes[i].operation_.negate_product.next = self.negate_product.val();
            self.lanes[i].operation_.negate_addend.next = self.negate_addend.val();
            self.lanes[i].operation_.a.next = self.sp.a[i].val();
            self.lanes[i].operation_.b.next = self.sp.b[i].val();
            self.lanes[i].operation_.c.next = self.sp_c[i].val();
            self.lanes[i].rounding.next = self.rounding[1].q.val();
            self.fp_result.offer_.result_.data[i].next = self.lanes[i].result.val();
            if self.to[0].tmask.q.val().get_bit(i) {
                self.fp_result.flags.next = self.fp_result.flags.val() | self.lanes[i].flags.val();
            }
        }
        comment!("4. tags beside them: entry 0 is the oldest, new ones enter at the other end");
        if self.advance.val() {
            for i in 0..self._stages {
                self.valid[i].d.next = self.sp.valid.val();
                self.rounding[i].d.next = self.sp.rounding.val();
                Data::join(&mut self.sp.head_.to_, &mut self.to[i]);
            }
            for i in 1..self._stages {
                self.valid[i - 1_usize].d.next = self.valid[i].q.val();
                self.rounding[i - 1_usize].d.next = self.rounding[i].q.val();
                self.to[i - 1_usize].wid.d.next = self.to[i].wid.q.val();
                self.to[i - 1_usize].rd.d.next = self.to[i].rd.q.val();
                self.to[i - 1_usize].tmask.d.next = self.to[i].tmask.q.val();
            }
        }
        comment!("5. result");
        Data::join(&mut self.to[0], &mut self.fp_result.offer_.result_.to_);
        self.fp_busy.next = false;
        for i in 0..self._stages {
            if self.valid[i].q.val() {
                self.fp_busy.next = true;
            }
        }
    }
}
