//! The multiply unit: a pipelined [`Multiplier`] for each lane and the tags that travel beside it.
use crate::rtl::op::MULTIPLY_CONTROLS;
use crate::rtl::prelude::*;

/// Pipeline registers from the collector to the result.
const STAGES: usize = 2;

module! {
    /// One lane: 33-bit factors make signed and unsigned alike, half of the product is the result. A shift by n to the left
    /// is the lower half of a product by 2^n, one to the right the upper half of a product by 2^(32 - n), but for n = 0.
    ///
    /// Ports, from the unit: `enable`, `control` 4 (the bits of
    /// [`MultiplyOp::control`](crate::rtl::op::MultiplyOp::control)), `a`, `b` -> `result` 32.
    /// Latency: the multiplier's stages. Reset: none. Invariants: none. Critical path: the multiplier's.
    /// Source: RISC-V Unprivileged 2.4 and M. Mirror in the model: the arithmetic of `model::exec`.
    pub struct MultiplyLane(stages: usize) [clock] {
        /// The pipeline advances.
        pub enable: Signal<In, Bit>,
        /// What to do.
        pub control: Signal<In, Bits<4>> = signal(MULTIPLY_CONTROLS),
        /// First factor, or what is shifted.
        pub a: Signal<In, Bits<32>>,
        /// Second factor, or by how much.
        pub b: Signal<In, Bits<32>>,
        /// Half of the product.
        pub result: Signal<Out, Bits<32>>,
        multiplier: Multiplier = Multiplier::new(stages),
        /// Of each product in the multiplier, the oldest first, whether its upper half is the result.
        upper_half: Vec<Pipe<Bit>> = (0..stages).map(|_| Pipe::new()).collect(),
        upper, a_signed, b_signed, shift: Signal<Local, Bit>,
        amount: Signal<Local, Bits<5>>,
        factor: Signal<Local, Bits<32>>,
        a_extended, b_extended: Signal<Local, Bits<33>>,
        _stages: usize = stages,
    }
}

impl Logic for MultiplyLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.upper.next = self.control.val().get_bit(0);
        self.a_signed.next = self.control.val().get_bit(1);
        self.b_signed.next = self.control.val().get_bit(2);
        self.shift.next = self.control.val().get_bit(3);
        comment!("1. factors; 32 less the amount is the amount's complement modulo 32");
        self.amount.next = self.b.val().get_bits::<5>(0);
        if self.upper.val() {
            self.amount.next = bits::<5>(0) - self.b.val().get_bits::<5>(0);
        }
        self.factor.next = self.b.val();
        if self.shift.val() {
            self.factor.next = bits::<32>(1) << self.amount.val();
        }
        self.a_extended.next = bit_cast::<33, 32>(self.a.val());
        if self.a_signed.val() & self.a.val().get_bit(31) {
            self.a_extended.next = bit_cast::<33, 32>(self.a.val()) | 0x1_0000_0000_u64;
        }
        self.b_extended.next = bit_cast::<33, 32>(self.factor.val());
        if self.b_signed.val() & self.b.val().get_bit(31) {
            self.b_extended.next = bit_cast::<33, 32>(self.factor.val()) | 0x1_0000_0000_u64;
        }
        self.multiplier.enable.next = self.enable.val();
        self.multiplier.a.next = self.a_extended.val();
        self.multiplier.b.next = self.b_extended.val();
        comment!("2. which half; what is shifted to the right by 0 is multiplied by 1");
        if self.enable.val() {
            for i in 0..self._stages {
                self.upper_half[i].d.next =
                    self.upper.val() & !(self.shift.val() & (self.amount.val() == 0));
            }
            for i in 1..self._stages {
                self.upper_half[i - 1_usize].d.next = self.upper_half[i].q.val();
            }
        }
        self.result.next = self.multiplier.product.val().get_bits::<32>(0);
        if self.upper_half[0].q.val() {
            self.result.next = self.multiplier.product.val().get_bits::<32>(32);
        }
    }
}

module! {
    /// MUL, MULH, MULHSU, MULHU and the shifts of a slice, one instruction a cycle.
    ///
    /// Ports, from the sp collector `sp`. To the collector `mul_ready`; to commit
    /// `mul_result`; `mul_busy` (anything in the pipeline).
    /// Latency: `STAGES` cycles; a result that commit does not take holds the whole pipeline. Reset: pipeline empty.
    /// Invariants: nothing enters without a destination. Critical path: one 33 x 33 multiplication.
    /// Source: RISC-V Unprivileged 2.4 and M. Mirror in the model: the arithmetic of `model::exec`.
    pub struct MultiplyUnit(cfg: &CoreConfig) [clock, reset]
    let threads = cfg.threads;
    {
        _threads: usize = threads,
        _stages: usize = STAGES,
        /// From the sp collector: a product or shift with a destination.
        pub sp: SpInstruction<In> = SpInstruction::new(cfg),
        // To the sp collector.
        /// The instruction in the collector leaves it this cycle.
        pub mul_ready: Signal<Out, Bit>,
        // To commit.
        /// A result that waits for the write port.
        pub mul_result: OfferedResult<Out> = OfferedResult::new(cfg),
        /// Something is in the pipeline.
        pub mul_busy: Signal<Out, Bit>,
        lanes: Vec<MultiplyLane> = (0..threads).map(|_| MultiplyLane::new(STAGES)).collect(),
        valid: Vec<Reg<Bit>> = (0..STAGES).map(|_| Reg::new()).collect(),
        to: Vec<Destination<Held>> = (0..STAGES).map(|_| Destination::new(cfg)).collect(),
        advance: Signal<Local, Bit>,
    }
}

impl Logic for MultiplyUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. hold while the result at the end is not taken");
        self.mul_result.valid.next = self.valid[0].q.val();
        self.advance.next = !self.valid[0].q.val() | self.mul_result.ready.val();
        self.mul_ready.next = self.advance.val();
        comment!("2. lanes");
        for i in 0..self._threads {
            self.lanes[i].enable.next = self.advance.val();
            self.lanes[i].control.next = self.sp.multiply_control.val();
            self.lanes[i].a.next = self.sp.a[i].val();
            self.lanes[i].b.next = self.sp.b[i].val();
            self.mul_result.result_.data[i].next = self.lanes[i].result.val();
        }
        comment!("3. tags beside them: entry 0 is the oldest, new ones enter at the other end");
        if self.advance.val() {
            for i in 0..self._stages {
                self.valid[i].d.next = self.sp.valid.val();
                Data::join(&mut self.sp.head_.to_, &mut self.to[i]);
            }
            for i in 1..self._stages {
                self.valid[i - 1_usize].d.next = self.valid[i].q.val();
                self.to[i - 1_usize].wid.d.next = self.to[i].wid.q.val();
                self.to[i - 1_usize].rd.d.next = self.to[i].rd.q.val();
                self.to[i - 1_usize].tmask.d.next = self.to[i].tmask.q.val();
            }
        }
        comment!("4. result");
        Data::join(&mut self.to[0], &mut self.mul_result.result_.to_);
        self.mul_busy.next = false;
        for i in 0..self._stages {
            if self.valid[i].q.val() {
                self.mul_busy.next = true;
            }
        }
    }
}
