//! The multiply unit: a pipelined [`Multiplier`] for each lane and the tags that travel beside it.
use crate::rtl::prelude::*;

/// Pipeline registers from the collector to the result.
const STAGES: usize = 2;

module! {
    /// One lane: 33-bit factors make signed and unsigned alike, half of the product is the result.
    ///
    /// Ports, from the unit: `enable`, `a_signed`, `b_signed`, `a`, `b`, `high` (for the product that comes out) ->
    /// `result` 32. Latency: the multiplier's stages. Reset: none. Invariants: none. Critical path: the multiplier's.
    /// Source: RISC-V Unprivileged, M. Mirror in the model: the arithmetic of `model::exec`.
    pub struct MultiplyLane(stages: usize) [clock] {
        /// The pipeline advances.
        pub enable: Signal<In, Bit>,
        /// `a` is a signed number.
        pub a_signed: Signal<In, Bit>,
        /// `b` is a signed number.
        pub b_signed: Signal<In, Bit>,
        /// First factor.
        pub a: Signal<In, Bits<32>>,
        /// Second factor.
        pub b: Signal<In, Bits<32>>,
        /// The upper half of the product is wanted.
        pub high: Signal<In, Bit>,
        /// Half of the product.
        pub result: Signal<Out, Bits<32>>,
        multiplier: Multiplier = Multiplier::new(stages),
        a_extended, b_extended: Signal<Local, Bits<33>>,
    }
}

impl Logic for MultiplyLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.a_extended.next = bit_cast::<33, 32>(self.a.val());
        if self.a_signed.val() & self.a.val().get_bit(31) {
            self.a_extended.next = bit_cast::<33, 32>(self.a.val()) | 0x1_0000_0000_u64;
        }
        self.b_extended.next = bit_cast::<33, 32>(self.b.val());
        if self.b_signed.val() & self.b.val().get_bit(31) {
            self.b_extended.next = bit_cast::<33, 32>(self.b.val()) | 0x1_0000_0000_u64;
        }
        self.multiplier.enable.next = self.enable.val();
        self.multiplier.a.next = self.a_extended.val();
        self.multiplier.b.next = self.b_extended.val();
        self.result.next = self.multiplier.product.val().get_bits::<32>(0);
        if self.high.val() {
            self.result.next = self.multiplier.product.val().get_bits::<32>(32);
        }
    }
}

module! {
    /// MUL, MULH, MULHSU and MULHU of a slice, one instruction a cycle.
    ///
    /// Ports, from the sp collector `sp`. To the collector `mul_ready`; to commit
    /// `mul_result`; `mul_busy` (anything in the pipeline).
    /// Latency: `STAGES` cycles; a result that commit does not take holds the whole pipeline. Reset: pipeline empty.
    /// Invariants: nothing enters without a destination. Critical path: one 33 x 33 multiplication.
    /// Source: RISC-V Unprivileged, M. Mirror in the model: the arithmetic of `model::exec`.
    pub struct MultiplyUnit(cfg: &CoreConfig) [clock, reset]
    let threads = cfg.threads;
    {
        _threads: usize = threads,
        _stages: usize = STAGES,
        /// From the sp collector: a multiplication with a destination.
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
        high: Vec<Pipe<Bit>> = (0..STAGES).map(|_| Pipe::new()).collect(),
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
        comment!("2. lanes: MULHU has no signed factor, MULHSU one; for MUL the signs do not matter");
        for i in 0..self._threads {
            self.lanes[i].enable.next = self.advance.val();
            self.lanes[i].a_signed.next = self.sp.head_.funct3.val() != 3;
            self.lanes[i].b_signed.next = self.sp.head_.funct3.val() == 1;
            self.lanes[i].high.next = self.high[0].q.val();
            self.lanes[i].a.next = self.sp.a[i].val();
            self.lanes[i].b.next = self.sp.b[i].val();
            self.mul_result.result_.data[i].next = self.lanes[i].result.val();
        }
        comment!("3. tags beside them: entry 0 is the oldest, new ones enter at the other end");
        if self.advance.val() {
            for i in 0..self._stages {
                self.valid[i].d.next = self.sp.valid.val();
                self.high[i].d.next = self.sp.head_.funct3.val() != 0;
                Data::join(&mut self.sp.head_.to_, &mut self.to[i]);
            }
            for i in 1..self._stages {
                self.valid[i - 1_usize].d.next = self.valid[i].q.val();
                self.high[i - 1_usize].d.next = self.high[i].q.val();
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
