//! One lane of the ALU.
use super::super::super::op::ALU_CONTROLS;
use crate::rtl::prelude::*;

module! {
    /// One lane of the ALU: every single-cycle integer operation and every branch condition.
    ///
    /// Ports: from the operand collector `control` 15 (the bits of [`AluOp::control`](crate::rtl::op::AluOp::control)), `a`,
    /// `b`; out `result` 32 and `condition`, which is that of a branch (1 for a jump) and means nothing for what is no
    /// control transfer. The result of a branch means nothing, that of a jump is `b`, where the operand
    /// stage has put the link address. Latency: combinational. Reset: none. Invariants: none.
    /// Critical path: subtraction, comparison. The condition "equal" does not wait for the sum. Source: RISC-V
    /// Unprivileged 2.4, 2.5 and Zicond. Mirror in the model: the arithmetic of `model::exec`.
    pub struct AluLane() {
        /// What to do.
        pub control: Signal<In, Bits<16>> = signal(ALU_CONTROLS),
        /// First operand.
        pub a: Signal<In, Bits<32>>,
        /// Second operand.
        pub b: Signal<In, Bits<32>>,
        /// Value for `rd`.
        pub result: Signal<Out, Bits<32>>,
        /// The branch condition holds.
        pub condition: Signal<Out, Bit>,
        complement, exclusive, sum, mixed, both, right, left, arithmetic, as_unsigned, if_zero, unless_zero,
        if_less, unless_less, set, keep, below, less, zero, met: Signal<Local, Bit>,
        mix, fill, shift_in, by_16, by_8, by_4, by_2, by_1, mirrored: Signal<Local, Bits<32>>,
        carry_in: Signal<Local, Bits<1>>,
        total: Signal<Local, Bits<34>>,
        amount: Signal<Local, Bits<5>>,
    }
}

impl Logic for AluLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread total: the lowest bit is the sum of the carry that goes in");
        comment!("1. what to do");
        self.complement.next = self.control.val().get_bit(0);
        self.exclusive.next = self.control.val().get_bit(1);
        self.sum.next = self.control.val().get_bit(2);
        self.mixed.next = self.control.val().get_bit(3);
        self.both.next = self.control.val().get_bit(4);
        self.right.next = self.control.val().get_bit(5);
        self.left.next = self.control.val().get_bit(6);
        self.arithmetic.next = self.control.val().get_bit(7);
        self.as_unsigned.next = self.control.val().get_bit(8);
        self.if_zero.next = self.control.val().get_bit(9);
        self.unless_zero.next = self.control.val().get_bit(10);
        self.if_less.next = self.control.val().get_bit(11);
        self.unless_less.next = self.control.val().get_bit(12);
        self.set.next = self.control.val().get_bit(13);
        self.keep.next = self.control.val().get_bit(14);
        comment!("2. one function of both operands serves adder, logic and the test for zero: b, its complement, or where a and b differ");
        self.mix.next = self.b.val();
        if self.complement.val() {
            self.mix.next = !self.b.val();
        }
        if self.exclusive.val() {
            self.mix.next = self.mix.val() ^ self.a.val();
        }
        self.zero.next = self.mix.val() == 0;
        comment!("3. one adder for sum and difference: a complement and a carry subtract. The carry enters at an extra lowest bit, so that it costs no second adder.");
        self.carry_in.next = self.control.val().get_bits::<1>(0);
        self.total.next = ((bit_cast::<34, 32>(self.a.val()) << bits::<6>(1)) | 1_u64)
            + ((bit_cast::<34, 32>(self.mix.val()) << bits::<6>(1)) | bit_cast::<34, 1>(self.carry_in.val()));
        comment!("4. comparisons: no carry out of a difference means below");
        self.below.next = !self.total.val().get_bit(33);
        self.less.next = self.below.val();
        if (self.a.val().get_bit(31) != self.b.val().get_bit(31)) & !self.as_unsigned.val() {
            self.less.next = self.a.val().get_bit(31);
        }
        self.met.next = (self.if_zero.val() & self.zero.val())
            | (self.unless_zero.val() & !self.zero.val())
            | (self.if_less.val() & self.less.val())
            | (self.unless_less.val() & !self.less.val());
        self.condition.next = self.met.val();
        comment!("5. one right shifter serves all shifts: a left shift goes through it mirrored. What is kept or not is shifted by 0.");
        self.fill.next = 0.into();
        if self.arithmetic.val() & self.a.val().get_bit(31) {
            self.fill.next = 0xFFFF_FFFF_u64.into();
        }
        self.amount.next = 0.into();
        if !self.keep.val() {
            self.amount.next = self.b.val().get_bits::<5>(0);
        }
        self.shift_in.next = self.a.val();
        if self.left.val() {
            for i in 0..32 {
                self.shift_in.next = self.shift_in.val().replace_bit(i, self.a.val().get_bit(31 - i));
            }
        }
        self.by_16.next = self.shift_in.val();
        if self.amount.val().get_bit(4) {
            self.by_16.next = (self.shift_in.val() >> bits::<5>(16)) | (self.fill.val() & 0xFFFF_0000_u64);
        }
        self.by_8.next = self.by_16.val();
        if self.amount.val().get_bit(3) {
            self.by_8.next = (self.by_16.val() >> bits::<5>(8)) | (self.fill.val() & 0xFF00_0000_u64);
        }
        self.by_4.next = self.by_8.val();
        if self.amount.val().get_bit(2) {
            self.by_4.next = (self.by_8.val() >> bits::<5>(4)) | (self.fill.val() & 0xF000_0000_u64);
        }
        self.by_2.next = self.by_4.val();
        if self.amount.val().get_bit(1) {
            self.by_2.next = (self.by_4.val() >> bits::<5>(2)) | (self.fill.val() & 0xC000_0000_u64);
        }
        self.by_1.next = self.by_2.val();
        if self.amount.val().get_bit(0) {
            self.by_1.next = (self.by_2.val() >> bits::<5>(1)) | (self.fill.val() & 0x8000_0000_u64);
        }
        self.mirrored.next = 0.into();
        for i in 0..32 {
            self.mirrored.next = self.mirrored.val().replace_bit(i, self.by_1.val().get_bit(31 - i));
        }
        comment!("6. result: an OR of what the operation selects");
        self.result.next = 0.into();
        if self.right.val() | (self.keep.val() & self.met.val()) {
            self.result.next = self.by_1.val();
        }
        if self.left.val() {
            self.result.next = self.result.val() | self.mirrored.val();
        }
        if self.sum.val() {
            self.result.next = self.result.val() | self.total.val().get_bits::<32>(1);
        }
        if self.mixed.val() {
            self.result.next = self.result.val() | self.mix.val();
        }
        if self.both.val() {
            self.result.next = self.result.val() | (self.b.val() & !self.mix.val());
        }
        if self.set.val() & self.met.val() {
            self.result.next = self.result.val() | 1_u64;
        }
    }
}
