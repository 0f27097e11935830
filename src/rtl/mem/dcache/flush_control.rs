//! What the data cache does with its sets in turn: making them invalid, and looking for dirty lines.
use crate::prelude::*;

module! {
    /// The sweep that makes every set invalid, and the walk that finds what memory does not have yet.
    ///
    /// Ports: `sweep` (start anew) -> `sweeping`, `sweep_set` (made invalid in this cycle unless `paused`; it and what is above
    /// counts as invalid already). `walk` (there are dirty lines, and they shall go) -> `walk_read` (`walk_set` is read in this
    /// cycle), `walk_looked` (it was read in the last); then `walk_dirty` (there is a dirty line) and `walk_written` (it goes
    /// out; the set is read again).
    /// Latency: one set a cycle to sweep, two to walk over, two more a dirty line. Reset: a sweep starts. Invariants: none.
    /// Critical path: none of its own. Source: none. Mirror in the model: `model::timing::dcache`.
    pub struct FlushControl(sets: usize) [clock, reset]
    let set = bits_for(sets);
    {
        /// All sets are to become invalid.
        pub sweep: Signal<In, Bit>,
        /// Something else is written in this cycle.
        pub paused: Signal<In, Bit>,
        /// There are sets that count as invalid.
        pub sweeping: Signal<Out, Bit>,
        /// The first of them.
        pub sweep_set: Signal<Out, Bits<16>> = signal(set),
        /// Dirty lines are to be found.
        pub walk: Signal<In, Bit>,
        /// The set that was read has a dirty line.
        pub walk_dirty: Signal<In, Bit>,
        /// That line goes out.
        pub walk_written: Signal<In, Bit>,
        /// A set is read.
        pub walk_read: Signal<Out, Bit>,
        /// The set was read.
        pub walk_looked: Signal<Out, Bit>,
        /// Which set.
        pub walk_set: Signal<Out, Bits<16>> = signal(set),
        active: Reg<Bit> = Reg::resetting_to(true),
        set: Reg<Bits<16>> = Reg::<Bits<16>>::width(set),
        looked: Reg<Bit>,
        position: Reg<Bits<16>> = Reg::<Bits<16>>::width(set),
        last: Const<Bits<16>> = constant(set, sets as u64 - 1),
        one: Const<Bits<16>> = constant(set, 1),
    }
}

impl Logic for FlushControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. sweep");
        self.sweeping.next = self.active.q.val();
        self.sweep_set.next = self.set.q.val();
        if self.active.q.val() & !self.paused.val() {
            self.set.d.next = self.set.q.val() + self.one.val();
            if self.set.q.val() == self.last.val() {
                self.set.d.next = 0.into();
                self.active.d.next = false;
            }
        }
        if self.sweep.val() {
            self.set.d.next = 0.into();
            self.active.d.next = true;
        }
        comment!("2. walk: read, then look; a dirty line that cannot go out yet stays in view");
        self.walk_read.next = self.walk.val() & !self.looked.q.val();
        self.walk_looked.next = self.looked.q.val();
        self.walk_set.next = self.position.q.val();
        self.looked.d.next = (self.walk.val() & !self.looked.q.val())
            | (self.looked.q.val() & self.walk_dirty.val() & !self.walk_written.val());
        if self.looked.q.val() & !self.walk_dirty.val() {
            self.position.d.next = self.position.q.val() + self.one.val();
            if self.position.q.val() == self.last.val() {
                self.position.d.next = 0.into();
            }
        }
    }
}
