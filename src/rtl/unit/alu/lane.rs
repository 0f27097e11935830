//! One lane of the ALU.
use super::super::super::op::ALU_CONTROLS;
use crate::prelude::*;

module! {
    /// One lane of the ALU: every integer operation but shifts and those of M, and every branch condition.
    ///
    /// Ports: from the collector `control` 11 (the bits of [`AluOp::control`](crate::op::AluOp::control)), `a`,
    /// `b` (its complement where [`AluOp::inverts_b`](crate::op::AluOp::inverts_b) says so); out `result` 32 and
    /// `condition`, which is that of a branch (1 for a jump) and means nothing for what is no
    /// control transfer. The result of a branch means nothing, that of a jump is `b`, where the operand
    /// stage has put the link address. Latency: combinational. Reset: none. Invariants: none.
    /// Critical path: subtraction, comparison. The condition "equal" does not wait for the sum. Source: RISC-V
    /// Unprivileged 2.4, 2.5 and Zicond. Mirror in the model: the arithmetic of `model::exec`.
    pub struct AluLane() {
        /// What to do.
        pub control: Signal<In, Bits<16>> = signal(ALU_CONTROLS),
        /// First operand.
        pub a: Signal<In, Bits<32>>,
        /// Second operand or its complement.
        pub b: Signal<In, Bits<32>>,
        /// Value for `rd`.
        pub result: Signal<Out, Bits<32>>,
        /// The branch condition holds.
        pub condition: Signal<Out, Bit>,
        sum, mixed, as_unsigned, if_zero, unless_zero, if_less, unless_less, keep, below, less, zero, met: Signal<Local, Bit>,
        carry: Signal<Local, Bits<1>>,
        mixing: Signal<Local, Bits<2>>,
        mix: Signal<Local, Bits<32>>,
        total: Signal<Local, Bits<34>>,
    }
}

impl Logic for AluLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread total: the lowest bit is the sum of the carry that goes in");
        comment!("1. what to do");
        self.carry.next = self.control.val().get_bits::<1>(0);
        self.mixing.next = self.control.val().get_bits::<2>(1);
        self.sum.next = self.control.val().get_bit(3);
        self.mixed.next = self.control.val().get_bit(4);
        self.as_unsigned.next = self.control.val().get_bit(5);
        self.if_zero.next = self.control.val().get_bit(6);
        self.unless_zero.next = self.control.val().get_bit(7);
        self.if_less.next = self.control.val().get_bit(8);
        self.unless_less.next = self.control.val().get_bit(9);
        self.keep.next = self.control.val().get_bit(10);
        comment!("2. one function of both operands serves adder, logic and the test for zero");
        self.mix.next = self.b.val();
        if self.mixing.val() == 1 {
            self.mix.next = self.a.val() ^ self.b.val();
        }
        if self.mixing.val() == 2 {
            self.mix.next = self.a.val() | self.b.val();
        }
        if self.mixing.val() == 3 {
            self.mix.next = self.a.val() & self.b.val();
        }
        self.zero.next = self.mix.val() == 0;
        comment!("3. one adder for sum and difference: a complement and a carry subtract. The carry enters at an extra lowest bit, so that it costs no second adder.");
        self.total.next = ((bit_cast::<34, 32>(self.a.val()) << bits::<6>(1)) | 1_u64)
            + ((bit_cast::<34, 32>(self.mix.val()) << bits::<6>(1)) | bit_cast::<34, 1>(self.carry.val()));
        comment!("4. comparisons: no carry out of a difference means below. Of operands that differ in sign, which the complement makes equal, the negative one is less.");
        self.below.next = !self.total.val().get_bit(33);
        self.less.next = self.below.val();
        if (self.a.val().get_bit(31) == self.b.val().get_bit(31)) & !self.as_unsigned.val() {
            self.less.next = self.a.val().get_bit(31);
        }
        self.met.next = (self.if_zero.val() & self.zero.val())
            | (self.unless_zero.val() & !self.zero.val())
            | (self.if_less.val() & self.less.val())
            | (self.unless_less.val() & !self.less.val());
        self.condition.next = self.met.val();
        comment!(
            "5. result; what is neither of these is a comparison. Whether a word is kept is known late."
        );
        self.result.next = 0.into();
        if self.sum.val() {
            self.result.next = self.total.val().get_bits::<32>(1);
        }
        if self.mixed.val() {
            self.result.next = self.result.val() | self.mix.val();
        }
        if self.keep.val() & self.met.val() {
            self.result.next = self.result.val() | self.a.val();
        }
        if self.met.val() & !self.sum.val() & !self.mixed.val() & !self.keep.val() {
            self.result.next = self.result.val() | 1;
        }
    }
}
