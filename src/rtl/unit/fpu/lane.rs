//! One lane of the floating-point pipeline: four stages and the registers behind them.
use super::align::FmaAlign;
use super::normalise::FmaNormalise;
use super::prepare::FpuPrepare;
use super::round::FpuRound;
use super::significand::SignificandMultiplier;
use crate::prelude::*;

module! {
    /// Multiply-add, comparisons and moves of one lane.
    ///
    /// Ports: `enable` (registers behind the stages of `occupied` 4 advance), the operation and the operands as in
    /// [`FpuPrepare`], `rounding` 3 (of the operation in the last stage, the unit carries it) -> `result` 32, `flags`
    /// 5 (NV DZ OF UF NX, NV the highest). Latency: four enabled cycles. Reset: none. Invariants: the significands'
    /// product and the rest of the first stage's results are registered together. Critical path: that of the second
    /// stage ([`FmaAlign`]) or of the third ([`FmaNormalise`]). Source: RISC-V F 2.2. Mirror in the model: the
    /// arithmetic of `model::exec`.
    pub struct FpuLane() [clock] {
        /// Stages that hold an operation, the first in bit 0.
        pub occupied: Signal<In, Bits<4>>,
        /// The pipeline advances.
        pub enable: Signal<In, Bit>,
        /// What is to be done.
        pub operation_: LaneOperation<In> = LaneOperation::new(),
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
        // Known results beside the datapath, on their way into the second, third and fourth stage.
        known_2, known_3, known_4: KnownResult<Registered> = KnownResult::new(),
        // Into the second stage.
        terms: FmaTerms<Registered> = FmaTerms::new(),
        subtract: Signal<Local, Bit>,
        // Into the third stage.
        magnitude: Pipe<Bits<52>>,
        limit: Pipe<Bits<9>>,
        sum_negative, subtracted: Pipe<Bit>,
        // Into the fourth stage.
        unrounded: Unrounded<Registered> = Unrounded::new(),
        // Out of it.
        rounded: Pipe<Bits<32>>,
        raised: Pipe<Bits<5>>,
    }
}

impl Logic for FpuLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. prepare and multiply");
        self.prepare.active.next = self.occupied.val().get_bit(0);
        Wires::join(&mut self.operation_, &mut self.prepare.operation_);
        self.multiplier.enable.next = self.enable.val() & self.occupied.val().get_bit(0);
        self.multiplier.a.next = self.prepare.factor_a.val();
        self.multiplier.b.next = self.prepare.factor_b.val();
        comment!("2. align and add");
        self.subtract.next = self.terms.product_negative.q.val() ^ self.terms.addend_negative.q.val();
        self.align.active.next = self.occupied.val().get_bit(1);
        self.align.product.next = self.multiplier.product.val();
        Data::join(&mut self.terms, &mut self.align.terms_);
        self.align.subtract.next = self.subtract.val();
        comment!("3. normalise");
        self.normalise.active.next = self.occupied.val().get_bit(2);
        self.normalise.magnitude.next = self.magnitude.q.val();
        self.normalise.limit.next = self.limit.q.val();
        comment!("4. round");
        self.round.active.next = self.occupied.val().get_bit(3);
        Data::join(&mut self.unrounded, &mut self.round.number_);
        self.round.trace.next = false;
        self.round.rounding.next = self.rounding.val();
        comment!("5. what is in a stage moves on; registers behind an empty one keep what they have");
        if self.enable.val() {
            if self.occupied.val().get_bit(0) {
                Data::join(&mut self.prepare.known_, &mut self.known_2);
                Data::join(&mut self.prepare.terms_, &mut self.terms);
            }
            if self.occupied.val().get_bit(1) {
                Data::join(&mut self.known_2, &mut self.known_3);
                self.magnitude.d.next = self.align.magnitude.val();
                self.limit.d.next = self.terms.exponent.q.val() + 1;
                self.sum_negative.d.next = self.align.negative.val();
                self.subtracted.d.next = self.subtract.val();
            }
            if self.occupied.val().get_bit(2) {
                Data::join(&mut self.known_3, &mut self.known_4);
                self.unrounded.significand.d.next = self.normalise.significand.val();
                self.unrounded.exponent.d.next = self.normalise.exponent.val();
                self.unrounded.limit_left.d.next = self.normalise.limit_left.val();
                self.unrounded.unlimited.d.next = self.normalise.unlimited.val();
                self.unrounded.negative.d.next = self.sum_negative.q.val();
                self.unrounded.cancels.d.next = self.subtracted.q.val();
            }
            if self.occupied.val().get_bit(3) {
                self.rounded.d.next = self.round.result.val();
                self.raised.d.next = self.round.flags.val();
                if self.known_4.ready_made.q.val() {
                    self.rounded.d.next = self.known_4.result.q.val();
                    self.raised.d.next = bits::<5>(0).replace_bit(4, self.known_4.invalid.q.val());
                }
            }
        }
        self.result.next = self.rounded.q.val();
        self.flags.next = self.raised.q.val();
    }
}
