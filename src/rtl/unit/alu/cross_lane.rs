//! Votes and shuffles: what the lanes of a warp tell one another.
use crate::prelude::*;

module! {
    /// Votes and shuffles of a warp's active lanes.
    ///
    /// `operation` is the minor opcode. 0 to 3 are votes on bit 0 of `a`: whether all lanes have 1, whether any has, whether
    /// all have the same, and the lanes that have 1. 4 to 7 are shuffles: a lane gets `a` of a lane before it, of one behind
    /// it, of one whose number differs in some bits, or of one by its number. Of `b`, bits from 0 on say how far, in which bits or
    /// which number; those from 6 on the last lane of a segment, and those from 12 on the bits of a number that a
    /// segment's lanes have in common. What is not in the lane's segment, or is not active, gives the lane its own value.
    ///
    /// Ports: below. Latency: 1; without `load` the result stays. The cycle before the register finds out from whom, the
    /// one behind it selects. Reset: none. Invariants: of what is not for it the result is 0. Critical path: distance, limit,
    /// whether that lane is active; and a lane's number, choice among the lanes' values. Source: docs/ISA.md, section 3.1; PTX
    /// ISA 9.7.9 (shfl.sync, vote.sync). Mirror in the model: `model::exec::cross_lane`.
    pub struct CrossLane(cfg: &CoreConfig) [clock]
    let (threads, bits) = (cfg.threads, cfg.tid_bits());
    {
        _threads: usize = threads,
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
        pub b: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Result of each lane.
        pub result: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        votes, shuffles: Pipe<Bit>,
        kind: Pipe<Bits<2>>,
        active, yes: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(threads),
        value: Vec<Pipe<Bits<32>>> = pipes(threads, 32),
        /// Whose value each lane gets.
        source: Vec<Pipe<Bits<5>>> = pipes(threads, bits),
        enable, is_up, is_down, is_bfly, allowed: Signal<Local, Bit>,
        yes_now: Signal<Local, Bits<32>> = signal(threads),
        top: Const<Bits<5>> = constant(5, threads as u64 - 1),
        own, distance, common, first, last, wanted: Signal<Local, Bits<5>>,
        /// The lane that is wanted, in as many bits as a lane's number has.
        chosen: Signal<Local, Bits<5>> = signal(bits),
        _bits: usize = bits,
        vote: Signal<Local, Bits<32>>,
    }
}

impl Logic for CrossLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.enable.next = self.load.val() & self.crosses.val();
        self.is_up.next = self.operation.val() == 4;
        self.is_down.next = self.operation.val() == 5;
        self.is_bfly.next = self.operation.val() == 6;
        comment!("1. whom each lane asks, and whether it may");
        self.yes_now.next = 0.into();
        for i in 0..self._threads {
            self.own.next = i.to_bits::<5>();
            self.distance.next = self.b[i].val().get_bits::<5>(0) & self.top.val();
            self.last.next = self.b[i].val().get_bits::<5>(6) & self.top.val();
            self.common.next = self.b[i].val().get_bits::<5>(12) & self.top.val();
            self.first.next = self.own.val() & self.common.val();
            self.last.next = self.first.val() | (self.last.val() & !self.common.val());
            self.wanted.next = self.first.val() | (self.distance.val() & !self.common.val());
            self.allowed.next = self.wanted.val() <= self.last.val();
            if self.is_up.val() {
                self.wanted.next = self.own.val() - self.distance.val();
                self.allowed.next =
                    (self.distance.val() <= self.own.val()) & (self.wanted.val() >= self.first.val());
            }
            if self.is_down.val() {
                self.wanted.next = self.own.val() + self.distance.val();
                self.allowed.next =
                    (self.wanted.val() >= self.own.val()) & (self.wanted.val() <= self.last.val());
            }
            if self.is_bfly.val() {
                self.wanted.next = self.own.val() ^ self.distance.val();
                self.allowed.next = self.wanted.val() <= self.last.val();
            }
            self.chosen.next = 0.into();
            for k in 0..self._bits {
                self.chosen.next = self.chosen.val().replace_bit(k, self.wanted.val().get_bit(k));
            }
            if !self.allowed.val() | !self.tmask.val().get_bit(self.chosen.val().index()) {
                self.chosen.next = i.to_bits::<5>();
            }
            if self.enable.val() {
                self.source[i].d.next = self.chosen.val();
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
        for i in 0..self._threads {
            self.result[i].next = self.vote.val();
            if self.shuffles.q.val() {
                self.result[i].next = self.value[self.source[i].q.val().index()].q.val();
            }
        }
    }
}
