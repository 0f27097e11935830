//! Shifters.
use crate::prelude::*;

module! {
    /// Shifts out leading zeros.
    ///
    /// Ports: `active`, `value` 32 -> `normalised` 32 (its highest bit set, unless `value` is 0), `zeros` 5 (31 if
    /// `value` is 0). Latency: combinational. Reset: none. Invariants: none. Critical path: five times the test for
    /// zeros and a multiplexer, the last of them two bits wide. Counting before shifting is smaller than shifting at
    /// once. Source: none. Mirror in the model: none.
    pub struct LeadingShift() {
        /// There is something to shift; else both results are 0.
        pub active: Signal<In, Bit>,
        /// What is shifted.
        pub value: Signal<In, Bits<32>>,
        /// Without leading zeros.
        pub normalised: Signal<Out, Bits<32>>,
        /// How many there were.
        pub zeros: Signal<Out, Bits<5>>,
        of_16: Signal<Local, Bits<16>>,
        of_8: Signal<Local, Bits<8>>,
        of_4: Signal<Local, Bits<4>>,
        of_2: Signal<Local, Bits<2>>,
    }
}

impl Logic for LeadingShift {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread of_2: of two bits, the upper one decides");
        self.normalised.next = 0.into();
        self.zeros.next = 0.into();
        if self.active.val() {
            comment!("1. count: if there is nothing in the upper half, the leading digit is in the lower");
            self.of_16.next = self.value.val().get_bits::<16>(16);
            if !self.value.val().get_bits::<16>(16).any() {
                self.of_16.next = self.value.val().get_bits::<16>(0);
                self.zeros.next = self.zeros.val().replace_bit(4, true);
            }
            self.of_8.next = self.of_16.val().get_bits::<8>(8);
            if !self.of_16.val().get_bits::<8>(8).any() {
                self.of_8.next = self.of_16.val().get_bits::<8>(0);
                self.zeros.next = self.zeros.val().replace_bit(3, true);
            }
            self.of_4.next = self.of_8.val().get_bits::<4>(4);
            if !self.of_8.val().get_bits::<4>(4).any() {
                self.of_4.next = self.of_8.val().get_bits::<4>(0);
                self.zeros.next = self.zeros.val().replace_bit(2, true);
            }
            self.of_2.next = self.of_4.val().get_bits::<2>(2);
            if !self.of_4.val().get_bits::<2>(2).any() {
                self.of_2.next = self.of_4.val().get_bits::<2>(0);
                self.zeros.next = self.zeros.val().replace_bit(1, true);
            }
            if !self.of_2.val().get_bit(1) {
                self.zeros.next = self.zeros.val().replace_bit(0, true);
            }
            comment!("2. shift");
            self.normalised.next = self.value.val() << self.zeros.val();
        }
    }
}

module! {
    /// Shifts to the right and keeps a trace of what falls out.
    ///
    /// Ports: `active`, `value` N, `distance` 6 -> `shifted` N, whose lowest bit is set if any bit was that fell out
    /// or is there. Latency: combinational. Reset: none. Invariants: none. Critical path: six multiplexers. Source:
    /// none. Mirror in the model: none.
    pub struct TraceShift<const N: usize>() {
        /// There is something to shift; else the result is 0.
        pub active: Signal<In, Bit>,
        /// What is shifted.
        pub value: Signal<In, Bits<N>>,
        /// How far.
        pub distance: Signal<In, Bits<6>>,
        /// The result.
        pub shifted: Signal<Out, Bits<N>>,
        by_32, by_16, by_8, by_4, by_2, by_1: Signal<Local, Bits<N>>,
        lost: Signal<Local, Bit>,
    }
}

impl<const N: usize> Logic for TraceShift<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.shifted.next = 0.into();
        if self.active.val() {
            self.lost.next = false;
            self.by_32.next = self.value.val();
            if self.distance.val().get_bit(5) {
                self.by_32.next = self.value.val() >> bits::<6>(32);
                self.lost.next = self.value.val().get_bits::<32>(0).any();
            }
            self.by_16.next = self.by_32.val();
            if self.distance.val().get_bit(4) {
                self.by_16.next = self.by_32.val() >> bits::<6>(16);
                self.lost.next = self.lost.val() | self.by_32.val().get_bits::<16>(0).any();
            }
            self.by_8.next = self.by_16.val();
            if self.distance.val().get_bit(3) {
                self.by_8.next = self.by_16.val() >> bits::<6>(8);
                self.lost.next = self.lost.val() | self.by_16.val().get_bits::<8>(0).any();
            }
            self.by_4.next = self.by_8.val();
            if self.distance.val().get_bit(2) {
                self.by_4.next = self.by_8.val() >> bits::<6>(4);
                self.lost.next = self.lost.val() | self.by_8.val().get_bits::<4>(0).any();
            }
            self.by_2.next = self.by_4.val();
            if self.distance.val().get_bit(1) {
                self.by_2.next = self.by_4.val() >> bits::<6>(2);
                self.lost.next = self.lost.val() | self.by_4.val().get_bits::<2>(0).any();
            }
            self.by_1.next = self.by_2.val();
            if self.distance.val().get_bit(0) {
                self.by_1.next = self.by_2.val() >> bits::<6>(1);
                self.lost.next = self.lost.val() | self.by_2.val().get_bit(0);
            }
            self.shifted.next = self.by_1.val().replace_bit(0, self.by_1.val().get_bit(0) | self.lost.val());
        }
    }
}
