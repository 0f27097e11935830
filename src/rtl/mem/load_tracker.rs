//! Which lanes of each load instruction in flight still wait for data.
use crate::prelude::*;

module! {
    /// Tells the last partial result of a load, whatever order its lines come back in.
    ///
    /// Ports: below; element k is of access stage k, whose loads have numbers of their own. The last of the parts is that
    /// after which no lane of the load waits. Latency: combinational. Reset: no load in flight. Invariants: `open` only
    /// while `group_ready`; returned lanes were waiting. Critical path: G:1 lane mask, subset test. Source: none. Mirror in
    /// the model: none (timing only).
    pub struct LoadTracker(cfg: &CoreConfig) [clock, reset]
    let (t, slots, paths) = (cfg.threads, cfg.load_slots, cfg.line_paths());
    let accesses = cfg.accesses();
    let groups = slots * accesses;
    {
        /// A load starts.
        pub open: Vec<Signal<In, Bit>> = vec![Signal::default(); accesses],
        /// Its lanes.
        pub open_lanes: Vec<Signal<In, Bits<32>>> = signals(accesses, t),
        /// A number is free.
        pub group_ready: Vec<Signal<Out, Bit>> = vec![Signal::default(); accesses],
        /// The number that a starting load gets.
        pub group: Vec<Signal<Out, Bits<5>>> = vec![Signal::default(); accesses],
        /// A partial result of each path that goes to commit.
        pub part: Vec<LoadPart<In>> = (0..paths).map(|_| LoadPart::new(cfg)).collect(),
        /// Some load is in flight.
        pub in_flight: Signal<Out, Bit>,
        waiting: Vec<Reg<Bits<32>>> = regs(groups, t),
        next_group: Vec<FreeNumber> = (0..accesses).map(|_| FreeNumber::new(slots)).collect(),
        in_use: Signal<Local, Bits<32>> = signal(groups),
        own_in_use: Opt<Signal<Local, Bits<32>>> = Opt::new(accesses > 1, signal(groups)),
        number: Opt<Signal<Local, Bits<5>>> = Opt::new(accesses > 1, signal(clog2(slots.max(2)))),
        served, remaining: Vec<Signal<Local, Bits<32>>> = signals(paths, t),
        /// The first number of each stage.
        bases: Vec<Const<Bits<5>>> = (0..accesses).map(|k| constant(5, (k * slots) as u64)).collect(),
        _groups: usize = groups,
        _accesses: usize = accesses,
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
        self.next_group[0].in_use.next = bit_cast::<32, 32>(self.in_use.val());
        self.group[0].next = bit_cast::<5, 5>(self.next_group[0].number.val());
        for k in 1..self._accesses {
            comment!("unread own_in_use: behind its own there are those of others");
            self.own_in_use.next = self.in_use.val() >> self.bases[k].val();
            self.next_group[k].in_use.next = bit_cast::<32, 32>(self.own_in_use.val());
            self.number.next = self.next_group[k].number.val();
            self.group[k].next = bit_cast::<5, 5>(self.number.val()) + self.bases[k].val();
        }
        for k in 0..self._accesses {
            self.next_group[k].take.next = self.open[k].val();
            self.group_ready[k].next = self.next_group[k].ready.val();
        }
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
            for k in 0..self._accesses {
                if self.open[k].val() & (self.group[k].val() == g.to_bits::<5>()) {
                    self.waiting[g].d.next = self.open_lanes[k].val();
                }
            }
        }
    }
}
