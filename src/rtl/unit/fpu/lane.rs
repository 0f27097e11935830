//! One lane of the floating-point pipeline: four stages and the registers behind them.
use super::align::FmaAlign;
use super::normalise::FmaNormalise;
use super::prepare::FpuPrepare;
use super::round::FpuRound;
use super::significand::SignificandMultiplier;
use crate::rtl::prelude::*;

module! {
    /// Multiply-add, comparisons and moves of one lane.
    ///
    /// Ports: `enable` (all registers advance), the operation and the operands as in [`FpuPrepare`], `rounding` 3 (of the
    /// operation in the last stage, the unit carries it) -> `result` 32, `flags` 5 (NV DZ OF UF NX, NV the highest).
    /// Latency: four enabled cycles. Reset: none. Invariants: the significands' product and the rest of the first
    /// stage's results are registered together. Critical path: that of the second stage ([`FmaAlign`]) or of the third
    /// ([`FmaNormalise`]). Source: RISC-V F 2.2. Mirror in the model: the arithmetic of `model::exec`.
    pub struct FpuLane() [clock] {
        /// The pipeline advances.
        pub enable: Signal<In, Bit>,
        /// Operation.
        pub op: Signal<In, FpuOp>,
        /// Addition or subtraction.
        pub adds: Signal<In, Bit>,
        /// Multiplication.
        pub multiplies: Signal<In, Bit>,
        /// Multiply-add.
        pub fused: Signal<In, Bit>,
        /// The sign of the product is inverted.
        pub negate_product: Signal<In, Bit>,
        /// The sign of the addend is inverted.
        pub negate_addend: Signal<In, Bit>,
        /// First operand.
        pub a: Signal<In, Bits<32>>,
        /// Second operand.
        pub b: Signal<In, Bits<32>>,
        /// Third operand.
        pub c: Signal<In, Bits<32>>,
        /// Rounding mode of the operation that is being rounded.
        pub rounding: Signal<In, Bits<3>>,
        /// Result.
        pub result: Signal<Out, Bits<32>>,
        /// Its flags.
        pub flags: Signal<Out, Bits<5>>,
        prepare: FpuPrepare = FpuPrepare::new(),
        multiplier: SignificandMultiplier,
        align: FmaAlign = FmaAlign::new(),
        normalise: FmaNormalise = FmaNormalise::new(),
        round: FpuRound = FpuRound::new(),
        // Known results beside the datapath, the entry into the second stage first.
        ready_made: Vec<Pipe<Bit>> = (0..3).map(|_| Pipe::new()).collect(),
        known: Vec<Pipe<Bits<32>>> = pipes(3, 32),
        invalid: Vec<Pipe<Bit>> = (0..3).map(|_| Pipe::new()).collect(),
        // Into the second stage.
        addend: Pipe<Bits<24>>,
        product_anchors: Pipe<Bit>,
        distance: Pipe<Bits<6>>,
        exponent: Pipe<Bits<9>>,
        product_negative, addend_negative: Pipe<Bit>,
        subtract: Signal<Local, Bit>,
        // Into the third stage.
        magnitude: Pipe<Bits<52>>,
        limit: Pipe<Bits<9>>,
        sum_negative, subtracted: Pipe<Bit>,
        // Into the fourth stage.
        significand: Pipe<Bits<30>>,
        top_exponent: Pipe<Bits<10>>,
        limit_left: Pipe<Bits<2>>,
        unlimited, negative, cancels: Pipe<Bit>,
        // Out of it.
        rounded: Pipe<Bits<32>>,
        raised: Pipe<Bits<5>>,
    }
}

impl Logic for FpuLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. prepare and multiply");
        self.prepare.op.next = self.op.val();
        self.prepare.adds.next = self.adds.val();
        self.prepare.multiplies.next = self.multiplies.val();
        self.prepare.fused.next = self.fused.val();
        self.prepare.negate_product.next = self.negate_product.val();
        self.prepare.negate_addend.next = self.negate_addend.val();
        self.prepare.a.next = self.a.val();
        self.prepare.b.next = self.b.val();
        self.prepare.c.next = self.c.val();
        self.multiplier.enable.next = self.enable.val();
        self.multiplier.a.next = self.prepare.factor_a.val();
        self.multiplier.b.next = self.prepare.factor_b.val();
        comment!("2. align and add");
        self.subtract.next = self.product_negative.q.val() ^ self.addend_negative.q.val();
        self.align.product.next = self.multiplier.product.val();
        self.align.addend.next = self.addend.q.val();
        self.align.product_anchors.next = self.product_anchors.q.val();
        self.align.distance.next = self.distance.q.val();
        self.align.subtract.next = self.subtract.val();
        self.align.product_negative.next = self.product_negative.q.val();
        self.align.addend_negative.next = self.addend_negative.q.val();
        comment!("3. normalise");
        self.normalise.magnitude.next = self.magnitude.q.val();
        self.normalise.limit.next = self.limit.q.val();
        comment!("4. round");
        self.round.negative.next = self.negative.q.val();
        self.round.exponent.next = self.top_exponent.q.val();
        self.round.significand.next = self.significand.q.val();
        self.round.trace.next = false;
        self.round.limit_left.next = self.limit_left.q.val();
        self.round.unlimited.next = self.unlimited.q.val();
        self.round.rounding.next = self.rounding.val();
        self.round.cancels.next = self.cancels.q.val();
        comment!("5. all registers advance together");
        if self.enable.val() {
            self.ready_made[0].d.next = self.prepare.ready_made.val();
            self.known[0].d.next = self.prepare.result.val();
            self.invalid[0].d.next = self.prepare.invalid.val();
            for i in 1..3 {
                self.ready_made[i].d.next = self.ready_made[i - 1_usize].q.val();
                self.known[i].d.next = self.known[i - 1_usize].q.val();
                self.invalid[i].d.next = self.invalid[i - 1_usize].q.val();
            }
            self.addend.d.next = self.prepare.addend.val();
            self.product_anchors.d.next = self.prepare.product_anchors.val();
            self.distance.d.next = self.prepare.distance.val();
            self.exponent.d.next = self.prepare.exponent.val();
            self.product_negative.d.next = self.prepare.product_negative.val();
            self.addend_negative.d.next = self.prepare.addend_negative.val();
            self.magnitude.d.next = self.align.magnitude.val();
            self.limit.d.next = self.exponent.q.val() + 1;
            self.sum_negative.d.next = self.align.negative.val();
            self.subtracted.d.next = self.subtract.val();
            self.significand.d.next = self.normalise.significand.val();
            self.top_exponent.d.next = self.normalise.exponent.val();
            self.limit_left.d.next = self.normalise.limit_left.val();
            self.unlimited.d.next = self.normalise.unlimited.val();
            self.negative.d.next = self.sum_negative.q.val();
            self.cancels.d.next = self.subtracted.q.val();
            self.rounded.d.next = self.round.result.val();
            self.raised.d.next = bits::<5>(0)
                .replace_bit(2, self.round.overflow.val())
                .replace_bit(1, self.round.underflow.val())
                .replace_bit(0, self.round.inexact.val());
            if self.ready_made[2].q.val() {
                self.rounded.d.next = self.known[2].q.val();
                self.raised.d.next = bits::<5>(0).replace_bit(4, self.invalid[2].q.val());
            }
        }
        self.result.next = self.rounded.q.val();
        self.flags.next = self.raised.q.val();
    }
}
