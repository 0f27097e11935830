//! One lane of the ALU.
use super::super::super::op::ALU_CONTROLS;
use crate::rtl::prelude::*;

module! {
    /// One lane of the ALU: every single-cycle integer operation and every branch condition.
    ///
    /// Ports: from the operand collector `control` 14 (the bits of [`AluOp::control`](crate::rtl::op::AluOp::control)), `a`,
    /// `b` (its complement where [`AluOp::inverts_b`](crate::rtl::op::AluOp::inverts_b) says so); out `result` 32 and
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
        sum, mixed, shift, right, arithmetic, as_unsigned, if_zero, unless_zero, if_less, unless_less, keep,
        below, less, zero, met: Signal<Local, Bit>,
        carry: Signal<Local, Bits<1>>,
        mixing: Signal<Local, Bits<2>>,
        mix: Signal<Local, Bits<32>>,
        total: Signal<Local, Bits<34>>,
        amount: Signal<Local, Bits<5>>,
        far, fill: Signal<Local, Bit>,
        choose_middle, choose_upper: Signal<Local, Bits<2>>,
        lower: Signal<Local, Bits<15>>,
        middle, upper: Signal<Local, Bits<16>>,
        by_16: Signal<Local, Bits<47>>,
        by_8: Signal<Local, Bits<39>>,
        by_4: Signal<Local, Bits<35>>,
        by_2: Signal<Local, Bits<33>>,
        by_1: Signal<Local, Bits<32>>,
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
        self.shift.next = self.control.val().get_bit(5);
        self.right.next = self.control.val().get_bit(6);
        self.arithmetic.next = self.control.val().get_bit(7);
        self.as_unsigned.next = self.control.val().get_bit(8);
        self.if_zero.next = self.control.val().get_bit(9);
        self.unless_zero.next = self.control.val().get_bit(10);
        self.if_less.next = self.control.val().get_bit(11);
        self.unless_less.next = self.control.val().get_bit(12);
        self.keep.next = self.control.val().get_bit(13);
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
        comment!("5. one right shifter of 63 bits serves all shifts: above what goes to the right is its sign or 0, and what goes to the left is at the upper end, to go 31 places less the amount. What is kept is shifted by 0.");
        self.amount.next = 0.into();
        if !self.keep.val() {
            self.amount.next = self.b.val().get_bits::<5>(0);
        }
        comment!("Its first step, by 16, puts the word in place too. Two bits choose for each half, of its upper 32 bits, a place of the word, zeros or ones: one LUT a bit.");
        self.far.next = self.amount.val().get_bit(4);
        self.fill.next = self.arithmetic.val() & self.a.val().get_bit(31);
        self.lower.next = 0.into();
        self.choose_middle.next = 2.into();
        self.choose_upper.next = 0.into();
        if self.far.val() {
            self.choose_middle.next = 1.into();
            self.choose_upper.next = 1.into();
        }
        if self.right.val() {
            self.lower.next = self.a.val().get_bits::<15>(0);
            self.choose_middle.next = 0.into();
            self.choose_upper.next = 2.into();
            if self.fill.val() {
                self.choose_upper.next = 3.into();
            }
            if self.far.val() {
                self.lower.next = self.a.val().get_bits::<15>(16);
                self.choose_middle.next = self.choose_upper.val();
            }
        }
        self.middle.next = self.a.val().get_bits::<16>(15);
        self.upper.next = self.a.val().get_bits::<16>(0);
        if self.choose_middle.val().get_bit(0) {
            self.middle.next = self.a.val().get_bits::<16>(0);
        }
        if self.choose_upper.val().get_bit(0) {
            self.upper.next = self.a.val().get_bits::<16>(16);
        }
        if self.choose_middle.val().get_bit(1) {
            self.middle.next = 0.into();
            if self.choose_middle.val().get_bit(0) {
                self.middle.next = 0xFFFF.into();
            }
        }
        if self.choose_upper.val().get_bit(1) {
            self.upper.next = 0.into();
            if self.choose_upper.val().get_bit(0) {
                self.upper.next = 0xFFFF.into();
            }
        }
        comment!("What goes to the right has its own sign bit below what fills.");
        if self.right.val() & self.far.val() {
            self.middle.next = self.middle.val().replace_bit(0, self.a.val().get_bit(31));
        }
        if self.right.val() & !self.far.val() {
            self.upper.next = self.upper.val().replace_bit(0, self.a.val().get_bit(31));
        }
        self.by_16.next = bit_cast::<47, 15>(self.lower.val())
            | (bit_cast::<47, 16>(self.middle.val()) << bits::<6>(15))
            | (bit_cast::<47, 16>(self.upper.val()) << bits::<6>(31));
        self.by_8.next = self.by_16.val().get_bits::<39>(0);
        if self.amount.val().get_bit(3) {
            self.by_8.next = self.by_16.val().get_bits::<39>(8);
        }
        self.by_4.next = self.by_8.val().get_bits::<35>(0);
        if self.amount.val().get_bit(2) {
            self.by_4.next = self.by_8.val().get_bits::<35>(4);
        }
        comment!("What is no shift is 0 from here on, so that it can be added to the rest by an OR. Whether a word is kept is known late.");
        self.by_2.next = 0.into();
        if self.shift.val() | (self.keep.val() & self.met.val()) {
            self.by_2.next = self.by_4.val().get_bits::<33>(0);
            if self.amount.val().get_bit(1) {
                self.by_2.next = self.by_4.val().get_bits::<33>(2);
            }
        }
        self.by_1.next = self.by_2.val().get_bits::<32>(0);
        if self.amount.val().get_bit(0) {
            self.by_1.next = self.by_2.val().get_bits::<32>(1);
        }
        comment!("6. result; what is neither of these is a comparison");
        self.result.next = self.by_1.val();
        if self.sum.val() {
            self.result.next = self.result.val() | self.total.val().get_bits::<32>(1);
        }
        if self.mixed.val() {
            self.result.next = self.result.val() | self.mix.val();
        }
        if self.met.val() & !self.sum.val() & !self.mixed.val() & !self.shift.val() & !self.keep.val() {
            self.result.next = self.result.val() | 1;
        }
    }
}
