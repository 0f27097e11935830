//! Numbers of things in flight.
use crate::prelude::*;

module! {
    /// Keeps a number ready that is not in use, so that whoever takes it need not search.
    ///
    /// Ports: `in_use` (`count` bits, of registers), `take` (the number is used now, and in `in_use` from the next cycle on)
    /// -> `ready`, `number` (`clog2(count)` bits). Latency: a number out of use in cycle c is ready in c+1 at best.
    /// Reset: none ready for a cycle. Invariants: `take` only while `ready`; what is ready is not in use.
    /// Critical path: none to the outputs, which are registers. Source: none. Mirror in the model:
    /// `model::timing::lsu::Ready`.
    pub struct FreeNumber(count: usize) [clock, reset]
    let bits = clog2(count.max(2));
    {
        /// The numbers that are taken.
        pub in_use: Signal<In, Bits<32>> = signal(count),
        /// Takes the number.
        pub take: Signal<In, Bit>,
        /// There is a number.
        pub ready: Signal<Out, Bit>,
        /// The number.
        pub number: Signal<Out, Bits<5>> = signal(bits),
        valid: Reg<Bit>,
        chosen: Reg<Bits<5>> = Reg::<Bits<5>>::width(bits),
        all: Const<Bits<32>> = constant(count, (1 << count) - 1),
        free: Signal<Local, Bits<32>> = signal(1 << bits),
        first: Signal<Local, Bits<5>> = signal(bits),
        /// How many numbers the half that is searched in each step has: half of all, a quarter, and so on down to one.
        sizes: Vec<Const<Bits<5>>> = (0..bits).rev().map(|k| constant(bits, 1 << k)).collect(),
        /// Masks of as many numbers, from number 0 on.
        lower: Vec<Const<Bits<32>>> = (0..bits).rev().map(|k| constant(1 << bits, (1 << (1 << k)) - 1)).collect(),
        _bits: usize = bits,
    }
}

impl Logic for FreeNumber {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.valid.q.val();
        self.number.next = self.chosen.q.val();
        comment!("When none is ready, or the one that is gets taken: the lowest number that is neither in use nor ready.");
        if !self.valid.q.val() | self.take.val() {
            self.free.next = bit_cast::<32, 32>(!self.in_use.val() & self.all.val());
            if self.valid.q.val() {
                self.free.next = self.free.val().replace_bit(self.chosen.q.val().index(), false);
            }
            self.valid.d.next = self.free.val().any();
            comment!("It is in the upper half if the lower one has none, and so on.");
            self.first.next = 0.into();
            for k in 0..self._bits {
                if (self.free.val() & self.lower[k].val()) == 0 {
                    self.free.next = self.free.val() >> self.sizes[k].val();
                    self.first.next = self.first.val() | self.sizes[k].val();
                }
            }
            self.chosen.d.next = self.first.val();
        }
    }
}
