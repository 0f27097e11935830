//! The queue of one warp.
use crate::config::bits_for;
use crate::rtl::cell::{constant, pipes, signal, Const, Pipe, Reg};
use crate::{comment, module};
use rust_hdl::prelude::*;

/// Width of a hazard record: rd, rs1, rs2 (6 bits each), then one bit each for use_rd, use_rs1, use_rs2, the three
/// collectors (one-hot), blocks_issue and memory; with a floating-point unit also rs3 (6 bits), use_rs3, drains and
/// dynamic_rounding.
pub(super) const HAZARD: usize = 35;
/// How many of those bits a core without a floating-point unit has.
pub(super) const INTEGER_HAZARD: usize = 26;

module! {
    /// The queue of one warp: what the issue stage must know of each instruction, and how many there are.
    ///
    /// Under SWaS the queue never is empty: where others are emptied, it is filled with NOPs. A NOP is a record of zeros: it
    /// uses no register and goes to no collector.
    ///
    /// Ports: `push`, `push_hazard`; `pop`; `flush` -> `count`, `head_valid`, `head_hazard`, `read_slot` and `write_slot` (where
    /// the payload of the head and of the next entry stands); `next_hazard`, what the head will be if it is popped now or
    /// `head_enters`. Latency: an entry pushed is at the head one cycle later at best.
    /// Reset: empty (SWaS: full of NOPs). Invariants: `push` only with room, `pop` only when not empty; `flush` wins over both.
    /// Critical path: none to the head, which is a register; `next_hazard` is one multiplexer. Source: SWaS V-B. Mirror in the model: none.
    pub struct InstructionQueue(depth: usize, hazard: usize, unified: bool) [clock, reset]
    let (count, slot) = (bits_for(depth + 1), bits_for(depth));
    let flushed_count = if unified { depth as u64 } else { 0 };
    {
        /// Appends an instruction.
        pub push: Signal<In, Bit>,
        /// Its hazard record.
        pub push_hazard: Signal<In, Bits<HAZARD>> = signal(hazard),
        /// Removes the head.
        pub pop: Signal<In, Bit>,
        /// Empties the queue (SWaS: makes it full of NOPs).
        pub flush: Signal<In, Bit>,
        /// Instructions held.
        pub count: Signal<Out, Bits<4>> = signal(count),
        /// The queue holds at least one.
        pub head_valid: Signal<Out, Bit>,
        /// Hazard record of the head; meaningless in an empty queue.
        pub head_hazard: Signal<Out, Bits<HAZARD>> = signal(hazard),
        /// Record of the head in the next cycle, if the present one is popped or a first one enters.
        pub next_hazard: Signal<Out, Bits<HAZARD>> = signal(hazard),
        /// A first instruction enters the empty queue.
        pub head_enters: Signal<Out, Bit>,
        /// Payload slot of the head.
        pub read_slot: Signal<Out, Bits<3>> = signal(slot),
        /// Payload slot of an instruction pushed now.
        pub write_slot: Signal<Out, Bits<3>> = signal(slot),
        entries: Vec<Pipe<Bits<HAZARD>>> = pipes(depth, hazard),
        held: Reg<Bits<4>> = Reg::<Bits<4>>::with_reset(count, flushed_count),
        read_pointer: Reg<Bits<3>> = Reg::<Bits<3>>::width(slot),
        write_pointer: Reg<Bits<3>> = Reg::<Bits<3>>::width(slot),
        after_pop: Signal<Local, Bits<4>> = signal(count),
        behind_oh: Signal<Local, Bits<8>> = signal(depth),
        before_oh: Signal<Local, Bits<8>> = signal(depth),
        refill: Vec<Signal<Local, Bit>> = (0..usize::from(unified)).map(|_| Signal::default()).collect(),
        flushed_count: Const<Bits<4>> = constant(count, flushed_count),
        one: Const<Bits<4>> = constant(count, 1),
        one_slot: Const<Bits<3>> = constant(slot, 1),
        _depth: usize = depth,
        _last: usize = depth - 1,
        _unified: usize = usize::from(unified),
    }
}

impl Logic for InstructionQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module InstructionQueue: The queue of one warp: what the issue stage must know of each instruction, and how many there are.");
        self.count.next = self.held.q.val();
        self.head_valid.next = self.held.q.val().any();
        self.head_hazard.next = self.entries[0].q.val();
        self.read_slot.next = self.read_pointer.q.val();
        self.write_slot.next = self.write_pointer.q.val();

        comment!("1. pop, then push behind what is left");
        self.after_pop.next = self.held.q.val();
        if self.pop.val() {
            self.after_pop.next = self.held.q.val() - self.one.val();
            self.read_pointer.d.next = self.read_pointer.q.val() + self.one_slot.val();
        }
        self.held.d.next = self.after_pop.val();
        if self.push.val() {
            self.held.d.next = self.after_pop.val() + self.one.val();
            self.write_pointer.d.next = self.write_pointer.q.val() + self.one_slot.val();
        }
        comment!("2. where it goes: behind the last, or, since a pop is known late, one before that");
        self.behind_oh.next = 0.into();
        self.before_oh.next = 0.into();
        for i in 0..self._depth {
            if self.held.q.val() == i.to_bits::<4>() {
                self.behind_oh.next = self.behind_oh.val().replace_bit(i, self.push.val());
            }
            if self.held.q.val() == i.to_bits::<4>() + 1 {
                self.before_oh.next = self.before_oh.val().replace_bit(i, self.push.val());
            }
        }
        comment!("3. hazard records move up at a pop, so that the head is a register without a multiplexer");
        self.next_hazard.next = self.push_hazard.val();
        if self.held.q.val() > self.one.val() {
            self.next_hazard.next = self.entries[1].q.val();
        }
        self.head_enters.next = self.behind_oh.val().get_bit(0);
        if self.pop.val() | self.head_enters.val() {
            self.entries[0].d.next = self.next_hazard.val();
        }
        for i in 1..self._last {
            if self.pop.val() | self.behind_oh.val().get_bit(i) {
                self.entries[i].d.next = self.push_hazard.val();
                if self.pop.val() & !self.before_oh.val().get_bit(i) {
                    self.entries[i].d.next = self.entries[i + 1].q.val();
                }
            }
        }
        for i in self._last..self._depth {
            if self.behind_oh.val().get_bit(i) | (self.pop.val() & self.before_oh.val().get_bit(i)) {
                self.entries[i].d.next = self.push_hazard.val();
            }
        }
        comment!("4. flush");
        if self.flush.val() {
            self.held.d.next = self.flushed_count.val();
            self.read_pointer.d.next = 0.into();
            self.write_pointer.d.next = 0.into();
        }
        for k in 0..self._unified {
            self.refill[k].next = self.flush.val() | self.reset.val();
            for i in 0..self._depth {
                if self.refill[k].val() {
                    self.entries[i].d.next = 0.into();
                }
            }
        }
    }
}
