//! The way back of loaded data: from a memory line or the local memory's banks to the lanes.
use super::bank_arbiter::BankArbiter;
use super::bank_conflicts::BankConflicts;
use super::load_align::LoadAligner;
use crate::bundles::LINE_WORDS as WORDS;
use crate::prelude::*;

module! {
    /// Hands words to lanes, one partial result a cycle: from a line, as many lanes as the banks can serve at once, or
    /// one local access.
    ///
    /// A line's words are interleaved over the same banks as local memory, so both share one crossbar; lanes whose
    /// words collide in a bank are served in the next cycles. Ports: below. Latency: line accepted in cycle c, first
    /// result in c+2; local read in c, result in c+2. Reset: empty. Invariants: a held line goes before a local
    /// access; results wait until taken. Critical path: bank arbitration, bank word (16/T:1), crossbar (T:1);
    /// alignment comes behind the result's register. Source: none. Mirror in the model: the load helper (values
    /// only).
    pub struct LoadReturn(cfg: &CoreConfig) [clock, reset]
    let t = cfg.threads;
    let line_banks = t.min(WORDS);
    {
        /// A line that came.
        pub lsu_rsp: LineResponse<In> = LineResponse::new(MASTER_TAG_BITS),
        /// The line is accepted.
        pub rsp_taken: Signal<Out, Bit>,
        /// What to do with it.
        pub entry: LoadEntry<In> = LoadEntry::new(cfg),
        /// Local memory is read for a load.
        pub local_read: Signal<In, Bit>,
        /// Where its words go.
        pub local_load: LoadTarget<In> = LoadTarget::new(cfg),
        /// Lanes that it serves.
        pub local_lanes: Signal<In, Bits<32>> = signal(t),
        /// Low address bits of each lane.
        pub local_offset: Vec<Signal<In, Bits<7>>> = signals(t, 7),
        /// A local read can start.
        pub local_ready: Signal<Out, Bit>,
        /// Words that the local memory read.
        pub local_data: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// A partial result that is made.
        pub part: LoadPart<Out> = LoadPart::new(cfg),
        /// A result waits for commit.
        pub result: LoadResult<Out> = LoadResult::new(cfg),
        /// Something is held here.
        pub in_flight: Signal<Out, Bit>,
        rsp_held: Reg<Bit>,
        rsp: LoadEntry<Registered> = LoadEntry::new(cfg),
        rsp_same_bank, rsp_same_word: Vec<Pipe<Bits<32>>> = pipes(t, t),
        rsp_line: Vec<Pipe<Bits<32>>> = pipes(WORDS, 32),
        loc_held: Reg<Bit>,
        loc_lanes: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        loc: LoadTarget<Registered> = LoadTarget::new(cfg),
        loc_offset: Vec<Pipe<Bits<7>>> = pipes(t, 7),
        res_valid: Reg<Bit>,
        res_last: Pipe<Bit>,
        /// Its words are not aligned yet.
        res: UnitResult<Registered> = UnitResult::new(cfg),
        res_funct3: Pipe<Bits<3>>,
        res_offset: Vec<Pipe<Bits<2>>> = pipes(t, 2),
        conflicts: BankConflicts = BankConflicts::new(t, line_banks, 4),
        arbiter: BankArbiter = BankArbiter::new(t, line_banks, 4),
        aligners: Vec<LoadAligner> = (0..t).map(|_| LoadAligner::new()).collect(),
        made: LoadTarget<Local> = LoadTarget::new(cfg),
        result_free, take_rsp, take_local, rsp_room, local_room: Signal<Local, Bit>,
        line_index, line_word, wanted_word: Signal<Local, Bits<4>>,
        bank_data: Vec<Signal<Local, Bits<32>>> = signals(t, 32),
        lane_bank: Signal<Local, Bits<5>>,
        bank_mask: Const<Bits<5>> = constant(5, t as u64 - 1),
        row_mask: Const<Bits<4>> = constant(4, (WORDS - line_banks) as u64),
        _t: usize = t,
        _line_banks: usize = line_banks,
        _words: usize = WORDS,
    }
}

