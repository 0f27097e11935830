//! The one memory bus, shared by all that have requests.
use crate::prelude::*;

module! {
    /// Merges the requests of several masters into one stream, and splits the responses by tag.
    ///
    /// The first `writers` masters read and write. The others only read, and always take their lines. The tag on the bus is the
    /// master's own with its number above, in the highest bits; the highest marks those that only read.
    ///
    /// Ports: below. Latency: none, requests and responses pass combinationally. Reset: nothing pending. Invariants:
    /// a request once raised stays as it is until accepted, because the masters hold theirs and the choice is held
    /// too. Each master takes turns with all those before it together, so none starves. Critical path: a 2:1
    /// multiplexer a master; whether master 0's request is accepted depends on registers and on memory's `ready`
    /// alone, since the load-store unit's stages move by that. Source: none. Mirror in the model: `model::timing`.
    pub struct MemoryArbiter(masters: usize, writers: usize, tag_bits: usize) [clock, reset]
    let readers = masters - writers;
    let below = tag_bits - usize::from(readers > 0) - clog2(readers.max(writers));
    let code = |m: usize| if m < writers { m } else { m - writers + (1 << (tag_bits - 1 - below)) };
    {
        /// What the masters ask for.
        pub requests: Vec<LineRequest<In>> = (0..masters).map(|_| LineRequest::new(MASTER_TAG_BITS)).collect(),
        /// Lines for them.
        pub responses: Vec<LineResponse<Out>> = (0..masters).map(|_| LineResponse::new(MASTER_TAG_BITS)).collect(),
        /// A request to memory.
        pub mem_req: LineRequest<Out> = LineRequest::new(tag_bits),
        /// A line that was read.
        pub mem_rsp: LineResponse<In> = LineResponse::new(tag_bits),
        /// What happens in this cycle.
        pub events: BusEvents<Out> = BusEvents::new(),
        /// Bit m: master m goes before all those before it. Master 0 has none before it.
        turn: Reg<Bits<8>> = Reg::<Bits<8>>::width(masters),
        turn_now: Signal<Local, Bits<8>> = signal(masters),
        takes: Signal<Local, Bit>,
        /// Bit m: master m's request goes before those of the masters before it.
        chosen: Signal<Local, Bits<8>> = signal(masters),
        /// One of the masters so far has a request.
        asked: Signal<Local, Bit>,
        /// Memory would accept the request, and no master behind has its turn.
        offered: Signal<Local, Bit>,
        own_tag: Signal<Local, Bits<16>> = signal(MASTER_TAG_BITS),
        passed_over: Signal<Local, Bit>,
        /// Bit m: the line that comes is master m's.
        from: Signal<Local, Bits<8>> = signal(masters),
        /// What stands for each master in a tag, at its place there.
        numbers: Vec<Const<Bits<16>>> = (0..masters).map(|m| constant(tag_bits, (code(m) << below) as u64)).collect(),
        /// The bits of a tag that tell the master.
        number_mask: Const<Bits<16>> = constant(tag_bits, (((1 << tag_bits) - 1) >> below << below) as u64),
        /// The bits of a tag that are the master's own.
        own_mask: Const<Bits<5>> = constant(MASTER_TAG_BITS, (1 << below.min(MASTER_TAG_BITS)) - 1),
        _masters: usize = masters,
        _writers: usize = writers,
        _words: usize = LINE_WORDS,
    }
}

