//! Operations without arithmetic.
use super::order::FpuOrder;
use crate::prelude::*;

module! {
    /// Sign injection, minimum and maximum, comparisons, classification and moves.
    ///
    /// Ports: `active`, `op`, `a`, `b` 32 with what they are, `class_a`, `class_b` ->
    /// `result` 32, `invalid`. Latency: combinational. Reset: none.
    /// Invariants: `invalid` is 0 for arithmetic operations. Critical path: the comparison into the result.
    /// Source: RISC-V F 2.2: minimumNumber and maximumNumber, quiet FEQ, signalling FLT and FLE.
    /// Mirror in the model: the arithmetic of `model::exec`.
    pub struct FpuSimple() {
        /// There is an operation; else the result is 0.
        pub active: Signal<In, Bit>,
        /// Operation; anything for an arithmetic one.
        pub op: Signal<In, FpuOp>,
        /// First operand.
        pub a: Signal<In, Bits<32>>,
        /// Second operand.
        pub b: Signal<In, Bits<32>>,
        /// What `a` is.
        pub class_a: NumberClass<In> = NumberClass::new(),
        /// What `b` is.
        pub class_b: NumberClass<In> = NumberClass::new(),
        /// Value for the destination.
        pub result: Signal<Out, Bits<32>>,
        /// Flag NV.
        pub invalid: Signal<Out, Bit>,
        order: FpuOrder = FpuOrder::new(),
        negative, ordinary, unordered, signals, take_b: Signal<Local, Bit>,
        truth, class_mask, extreme: Signal<Local, Bits<32>>,
    }
}

impl Logic for FpuSimple {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. order");
        self.order.a.next = self.a.val();
        self.order.b.next = self.b.val();
        self.order.both_zero.next = self.class_a.zero.val() & self.class_b.zero.val();
        self.result.next = 0.into();
        self.invalid.next = false;
        if self.active.val() {
            self.unordered.next = self.class_a.nan.val() | self.class_b.nan.val();
            self.signals.next = self.class_a.signalling.val() | self.class_b.signalling.val();
            comment!(
                "2. minimum and maximum: a NaN gives way to a number, two of them give the canonical one"
            );
            self.take_b.next = !self.order.first.val();
            if self.op.val() == FpuOp::Max {
                self.take_b.next = self.order.first.val();
            }
            if self.unordered.val() {
                self.take_b.next = self.class_a.nan.val();
            }
            self.extreme.next = self.a.val();
            if self.take_b.val() {
                self.extreme.next = self.b.val();
            }
            if self.class_a.nan.val() & self.class_b.nan.val() {
                self.extreme.next = 0x7FC0_0000_u64.into();
            }
            comment!("3. comparison");
            self.truth.next = 0.into();
            if !self.unordered.val() {
                match self.op.val() {
                    FpuOp::Eq => self.truth.next = self.truth.val().replace_bit(0, self.order.equal.val()),
                    FpuOp::Lt => self.truth.next = self.truth.val().replace_bit(0, self.order.less.val()),
                    _ => {
                        self.truth.next =
                            self.truth.val().replace_bit(0, self.order.less.val() | self.order.equal.val())
                    }
                }
            }
            comment!("4. class");
            self.negative.next = self.a.val().get_bit(31);
            self.ordinary.next = !self.class_a.zero.val()
                & !self.class_a.subnormal.val()
                & !self.class_a.infinite.val()
                & !self.class_a.nan.val();
            self.class_mask.next = bits::<32>(0)
                .replace_bit(0, self.negative.val() & self.class_a.infinite.val())
                .replace_bit(1, self.negative.val() & self.ordinary.val())
                .replace_bit(2, self.negative.val() & self.class_a.subnormal.val())
                .replace_bit(3, self.negative.val() & self.class_a.zero.val())
                .replace_bit(4, !self.negative.val() & self.class_a.zero.val())
                .replace_bit(5, !self.negative.val() & self.class_a.subnormal.val())
                .replace_bit(6, !self.negative.val() & self.ordinary.val())
                .replace_bit(7, !self.negative.val() & self.class_a.infinite.val())
                .replace_bit(8, self.class_a.signalling.val())
                .replace_bit(9, self.class_a.nan.val() & !self.class_a.signalling.val());
            comment!("5. result");
            self.result.next = self.a.val();
            match self.op.val() {
                FpuOp::Sgnj => self.result.next = self.a.val().replace_bit(31, self.b.val().get_bit(31)),
                FpuOp::Sgnjn => self.result.next = self.a.val().replace_bit(31, !self.b.val().get_bit(31)),
                FpuOp::Sgnjx => {
                    self.result.next =
                        self.a.val().replace_bit(31, self.negative.val() ^ self.b.val().get_bit(31))
                }
                FpuOp::Min => {
                    self.result.next = self.extreme.val();
                    self.invalid.next = self.signals.val();
                }
                FpuOp::Max => {
                    self.result.next = self.extreme.val();
                    self.invalid.next = self.signals.val();
                }
                FpuOp::Eq => {
                    self.result.next = self.truth.val();
                    self.invalid.next = self.signals.val();
                }
                FpuOp::Lt => {
                    self.result.next = self.truth.val();
                    self.invalid.next = self.unordered.val();
                }
                FpuOp::Le => {
                    self.result.next = self.truth.val();
                    self.invalid.next = self.unordered.val();
                }
                FpuOp::Class => self.result.next = self.class_mask.val(),
                _ => self.result.next = self.a.val(),
            }
        }
    }
}
