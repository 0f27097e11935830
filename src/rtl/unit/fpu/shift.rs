//! The shifters of the slow unit.
use crate::comment;
use rust_hdl::prelude::*;

/// Shifts out leading zeros.
///
/// Ports: `value` 32 -> `normalised` 32 (its highest bit set, unless `value` is 0), `zeros` 5 (31 if `value` is 0).
/// Latency: combinational. Reset: none. Invariants: none. Critical path: five times the test for zeros and a
/// multiplexer. Source: none. Mirror in the model: none.
#[derive(LogicBlock, Default)]
pub struct LeadingShift {
    /// What is shifted.
    pub value: Signal<In, Bits<32>>,
    /// Without leading zeros.
    pub normalised: Signal<Out, Bits<32>>,
    /// How many there were.
    pub zeros: Signal<Out, Bits<5>>,
    by_16: Signal<Local, Bits<32>>,
    by_8: Signal<Local, Bits<32>>,
    by_4: Signal<Local, Bits<32>>,
    by_2: Signal<Local, Bits<32>>,
}

impl Logic for LeadingShift {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LeadingShift");
        self.zeros.next = 0.into();
        self.by_16.next = self.value.val();
        if !self.value.val().get_bits::<16>(16).any() {
            self.by_16.next = self.value.val() << bits::<5>(16);
            self.zeros.next = self.zeros.val().replace_bit(4, true);
        }
        self.by_8.next = self.by_16.val();
        if !self.by_16.val().get_bits::<8>(24).any() {
            self.by_8.next = self.by_16.val() << bits::<5>(8);
            self.zeros.next = self.zeros.val().replace_bit(3, true);
        }
        self.by_4.next = self.by_8.val();
        if !self.by_8.val().get_bits::<4>(28).any() {
            self.by_4.next = self.by_8.val() << bits::<5>(4);
            self.zeros.next = self.zeros.val().replace_bit(2, true);
        }
        self.by_2.next = self.by_4.val();
        if !self.by_4.val().get_bits::<2>(30).any() {
            self.by_2.next = self.by_4.val() << bits::<5>(2);
            self.zeros.next = self.zeros.val().replace_bit(1, true);
        }
        self.normalised.next = self.by_2.val();
        if !self.by_2.val().get_bit(31) {
            self.normalised.next = self.by_2.val() << bits::<5>(1);
            self.zeros.next = self.zeros.val().replace_bit(0, true);
        }
    }
}

/// Shifts to the right and keeps a trace of what falls out.
///
/// Ports: `value` 34, `distance` 6 -> `shifted` 34, whose lowest bit is set if any bit was that fell out or is there.
/// Latency: combinational. Reset: none. Invariants: none. Critical path: six multiplexers.
/// Source: none. Mirror in the model: none.
#[derive(LogicBlock, Default)]
pub struct TraceShift {
    /// What is shifted.
    pub value: Signal<In, Bits<34>>,
    /// How far.
    pub distance: Signal<In, Bits<6>>,
    /// The result.
    pub shifted: Signal<Out, Bits<34>>,
    by_32: Signal<Local, Bits<34>>,
    by_16: Signal<Local, Bits<34>>,
    by_8: Signal<Local, Bits<34>>,
    by_4: Signal<Local, Bits<34>>,
    by_2: Signal<Local, Bits<34>>,
    by_1: Signal<Local, Bits<34>>,
    lost: Signal<Local, Bit>,
}

impl Logic for TraceShift {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module TraceShift");
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
