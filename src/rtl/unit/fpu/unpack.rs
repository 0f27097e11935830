//! Taking a number apart.
use crate::prelude::*;

module! {
    /// Fields and class of a binary32 number.
    ///
    /// Ports: `active`, `number` 32 -> `exponent` 8 (the field, but 1 for a subnormal number or zero, so that the significand
    /// always counts in units of `2^(exponent - 150)`), `significand` 24 with its leading digit, and the
    /// `class`. The sign is bit 31 of the number.
    /// Latency: combinational. Reset: none. Invariants: at most one of `zero`, `subnormal`, `infinite`, `nan`.
    /// Critical path: an OR of 23 bits. Source: IEEE 754-2019 3.4. Mirror in the model: none.
    pub struct FpuUnpack() {
        /// The class is of interest; else it is none.
        pub active: Signal<In, Bit>,
        /// The number.
        pub number: Signal<In, Bits<32>>,
        /// Biased exponent, at least 1.
        pub exponent: Signal<Out, Bits<8>>,
        /// Significand with its leading digit.
        pub significand: Signal<Out, Bits<24>>,
        /// What it is.
        pub class: NumberClass<Out> = NumberClass::new(),
        lowest, highest, fraction: Signal<Local, Bit>,
    }
}

impl Logic for FpuUnpack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread number: the sign is bit 31 wherever the number is");
        self.lowest.next = !self.number.val().get_bits::<8>(23).any();
        self.exponent.next = self.number.val().get_bits::<8>(23);
        if self.lowest.val() {
            self.exponent.next = 1.into();
        }
        self.significand.next =
            bit_cast::<24, 23>(self.number.val().get_bits::<23>(0)).replace_bit(23, !self.lowest.val());
        self.class.zero.next = false;
        self.class.subnormal.next = false;
        self.class.infinite.next = false;
        self.class.nan.next = false;
        self.class.signalling.next = false;
        if self.active.val() {
            self.highest.next = self.number.val().get_bits::<8>(23).all();
            self.fraction.next = self.number.val().get_bits::<23>(0).any();
            self.class.zero.next = self.lowest.val() & !self.fraction.val();
            self.class.subnormal.next = self.lowest.val() & self.fraction.val();
            self.class.infinite.next = self.highest.val() & !self.fraction.val();
            self.class.nan.next = self.highest.val() & self.fraction.val();
            self.class.signalling.next =
                self.highest.val() & self.fraction.val() & !self.number.val().get_bit(22);
        }
    }
}
