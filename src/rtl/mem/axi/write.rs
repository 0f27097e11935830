//! Writes over AXI4: the AW, W and B channels.
use super::{beat_size, words_per_beat, WORDS};
use crate::prelude::*;

/// Writes that may be outstanding.
pub(super) const WRITES: usize = 8;

module! {
    /// Turns line writes into AXI4 bursts, each no longer than the bytes to write require, and counts their responses.
    ///
    /// All have the id 0: memory performs them, and answers, in order.
    ///
    /// Ports, from the core: `req` -> `line_in_flight`: a write to that line has not been answered; `pending`: any write has
    /// not. To and from memory: `axi_`; a response is always accepted. To the fault latch: `error_valid`, `error_line`: a write failed.
    /// Latency: one cycle to `awvalid` and `wvalid`, which rise together. Reset: nothing outstanding.
    /// Invariants: AW and W are stable until accepted; one burst at a time. Critical path: from the byte enables to the
    /// first and the last beat, or the choice of the beat to `wdata`.
    /// Source: AMBA AXI and ACE Protocol Specification, IHI 0022E, A3 to A6. Mirror in the model: `model::timing::axi`.
    pub struct AxiWriter(cfg: &CoreConfig) [clock, reset]
    let lanes = words_per_beat(cfg);
    {
        /// The line to write.
        pub req: LineRequest<In> = LineRequest::new(BUS_TAG_BITS),
        /// A write to that line has not been answered.
        pub line_in_flight: Signal<Out, Bit>,
        /// Some write has not been answered.
        pub pending: Signal<Out, Bit>,
        /// To memory.
        pub axi_: AxiWrite<Out> = AxiWrite::new(cfg),
        /// A write failed.
        pub error_valid: Signal<Out, Bit>,
        /// Its line.
        pub error_line: Signal<Out, Bits<26>>,
        aw_valid: Reg<Bit>,
        aw_line: Pipe<Bits<26>>,
        aw_first, aw_beats: Pipe<Bits<4>>,
        w_valid: Reg<Bit>,
        w_at, w_end: Pipe<Bits<4>>,
        words: Vec<Pipe<Bits<32>>> = pipes(WORDS, 32),
        strobes: Vec<Pipe<Bits<4>>> = pipes(WORDS, 4),
        unanswered: Reg<Bits<8>>,
        oldest, newest: Reg<Bits<3>>,
        line: Vec<Pipe<Bits<26>>> = pipes(WRITES, 26),
        lines: LutRam<26> = LutRam::new(26, WRITES),
        accept, found, last: Signal<Local, Bit>,
        unanswered_now: Signal<Local, Bits<8>>,
        first, final_word, word: Signal<Local, Bits<4>>,
        beat_words: Const<Bits<4>> = constant(4, lanes as u64 % WORDS as u64),
        beat_mask: Const<Bits<4>> = constant(4, (WORDS - lanes) as u64),
        beat_size: Const<Bits<3>> = beat_size(lanes),
        beat_shift: Const<Bits<3>> = constant(3, lanes.ilog2().into()),
        _words: usize = WORDS,
        _lanes: usize = lanes,
        _writes: usize = WRITES,
    }
}

