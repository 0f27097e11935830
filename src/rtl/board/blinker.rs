//! A light that shows that the clock runs.
use crate::prelude::*;

module! {
    /// Divides the clock into something that the eye sees.
    ///
    /// Ports: `clock` -> `light`, which changes every 2^24 cycles. Reset: none, it does not matter where it begins.
    /// Invariants: none. Critical path: a counter of 25 bits. Source: none. Mirror in the model: none.
    pub struct Blinker() [clock] {
        /// To a LED.
        pub light: Signal<Out, Bit>,
        count: Pipe<Bits<25>>,
    }
}

impl Logic for Blinker {
    #[hdl_gen]
    fn update(&mut self) {
        self.count.d.next = self.count.q.val() + 1;
        self.light.next = self.count.q.val().get_bit(24);
    }
}
