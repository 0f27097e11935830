//! What has come to one counter since its total was brought up to date.
use crate::prelude::*;

module! {
    /// Adds up what comes to one counter, until that is added to its total.
    ///
    /// Ports: below. Latency: what comes in cycle c is in `amount` from c+1 on. Reset: `taken`. Invariants: it is taken
    /// before `mask` is exceeded. Critical path: one addition. Source: none. Mirror in the model: none.
    pub struct Accumulator(bits: usize) [clock]
    {
        /// The core counts.
        pub counts: Signal<In, Bit>,
        /// What comes.
        pub growth: Signal<In, Bits<32>> = signal(bits),
        /// The bits that it has; all accumulators have one width here, and what is left out is always 0.
        pub mask: Signal<In, Bits<32>> = signal(bits),
        /// It begins again with what comes.
        pub taken: Signal<In, Bit>,
        /// What has come.
        pub amount: Signal<Out, Bits<32>> = signal(bits),
        held: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(bits),
        comes: Signal<Local, Bits<32>> = signal(bits),
    }
}

impl Logic for Accumulator {
    #[hdl_gen]
    fn update(&mut self) {
        self.amount.next = self.held.q.val();
        self.comes.next = 0.into();
        if self.counts.val() {
            self.comes.next = self.growth.val();
        }
        self.held.d.next = (self.held.q.val() + self.comes.val()) & self.mask.val();
        if self.taken.val() {
            self.held.d.next = self.comes.val();
        }
    }
}
