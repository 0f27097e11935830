//! Which lanes of each load instruction in flight still wait for data.
use crate::prelude::*;

module! {
    /// Tells the last partial result of a load, whatever order its lines come back in.
    ///
    /// Ports: below; the last of the parts is that after which no lane of the load waits. Latency: combinational.
    /// Reset: no load in flight. Invariants: `open` only while `group_ready`; returned lanes were waiting. Critical
    /// path: G:1 lane mask, subset test. Source: none. Mirror in the model: none (timing only).
    pub struct LoadTracker(cfg: &CoreConfig) [clock, reset]
    let (t, groups, paths) = (cfg.threads, cfg.load_slots, cfg.line_paths());
    {
        /// A load starts.
        pub open: Signal<In, Bit>,
        /// Its lanes.
        pub open_lanes: Signal<In, Bits<32>> = signal(t),
        /// A number is free.
        pub group_ready: Signal<Out, Bit>,
        /// The number that a starting load gets.
        pub group: Signal<Out, Bits<5>>,
        /// A partial result of each path that goes to commit.
        pub part: Vec<LoadPart<In>> = (0..paths).map(|_| LoadPart::new(cfg)).collect(),
        /// Some load is in flight.
        pub in_flight: Signal<Out, Bit>,
        waiting: Vec<Reg<Bits<32>>> = regs(groups, t),
        next_group: FreeNumber = FreeNumber::new(groups),
        in_use: Signal<Local, Bits<32>> = signal(groups),
        served, remaining: Vec<Signal<Local, Bits<32>>> = signals(paths, t),
        _groups: usize = groups,
        _paths: usize = paths,
    }
}

impl Logic for LoadTracker {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. a free number; a load is in flight while one of its lanes waits");
        self.in_use.next = 0.into();
        for g in 0..self._groups {
            self.in_use.next = self.in_use.val().replace_bit(g, self.waiting[g].q.val() != 0);
        }
        self.in_flight.next = self.in_use.val() != 0;
        self.next_group.in_use.next = self.in_use.val();
        self.next_group.take.next = self.open.val();
        self.group.next = bit_cast::<5, 5>(self.next_group.number.val());
        self.group_ready.next = self.next_group.ready.val();
        comment!("2. what remains after this cycle's partial results");
        for p in 0..self._paths {
            self.served[p].next = self.part[p].lanes.val();
            for q in 0..self._paths {
                if (p.to_bits::<2>() != q.to_bits::<2>())
                    & self.part[q].valid.val()
                    & (self.part[q].group.val() == self.part[p].group.val())
                {
                    self.served[p].next = self.served[p].val() | self.part[q].lanes.val();
                }
            }
            self.remaining[p].next = 0.into();
            for g in 0..self._groups {
                if self.part[p].group.val() == g.to_bits::<5>() {
                    self.remaining[p].next = self.waiting[g].q.val() & !self.served[p].val();
                }
            }
            self.part[p].last.next = self.remaining[p].val() == 0;
        }
        comment!("3. remember");
        for g in 0..self._groups {
            for p in 0..self._paths {
                if self.part[p].valid.val() & (self.part[p].group.val() == g.to_bits::<5>()) {
                    self.waiting[g].d.next = self.remaining[p].val();
                }
            }
            if self.open.val() & (self.group.val() == g.to_bits::<5>()) {
                self.waiting[g].d.next = self.open_lanes.val();
            }
        }
    }
}
