//! Atomic instructions: a load and a store of the same words, between which the load-store unit does nothing else.
use crate::prelude::*;

module! {
    /// Performs the atomic instruction of an access stage in rounds, each a load and then a store of the same lanes.
    ///
    /// A round has the lanes whose word no lane before them wants; the others follow in further rounds, so that lanes with
    /// the same word act one after the other, the lowest first. A round's words are loaded and stored line by line, as those of other
    /// loads and stores are. When all have come back, on their way to the registers, they have been combined here with the
    /// lanes' operands.
    ///
    /// Words of memory that are a multiple of the size of local memory's banks apart count as the same: who compares
    /// them looks for conflicts of banks. They only come later than they might.
    ///
    /// `operation` is the upper five bits of the instruction: 0 addition, 1 exchange, 4 exclusive or, 5 comparison, 8 or, 12
    /// and, 16 minimum, 20 maximum, 24 and 28 the same without sign.
    ///
    /// Ports: below; element p is path p. Latency: `active` in c, the first lanes in c+1; words that are shown in c are stored
    /// from c+1 on. Reset: no round has begun.
    /// Invariants: `pushed` is part of `lanes`. Critical path: old word -> comparison -> `word`. Source: Unprivileged, Zaamo
    /// and Zacas; docs/ISA.md, section 2. Mirror in the model: `perform_atomic`; `model::timing::lsu`.
    pub struct AtomicRounds(cfg: &CoreConfig) [clock, reset]
    let (t, paths) = (cfg.threads, cfg.line_paths());
    {
        /// An atomic instruction is held.
        pub active: Signal<In, Bit>,
        /// Its warp.
        pub wid: Signal<In, WarpId> = signal(cfg.wid_bits()),
        /// Its destination.
        pub rd: Signal<In, Bits<6>>,
        /// What it does.
        pub operation: Signal<In, Bits<5>>,
        /// Operand of each lane.
        pub operand: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// What AMOCAS compares each lane's word with.
        pub compared: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// Lanes that are not done.
        pub left: Signal<In, Bits<32>> = signal(t),
        /// For each lane, the lanes before it that want the same word.
        pub same_word: Vec<Signal<In, Bits<32>>> = signals(t, t),
        /// Lanes that go to their paths in this cycle.
        pub pushed: Signal<In, Bits<32>> = signal(t),
        /// A path shows a result.
        pub result_valid: Vec<Signal<In, Bit>> = vec![Signal::default(); paths],
        /// That result.
        pub result: Vec<UnitResult<In>> = (0..paths).map(|_| UnitResult::new(cfg)).collect(),
        /// Lanes that can go to their paths.
        pub lanes: Signal<Out, Bits<32>> = signal(t),
        /// To be stored; else to be loaded.
        pub stores: Signal<Out, Bit>,
        /// Word to store of each lane.
        pub word: Vec<Signal<Out, Bits<32>>> = signals(t, 32),
        /// A round has begun; all its words are here.
        begun, loaded: Reg<Bit>,
        /// Its lanes; those that have still to go to their paths; those whose words have not come.
        round, waiting, missing: Reg<Bits<32>> = Reg::<Bits<32>>::width(t),
        rest, first, arriving: Signal<Local, Bits<32>> = signal(t),
        old: Vec<Pipe<Bits<32>>> = pipes(t, 32),
        is_its, gone, ends, has_sign, less, keeps: Signal<Local, Bit>,
        flip, a, b: Signal<Local, Bits<32>>,
        _t: usize = t,
        _paths: usize = paths,
    }
}

impl Logic for AtomicRounds {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the lanes of the next round, behind the one that is under way");
        self.rest.next = self.left.val() & !self.round.q.val();
        self.first.next = self.rest.val();
        for i in 0..self._t {
            if (self.same_word[i].val() & self.rest.val()) != 0 {
                self.first.next = self.first.val().replace_bit(i, false);
            }
        }
        self.lanes.next = self.waiting.q.val();
        self.stores.next = self.loaded.q.val();
        comment!("2. their words: only this instruction has results for its register");
        self.arriving.next = 0.into();
        for p in 0..self._paths {
            self.is_its.next = self.begun.q.val()
                & self.result_valid[p].val()
                & (self.result[p].to_.wid.val() == self.wid.val())
                & (self.result[p].to_.rd.val() == self.rd.val());
            if self.is_its.val() {
                self.arriving.next = self.arriving.val() | self.result[p].to_.tmask.val();
                for i in 0..self._t {
                    if self.result[p].to_.tmask.val().get_bit(i) {
                        self.old[i].d.next = self.result[p].data[i].val();
                    }
                }
            }
        }
        comment!("3. from the begin of a round, or of the first one, to its end");
        self.waiting.d.next = self.waiting.q.val() & !self.pushed.val();
        self.missing.d.next = self.missing.q.val() & !self.arriving.val();
        self.gone.next = self.begun.q.val() & ((self.waiting.q.val() & !self.pushed.val()) == 0);
        self.ends.next = self.gone.val() & self.loaded.q.val();
        if self.gone.val() & !self.loaded.q.val() & ((self.missing.q.val() & !self.arriving.val()) == 0) {
            self.loaded.d.next = true;
            self.waiting.d.next = self.round.q.val();
        }
        if self.ends.val() | (self.active.val() & !self.begun.q.val()) {
            self.begun.d.next = self.first.val().any();
            self.loaded.d.next = false;
            self.round.d.next = self.first.val();
            self.waiting.d.next = self.first.val();
            self.missing.d.next = self.first.val();
        }
        comment!("4. what is stored; numbers with a sign are compared as those without after their highest bits are turned");
        self.has_sign.next = !self.operation.val().get_bit(3);
        self.flip.next = 0.into();
        if self.has_sign.val() {
            self.flip.next = 0x8000_0000_u64.into();
        }
        for i in 0..self._t {
            self.a.next = self.old[i].q.val() ^ self.flip.val();
            self.b.next = self.operand[i].val() ^ self.flip.val();
            self.less.next = self.a.val() < self.b.val();
            self.keeps.next = ((self.operation.val() == 5) & (self.old[i].q.val() != self.compared[i].val()))
                | (self.operation.val().get_bit(4) & (self.less.val() ^ self.operation.val().get_bit(2)));
            self.word[i].next = self.operand[i].val();
            if self.operation.val() == 0 {
                self.word[i].next = self.old[i].q.val() + self.operand[i].val();
            } else if self.operation.val() == 4 {
                self.word[i].next = self.old[i].q.val() ^ self.operand[i].val();
            } else if self.operation.val() == 8 {
                self.word[i].next = self.old[i].q.val() | self.operand[i].val();
            } else if self.operation.val() == 12 {
                self.word[i].next = self.old[i].q.val() & self.operand[i].val();
            } else if self.keeps.val() {
                self.word[i].next = self.old[i].q.val();
            }
        }
    }
}
