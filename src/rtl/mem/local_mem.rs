//! The on-core scratchpad at 0xFFFF0000, one bank of 32-bit words a lane.
use crate::prelude::*;

module! {
    /// T banks of 32-bit words; each serves one word a cycle, so a warp without bank conflicts is served at once.
    ///
    /// Ports, from the bank arbiter: `bank` (word addresses are within the memory, and their low bits are the bank);
    /// `read` and `write` (one of them at most) -> `read_data`.
    /// Latency: `read_data` one cycle after `read`, held until the next `read`. Reset: contents are undefined.
    /// Invariants: never read and written in one cycle. Critical path: one block RAM access.
    /// Source: docs/ISA.md, section 6. Mirror in the model: the local part of its memory.
    pub struct LocalMemory(cfg: &CoreConfig) [clock]
    let (banks, words) = (cfg.threads, cfg.local_mem_bytes / 4);
    let row_bits = clog2(words / banks);
    {
        /// The valid banks read their word.
        pub read: Signal<In, Bit>,
        /// The valid banks store into their word.
        pub write: Signal<In, Bit>,
        /// What the banks do.
        pub bank: BankAccess<In> = BankAccess::new(cfg),
        /// Word that each bank read last.
        pub read_data: Vec<Signal<Out, Bits<32>>> = signals(banks, 32),
        banks: Vec<SyncRamBe> = (0..banks).map(|_| SyncRamBe::new(words / banks)).collect(),
        row: Signal<Local, Bits<16>> = signal(row_bits),
        bank_word_now: Signal<Local, Bits<12>> = signal(word_bits(cfg)),
        bank_shift: Const<Bits<4>> = constant(4, clog2(banks) as u64),
        _banks: usize = banks,
    }
}

/// Bits of a word address within the local memory, and at least the 4 that number the words of a line.
pub(crate) fn word_bits(cfg: &CoreConfig) -> usize {
    clog2(cfg.local_mem_bytes / 4).max(clog2(16 * cfg.threads.div_ceil(16)))
}

impl Logic for LocalMemory {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread bank_word_now: a memory of this size has fewer rows");
        for b in 0..self._banks {
            self.bank_word_now.next = self.bank.word[b].val() >> self.bank_shift.val();
            self.row.next = bit_cast::<16, 12>(self.bank_word_now.val());
            self.banks[b].read_enable.next = self.read.val() & self.bank.valid.val().get_bit(b);
            self.banks[b].read_address.next = self.row.val();
            self.banks[b].write_enable.next = 0.into();
            if self.write.val() & self.bank.valid.val().get_bit(b) {
                self.banks[b].write_enable.next = self.bank.bytes[b].val();
            }
            self.banks[b].write_address.next = self.row.val();
            self.banks[b].write_data.next = self.bank.data[b].val();
            self.read_data[b].next = self.banks[b].read_data.val();
        }
    }
}
