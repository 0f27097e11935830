//! The loads that waited for a line, served when it has come.
use crate::prelude::*;

module! {
    /// Reads the line that has just been written and hands it to each load that waited for it, one a cycle.
    ///
    /// Ports: below. Latency: filled in c, read in c+1, first load served in c+2. Reset: empty. Invariants: the line
    /// is read before another is written, so nothing comes between; lines are served in the order filled. Critical
    /// path: lowest of the waiting loads; whether it is the last is a register, since `serve_taken` comes late.
    /// Source: none. Mirror in the model: `model::timing::dcache`.
    pub struct Replay(cfg: &CoreConfig) [clock, reset]
    let (slots, ways) = (cfg.load_slots, cfg.dcache.ways);
    let row = bits_for(cfg.cache_bank().sets() + 1);
    {
        /// A line is written.
        pub filled: Signal<In, Bit>,
        /// Loads that wait for it, a bit a slot; one at least.
        pub filled_loads: Signal<In, Bits<16>> = signal(slots),
        /// The row where it is written.
        pub filled_row: Signal<In, Bits<16>> = signal(row),
        /// The way, one hot.
        pub filled_way: Signal<In, Bits<4>> = signal(ways),
        /// A line may be written.
        pub replay_ready: Signal<Out, Bit>,
        /// The row is read.
        pub replay_read: Signal<Out, Bit>,
        /// Which one.
        pub replay_row: Signal<Out, Bits<16>> = signal(row),
        /// The line that the memories show goes to a load.
        pub serve_valid: Signal<Out, Bit>,
        /// The load.
        pub serve_slot: Signal<Out, Bits<5>>,
        /// The way to take it from, one hot.
        pub serve_way: Signal<Out, Bits<4>> = signal(ways),
        /// The load has it.
        pub serve_taken: Signal<In, Bit>,
        /// What the memories show must stay.
        pub holds: Signal<Out, Bit>,
        /// Some load is still to be served.
        pub busy: Signal<Out, Bit>,
        waiting: Reg<Bit>,
        waiting_loads: Pipe<Bits<16>> = Pipe::<Bits<16>>::width(slots),
        waiting_row: Pipe<Bits<16>> = Pipe::<Bits<16>>::width(row),
        waiting_way: Pipe<Bits<4>> = Pipe::<Bits<4>>::width(ways),
        serving: Reg<Bit>,
        loads: Pipe<Bits<16>> = Pipe::<Bits<16>>::width(slots),
        last: Pipe<Bit>,
        way: Pipe<Bits<4>> = Pipe::<Bits<4>>::width(ways),
        found, ends, read: Signal<Local, Bit>,
        remaining, next_loads: Signal<Local, Bits<16>> = signal(slots),
        one: Const<Bits<16>> = constant(slots, 1),
        _slots: usize = slots,
    }
}

impl Logic for Replay {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the lowest load");
        self.serve_slot.next = 0.into();
        self.found.next = false;
        self.remaining.next = self.loads.q.val();
        if self.serving.q.val() {
            for i in 0..self._slots {
                if self.loads.q.val().get_bit(i) & !self.found.val() {
                    self.serve_slot.next = i.to_bits::<5>();
                    self.remaining.next = self.loads.q.val().replace_bit(i, false);
                    self.found.next = true;
                }
            }
        }
        self.serve_valid.next = self.serving.q.val();
        self.serve_way.next = self.way.q.val();
        self.ends.next = self.serving.q.val() & self.serve_taken.val() & self.last.q.val();
        self.holds.next = self.serving.q.val() & !self.ends.val();
        self.next_loads.next = self.loads.q.val();
        if self.serve_taken.val() {
            self.next_loads.next = self.remaining.val();
        }
        comment!("2. the line is read when the one before it has been served");
        self.read.next = self.waiting.q.val() & (!self.serving.q.val() | self.ends.val());
        self.replay_read.next = self.read.val();
        self.replay_row.next = self.waiting_row.q.val();
        if self.ends.val() {
            self.serving.d.next = false;
        }
        if self.read.val() {
            self.serving.d.next = true;
            self.next_loads.next = self.waiting_loads.q.val();
            self.way.d.next = self.waiting_way.q.val();
            self.waiting.d.next = false;
        }
        self.loads.d.next = self.next_loads.val();
        self.last.d.next = (self.next_loads.val() & (self.next_loads.val() - self.one.val())) == 0;
        comment!("3. a line is written");
        self.replay_ready.next = !self.waiting.q.val();
        if self.filled.val() {
            self.waiting.d.next = true;
            self.waiting_loads.d.next = self.filled_loads.val();
            self.waiting_row.d.next = self.filled_row.val();
            self.waiting_way.d.next = self.filled_way.val();
        }
        self.busy.next = self.waiting.q.val() | self.serving.q.val();
    }
}
