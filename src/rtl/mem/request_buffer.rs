//! The load/store unit's request on the bus, and where a store's line is put together.
use crate::bundles::LINE_WORDS as WORDS;
use crate::prelude::*;

module! {
    /// Holds one line request until the bus accepts it; a store may be filled in several steps.
    ///
    /// Ports: below. Latency: one cycle. Reset: empty. Invariants: the request is stable from its first cycle until
    /// accepted; after a step that is not the last, only a store step of the same line is put; a later step
    /// overwrites bytes of an earlier one. Critical path: word comparison to the byte's clock enable. Source: none.
    /// Mirror in the model: `model::timing::path`.
    pub struct RequestBuffer(cfg: &CoreConfig) [clock, reset]
    let banks = cfg.threads;
    {
        /// A step is put in.
        pub put: Signal<In, Bit>,
        /// It is part of a store.
        pub put_store: Signal<In, Bit>,
        /// It completes the request.
        pub put_last: Signal<In, Bit>,
        /// Line address.
        pub put_line: Signal<In, Bits<26>>,
        /// Load slot.
        pub put_tag: Signal<In, Bits<5>>,
        /// The words to store, as the banks hold them.
        pub bank: BankAccess<In> = BankAccess::new(cfg),
        /// A step can be put in.
        pub request_ready: Signal<Out, Bit>,
        /// A request is held.
        pub pending: Signal<Out, Bit>,
        /// The complete request.
        pub lsu_req: LineRequest<Out> = LineRequest::new(MASTER_TAG_BITS),
        valid, filling: Reg<Bit>,
        store: Pipe<Bit>,
        line: Pipe<Bits<26>>,
        tag: Pipe<Bits<5>>,
        bytes: Vec<Pipe<Bits<4>>> = pipes(WORDS, 4),
        words: Vec<Pipe<Bits<32>>> = pipes(WORDS, 32),
        /// The bank of each word, what it stores, and which bytes of that.
        number: Vec<Signal<Local, Bits<6>>> = signals(WORDS, 6),
        stored: Vec<Signal<Local, Bits<32>>> = signals(WORDS, 32),
        put_bytes: Vec<Signal<Local, Bits<4>>> = signals(WORDS, 4),
        stores: Signal<Local, Bit>,
        word_bytes: Signal<Local, Bits<4>>,
        byte_0, byte_1, byte_2, byte_3: Signal<Local, Bits<8>>,
        bank_mask: Const<Bits<6>> = constant(6, banks as u64 - 1),
        /// The banks hold two lines side by side.
        two_lines: Const<Bit> = Const::new(banks > WORDS),
        half: Const<Bits<6>> = constant(6, 16),
        _words: usize = WORDS,
    }
}

impl Logic for RequestBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread number: words of a line have 16 places at most");
        comment!("unread bank_word: of a word address, the place in its line");
        comment!("1. room");
        self.request_ready.next = !self.valid.q.val() | self.lsu_req.ready.val();
        self.pending.next = self.valid.q.val() | self.filling.q.val();
        comment!("2. the request");
        if self.put.val() {
            self.store.d.next = self.put_store.val();
            self.line.d.next = self.put_line.val();
            self.tag.d.next = self.put_tag.val();
            self.valid.d.next = self.put_last.val();
            self.filling.d.next = !self.put_last.val();
        } else if self.lsu_req.ready.val() {
            self.valid.d.next = false;
        }
        comment!("3. a store's words: each comes from the bank that its address maps to");
        self.stores.next = self.put.val() & self.put_store.val();
        for w in 0..self._words {
            self.number[w].next = w.to_bits::<6>() & self.bank_mask.val();
            if self.two_lines.val() && self.put_line.val().get_bit(0) {
                self.number[w].next = (w.to_bits::<6>() | self.half.val()) & self.bank_mask.val();
            }
            self.stored[w].next = self.bank.data[self.number[w].val().index()].val();
            self.put_bytes[w].next = 0.into();
        }
        if self.stores.val() {
            for w in 0..self._words {
                if (self.bank.word[self.number[w].val().index()].val().get_bits::<4>(0) == w.to_bits::<4>())
                    & self.bank.valid.val().get_bit(self.number[w].val().index())
                {
                    self.put_bytes[w].next = self.bank.bytes[self.number[w].val().index()].val();
                }
            }
        }
        for w in 0..self._words {
            self.bytes[w].d.next = self.bytes[w].q.val() | self.put_bytes[w].val();
            if self.stores.val() & !self.filling.q.val() {
                self.bytes[w].d.next = self.put_bytes[w].val();
            }
            if self.put_bytes[w].val().any() {
                self.byte_0.next = self.words[w].q.val().get_bits::<8>(0);
                self.byte_1.next = self.words[w].q.val().get_bits::<8>(8);
                self.byte_2.next = self.words[w].q.val().get_bits::<8>(16);
                self.byte_3.next = self.words[w].q.val().get_bits::<8>(24);
                if self.put_bytes[w].val().get_bit(0) {
                    self.byte_0.next = self.stored[w].val().get_bits::<8>(0);
                }
                if self.put_bytes[w].val().get_bit(1) {
                    self.byte_1.next = self.stored[w].val().get_bits::<8>(8);
                }
                if self.put_bytes[w].val().get_bit(2) {
                    self.byte_2.next = self.stored[w].val().get_bits::<8>(16);
                }
                if self.put_bytes[w].val().get_bit(3) {
                    self.byte_3.next = self.stored[w].val().get_bits::<8>(24);
                }
                self.words[w].d.next = bit_cast::<32, 8>(self.byte_0.val())
                    | (bit_cast::<32, 8>(self.byte_1.val()) << 8)
                    | (bit_cast::<32, 8>(self.byte_2.val()) << 16)
                    | (bit_cast::<32, 8>(self.byte_3.val()) << 24);
            }
        }
        comment!("4. to the bus");
        self.lsu_req.valid.next = self.valid.q.val();
        self.lsu_req.rw.next = self.store.q.val();
        self.lsu_req.addr.next = self.line.q.val();
        self.lsu_req.tag.next = bit_cast::<16, 5>(self.tag.q.val());
        self.lsu_req.byteen.next = 0.into();
        for w in 0..self._words {
            self.word_bytes.next = self.bytes[w].q.val();
            self.lsu_req.byteen.next =
                (self.lsu_req.byteen.val() >> 4) | (bit_cast::<64, 4>(self.word_bytes.val()) << 60);
            self.lsu_req.data[w].next = self.words[w].q.val();
        }
    }
}