impl Logic for MemoryArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread requests_rw: the instruction caches only read");
        comment!("unread requests_byteen: the instruction caches only read");
        comment!("unread requests_data: the instruction caches only read");
        comment!("unread responses_ready: the instruction caches always take a line");
        comment!("unread turn: before the first master there is none");
        comment!("1. choose: each master goes behind those before it, unless they ask for nothing or it is its turn");
        self.chosen.next = 1.into();
        self.asked.next = self.requests[0].valid.val();
        for m in 1..self._masters {
            self.takes.next = self.turn.q.val().get_bit(m) | !self.asked.val();
            self.chosen.next = self.chosen.val().replace_bit(m, self.takes.val());
            self.asked.next = self.requests[m].valid.val() | self.asked.val();
        }
        comment!("2. the chosen request");
        self.mem_req.valid.next = self.asked.val();
        self.mem_req.rw.next = self.requests[0].rw.val();
        self.mem_req.byteen.next = self.requests[0].byteen.val();
        self.mem_req.addr.next = self.requests[0].addr.val();
        self.own_tag.next = self.requests[0].tag.val();
        self.mem_req.tag.next = bit_cast::<16, 16>(self.own_tag.val());
        for m in 1..self._masters {
            if self.chosen.val().get_bit(m) {
                self.mem_req.addr.next = self.requests[m].addr.val();
                self.own_tag.next = self.requests[m].tag.val();
                self.mem_req.tag.next = bit_cast::<16, 16>(self.own_tag.val()) | self.numbers[m].val();
            }
        }
        for m in 1..self._writers {
            if self.chosen.val().get_bit(m) {
                self.mem_req.rw.next = self.requests[m].rw.val();
                self.mem_req.byteen.next = self.requests[m].byteen.val();
            }
        }
        for m in self._writers..self._masters {
            self.mem_req.rw.next = self.mem_req.rw.val() & !self.chosen.val().get_bit(m);
        }
        for w in 0..self._words {
            self.mem_req.data[w].next = self.requests[0].data[w].val();
            for m in 1..self._writers {
                if self.chosen.val().get_bit(m) {
                    self.mem_req.data[w].next = self.requests[m].data[w].val();
                }
            }
        }
        comment!("3. a master's turn comes when it was passed over, and stays until it is served; what was shown and not accepted is shown again");
        self.turn_now.next = 0.into();
        for m in 0..self._masters {
            self.offered.next = self.mem_req.ready.val();
            for k in 1..self._masters {
                if m.to_bits::<4>() < k.to_bits::<4>() {
                    self.offered.next = self.offered.val() & !self.turn.q.val().get_bit(k);
                }
            }
            self.requests[m].ready.next = self.offered.val() & self.chosen.val().get_bit(m);
            self.passed_over.next = self.requests[m].valid.val() & self.offered.val();
            if self.chosen.val().get_bit(m) {
                self.passed_over.next = self.requests[m].valid.val() & !self.offered.val();
            }
            self.turn_now.next = self.turn_now.val().replace_bit(m, self.passed_over.val());
        }
        self.turn.d.next = self.turn_now.val().replace_bit(0, false);
        comment!("4. responses");
        self.from.next = 0.into();
        for m in 0..self._masters {
            self.from.next = self
                .from
                .val()
                .replace_bit(m, (self.mem_rsp.tag.val() & self.number_mask.val()) == self.numbers[m].val());
            self.responses[m].valid.next = self.mem_rsp.valid.val() & self.from.val().get_bit(m);
            self.responses[m].tag.next = bit_cast::<16, MASTER_TAG_BITS>(
                self.mem_rsp.tag.val().get_bits::<MASTER_TAG_BITS>(0) & self.own_mask.val(),
            );
            Data::join(&mut self.mem_rsp.data, &mut self.responses[m].data);
        }
        self.mem_rsp.ready.next = self.responses[0].ready.val();
        for m in 1..self._writers {
            if self.from.val().get_bit(m) {
                self.mem_rsp.ready.next = self.responses[m].ready.val();
            }
        }
        for m in self._writers..self._masters {
            self.mem_rsp.ready.next = self.mem_rsp.ready.val() | self.from.val().get_bit(m);
        }
        comment!("5. what happens");
        self.events.read.next = self.mem_req.valid.val() & self.mem_req.ready.val() & !self.mem_req.rw.val();
        self.events.write.next = self.mem_req.valid.val() & self.mem_req.ready.val() & self.mem_req.rw.val();
        self.events.response.next = self.mem_rsp.valid.val() & self.mem_rsp.ready.val();
    }
}
