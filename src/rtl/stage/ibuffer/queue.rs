//! The queue of one warp.
use super::place::QueuePlace;
use crate::prelude::*;

module! {
    /// The queue of one warp: what the issue stage must know of each instruction, and how many there are.
    ///
    /// Under SWaS the queue never is empty: where others are emptied, it is filled with NOPs.
    ///
    /// Ports: below. Latency: an entry pushed is at the head one cycle later at best. Reset: empty (SWaS: full of
    /// NOPs). Invariants: `push` only with room (with `--fetch-width 2` only when empty), `pop` only when not empty; `flush` wins over both. Critical path:
    /// none to the head, which is a register; `following` is one multiplexer. Source: SWaS IV-B1, V-C. Mirror in the model:
    /// none.
    pub struct InstructionQueue(cfg: &CoreConfig) [clock, reset]
    let depth = cfg.queue_depth;
    let (count, slot) = (bits_for(depth + 1), bits_for(depth));
    let unified = cfg.unified().is_some();
    let pairs = cfg.fetches_pairs();
    let flushed_count = if unified { depth as u64 } else { 0 };
    {
        /// Appends an instruction.
        pub push: Signal<In, Bit>,
        /// That instruction.
        pub pushed: QueueEntry<In> = QueueEntry::new(cfg),
        /// With `--fetch-width 2`: with that a second one, behind it.
        pub push_second: Opt<Signal<In, Bit>> = Opt::new(pairs, Signal::default()),
        /// The second one.
        pub pushed_second: Opt<QueueEntry<In>> = Opt::new(pairs, QueueEntry::new(cfg)),
        /// Removes the head.
        pub pop: Signal<In, Bit>,
        /// Empties the queue (SWaS: makes it full of NOPs).
        pub flush: Signal<In, Bit>,
        /// Instructions held.
        pub count: Signal<Out, Bits<4>> = signal(count),
        /// The queue holds at least one.
        pub head_valid: Signal<Out, Bit>,
        /// The head; meaningless in an empty queue.
        pub head: QueueEntry<Out> = QueueEntry::new(cfg),
        /// Registers of the head in the next cycle, if the present one is popped or a first one enters.
        pub following: Registers<Out> = Registers::new(cfg),
        /// A first instruction enters the empty queue.
        pub head_enters: Signal<Out, Bit>,
        /// Payload slot of the head.
        pub read_slot: Signal<Out, Bits<3>> = signal(slot),
        /// Payload slot of an instruction pushed now.
        pub write_slot: Signal<Out, Bits<3>> = signal(slot),
        /// The places of the queue, the head's first.
        places: Vec<QueuePlace> = (0..depth).map(|_| QueuePlace::new(cfg)).collect(),
        present: Vec<QueueEntry<Local>> = (0..depth).map(|_| QueueEntry::new(cfg)).collect(),
        held: Reg<Bits<4>> = Reg::<Bits<4>>::with_reset(count, flushed_count),
        read_pointer, write_pointer: Reg<Bits<3>> = Reg::<Bits<3>>::width(slot),
        after_pop: Signal<Local, Bits<4>> = signal(count),
        behind_oh, before_oh: Signal<Local, Bits<8>> = signal(depth),
        flushed_count: Const<Bits<4>> = constant(count, flushed_count),
        one: Const<Bits<4>> = constant(count, 1),
        one_slot: Const<Bits<3>> = constant(slot, 1),
        two: Opt<Const<Bits<4>>> = Opt::new(pairs, constant(count, 2)),
        unified: Const<Bit> = Const::new(unified),
        pairs: Const<Bit> = Const::new(pairs),
        _depth: usize = depth,
        _last: usize = depth - 1,
    }
}

impl Logic for InstructionQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread before_oh: what the pop makes room for in the first entry is the second one");
        self.count.next = self.held.q.val();
        self.head_valid.next = self.held.q.val().any();
        for i in 0..self._depth {
            Data::join(&mut self.places[i].entry, &mut self.present[i]);
        }
        Data::join(&mut self.present[0], &mut self.head);
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
        comment!(
            "3. entries move up at a pop, so that the head is a register without a multiplexer; which it will be does not wait for the pop"
        );
        for i in 0..self._depth {
            Data::join(&mut self.pushed, &mut self.places[i].pushed);
            self.places[i].takes.next = self.pop.val() | self.behind_oh.val().get_bit(i);
        }
        for i in 0..self._last {
            Data::join(&mut self.present[i + 1], &mut self.places[i].behind);
        }
        self.places[0].moves_up.next = self.held.q.val() > self.one.val();
        for i in 1..self._last {
            self.places[i].moves_up.next = self.pop.val() & !self.before_oh.val().get_bit(i);
        }
        for i in self._last..self._depth {
            Data::join(&mut self.pushed, &mut self.places[i].behind);
            self.places[i].moves_up.next = false;
            self.places[i].takes.next =
                self.behind_oh.val().get_bit(i) | (self.pop.val() & self.before_oh.val().get_bit(i));
        }
        self.head_enters.next = self.behind_oh.val().get_bit(0);
        Data::join(&mut self.pushed.facts_.registers, &mut self.following);
        if self.held.q.val() > self.one.val() {
            Data::join(&mut self.present[1].facts_.registers, &mut self.following);
        }
        if self.pairs.val() {
            comment!("The queue was empty: the first is at slot 0, a second at slot 1.");
            self.write_pointer.d.next = 0.into();
            if self.push.val() {
                self.read_pointer.d.next = 0.into();
            }
            if self.push_second.val() {
                Data::join(&mut self.pushed_second, &mut self.places[1].pushed);
                self.places[1].moves_up.next = false;
                self.places[1].takes.next = true;
                self.held.d.next = self.two.val();
            }
        }
        comment!("4. flush");
        if self.flush.val() {
            self.held.d.next = self.flushed_count.val();
            self.read_pointer.d.next = 0.into();
            self.write_pointer.d.next = 0.into();
        }
        if self.unified.val() {
            for i in 0..self._depth {
                self.places[i].clear.next = self.flush.val() | self.reset.val();
            }
        }
    }
}
