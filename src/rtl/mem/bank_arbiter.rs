//! Which lane each bank serves in a cycle.
use crate::prelude::*;

module! {
    /// Gives each bank the first lane that maps to it, and with it every lane that wants the same word.
    ///
    /// Words are interleaved over the banks: bank = word address modulo the number of banks. Ports: below;
    /// `same_bank` and `same_word` as [`BankConflicts`](super::BankConflicts) gives them, the latter 0 where lanes
    /// may not share a word: stores. Latency: combinational. Reset: none. Invariants: `served` is a subset of
    /// `candidates` and holds at least its first lane; where none may share no two served lanes have the same bank;
    /// lanes of one word are served in lane order. Critical path: priority over T lanes, word address of the winner
    /// (T:1). Source: none. Mirror in the model: `model::timing::access`.
    pub struct BankArbiter(lanes: usize, banks: usize, word_bits: usize)
    let lane_bits = spec::config::bits_for(lanes);
    {
        /// There are candidates; else nobody is served.
        pub active: Signal<In, Bit>,
        /// Lanes that want an access.
        pub candidates: Signal<In, Bits<32>> = signal(lanes),
        /// Word address of each lane.
        pub word: Vec<Signal<In, Bits<12>>> = signals(lanes, word_bits),
        /// For each lane, the lanes before it that want the same bank.
        pub same_bank: Vec<Signal<In, Bits<32>>> = signals(lanes, lanes),
        /// For each lane, the lanes before it whose word it shares.
        pub same_word: Vec<Signal<In, Bits<32>>> = signals(lanes, lanes),
        /// Lanes that get theirs in this cycle.
        pub served: Signal<Out, Bits<32>> = signal(lanes),
        /// They are all the candidates.
        pub complete: Signal<Out, Bit>,
        /// Banks that serve a lane.
        pub bank_valid: Signal<Out, Bits<32>> = signal(banks),
        /// Lane that each bank serves.
        pub bank_lane: Vec<Signal<Out, Bits<5>>> = signals(banks, lane_bits),
        /// Word address that each bank serves.
        pub bank_word: Vec<Signal<Out, Bits<12>>> = signals(banks, word_bits),
        bank: Vec<Signal<Local, Bits<12>>> = signals(lanes, word_bits),
        leaders: Signal<Local, Bits<32>> = signal(lanes),
        leads, shares, valid: Signal<Local, Bit>,
        bank_mask: Const<Bits<12>> = constant(word_bits, banks as u64 - 1),
        _lanes: usize = lanes,
        _banks: usize = banks,
    }
}

impl Logic for BankArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. bank of each lane");
        for i in 0..self._lanes {
            self.bank[i].next = self.word[i].val() & self.bank_mask.val();
        }
        self.served.next = 0.into();
        self.complete.next = false;
        self.bank_valid.next = 0.into();
        for b in 0..self._banks {
            self.bank_lane[b].next = 0.into();
            self.bank_word[b].next = 0.into();
        }
        if self.active.val() {
            comment!("2. the first lane of each bank leads");
            self.leaders.next = 0.into();
            for i in 0..self._lanes {
                self.leads.next = self.candidates.val().get_bit(i)
                    & ((self.candidates.val() & self.same_bank[i].val()) == 0);
                self.leaders.next = self.leaders.val().replace_bit(i, self.leads.val());
            }
            comment!("3. whoever wants a leader's word shares it");
            for i in 0..self._lanes {
                self.shares.next = self.leaders.val().get_bit(i)
                    | (self.candidates.val().get_bit(i)
                        & ((self.leaders.val() & self.same_word[i].val()) != 0));
                self.served.next = self.served.val().replace_bit(i, self.shares.val());
            }
            comment!(
                "4. all are served if no two want a bank and do not share; that is known sooner than who is"
            );
            self.complete.next = true;
            for i in 0..self._lanes {
                if self.candidates.val().get_bit(i)
                    & ((self.candidates.val() & self.same_bank[i].val() & !self.same_word[i].val()) != 0)
                {
                    self.complete.next = false;
                }
            }
            comment!("5. what each bank does; at most one leader is its own");
            for b in 0..self._banks {
                self.valid.next = false;
                for i in 0..self._lanes {
                    if self.leaders.val().get_bit(i) & (self.bank[i].val() == b.to_bits::<12>()) {
                        self.valid.next = true;
                        self.bank_lane[b].next = self.bank_lane[b].val() | i.to_bits::<5>();
                        self.bank_word[b].next = self.bank_word[b].val() | self.word[i].val();
                    }
                }
                self.bank_valid.next = self.bank_valid.val().replace_bit(b, self.valid.val());
            }
        }
    }
}