impl Logic for AxiWriter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread bresp: bit 0 only tells failures apart");
        comment!("unread aw_beats_next_wide: what is shifted out are words within a beat");
        comment!("1. room for a write: the burst before it is through, and it can be remembered until it is answered");
        self.last.next = self.w_at.q.val() == self.w_end.q.val();
        self.req.ready.next = (!self.aw_valid.q.val() | self.axi_.awready.val())
            & (!self.w_valid.q.val() | (self.axi_.wready.val() & self.last.val()))
            & !self.unanswered.q.val().get_bit(self.newest.q.val().index());
        self.accept.next = self.req.valid.val() & self.req.ready.val();
        comment!("2. the first and the last beat with a byte to write, by the number of their first word");
        self.found.next = false;
        self.first.next = 0.into();
        self.final_word.next = 0.into();
        for w in 0..self._words {
            if self.req.byteen.val().get_bits::<4>(w * 4) != 0 {
                if !self.found.val() {
                    self.first.next = w.to_bits::<4>() & self.beat_mask.val();
                }
                self.found.next = true;
                self.final_word.next = w.to_bits::<4>() & self.beat_mask.val();
            }
        }
        comment!("3. the address channel");
        self.aw_valid.d.next = (self.aw_valid.q.val() & !self.axi_.awready.val()) | self.accept.val();
        if self.accept.val() {
            self.aw_line.d.next = self.req.addr.val();
            self.aw_first.d.next = self.first.val();
            self.aw_beats.d.next = (self.final_word.val() - self.first.val()) >> self.beat_shift.val();
        }
        self.axi_.awvalid.next = self.aw_valid.q.val();
        self.axi_.awid.next = 0.into();
        self.axi_.awsize.next = self.beat_size.val();
        self.axi_.awburst.next = 1.into();
        self.axi_.awlock.next = false;
        self.axi_.awcache.next = 2.into();
        self.axi_.awprot.next = 0.into();
        self.axi_.awqos.next = 0.into();
        self.axi_.bready.next = true;
        self.axi_.awaddr.next =
            (bit_cast::<32, 26>(self.aw_line.q.val()) << 6) | (bit_cast::<32, 4>(self.aw_first.q.val()) << 2);
        self.axi_.awlen.next = bit_cast::<8, 4>(self.aw_beats.q.val());
        comment!("4. the data channel");
        self.w_valid.d.next =
            (self.w_valid.q.val() & !(self.axi_.wready.val() & self.last.val())) | self.accept.val();
        if self.w_valid.q.val() & self.axi_.wready.val() {
            self.w_at.d.next = self.w_at.q.val() + self.beat_words.val();
        }
        if self.accept.val() {
            self.w_at.d.next = self.first.val();
            self.w_end.d.next = self.final_word.val();
        }
        for w in 0..self._words {
            if self.accept.val() {
                self.words[w].d.next = self.req.data[w].val();
                self.strobes[w].d.next = self.req.byteen.val().get_bits::<4>(w * 4);
            }
        }
        self.axi_.wvalid.next = self.w_valid.q.val();
        self.axi_.wlast.next = self.last.val();
        for lane in 0..self._lanes {
            self.word.next = self.w_at.q.val() | lane.to_bits::<4>();
            self.axi_.wdata[lane].next = self.words[self.word.val().index()].q.val();
            self.axi_.wstrb[lane].next = self.strobes[self.word.val().index()].q.val();
        }
        comment!("5. responses answer the oldest write");
        self.pending.next = self.unanswered.q.val().any();
        self.error_valid.next = self.axi_.bvalid.val() & self.axi_.bresp.val().get_bit(1);
        self.lines.write_enable.next = self.accept.val();
        self.lines.write_address.next = bit_cast::<16, 3>(self.newest.q.val());
        self.lines.write_data.next = self.req.addr.val();
        self.lines.read_address.next = bit_cast::<16, 3>(self.oldest.q.val());
        self.error_line.next = self.lines.read_data.val();
        if self.axi_.bvalid.val() {
            self.oldest.d.next = self.oldest.q.val() + 1;
        }
        if self.accept.val() {
            self.newest.d.next = self.newest.q.val() + 1;
        }
        self.line_in_flight.next = false;
        self.unanswered_now.next = self.unanswered.q.val();
        for i in 0..self._writes {
            if self.unanswered.q.val().get_bit(i) & (self.line[i].q.val() == self.req.addr.val()) {
                self.line_in_flight.next = true;
            }
            if self.axi_.bvalid.val() & (self.oldest.q.val() == i.to_bits::<3>()) {
                self.unanswered_now.next = self.unanswered_now.val().replace_bit(i, false);
            }
            if self.accept.val() & (self.newest.q.val() == i.to_bits::<3>()) {
                self.line[i].d.next = self.req.addr.val();
                self.unanswered_now.next = self.unanswered_now.val().replace_bit(i, true);
            }
        }
        self.unanswered.d.next = self.unanswered_now.val();
    }
}
