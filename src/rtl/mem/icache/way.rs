//! One way of the instruction cache.
use crate::prelude::*;

/// Words in a line.
pub(super) const WORDS: usize = 16;
/// Width of a tag: the line address and, above it, whether the line is valid.
const TAG: usize = 27;

module! {
    /// Tags, valid bits and data of one way; a line is filled in one cycle.
    ///
    /// Ports: `read_set` in cycle c; `lookup`, `lookup_set`, `lookup_line`, `lookup_word` (the same request) and
    /// `hit` in c+1; `read_word`, and with words in pairs `read_second`, in c+2; `fill`, `fill_set`, `fill_line`, `fill_data`; `clear`. The tag is the whole line
    /// address: the set bits in it cost no memory, because the tag memory is as wide anyway. The words are read a cycle after
    /// the tag, from a registered address, so that the late choice of the warp that fetches need only reach the tag memory.
    /// Reset: all lines invalid. The valid bits are in the tag memory, which costs nothing, but a memory has no reset: after
    /// reset and after `clear` a sweep writes one set a cycle, and a set that it has not reached counts as invalid. A line that
    /// is filled ahead of the sweep is lost.
    /// Invariants: no request reads a tag while a line is filled (the cache takes none then); a line that is
    /// looked up while another takes its place is no hit. Critical path: tag memory -> 26-bit comparison -> `hit`.
    /// Source: none. Mirror in the model: `model::timing::icache`.
    pub struct CacheWay(sets: usize, pairs: bool) [clock, reset]
    let (set, half) = (bits_for(sets), WORDS / 2);
    {
        /// Set whose tag is read, in every cycle: whether a request comes is known too late to read for it alone.
        pub read_set: Signal<In, Bits<16>> = signal(set),
        /// Reads the word.
        pub lookup: Signal<In, Bit>,
        /// Set that was read.
        pub lookup_set: Signal<In, Bits<16>> = signal(set),
        /// Line address to find there.
        pub lookup_line: Signal<In, Bits<26>>,
        /// Word of the line.
        pub lookup_word: Signal<In, Bits<4>>,
        /// The line is there.
        pub hit: Signal<Out, Bit>,
        /// The word that was looked up in the cycle before; meaningless without a hit.
        pub read_word: Signal<Out, Bits<32>>,
        /// With words in pairs: the one behind it in the line; meaningless behind the last.
        pub read_second: Opt<Signal<Out, Bits<32>>> = Opt::new(pairs, Signal::default()),
        /// Writes a line and makes it valid.
        pub fill: Signal<In, Bit>,
        /// Its set.
        pub fill_set: Signal<In, Bits<16>> = signal(set),
        /// Its address.
        pub fill_line: Signal<In, Bits<26>>,
        /// Its 16 words.
        pub fill_data: Vec<Signal<In, Bits<32>>> = signals(WORDS, 32),
        /// Makes all lines invalid.
        pub clear: Signal<In, Bit>,
        tags: SyncRam<TAG> = SyncRam::without_collisions(TAG, sets),
        words: Opt<LineRam> = Opt::new(!pairs, LineRam::new(sets, WORDS)),
        /// With words in pairs: those with even numbers, and those with odd ones, of which one each is read.
        halves: Opt<Vec<LineRam>> = Opt::new(pairs, (0..2).map(|_| LineRam::new(sets, half)).collect()),
        half_address: Opt<Vec<Signal<Local, Bits<16>>>> = Opt::new(pairs, signals(2, bits_for(sets * half))),
        /// The first word of the pair is an odd one.
        odd_first: Opt<Pipe<Bit>> = Opt::new(pairs, Pipe::default()),
        sweeping: Reg<Bit> = Reg::resetting_to(true),
        sweep_set: Reg<Bits<16>> = Reg::<Bits<16>>::width(set),
        /// The sweep when the tag was read.
        sweeping_then: Pipe<Bit>,
        sweep_set_then: Pipe<Bits<16>> = Pipe::<Bits<16>>::width(set),
        unswept, replaced: Signal<Local, Bit>,
        word_address: Opt<Signal<Local, Bits<16>>> = Opt::new(!pairs, signal(bits_for(sets * WORDS))),
        last_set: Const<Bits<16>> = constant(set, sets as u64 - 1),
        one: Const<Bits<16>> = constant(set, 1),
        _set_bits: usize = sets.trailing_zeros() as usize,
        pairs: Const<Bit> = Const::new(pairs),
        _half: usize = half,
    }
}

