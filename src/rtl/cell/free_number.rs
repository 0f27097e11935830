//! Numbers of things in flight.
use super::width::{constant, signal};
use super::{Const, Reg};
use crate::comment;
use crate::config::bits_for;
use rust_hdl::prelude::*;

/// Keeps a number ready that is not in use, so that whoever takes it need not search.
///
/// Ports: `in_use` (`count` bits, of registers), `take` (the number is used now, and in `in_use` from the next cycle on)
/// -> `ready`, `number` (`bits_for(count)` bits). Latency: a number out of use in cycle c is ready in c+1 at best.
/// Reset: none ready for a cycle. Invariants: `take` only while `ready`; what is ready is not in use.
/// Critical path: none to the outputs, which are registers. Source: none. Mirror in the model:
/// `model::timing::lsu::Ready`.
#[derive(LogicBlock)]
pub struct FreeNumber {
    /// Rising edge advances the state.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// The numbers that are taken.
    pub in_use: Signal<In, Bits<32>>,
    /// Takes the number.
    pub take: Signal<In, Bit>,
    /// There is a number.
    pub ready: Signal<Out, Bit>,
    /// The number.
    pub number: Signal<Out, Bits<5>>,
    valid: Reg<Bit>,
    chosen: Reg<Bits<5>>,
    found: Signal<Local, Bit>,
    first: Signal<Local, Bits<5>>,
    zero: Const<Bits<5>>,
    _count: usize,
}

impl FreeNumber {
    /// For numbers below `count`, at most 32.
    pub fn new(count: usize) -> Self {
        let bits = bits_for(count);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            in_use: signal(count),
            take: Signal::default(),
            ready: Signal::default(),
            number: signal(bits),
            valid: Reg::new(),
            chosen: Reg::<Bits<5>>::width(bits),
            found: Signal::default(),
            first: signal(bits),
            zero: constant(bits, 0),
            _count: count,
        }
    }
}

impl Logic for FreeNumber {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FreeNumber: Keeps a number ready that is not in use, so that whoever takes it need not search.");
        dff_setup!(self, clock, valid, chosen);
        self.ready.next = self.valid.q.val();
        self.number.next = self.chosen.q.val();
        comment!("1. the lowest number that is neither in use nor ready");
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
        comment!("2. it follows when the one that is ready is taken");
        if !self.valid.q.val() | self.take.val() {
            self.valid.d.next = self.found.val();
            self.chosen.d.next = self.first.val();
        }
    }
}
