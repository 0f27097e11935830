//! Reads over AXI4: the AR and R channels.
use super::{beat_size, words_per_beat, WORDS};
use crate::prelude::*;

/// Reads that may be outstanding: the ids 0 to 15.
pub(super) const READS: usize = 16;

module! {
    /// Turns line reads into AXI4 bursts and puts the lines together, in whatever order their beats arrive.
    ///
    /// Each read gets a free entry, whose number is its id. A line buffer is reserved with the entry, so `rready` is
    /// always 1 and beats of several reads may be interleaved. Lines go back in the order in which they are complete.
    ///
    /// Ports, from the core: `req` -> `line_in_flight`: a read of that line has not got all its data. To and from memory:
    /// `axi_`. Back to the core: `rsp`.
    /// To the fault latch: `error_valid`, `error_line`: a data read failed. A failed instruction read gives zeros, which
    /// are an illegal instruction, because the core may fetch past the end of memory without executing what is there.
    /// Latency: one cycle to `arvalid`, two from the last beat to `rsp_valid`. Reset: nothing outstanding.
    /// Invariants: AR is stable until accepted; an id is not used again before its line was handed over.
    /// Critical path: the comparison of the line with all lines, to the core's ready.
    /// Source: AMBA AXI and ACE Protocol Specification, IHI 0022E, A3 to A6. Mirror in the model: `model::timing::axi`.
    pub struct AxiReader(cfg: &CoreConfig) [clock, reset]
    let lanes = words_per_beat(cfg);
    {
        /// The line to read; bit 7 of the tag marks instructions.
        pub req: LineRequest<In> = LineRequest::new(BUS_TAG_BITS),
        /// A read of that line still waits for data.
        pub line_in_flight: Signal<Out, Bit>,
        /// To memory.
        pub axi_: AxiRead<Out> = AxiRead::new(cfg),
        /// A line that is complete.
        pub rsp: LineResponse<Out> = LineResponse::new(BUS_TAG_BITS),
        /// A data read failed.
        pub error_valid: Signal<Out, Bit>,
        /// Its line.
        pub error_line: Signal<Out, Bits<26>>,
        ar_valid: Reg<Bit>,
        ar_id: Pipe<Bits<4>>,
        ar_line: Pipe<Bits<26>>,
        ar_instruction: Pipe<Bit>,
        in_use, waiting, instruction: Reg<Bits<16>>,
        line: Vec<Pipe<Bits<26>>> = pipes(READS, 26),
        offset: Vec<Pipe<Bits<4>>> = pipes(READS, 4),
        tag: LutRam<16> = LutRam::new(BUS_TAG_BITS, READS),
        lines: LutRam<26> = LutRam::new(26, READS),
        words: Vec<LutRam<32>> = (0..WORDS).map(|_| LutRam::new(32, READS)).collect(),
        finished: LutRam<4> = LutRam::new(4, READS),
        finished_head, finished_tail: Reg<Bits<5>>,
        out_valid: Reg<Bit>,
        out_id: Pipe<Bits<4>>,
        in_use_now, waiting_now, instruction_now: Signal<Local, Bits<16>>,
        found, accept, last, failed, out_taken, out_load: Signal<Local, Bit>,
        free_id, beat_offset, lane: Signal<Local, Bits<4>> = signal(4),
        beat_words: Const<Bits<4>> = constant(4, lanes as u64 % WORDS as u64),
        lane_mask: Const<Bits<4>> = constant(4, lanes as u64 - 1),
        line_beats: Const<Bits<8>> = constant(8, (WORDS / lanes) as u64 - 1),
        beat_size: Const<Bits<3>> = beat_size(lanes),
        _words: usize = WORDS,
        _reads: usize = READS,
    }
}

