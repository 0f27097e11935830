//! The data cache's request on the bus.
use super::WORDS;
use crate::rtl::cell::{pipes, signals, Pipe, Reg};
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Holds one request until the bus takes it: a store, a line that is wanted, or a line's dirty bytes.
    ///
    /// Ports: `put` with `put_*` (the load/store unit's request, followed while there is room), `evict` with `evict_*` (dirty
    /// bytes of a line) -> `out_ready` (room in this cycle), `pending`. To the bus: `mem_req_*`, `mem_req_ready`.
    /// Latency: one cycle. Reset: empty. Invariants: `put` and `evict` do not coincide, and come only while `out_ready`; a
    /// request stays as it is until taken; requests leave in the order put.
    /// Critical path: `mem_req_ready` -> `out_ready`. Source: none. Mirror in the model: none (timing only).
    pub struct OutBuffer(write_back: bool) [clock, reset] {
        /// The load/store unit's request goes out.
        pub put: Signal<In, Bit>,
        /// It is a store.
        pub put_rw: Signal<In, Bit>,
        /// Bytes to store.
        pub put_byteen: Signal<In, Bits<64>>,
        /// Line address.
        pub put_addr: Signal<In, Bits<26>>,
        /// MSHR of a read.
        pub put_tag: Signal<In, Bits<5>>,
        /// Words to store.
        pub put_data: Vec<Signal<In, Bits<32>>> = signals(WORDS, 32),
        /// Dirty bytes go out.
        pub evict: Signal<In, Bit>,
        /// Their line.
        pub evict_line: Signal<In, Bits<26>>,
        /// Which bytes they are.
        pub evict_mask: Signal<In, Bits<64>>,
        /// The line's words, from a cache with write-back.
        pub evict_words: Vec<Signal<In, Bits<32>>> = signals(if write_back { WORDS } else { 0 }, 32),
        /// A request can be put.
        pub out_ready: Signal<Out, Bit>,
        /// A request is held.
        pub pending: Signal<Out, Bit>,
        /// A request to memory.
        pub mem_req_valid: Signal<Out, Bit>,
        /// It writes.
        pub mem_req_rw: Signal<Out, Bit>,
        /// Bytes to write.
        pub mem_req_byteen: Signal<Out, Bits<64>>,
        /// Line address.
        pub mem_req_addr: Signal<Out, Bits<26>>,
        /// Words to write.
        pub mem_req_data: Vec<Signal<Out, Bits<32>>> = signals(WORDS, 32),
        /// MSHR of a read.
        pub mem_req_tag: Signal<Out, Bits<5>>,
        /// The bus accepts the request.
        pub mem_req_ready: Signal<In, Bit>,
        valid: Reg<Bit>,
        rw: Pipe<Bit>,
        byteen: Pipe<Bits<64>>,
        addr: Pipe<Bits<26>>,
        tag: Pipe<Bits<5>>,
        data: Vec<Pipe<Bits<32>>> = pipes(WORDS, 32),
        _words: usize = WORDS,
        _write_back: usize = usize::from(write_back),
    }
}

impl Logic for OutBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OutBuffer: Holds one request until the bus takes it: a store, a line that is wanted, or a line's dirty bytes.");
        self.out_ready.next = !self.valid.q.val() | self.mem_req_ready.val();
        self.pending.next = self.valid.q.val();
        if self.mem_req_ready.val() {
            self.valid.d.next = false;
        }
        if self.put.val() {
            self.valid.d.next = true;
        }
        // While there is room the registers follow the request, since whether it is put is known late.
        if self.out_ready.val() {
            self.rw.d.next = self.put_rw.val();
            self.byteen.d.next = self.put_byteen.val();
            self.addr.d.next = self.put_addr.val();
            self.tag.d.next = self.put_tag.val();
        }
        for i in 0..self._words {
            if self.out_ready.val() {
                self.data[i].d.next = self.put_data[i].val();
            }
            self.mem_req_data[i].next = self.data[i].q.val();
        }
        for _k in 0..self._write_back {
            if self.evict.val() {
                self.valid.d.next = true;
                self.rw.d.next = true;
                self.byteen.d.next = self.evict_mask.val();
                self.addr.d.next = self.evict_line.val();
            }
            for i in 0..self._words {
                if self.evict.val() {
                    self.data[i].d.next = self.evict_words[i].val();
                }
            }
        }
        self.mem_req_valid.next = self.valid.q.val();
        self.mem_req_rw.next = self.rw.q.val();
        self.mem_req_byteen.next = self.byteen.q.val();
        self.mem_req_addr.next = self.addr.q.val();
        self.mem_req_tag.next = self.tag.q.val();
    }
}
