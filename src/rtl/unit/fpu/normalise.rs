//! Bringing the leading digit to the top.
use crate::prelude::*;

module! {
    /// Shifts a sum to the left until fewer than four zeros lead it, or its exponent would fall below 1.
    ///
    /// Ports: `active`, `magnitude` 52, `limit` 9 (largest possible shift; bit 51 is worth `2^(limit + 1 - 127)`) ->
    /// `significand` 30 (the lowest bit stands for all below), `exponent` 10 (of its bit 29), and for the last two
    /// places of the shift, which belong to [`FpuRound`](super::round::FpuRound), `limit_left` 2 and `unlimited`.
    /// The shift by `min(zeros, limit)` is decided from the highest bit of that number down: once a bit of `limit`
    /// is set where the shift does not take it, `limit` is out of the question.
    /// Latency: combinational. Reset: none. Invariants: `exponent` is at least 1.
    /// Critical path: four times the test for zeros and a multiplexer. Source: none. Mirror in the model: none.
    pub struct FmaNormalise() {
        /// There is a sum; else all results are 0.
        pub active: Signal<In, Bit>,
        /// The sum.
        pub magnitude: Signal<In, Bits<52>>,
        /// Largest shift.
        pub limit: Signal<In, Bits<9>>,
        /// Upper part of the shifted sum, with the trace of the rest.
        pub significand: Signal<Out, Bits<30>>,
        /// Biased exponent of its highest bit.
        pub exponent: Signal<Out, Bits<10>>,
        /// How far it may yet go, unless `unlimited`.
        pub limit_left: Signal<Out, Bits<2>>,
        /// It may go as far as need be.
        pub unlimited: Signal<Out, Bit>,
        free_32, free_16, free_8, free_4, zeros_32, zeros_16, zeros_8, zeros_4: Signal<Local, Bit>,
        by_32, by_16, by_8, by_4: Signal<Local, Bits<52>>,
        shift: Signal<Local, Bits<6>>,
    }
}

impl Logic for FmaNormalise {
    #[hdl_gen]
    fn update(&mut self) {
        self.significand.next = 0.into();
        self.exponent.next = 0.into();
        self.limit_left.next = 0.into();
        self.unlimited.next = false;
        if self.active.val() {
            comment!("1. by 32");
            self.shift.next = 0.into();
            self.free_32.next = self.limit.val().get_bits::<3>(6).any();
            self.zeros_32.next = !self.magnitude.val().get_bits::<32>(20).any();
            self.by_32.next = self.magnitude.val();
            if self.zeros_32.val() & (self.free_32.val() | self.limit.val().get_bit(5)) {
                self.by_32.next = self.magnitude.val() << bits::<6>(32);
                self.shift.next = self.shift.val().replace_bit(5, true);
            }
            comment!("2. by 16");
            self.free_16.next = self.free_32.val() | (self.limit.val().get_bit(5) & !self.zeros_32.val());
            self.zeros_16.next = !self.by_32.val().get_bits::<16>(36).any();
            self.by_16.next = self.by_32.val();
            if self.zeros_16.val() & (self.free_16.val() | self.limit.val().get_bit(4)) {
                self.by_16.next = self.by_32.val() << bits::<6>(16);
                self.shift.next = self.shift.val().replace_bit(4, true);
            }
            comment!("3. by 8");
            self.free_8.next = self.free_16.val() | (self.limit.val().get_bit(4) & !self.zeros_16.val());
            self.zeros_8.next = !self.by_16.val().get_bits::<8>(44).any();
            self.by_8.next = self.by_16.val();
            if self.zeros_8.val() & (self.free_8.val() | self.limit.val().get_bit(3)) {
                self.by_8.next = self.by_16.val() << bits::<6>(8);
                self.shift.next = self.shift.val().replace_bit(3, true);
            }
            comment!("4. by 4");
            self.free_4.next = self.free_8.val() | (self.limit.val().get_bit(3) & !self.zeros_8.val());
            self.zeros_4.next = !self.by_8.val().get_bits::<4>(48).any();
            self.by_4.next = self.by_8.val();
            if self.zeros_4.val() & (self.free_4.val() | self.limit.val().get_bit(2)) {
                self.by_4.next = self.by_8.val() << bits::<6>(4);
                self.shift.next = self.shift.val().replace_bit(2, true);
            }
            self.unlimited.next = self.free_4.val() | (self.limit.val().get_bit(2) & !self.zeros_4.val());
            self.limit_left.next = self.limit.val().get_bits::<2>(0);
            comment!("5. what the rounding needs");
            self.significand.next = (bit_cast::<30, 29>(self.by_4.val().get_bits::<29>(23)) << bits::<5>(1))
                .replace_bit(0, self.by_4.val().get_bits::<23>(0).any());
            self.exponent.next =
                bit_cast::<10, 9>(self.limit.val()) + 1 - bit_cast::<10, 6>(self.shift.val());
        }
    }
}