impl Logic for CacheWay {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. read the tag, then the word");
        self.tags.read_enable.next = true;
        self.tags.read_address.next = self.read_set.val();
        if self.pairs.val() {
            self.half_address[0].next = bit_cast::<16, 3>(self.lookup_word.val().get_bits::<3>(1));
            if self.lookup_word.val().get_bit(0) {
                self.half_address[0].next = bit_cast::<16, 3>(self.lookup_word.val().get_bits::<3>(1) + 1);
            }
            self.half_address[1].next = bit_cast::<16, 3>(self.lookup_word.val().get_bits::<3>(1));
            for k in 0..2 {
                for i in 0..self._set_bits {
                    self.half_address[k].next =
                        self.half_address[k].val().replace_bit(i + 3_usize, self.lookup_set.val().get_bit(i));
                }
                self.halves[k].read_enable.next = self.lookup.val();
                self.halves[k].read_address.next = self.half_address[k].val();
                self.halves[k].write_enable.next = self.fill.val();
                self.halves[k].write_address.next = self.fill_set.val();
                for w in 0..self._half {
                    self.halves[k].write_data[w].next = self.fill_data[w + w + k].val();
                }
            }
            self.odd_first.d.next = self.lookup_word.val().get_bit(0);
            self.read_word.next = self.halves[0].read_data.val();
            self.read_second.next = self.halves[1].read_data.val();
            if self.odd_first.q.val() {
                self.read_word.next = self.halves[1].read_data.val();
                self.read_second.next = self.halves[0].read_data.val();
            }
        } else {
            self.word_address.next = bit_cast::<16, 4>(self.lookup_word.val());
            for i in 0..self._set_bits {
                self.word_address.next =
                    self.word_address.val().replace_bit(i + 4_usize, self.lookup_set.val().get_bit(i));
            }
            self.words.read_enable.next = self.lookup.val();
            self.words.read_address.next = self.word_address.val();
            self.words.write_enable.next = self.fill.val();
            self.words.write_address.next = self.fill_set.val();
            Wires::join(&mut self.fill_data, &mut self.words.write_data);
            self.read_word.next = self.words.read_data.val();
        }
        self.sweeping_then.d.next = self.sweeping.q.val();
        self.sweep_set_then.d.next = self.sweep_set.q.val();
        comment!("2. compare");
        self.unswept.next =
            self.sweeping_then.q.val() & (self.lookup_set.val() >= self.sweep_set_then.q.val());
        self.replaced.next = self.fill.val() & (self.fill_set.val() == self.lookup_set.val());
        self.hit.next = self.tags.read_data.val().get_bit(26)
            & (self.tags.read_data.val().get_bits::<26>(0) == self.lookup_line.val())
            & !self.unswept.val()
            & !self.replaced.val();
        comment!("3. fill, else sweep");
        self.tags.write_enable.next = self.fill.val() | self.sweeping.q.val();
        self.tags.write_address.next = self.sweep_set.q.val();
        self.tags.write_data.next = 0.into();
        if self.fill.val() {
            self.tags.write_address.next = self.fill_set.val();
            self.tags.write_data.next = bit_cast::<TAG, 26>(self.fill_line.val()).replace_bit(26, true);
        } else if self.sweeping.q.val() {
            self.sweep_set.d.next = self.sweep_set.q.val() + self.one.val();
            if self.sweep_set.q.val() == self.last_set.val() {
                self.sweep_set.d.next = 0.into();
                self.sweeping.d.next = false;
            }
        }
        comment!("4. clear: sweep from the start");
        if self.clear.val() {
            self.sweep_set.d.next = 0.into();
            self.sweeping.d.next = true;
        }
    }
}
