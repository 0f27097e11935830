//! The lines that the data cache has asked memory for.
use crate::prelude::*;

module! {
    /// Miss status holding registers: for each line on its way, the loads that wait for it.
    ///
    /// Ports: below; what is said of an arriving line is as before this cycle's changes. The line of an entry to
    /// which a store went is not to be cached, for memory gives it as it was before the store. Latency:
    /// combinational; changes show in the next cycle. Reset: no line on its way. Invariants: no two joinable entries
    /// hold one line; `allocate`, `joins`, `part` and `filled` never coincide. Critical path: 26-bit comparisons.
    /// Source: none. Mirror in the model: `model::timing::dcache`.
    pub struct MissTable(cfg: &CoreConfig) [clock, reset]
    let (mshrs, slots) = (cfg.mshrs, cfg.load_slots);
    {
        /// Line that is looked up.
        pub line: Signal<In, Bits<26>>,
        /// Load that looks it up.
        pub slot: Signal<In, Bits<5>>,
        /// The line is on its way, for further loads too.
        pub joinable: Signal<Out, Bit>,
        /// An entry is free.
        pub mshr_ready: Signal<Out, Bit>,
        /// The entry that an allocation takes.
        pub mshr: Signal<Out, Bits<5>>,
        /// The line is asked for.
        pub allocate: Signal<In, Bit>,
        /// It would be for this load alone, and not to be cached; says so before `allocate` does.
        pub allocate_alone: Signal<In, Bit>,
        /// The load waits for the line that is on its way.
        pub joins: Signal<In, Bit>,
        /// A store goes to the line: what is on its way is older.
        pub part: Signal<In, Bit>,
        /// A line arrives.
        pub filled: Signal<In, Bit>,
        /// Entry by which it was asked for.
        pub filled_mshr: Signal<In, Bits<5>>,
        /// Its address.
        pub filled_line: Signal<Out, Bits<26>>,
        /// It is not to be cached.
        pub filled_alone: Signal<Out, Bit>,
        /// Loads that wait for it, a bit a slot.
        pub filled_loads: Signal<Out, Bits<16>> = signal(slots),
        /// Entries in use.
        pub mshrs_in_use: Signal<Out, Bits<5>> = signal(bits_for(mshrs + 1)),
        in_use, open: Reg<Bits<16>> = Reg::<Bits<16>>::width(mshrs),
        lines: Vec<Pipe<Bits<26>>> = pipes(mshrs, 26),
        loads: Vec<Pipe<Bits<16>>> = pipes(mshrs, slots),
        same, free_oh, filled_oh, in_use_now, open_now: Signal<Local, Bits<16>> = signal(mshrs),
        found: Signal<Local, Bit>,
        slot_mask: Signal<Local, Bits<16>> = signal(slots),
        first_slot: Const<Bits<16>> = constant(slots, 1),
        _mshrs: usize = mshrs,
    }
}

impl Logic for MissTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the entry that holds the line");
        self.same.next = 0.into();
        for m in 0..self._mshrs {
            self.same.next = self.same.val().replace_bit(
                m,
                self.in_use.q.val().get_bit(m)
                    & self.open.q.val().get_bit(m)
                    & (self.lines[m].q.val() == self.line.val()),
            );
        }
        self.joinable.next = self.same.val().any();
        comment!("2. the lowest free entry");
        self.mshr.next = 0.into();
        self.found.next = false;
        self.free_oh.next = 0.into();
        self.mshrs_in_use.next = 0.into();
        for m in 0..self._mshrs {
            if self.in_use.q.val().get_bit(m) {
                self.mshrs_in_use.next = self.mshrs_in_use.val() + 1;
            } else if !self.found.val() {
                self.mshr.next = m.to_bits::<5>();
                self.free_oh.next = self.free_oh.val().replace_bit(m, true);
                self.found.next = true;
            }
        }
        self.mshr_ready.next = self.found.val();
        comment!("3. a line arrives");
        self.filled_line.next = 0.into();
        self.filled_loads.next = 0.into();
        self.filled_alone.next = false;
        self.filled_oh.next = 0.into();
        for m in 0..self._mshrs {
            self.filled_oh.next =
                self.filled_oh.val().replace_bit(m, self.filled_mshr.val() == m.to_bits::<5>());
            if self.filled_oh.val().get_bit(m) {
                self.filled_line.next = self.filled_line.val() | self.lines[m].q.val();
                self.filled_loads.next = self.filled_loads.val() | self.loads[m].q.val();
                self.filled_alone.next = self.filled_alone.val() | !self.open.q.val().get_bit(m);
            }
        }
        comment!("4. remember; a free entry holds what it would be taken for, since whether it is taken is known late");
        self.slot_mask.next = self.first_slot.val() << self.slot.val();
        self.in_use_now.next = self.in_use.q.val();
        if self.allocate.val() {
            self.in_use_now.next = self.in_use.q.val() | self.free_oh.val();
        }
        self.open_now.next = self.open.q.val();
        if self.part.val() {
            self.open_now.next = self.open.q.val() & !self.same.val();
        }
        if self.filled.val() {
            self.in_use_now.next = self.in_use_now.val() & !self.filled_oh.val();
        }
        for m in 0..self._mshrs {
            if self.joins.val() & self.same.val().get_bit(m) {
                self.loads[m].d.next = self.loads[m].q.val() | self.slot_mask.val();
            }
            if self.free_oh.val().get_bit(m) {
                self.open_now.next = self.open_now.val().replace_bit(m, !self.allocate_alone.val());
                self.lines[m].d.next = self.line.val();
                self.loads[m].d.next = self.slot_mask.val();
            }
        }
        self.in_use.d.next = self.in_use_now.val();
        self.open.d.next = self.open_now.val();
    }
}
