//! Which lanes want the same bank, and which the same word.
use crate::prelude::*;

module! {
    /// Compares the words that lanes want with one another, a cycle before a [`BankArbiter`](super::BankArbiter) needs it.
    ///
    /// Words are interleaved over the banks: bank = word address modulo the number of banks. Ports: below. Latency:
    /// combinational. Reset: none. Invariants: bit `j` of element `i` is 0 for `j >= i`. Critical path: one
    /// comparison. Source: none. Mirror in the model: `model::timing::access`.
    pub struct BankConflicts(lanes: usize, banks: usize, word_bits: usize) {
        /// There are lanes to compare; else there are no conflicts.
        pub active: Signal<In, Bit>,
        /// Word address of each lane.
        pub word: Vec<Signal<In, Bits<12>>> = signals(lanes, word_bits),
        /// For each lane, the lanes before it that want the same bank.
        pub same_bank: Vec<Signal<Out, Bits<32>>> = signals(lanes, lanes),
        /// For each lane, the lanes before it that want the same word.
        pub same_word: Vec<Signal<Out, Bits<32>>> = signals(lanes, lanes),
        bank: Vec<Signal<Local, Bits<12>>> = signals(lanes, word_bits),
        bank_mask: Const<Bits<12>> = constant(word_bits, banks as u64 - 1),
        _lanes: usize = lanes,
    }
}

impl Logic for BankConflicts {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread active: a single lane has no conflicts");
        comment!("unread bank: a single lane has no conflicts");
        comment!("unread word: a single lane has no conflicts");
        for i in 0..self._lanes {
            self.bank[i].next = self.word[i].val() & self.bank_mask.val();
        }
        for i in 0..self._lanes {
            self.same_bank[i].next = 0.into();
            self.same_word[i].next = 0.into();
        }
        if self.active.val() {
            for i in 0..self._lanes {
                for j in 0..self._lanes {
                    if j.to_bits::<6>() < i.to_bits::<6>() {
                        self.same_bank[i].next =
                            self.same_bank[i].val().replace_bit(j, self.bank[i].val() == self.bank[j].val());
                        self.same_word[i].next =
                            self.same_word[i].val().replace_bit(j, self.word[i].val() == self.word[j].val());
                    }
                }
            }
        }
    }
}