impl Logic for AxiReader {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread lane: words that share a bus word differ in the other bits");
        comment!("unread rresp: bit 0 only tells failures apart");
        comment!("1. a free entry for the request, unless a burst still waits to be asked for");
        self.found.next = false;
        self.free_id.next = 0.into();
        for i in 0..self._reads {
            if !self.in_use.q.val().get_bit(i) & !self.found.val() {
                self.free_id.next = i.to_bits::<4>();
                self.found.next = true;
            }
        }
        self.req.ready.next = self.found.val() & (!self.ar_valid.q.val() | self.axi_.arready.val());
        self.accept.next = self.req.valid.val() & self.req.ready.val();
        comment!("2. the address channel");
        self.ar_valid.d.next = (self.ar_valid.q.val() & !self.axi_.arready.val()) | self.accept.val();
        if self.accept.val() {
            self.ar_id.d.next = self.free_id.val();
            self.ar_line.d.next = self.req.addr.val();
            self.ar_instruction.d.next = self.req.tag.val().get_bit(7);
        }
        self.axi_.arvalid.next = self.ar_valid.q.val();
        self.axi_.arid.next = self.ar_id.q.val();
        self.axi_.arlen.next = self.line_beats.val();
        self.axi_.arsize.next = self.beat_size.val();
        self.axi_.arburst.next = 1.into();
        self.axi_.arlock.next = false;
        self.axi_.arcache.next = 2.into();
        self.axi_.arqos.next = 0.into();
        self.axi_.rready.next = true;
        self.axi_.araddr.next = bit_cast::<32, 26>(self.ar_line.q.val()) << 6;
        self.axi_.arprot.next = 0.into();
        if self.ar_instruction.q.val() {
            self.axi_.arprot.next = 4.into();
        }
        comment!("3. a beat: its place in the line follows from those of its burst before it");
        self.last.next = self.axi_.rvalid.val() & self.axi_.rlast.val();
        self.failed.next = self.axi_.rresp.val().get_bit(1);
        self.beat_offset.next = 0.into();
        self.error_valid.next = false;
        for i in 0..self._reads {
            if self.axi_.rid.val() == i.to_bits::<4>() {
                self.beat_offset.next = self.beat_offset.val() | self.offset[i].q.val();
                if self.axi_.rvalid.val() & self.failed.val() & !self.instruction.q.val().get_bit(i) {
                    self.error_valid.next = true;
                }
            }
        }
        for w in 0..self._words {
            self.lane.next = w.to_bits::<4>() & self.lane_mask.val();
            self.words[w].write_enable.next = self.axi_.rvalid.val()
                & (self.beat_offset.val() == (w.to_bits::<4>() & (!self.lane_mask.val())));
            self.words[w].write_address.next = bit_cast::<16, 4>(self.axi_.rid.val());
            self.words[w].write_data.next = 0.into();
            if !self.failed.val() {
                self.words[w].write_data.next = self.axi_.rdata[self.lane.val().index()].val();
            }
            self.words[w].read_address.next = bit_cast::<16, 4>(self.out_id.q.val());
            self.rsp.data[w].next = self.words[w].read_data.val();
        }
        comment!("4. complete lines queue up, one is shown to the core");
        self.finished.write_enable.next = self.last.val();
        self.finished.write_address.next = bit_cast::<16, 4>(self.finished_tail.q.val().get_bits::<4>(0));
        self.finished.write_data.next = self.axi_.rid.val();
        self.finished.read_address.next = bit_cast::<16, 4>(self.finished_head.q.val().get_bits::<4>(0));
        if self.last.val() {
            self.finished_tail.d.next = self.finished_tail.q.val() + 1;
        }
        self.out_taken.next = self.out_valid.q.val() & self.rsp.ready.val();
        self.out_load.next = (self.finished_head.q.val() != self.finished_tail.q.val())
            & (!self.out_valid.q.val() | self.rsp.ready.val());
        self.out_valid.d.next = (self.out_valid.q.val() & !self.rsp.ready.val()) | self.out_load.val();
        if self.out_load.val() {
            self.out_id.d.next = self.finished.read_data.val();
            self.finished_head.d.next = self.finished_head.q.val() + 1;
        }
        self.rsp.valid.next = self.out_valid.q.val();
        comment!("5. the entries");
        self.tag.write_enable.next = self.accept.val();
        self.tag.write_address.next = bit_cast::<16, 4>(self.free_id.val());
        self.tag.write_data.next = self.req.tag.val();
        self.tag.read_address.next = bit_cast::<16, 4>(self.out_id.q.val());
        self.rsp.tag.next = self.tag.read_data.val();
        self.lines.write_enable.next = self.accept.val();
        self.lines.write_address.next = bit_cast::<16, 4>(self.free_id.val());
        self.lines.write_data.next = self.req.addr.val();
        self.lines.read_address.next = bit_cast::<16, 4>(self.axi_.rid.val());
        self.error_line.next = self.lines.read_data.val();
        self.line_in_flight.next = false;
        self.in_use_now.next = self.in_use.q.val();
        self.waiting_now.next = self.waiting.q.val();
        self.instruction_now.next = self.instruction.q.val();
        for i in 0..self._reads {
            if self.waiting.q.val().get_bit(i) & (self.line[i].q.val() == self.req.addr.val()) {
                self.line_in_flight.next = true;
            }
            if self.axi_.rvalid.val() & (self.axi_.rid.val() == i.to_bits::<4>()) {
                self.offset[i].d.next = self.offset[i].q.val() + self.beat_words.val();
                if self.axi_.rlast.val() {
                    self.waiting_now.next = self.waiting_now.val().replace_bit(i, false);
                }
            }
            if self.out_taken.val() & (self.out_id.q.val() == i.to_bits::<4>()) {
                self.in_use_now.next = self.in_use_now.val().replace_bit(i, false);
            }
            if self.accept.val() & (self.free_id.val() == i.to_bits::<4>()) {
                self.line[i].d.next = self.req.addr.val();
                self.offset[i].d.next = 0.into();
                self.waiting_now.next = self.waiting_now.val().replace_bit(i, true);
                self.in_use_now.next = self.in_use_now.val().replace_bit(i, true);
                self.instruction_now.next =
                    self.instruction_now.val().replace_bit(i, self.req.tag.val().get_bit(7));
            }
        }
        self.in_use.d.next = self.in_use_now.val();
        self.waiting.d.next = self.waiting_now.val();
        self.instruction.d.next = self.instruction_now.val();
    }
}