impl Logic for LoadReturn {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread lane_bank: there are fewer banks");
        comment!("unread line_word: of a place in a line, its bank");
        comment!("unread loc_offset: of a place in local memory, its bank and its place in the word");
        comment!("1. who makes a result: a held line first, so that lines drain and local accesses cannot starve them");
        self.result_free.next = !self.res_valid.q.val() | self.result.offer_.ready.val();
        self.take_rsp.next = self.rsp_held.q.val() & self.result_free.val();
        self.take_local.next = self.loc_held.q.val() & !self.rsp_held.q.val() & self.result_free.val();
        self.local_room.next = !self.loc_held.q.val() | self.take_local.val();
        self.local_ready.next = self.local_room.val();
        comment!("2. lanes that the line serves in this cycle");
        self.arbiter.active.next = self.rsp_held.q.val();
        self.arbiter.candidates.next = self.rsp.lanes.q.val();
        for i in 0..self._t {
            self.wanted_word.next = self.rsp.offset[i].q.val().get_bits::<4>(2);
            self.arbiter.word[i].next = bit_cast::<12, 4>(self.wanted_word.val());
        }
        Data::join(&mut self.rsp_same_bank, &mut self.arbiter.same_bank);
        Data::join(&mut self.rsp_same_word, &mut self.arbiter.same_word);
        Data::join(&mut self.loc, &mut self.made);
        self.part.valid.next = self.take_rsp.val() | self.take_local.val();
        self.part.lanes.next = self.loc_lanes.q.val();
        if self.rsp_held.q.val() {
            Data::join(&mut self.rsp.load, &mut self.made);
            self.part.lanes.next = self.arbiter.served.val();
        }
        self.part.group.next = self.made.group.val();
        comment!("Whether a line is finished at once was found out long before, so that the cache's ready comes early.");
        self.rsp_room.next = !self.rsp_held.q.val() | (self.take_rsp.val() & self.rsp.single.q.val());
        self.lsu_rsp.ready.next = self.rsp_room.val();
        self.rsp_taken.next = self.lsu_rsp.valid.val() & self.rsp_room.val();
        comment!(
            "3. words of the banks (an OR of what is chosen is smaller than multiplexers), then of the lanes"
        );
        for b in 0..self._t {
            self.bank_data[b].next = self.local_data[b].val();
            if self.rsp_held.q.val() {
                self.bank_data[b].next = 0.into();
            }
        }
        self.line_index.next = 0.into();
        if self.rsp_held.q.val() {
            for b in 0..self._line_banks {
                self.line_index.next = (self.arbiter.bank_word[b].val().get_bits::<4>(0)
                    & self.row_mask.val())
                    | b.to_bits::<4>();
                for w in 0..self._words {
                    if self.line_index.val() == w.to_bits::<4>() {
                        self.bank_data[b].next = self.bank_data[b].val() | self.rsp_line[w].q.val();
                    }
                }
            }
        }
        for i in 0..self._t {
            self.line_word.next = 0.into();
            self.lane_bank.next = self.loc_offset[i].q.val().get_bits::<5>(2) & self.bank_mask.val();
            if self.rsp_held.q.val() {
                self.line_word.next = self.rsp.offset[i].q.val().get_bits::<4>(2);
                self.lane_bank.next = bit_cast::<5, 4>(self.line_word.val()) & self.bank_mask.val();
            }
            if self.part.valid.val() {
                self.res.data[i].d.next = self.bank_data[self.lane_bank.val().index()].val();
                self.res_offset[i].d.next = self.loc_offset[i].q.val().get_bits::<2>(0);
                if self.rsp_held.q.val() {
                    self.res_offset[i].d.next = self.rsp.offset[i].q.val().get_bits::<2>(0);
                }
            }
        }
        comment!("4. the result; its words are aligned on the way out, where there is more time");
        if self.result.offer_.ready.val() {
            self.res_valid.d.next = false;
        }
        if self.part.valid.val() {
            self.res_valid.d.next = true;
            self.res_last.d.next = self.part.last.val();
            self.res.to_.tmask.d.next = self.part.lanes.val();
            self.res.to_.wid.d.next = self.made.wid.val();
            self.res.to_.rd.d.next = self.made.rd.val();
            self.res_funct3.d.next = self.made.funct3.val();
        }
        for i in 0..self._t {
            self.aligners[i].funct3.next = self.res_funct3.q.val();
            self.aligners[i].offset.next = self.res_offset[i].q.val();
            self.aligners[i].word.next = self.res.data[i].q.val();
            self.result.offer_.result_.data[i].next = self.aligners[i].register.val();
        }
        self.result.offer_.valid.next = self.res_valid.q.val();
        Data::join(&mut self.res.to_, &mut self.result.offer_.result_.to_);
        self.result.last.next = self.res_last.q.val();
        self.in_flight.next = self.rsp_held.q.val() | self.loc_held.q.val() | self.res_valid.q.val();
        comment!("5. what comes next: a line, a local read");
        if self.take_rsp.val() {
            self.rsp.lanes.d.next = self.rsp.lanes.q.val() & !self.arbiter.served.val();
            if self.arbiter.complete.val() {
                self.rsp_held.d.next = false;
            }
        }
        if self.rsp_room.val() {
            self.rsp_held.d.next = self.lsu_rsp.valid.val();
            Data::join(&mut self.entry, &mut self.rsp);
            Data::join(&mut self.lsu_rsp.data, &mut self.rsp_line);
            Data::join(&mut self.conflicts.same_bank, &mut self.rsp_same_bank);
            Data::join(&mut self.conflicts.same_word, &mut self.rsp_same_word);
        }
        if self.local_room.val() {
            self.loc_held.d.next = self.local_read.val();
            self.loc_lanes.d.next = self.local_lanes.val();
            Data::join(&mut self.local_load, &mut self.loc);
            Data::join(&mut self.local_offset, &mut self.loc_offset);
        }
        self.conflicts.active.next = self.lsu_rsp.valid.val();
        for i in 0..self._t {
            self.wanted_word.next = self.entry.offset[i].val().get_bits::<4>(2);
            self.conflicts.word[i].next = bit_cast::<12, 4>(self.wanted_word.val());
        }
    }
}
