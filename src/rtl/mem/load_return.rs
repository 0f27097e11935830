//! The way back of loaded data: from a memory line or the local memory's banks to the lanes.
use super::bank_arbiter::BankArbiter;
use super::bank_conflicts::BankConflicts;
use super::load_align::LoadAligner;
use crate::config::CoreConfig;
use crate::rtl::bundles::{LineResponse, LINE_WORDS as WORDS, MASTER_TAG_BITS};
use crate::rtl::cell::{constant, pipes, signal, signals, Const, Pipe, Reg};
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Hands words to lanes, one partial result a cycle: from a line, as many lanes as the banks can serve at once, or
    /// one local access.
    ///
    /// A line's words are interleaved over the same banks as local memory, so both share one crossbar; lanes whose
    /// words collide in a bank are served in the next cycles.
    /// Ports, from memory: `lsu_rsp` -> `rsp_taken`; from the load table: `entry_*`
    /// of the response. From the load/store unit: `local_read` with `local_*` -> `local_ready`; from local memory, a
    /// cycle later: `local_data`. To the load tracker: `returned`, `returned_group`, `returned_lanes`; from it: `last`.
    /// To commit: `result_*`, `result_taken`. `in_flight`: anything is held here.
    /// Latency: line accepted in cycle c, first result in c+2; local read in c, result in c+2. Reset: empty.
    /// Invariants: a held line goes before a local access; results wait until taken.
    /// Critical path: bank arbitration, bank word (16/T:1), crossbar (T:1); alignment comes behind the result's register.
    /// Source: none. Mirror in the model: the load helper (values only).
    pub struct LoadReturn(cfg: &CoreConfig) [clock, reset]
    let (t, wid_bits) = (cfg.threads, cfg.wid_bits());
    let line_banks = t.min(WORDS);
    {
        /// A line that came.
        pub lsu_rsp: LineResponse<In> = LineResponse::new(MASTER_TAG_BITS),
        /// The line is accepted.
        pub rsp_taken: Signal<Out, Bit>,
        /// Warp of the line.
        pub entry_wid: Signal<In, Bits<5>> = signal(wid_bits),
        /// Destination register.
        pub entry_rd: Signal<In, Bits<6>>,
        /// Size and extension.
        pub entry_funct3: Signal<In, Bits<3>>,
        /// Load instruction that the line is part of.
        pub entry_group: Signal<In, Bits<5>>,
        /// They are served at once.
        pub entry_single: Signal<In, Bit>,
        /// Lanes that it serves.
        pub entry_lanes: Signal<In, Bits<32>> = signal(t),
        /// Byte within the line that each lane wants.
        pub entry_offset: Vec<Signal<In, Bits<6>>> = signals(t, 6),
        /// Local memory is read for a load.
        pub local_read: Signal<In, Bit>,
        /// Its warp.
        pub local_wid: Signal<In, Bits<5>> = signal(wid_bits),
        /// Destination register.
        pub local_rd: Signal<In, Bits<6>>,
        /// Size and extension.
        pub local_funct3: Signal<In, Bits<3>>,
        /// Load instruction that the read is part of.
        pub local_group: Signal<In, Bits<5>>,
        /// Lanes that it serves.
        pub local_lanes: Signal<In, Bits<32>> = signal(t),
        /// Low address bits of each lane.
        pub local_offset: Vec<Signal<In, Bits<7>>> = signals(t, 7),
        /// A local read can start.
        pub local_ready: Signal<Out, Bit>,
        /// Words that the local memory read.
        pub local_data: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// A partial result is made.
        pub returned: Signal<Out, Bit>,
        /// Its load.
        pub returned_group: Signal<Out, Bits<5>>,
        /// Its lanes.
        pub returned_lanes: Signal<Out, Bits<32>> = signal(t),
        /// It completes the load.
        pub last: Signal<In, Bit>,
        /// A result waits for commit.
        pub result_valid: Signal<Out, Bit>,
        /// Its warp.
        pub result_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        /// Destination register.
        pub result_rd: Signal<Out, Bits<6>>,
        /// Lanes to write.
        pub result_tmask: Signal<Out, Bits<32>> = signal(t),
        /// Value of each lane.
        pub result_data: Vec<Signal<Out, Bits<32>>> = signals(t, 32),
        /// The load has no further result.
        pub result_last: Signal<Out, Bit>,
        /// Commit takes the result.
        pub result_taken: Signal<In, Bit>,
        /// Something is held here.
        pub in_flight: Signal<Out, Bit>,
        rsp_held: Reg<Bit>,
        rsp_single: Pipe<Bit>,
        rsp_lanes: Reg<Bits<32>> = Reg::<Bits<32>>::width(t),
        rsp_wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        rsp_rd: Pipe<Bits<6>>,
        rsp_funct3: Pipe<Bits<3>>,
        rsp_group: Pipe<Bits<5>>,
        rsp_offset: Vec<Pipe<Bits<6>>> = pipes(t, 6),
        rsp_same_bank: Vec<Pipe<Bits<32>>> = pipes(t, t),
        rsp_same_word: Vec<Pipe<Bits<32>>> = pipes(t, t),
        rsp_line: Vec<Pipe<Bits<32>>> = pipes(WORDS, 32),
        loc_held: Reg<Bit>,
        loc_lanes: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        loc_wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        loc_rd: Pipe<Bits<6>>,
        loc_funct3: Pipe<Bits<3>>,
        loc_group: Pipe<Bits<5>>,
        loc_offset: Vec<Pipe<Bits<7>>> = pipes(t, 7),
        res_valid: Reg<Bit>,
        res_last: Pipe<Bit>,
        res_wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        res_rd: Pipe<Bits<6>>,
        res_tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        res_funct3: Pipe<Bits<3>>,
        res_offset: Vec<Pipe<Bits<2>>> = pipes(t, 2),
        res_word: Vec<Pipe<Bits<32>>> = pipes(t, 32),
        conflicts: BankConflicts = BankConflicts::new(t, line_banks, 4),
        arbiter: BankArbiter = BankArbiter::new(t, line_banks, 4),
        aligners: Vec<LoadAligner> = (0..t).map(|_| LoadAligner::new()).collect(),
        result_free: Signal<Local, Bit>,
        take_rsp: Signal<Local, Bit>,
        take_local: Signal<Local, Bit>,
        rsp_room: Signal<Local, Bit>,
        local_room: Signal<Local, Bit>,
        line_index: Signal<Local, Bits<4>>,
        line_word: Signal<Local, Bits<4>>,
        wanted_word: Signal<Local, Bits<4>>,
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
        comment!("module LoadReturn: Hands words to lanes, one partial result a cycle: from a line, as many lanes as the banks can serve at once, or one local access.");
        comment!("1. who makes a result: a held line first, so that lines drain and local accesses cannot starve them");
        self.result_free.next = !self.res_valid.q.val() | self.result_taken.val();
        self.take_rsp.next = self.rsp_held.q.val() & self.result_free.val();
        self.take_local.next = self.loc_held.q.val() & !self.rsp_held.q.val() & self.result_free.val();
        self.local_room.next = !self.loc_held.q.val() | self.take_local.val();
        self.local_ready.next = self.local_room.val();
        comment!("2. lanes that the line serves in this cycle");
        self.arbiter.candidates.next = self.rsp_lanes.q.val();
        for i in 0..self._t {
            self.wanted_word.next = self.rsp_offset[i].q.val().get_bits::<4>(2);
            self.arbiter.word[i].next = bit_cast::<12, 4>(self.wanted_word.val());
            self.arbiter.same_bank[i].next = self.rsp_same_bank[i].q.val();
            self.arbiter.same_word[i].next = self.rsp_same_word[i].q.val();
        }
        self.returned.next = self.take_rsp.val() | self.take_local.val();
        self.returned_lanes.next = self.loc_lanes.q.val();
        self.returned_group.next = self.loc_group.q.val();
        if self.rsp_held.q.val() {
            self.returned_lanes.next = self.arbiter.served.val();
            self.returned_group.next = self.rsp_group.q.val();
        }
        // Whether a line is finished at once was found out long before, so that the cache's ready comes early.
        self.rsp_room.next = !self.rsp_held.q.val() | (self.take_rsp.val() & self.rsp_single.q.val());
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
                self.line_word.next = self.rsp_offset[i].q.val().get_bits::<4>(2);
                self.lane_bank.next = bit_cast::<5, 4>(self.line_word.val()) & self.bank_mask.val();
            }
            if self.returned.val() {
                self.res_word[i].d.next = self.bank_data[self.lane_bank.val().index()].val();
                self.res_offset[i].d.next = self.loc_offset[i].q.val().get_bits::<2>(0);
                if self.rsp_held.q.val() {
                    self.res_offset[i].d.next = self.rsp_offset[i].q.val().get_bits::<2>(0);
                }
            }
        }
        comment!("4. the result; its words are aligned on the way out, where there is more time");
        if self.result_taken.val() {
            self.res_valid.d.next = false;
        }
        if self.returned.val() {
            self.res_valid.d.next = true;
            self.res_last.d.next = self.last.val();
            self.res_tmask.d.next = self.returned_lanes.val();
            self.res_wid.d.next = self.loc_wid.q.val();
            self.res_rd.d.next = self.loc_rd.q.val();
            self.res_funct3.d.next = self.loc_funct3.q.val();
            if self.rsp_held.q.val() {
                self.res_wid.d.next = self.rsp_wid.q.val();
                self.res_rd.d.next = self.rsp_rd.q.val();
                self.res_funct3.d.next = self.rsp_funct3.q.val();
            }
        }
        for i in 0..self._t {
            self.aligners[i].funct3.next = self.res_funct3.q.val();
            self.aligners[i].offset.next = self.res_offset[i].q.val();
            self.aligners[i].word.next = self.res_word[i].q.val();
            self.result_data[i].next = self.aligners[i].register.val();
        }
        self.result_valid.next = self.res_valid.q.val();
        self.result_wid.next = self.res_wid.q.val();
        self.result_rd.next = self.res_rd.q.val();
        self.result_tmask.next = self.res_tmask.q.val();
        self.result_last.next = self.res_last.q.val();
        self.in_flight.next = self.rsp_held.q.val() | self.loc_held.q.val() | self.res_valid.q.val();
        comment!("5. what comes next: a line, a local read");
        if self.take_rsp.val() {
            self.rsp_lanes.d.next = self.rsp_lanes.q.val() & !self.arbiter.served.val();
            if self.arbiter.complete.val() {
                self.rsp_held.d.next = false;
            }
        }
        if self.rsp_room.val() {
            self.rsp_held.d.next = self.lsu_rsp.valid.val();
            self.rsp_single.d.next = self.entry_single.val();
            self.rsp_lanes.d.next = self.entry_lanes.val();
            self.rsp_wid.d.next = self.entry_wid.val();
            self.rsp_rd.d.next = self.entry_rd.val();
            self.rsp_funct3.d.next = self.entry_funct3.val();
            self.rsp_group.d.next = self.entry_group.val();
        }
        for w in 0..self._words {
            if self.rsp_room.val() {
                self.rsp_line[w].d.next = self.lsu_rsp.data[w].val();
            }
        }
        if self.local_room.val() {
            self.loc_held.d.next = self.local_read.val();
            self.loc_lanes.d.next = self.local_lanes.val();
            self.loc_wid.d.next = self.local_wid.val();
            self.loc_rd.d.next = self.local_rd.val();
            self.loc_funct3.d.next = self.local_funct3.val();
            self.loc_group.d.next = self.local_group.val();
        }
        for i in 0..self._t {
            self.wanted_word.next = self.entry_offset[i].val().get_bits::<4>(2);
            self.conflicts.word[i].next = bit_cast::<12, 4>(self.wanted_word.val());
        }
        for i in 0..self._t {
            if self.rsp_room.val() {
                self.rsp_offset[i].d.next = self.entry_offset[i].val();
                self.rsp_same_bank[i].d.next = self.conflicts.same_bank[i].val();
                self.rsp_same_word[i].d.next = self.conflicts.same_word[i].val();
            }
            if self.local_room.val() {
                self.loc_offset[i].d.next = self.local_offset[i].val();
            }
        }
    }
}
