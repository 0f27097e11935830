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
        found: Signal<Local, Bit>,
        first: Signal<Local, Bits<5>> = signal(bits),
        zero: Const<Bits<5>> = constant(bits, 0),
        _count: usize = count,
    }
}

impl Logic for FreeNumber {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = self.valid.q.val();
        self.number.next = self.chosen.q.val();
        comment!("When none is ready, or the one that is gets taken: the lowest number that is neither in use nor ready.");
        if !self.valid.q.val() | self.take.val() {
            self.first.next = self.zero.val();
            self.found.next = false;
            for i in 0..self._count {
                if !self.found.val()
                    & !self.in_use.val().get_bit(i)
                    & !(self.valid.q.val() & (self.chosen.q.val() == i.to_bits::<5>()))
                {
                    self.found.next = true;
                    self.first.next = i.to_bits::<5>();
                }
            }
            self.valid.d.next = self.found.val();
            self.chosen.d.next = self.first.val();
        }
    }
}
