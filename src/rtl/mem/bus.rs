//! The one memory bus of the core, shared by the instruction cache and the load/store unit.
use crate::rtl::cell::{signals, Reg};
use crate::{comment, module};
use rust_hdl::prelude::*;

/// Words in a line, and in one beat of the bus.
const WORDS: usize = 16;

module! {
    /// Merges instruction-line reads and data requests into one request stream, and splits the responses by tag.
    ///
    /// Ports, from the instruction cache: `icache_req_valid`, `icache_req_addr` (line), `icache_req_tag` ->
    /// `icache_req_ready`; back to it: `icache_rsp_valid`, `icache_rsp_data`, `icache_rsp_tag` (always accepted).
    /// From the load/store unit: `lsu_req_*` -> `lsu_req_ready`; back: `lsu_rsp_*`, `lsu_rsp_ready`.
    /// To memory: `mem_req_*`, `mem_req_ready`, `mem_rsp_*`, `mem_rsp_ready`; tag bit 7 marks the instruction cache.
    /// Latency: none, requests and responses pass combinationally.
    /// Reset: nothing pending. Invariants: a request once raised stays as it is until accepted, because both
    /// requesters hold theirs and the choice is held too; while both wait they take turns, so neither starves.
    /// Critical path: a 2:1 multiplexer; whether the load/store unit's request is accepted depends on registers
    /// and `mem_req_ready` alone, since its stages move by that. Source: none. Mirror in the model: `model::timing`.
    pub struct MemoryArbiter() [clock, reset] {
        /// The instruction cache wants a line.
        pub icache_req_valid: Signal<In, Bit>,
        /// Its line address.
        pub icache_req_addr: Signal<In, Bits<26>>,
        /// Its fill entry.
        pub icache_req_tag: Signal<In, Bits<3>>,
        /// The instruction cache's request is accepted.
        pub icache_req_ready: Signal<Out, Bit>,
        /// A line for the instruction cache.
        pub icache_rsp_valid: Signal<Out, Bit>,
        /// The line's words.
        pub icache_rsp_data: Vec<Signal<Out, Bits<32>>> = signals(WORDS, 32),
        /// The fill entry it belongs to.
        pub icache_rsp_tag: Signal<Out, Bits<3>>,
        /// The load/store unit has a request.
        pub lsu_req_valid: Signal<In, Bit>,
        /// It is a store.
        pub lsu_req_rw: Signal<In, Bit>,
        /// Bytes to store.
        pub lsu_req_byteen: Signal<In, Bits<64>>,
        /// Its line address.
        pub lsu_req_addr: Signal<In, Bits<26>>,
        /// Words to store.
        pub lsu_req_data: Vec<Signal<In, Bits<32>>> = signals(WORDS, 32),
        /// Its load slot.
        pub lsu_req_tag: Signal<In, Bits<5>>,
        /// The load/store unit's request is accepted.
        pub lsu_req_ready: Signal<Out, Bit>,
        /// A line for the load/store unit.
        pub lsu_rsp_valid: Signal<Out, Bit>,
        /// The line's words.
        pub lsu_rsp_data: Vec<Signal<Out, Bits<32>>> = signals(WORDS, 32),
        /// The load slot it belongs to.
        pub lsu_rsp_tag: Signal<Out, Bits<5>>,
        /// The load/store unit takes the line.
        pub lsu_rsp_ready: Signal<In, Bit>,
        /// A request to memory.
        pub mem_req_valid: Signal<Out, Bit>,
        /// It is a store.
        pub mem_req_rw: Signal<Out, Bit>,
        /// Bytes to store.
        pub mem_req_byteen: Signal<Out, Bits<64>>,
        /// Line address.
        pub mem_req_addr: Signal<Out, Bits<26>>,
        /// Words to store.
        pub mem_req_data: Vec<Signal<Out, Bits<32>>> = signals(WORDS, 32),
        /// Bit 7: from the instruction cache; the rest is the requester's own tag.
        pub mem_req_tag: Signal<Out, Bits<8>>,
        /// Memory accepts the request.
        pub mem_req_ready: Signal<In, Bit>,
        /// A line that was read.
        pub mem_rsp_valid: Signal<In, Bit>,
        /// The line's words.
        pub mem_rsp_data: Vec<Signal<In, Bits<32>>> = signals(WORDS, 32),
        /// Tag of the request that it answers.
        pub mem_rsp_tag: Signal<In, Bits<8>>,
        /// The response is accepted.
        pub mem_rsp_ready: Signal<Out, Bit>,
        icache_turn: Reg<Bit>,
        icache_chosen: Signal<Local, Bit>,
        from_icache: Signal<Local, Bit>,
        _words: usize = WORDS,
    }
}

impl Logic for MemoryArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MemoryArbiter: Merges instruction-line reads and data requests into one request stream, and splits the responses by tag.");
        comment!("1. choose: the load/store unit, unless it asks for nothing or it is the instruction cache's turn");
        self.icache_chosen.next = self.icache_turn.q.val() | !self.lsu_req_valid.val();
        comment!("2. the chosen request");
        self.mem_req_valid.next = self.icache_req_valid.val() | self.lsu_req_valid.val();
        self.mem_req_rw.next = self.lsu_req_rw.val() & !self.icache_chosen.val();
        self.mem_req_byteen.next = self.lsu_req_byteen.val();
        self.mem_req_addr.next = self.lsu_req_addr.val();
        self.mem_req_tag.next = bit_cast::<8, 5>(self.lsu_req_tag.val());
        if self.icache_chosen.val() {
            self.mem_req_addr.next = self.icache_req_addr.val();
            self.mem_req_tag.next = bit_cast::<8, 3>(self.icache_req_tag.val()) | 0x80;
        }
        for i in 0..self._words {
            self.mem_req_data[i].next = self.lsu_req_data[i].val();
        }
        self.icache_req_ready.next = self.mem_req_ready.val() & self.icache_chosen.val();
        self.lsu_req_ready.next = self.mem_req_ready.val() & !self.icache_turn.q.val();
        comment!("3. the instruction cache's turn comes when it was passed over, and stays until it is served; what was shown and not accepted is shown again");
        self.icache_turn.d.next = self.icache_req_valid.val() & self.mem_req_ready.val();
        if self.icache_chosen.val() {
            self.icache_turn.d.next = self.icache_req_valid.val() & !self.mem_req_ready.val();
        }
        comment!("4. responses");
        self.from_icache.next = self.mem_rsp_tag.val().get_bit(7);
        self.icache_rsp_valid.next = self.mem_rsp_valid.val() & self.from_icache.val();
        self.icache_rsp_tag.next = self.mem_rsp_tag.val().get_bits::<3>(0);
        self.lsu_rsp_valid.next = self.mem_rsp_valid.val() & !self.from_icache.val();
        self.lsu_rsp_tag.next = self.mem_rsp_tag.val().get_bits::<5>(0);
        self.mem_rsp_ready.next = self.from_icache.val() | self.lsu_rsp_ready.val();
        for i in 0..self._words {
            self.icache_rsp_data[i].next = self.mem_rsp_data[i].val();
            self.lsu_rsp_data[i].next = self.mem_rsp_data[i].val();
        }
    }
}
