//! One way of the data cache.
use super::WORDS;
use crate::prelude::*;

/// Width of a tag: the line address and, above it, whether the line is valid.
const TAG: usize = 27;
/// Width of a line's state with write-back: which bytes are dirty, above it whether all bytes are there, and whether
/// any is dirty.
const STATE: usize = 66;

module! {
    /// Tags and lines of one way, and with write-back which bytes of a line memory does not have yet.
    ///
    /// Ports: `read` with `read_set`, `read_words` with `read_row` in cycle c; in c+1 `lookup_line`, `ignore` -> `present`,
    /// `full` (every byte is there, not only stored ones), `dirty`, `line`, `mask` (dirty bytes), `words`. Writes:
    /// `write_tag` of `write_set`, and with `write_valid` the state too; `write_words` of `write_row`, the bytes of
    /// `write_bytes`.
    /// Reset: none, the owner sweeps the tags. Invariants: what is read of a set in the cycle in which that set is written is
    /// not used. One row more than there are sets keeps a line that is not to be cached, until it has been read.
    /// `lookup_line` is of the set and of the bank that were read: from these and the bits above, those below the power of two
    /// `known` follow.
    /// Critical path: tag memory -> comparison of at most 26 bits -> `present`. Source: none. Mirror in the model: `model::timing::dcache`.
    pub struct DataWay(sets: usize, known: usize, write_back: bool) [clock]
    let (set, row) = (bits_for(sets), bits_for(sets + 1));
    let write_back = usize::from(write_back);
    {
        /// Reads tag and state.
        pub read: Signal<In, Bit>,
        /// Their set.
        pub read_set: Signal<In, Bits<16>> = signal(set),
        /// Reads a line.
        pub read_words: Signal<In, Bit>,
        /// Its row: its set, or the one beyond.
        pub read_row: Signal<In, Bits<16>> = signal(row),
        /// Line to compare with the tag that was read.
        pub lookup_line: Signal<In, Bits<26>>,
        /// What was read counts as invalid.
        pub ignore: Signal<In, Bit>,
        /// The line to compare is here.
        pub present: Signal<Out, Bit>,
        /// The line that was read has all its bytes.
        pub full: Signal<Out, Bit>,
        /// The line that was read is valid and has bytes that memory does not have.
        pub dirty: Signal<Out, Bit>,
        /// Address of the line that was read.
        pub line: Signal<Out, Bits<26>>,
        /// Its dirty bytes.
        pub mask: Signal<Out, Bits<64>>,
        /// Its words.
        pub words: Vec<Signal<Out, Bits<32>>> = signals(WORDS, 32),
        /// Writes a tag.
        pub write_tag: Signal<In, Bit>,
        /// Set of the tag and of the state.
        pub write_set: Signal<In, Bits<16>> = signal(set),
        /// The line becomes valid, or invalid.
        pub write_valid: Signal<In, Bit>,
        /// Its address.
        pub write_line: Signal<In, Bits<26>>,
        /// It has all its bytes.
        pub write_full: Signal<In, Bit>,
        /// Its dirty bytes.
        pub write_mask: Signal<In, Bits<64>>,
        /// Writes words.
        pub write_words: Signal<In, Bit>,
        /// Their row.
        pub write_row: Signal<In, Bits<16>> = signal(row),
        /// Bytes to write.
        pub write_bytes: Signal<In, Bits<64>>,
        /// The words.
        pub write_data: Vec<Signal<In, Bits<32>>> = signals(WORDS, 32),
        tags: SyncRam<TAG> = SyncRam::without_collisions(TAG, sets),
        states: Vec<SyncRam<STATE>> = (0..write_back).map(|_| SyncRam::without_collisions(STATE, sets)).collect(),
        rows: Vec<SyncRamBe> = (0..WORDS).map(|_| SyncRamBe::new(sets + 1)).collect(),
        valid: Signal<Local, Bit>,
        above_set: Const<Bits<26>> = constant(26, (1 << 26) - known as u64),
        _write_back: usize = write_back,
        _words: usize = WORDS,
    }
}

impl Logic for DataWay {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread write_full: only write-back has lines that lack bytes");
        comment!("unread write_mask: only write-back has dirty bytes");
        comment!("1. tag");
        self.tags.read_enable.next = self.read.val();
        self.tags.read_address.next = self.read_set.val();
        self.tags.write_enable.next = self.write_tag.val();
        self.tags.write_address.next = self.write_set.val();
        self.tags.write_data.next = 0.into();
        if self.write_valid.val() {
            self.tags.write_data.next = bit_cast::<TAG, 26>(self.write_line.val()).replace_bit(26, true);
        }
        self.valid.next = self.tags.read_data.val().get_bit(26) & !self.ignore.val();
        self.line.next = self.tags.read_data.val().get_bits::<26>(0);
        comment!("The bits that number set and bank are those of the line that was looked up.");
        self.present.next = self.valid.val()
            & ((self.line.val() & self.above_set.val()) == (self.lookup_line.val() & self.above_set.val()));
        comment!("2. state: a line is complete and as memory has it, unless the cache is write-back");
        self.full.next = true;
        self.dirty.next = false;
        self.mask.next = 0.into();
        for k in 0..self._write_back {
            self.states[k].read_enable.next = self.read.val();
            self.states[k].read_address.next = self.read_set.val();
            self.states[k].write_enable.next = self.write_tag.val() & self.write_valid.val();
            self.states[k].write_address.next = self.write_set.val();
            self.states[k].write_data.next = bit_cast::<STATE, 64>(self.write_mask.val())
                .replace_bit(64, self.write_full.val())
                .replace_bit(65, self.write_mask.val().any());
            self.full.next = self.states[k].read_data.val().get_bit(64);
            self.dirty.next = self.valid.val() & self.states[k].read_data.val().get_bit(65);
            self.mask.next = self.states[k].read_data.val().get_bits::<64>(0);
        }
        comment!("3. words");
        for w in 0..self._words {
            self.rows[w].read_enable.next = self.read_words.val();
            self.rows[w].read_address.next = self.read_row.val();
            self.rows[w].write_enable.next = 0.into();
            self.rows[w].write_address.next = self.write_row.val();
            self.rows[w].write_data.next = self.write_data[w].val();
            self.words[w].next = self.rows[w].read_data.val();
        }
        if self.write_words.val() {
            for w in 0..self._words {
                self.rows[w].write_enable.next = self.write_bytes.val().get_bits::<4>(w * 4);
            }
        }
    }
}
