//! Votes and shuffles: what the lanes of a warp tell one another.
use super::ShuffleLane;
use crate::prelude::*;

module! {
    /// Votes and shuffles of a warp's active lanes.
    ///
    /// `operation` is the minor opcode. 0 to 3 are votes on bit 0 of `a`: whether all lanes have 1, whether any has, whether
    /// all have the same, and the lanes that have 1. 4 to 7 are shuffles: a lane gets `a` of the lane that it asks for by
    /// `b` ([`ShuffleLane`]), its own if it may not ask for that one, and 0 if that one is not active.
    ///
    /// Ports: below. Latency: 1; without `load` the result stays. The cycle before the register finds out from whom, the
    /// one behind it selects. Reset: none. Invariants: of what is not for it the result is 0. Critical path: from
    /// whom; and choice among the lanes' values. Source: docs/ISA.md, section 3.1. Mirror in the model:
    /// `model::exec::cross_lane`.
    pub struct CrossLane(cfg: &CoreConfig) [clock]
    let (threads, bits) = (cfg.threads, cfg.tid_bits());
    // A lane alone has its own value from every shuffle.
    let asking = if threads > 1 { threads } else { 0 };
    {
        _threads: usize = threads,
        _asking: usize = asking,
        alone: Const<Bit> = Const::new(threads == 1),
        /// The registers take what is here.
        pub load: Signal<In, Bit>,
        /// That is a vote or a shuffle.
        pub crosses: Signal<In, Bit>,
        /// Which.
        pub operation: Signal<In, Bits<3>>,
        /// The active lanes.
        pub tmask: Signal<In, Bits<32>> = signal(threads),
        /// Value of each lane.
        pub a: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Of a shuffle, what each lane asks for.
        pub b: Vec<Signal<In, Bits<32>>> = signals(asking, 32),
        /// Result of each lane.
        pub result: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        votes, shuffles: Pipe<Bit>,
        kind: Pipe<Bits<2>>,
        active, yes: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(threads),
        value: Vec<Pipe<Bits<32>>> = pipes(threads, 32),
        /// Whose value each lane gets.
        source: Vec<Pipe<Bits<5>>> = pipes(asking, bits),
        /// It gets it.
        found: Vec<Pipe<Bit>> = (0..asking).map(|_| Pipe::new()).collect(),
        enable: Signal<Local, Bit>,
        yes_now: Signal<Local, Bits<32>> = signal(threads),
        asking: Vec<ShuffleLane> = (0..asking).map(|_| ShuffleLane::new(cfg)).collect(),
        vote: Signal<Local, Bits<32>>,
    }
}

impl Logic for CrossLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.enable.next = self.load.val() & self.crosses.val();
        comment!("1. whom each lane asks, and who votes for");
        for i in 0..self._asking {
            self.asking[i].lane.next = i.to_bits::<5>();
            self.asking[i].kind.next = self.operation.val().get_bits::<2>(0);
            self.asking[i].asked.next = self.b[i].val();
            self.asking[i].tmask.next = self.tmask.val();
            if self.enable.val() {
                self.source[i].d.next = self.asking[i].source.val();
                self.found[i].d.next = self.asking[i].found.val();
            }
        }
        self.yes_now.next = 0.into();
        for i in 0..self._threads {
            if self.enable.val() {
                self.value[i].d.next = self.a[i].val();
            }
            self.yes_now.next =
                self.yes_now.val().replace_bit(i, self.tmask.val().get_bit(i) & self.a[i].val().get_bit(0));
        }
        if self.enable.val() {
            self.kind.d.next = self.operation.val().get_bits::<2>(0);
            self.active.d.next = self.tmask.val();
            self.yes.d.next = self.yes_now.val();
        }
        if self.load.val() {
            self.votes.d.next = self.crosses.val() & !self.operation.val().get_bit(2);
            self.shuffles.d.next = self.crosses.val() & self.operation.val().get_bit(2);
        }
        comment!("2. the vote, or its value");
        self.vote.next = 0.into();
        if self.votes.q.val() {
            if ((self.kind.q.val() == 0) & (self.yes.q.val() == self.active.q.val()))
                | ((self.kind.q.val() == 1) & (self.yes.q.val() != 0))
                | ((self.kind.q.val() == 2)
                    & ((self.yes.q.val() == self.active.q.val()) | (self.yes.q.val() == 0)))
            {
                self.vote.next = 1.into();
            }
            if self.kind.q.val() == 3 {
                self.vote.next = bit_cast::<32, 32>(self.yes.q.val());
            }
        }
        if self.alone.val() {
            self.result[0].next = self.vote.val();
            if self.shuffles.q.val() {
                self.result[0].next = self.value[0].q.val();
            }
        }
        for i in 0..self._asking {
            self.result[i].next = self.vote.val();
            if self.shuffles.q.val() & self.found[i].q.val() {
                self.result[i].next = self.value[self.source[i].q.val().index()].q.val();
            }
        }
    }
}
