//! One lane of a shuffle: from whom it gets its value.
use crate::prelude::*;

module! {
    /// The lane from which one lane gets its value in a shuffle.
    ///
    /// The lanes whose numbers have the bits `common` in common are a segment, of which those up to `last` may be asked: the
    /// lane that is `distance` before or behind this one, whose number differs in these bits, or that has them beside the common
    /// ones.
    ///
    /// Ports: below. Latency: combinational. Reset: none. Invariants: a lane that may not be asked is not
    /// `source`: this one is. Critical path: sum, comparison with the last lane, `source`. Source: docs/ISA.md, section 3.1;
    /// PTX ISA 9.7.9.6 (`shfl.sync`). Mirror in the model: `model::shuffle_source`.
    pub struct ShuffleLane(cfg: &CoreConfig)
    let bits = cfg.tid_bits();
    {
        /// This lane.
        pub lane: Signal<In, Bits<5>>,
        /// 0 before, 1 behind, 2 by different bits, 3 by its number.
        pub kind: Signal<In, Bits<2>>,
        /// What it asks for: `distance`, `last` and `common` from bits 0, 6 and 12 on, as many as a lane's number has.
        pub asked: Signal<In, Bits<32>>,
        /// The active lanes.
        pub tmask: Signal<In, Bits<32>> = signal(cfg.threads),
        /// Whose value this lane gets.
        pub source: Signal<Out, Bits<5>> = signal(bits),
        /// That lane is active; else this one gets 0.
        pub found: Signal<Out, Bit>,
        top: Const<Bits<5>> = constant(5, cfg.threads as u64 - 1),
        distance, last, common, segment_first, segment_last, wanted: Signal<Local, Bits<5>>,
        allowed: Signal<Local, Bit>,
        _bits: usize = bits,
    }
}

impl Logic for ShuffleLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the lane's segment");
        comment!("unread asked: there is room for six bits and more, as in Vortex");
        self.distance.next = self.asked.val().get_bits::<5>(0) & self.top.val();
        self.last.next = self.asked.val().get_bits::<5>(6) & self.top.val();
        self.common.next = self.asked.val().get_bits::<5>(12) & self.top.val();
        self.segment_first.next = self.lane.val() & self.common.val();
        self.segment_last.next = self.segment_first.val() | (self.last.val() & !self.common.val());
        comment!("2. who is asked; a sum that does not fit is less than this lane");
        self.wanted.next = self.segment_first.val() | (self.distance.val() & !self.common.val());
        self.allowed.next = self.wanted.val() <= self.segment_last.val();
        if self.kind.val() == 0 {
            self.wanted.next = self.lane.val() - self.distance.val();
            self.allowed.next =
                (self.wanted.val() <= self.lane.val()) & (self.wanted.val() >= self.segment_first.val());
        }
        if self.kind.val() == 1 {
            self.wanted.next = self.lane.val() + self.distance.val();
            self.allowed.next =
                (self.wanted.val() >= self.lane.val()) & (self.wanted.val() <= self.segment_last.val());
        }
        if self.kind.val() == 2 {
            self.wanted.next = self.lane.val() ^ self.distance.val();
            self.allowed.next = self.wanted.val() <= self.segment_last.val();
        }
        comment!("3. that lane, or this one");
        self.source.next = 0.into();
        for k in 0..self._bits {
            self.source.next = self.source.val().replace_bit(k, self.wanted.val().get_bit(k));
        }
        if !self.allowed.val() {
            for k in 0..self._bits {
                self.source.next = self.source.val().replace_bit(k, self.lane.val().get_bit(k));
            }
        }
        self.found.next = self.tmask.val().get_bit(self.source.val().index());
    }
}
