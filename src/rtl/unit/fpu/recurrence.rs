//! Two digits of a quotient or a root.
use crate::prelude::*;

module! {
    /// Two steps of restoring division or square root.
    ///
    /// Numbers have 25 bits behind the point and three before it. `remainder` is what is left, times two to the digits
    /// found, and times two once more. In a division `subtrahend` is the divisor. In a root with the digits `q` found so
    /// far it is `2 q + d` where `d`, the worth of the next digit, is what `first` has set: taking that digit
    /// takes `(q + d)^2 - q^2 = d (2 q + d)` away.
    /// Ports: `active`, `remainder` 28, `subtrahend` 28, `first` 28 (one hot at an odd place in a root, 0 in a
    /// division) -> `digits` 2, `next_remainder` 28, `next_subtrahend` 28. Latency: combinational. Reset: none.
    /// Invariants: the remainder is less than twice the divisor, or than `4 q + 2 d`, so it fits. Critical path: two
    /// subtractions and multiplexers. Source: the schoolbook recurrences. Mirror in the model: none.
    pub struct FpuRecurrence() {
        /// There is a step to make; else all results are 0.
        pub active: Signal<In, Bit>,
        /// Twice what is left.
        pub remainder: Signal<In, Bits<28>>,
        /// What the next digit takes away.
        pub subtrahend: Signal<In, Bits<28>>,
        /// Worth of the next digit of a root.
        pub first: Signal<In, Bits<28>>,
        /// The two digits.
        pub digits: Signal<Out, Bits<2>>,
        /// Twice what is then left.
        pub next_remainder: Signal<Out, Bits<28>>,
        /// What the digit after them takes away.
        pub next_subtrahend: Signal<Out, Bits<28>>,
        trial_1, trial_2: Signal<Local, Bits<29>>,
        left_1, left_2, between, second: Signal<Local, Bits<28>>,
    }
}

impl Logic for FpuRecurrence {
    #[hdl_gen]
    fn update(&mut self) {
        self.digits.next = 0.into();
        self.next_remainder.next = 0.into();
        self.next_subtrahend.next = 0.into();
        if self.active.val() {
            comment!("1. first digit");
            self.trial_1.next =
                bit_cast::<29, 28>(self.remainder.val()) - bit_cast::<29, 28>(self.subtrahend.val());
            self.left_1.next = self.remainder.val() << bits::<5>(1);
            self.second.next = self.first.val() >> bits::<5>(1);
            self.between.next = (self.subtrahend.val() & (!self.first.val())) | self.second.val();
            if !self.trial_1.val().get_bit(28) {
                self.left_1.next = self.trial_1.val().get_bits::<28>(0) << bits::<5>(1);
                self.between.next = (self.subtrahend.val() & (!self.first.val()))
                    | self.second.val()
                    | (self.first.val() << bits::<5>(1));
            }
            comment!("2. second digit");
            self.trial_2.next =
                bit_cast::<29, 28>(self.left_1.val()) - bit_cast::<29, 28>(self.between.val());
            self.left_2.next = self.left_1.val() << bits::<5>(1);
            self.next_subtrahend.next =
                (self.between.val() & (!self.second.val())) | (self.first.val() >> bits::<5>(2));
            if !self.trial_2.val().get_bit(28) {
                self.left_2.next = self.trial_2.val().get_bits::<28>(0) << bits::<5>(1);
                self.next_subtrahend.next = (self.between.val() & (!self.second.val()))
                    | (self.first.val() >> bits::<5>(2))
                    | self.first.val();
            }
            comment!("3. both");
            self.next_remainder.next = self.left_2.val();
            self.digits.next = bits::<2>(0)
                .replace_bit(1, !self.trial_1.val().get_bit(28))
                .replace_bit(0, !self.trial_2.val().get_bit(28));
        }
    }
}
