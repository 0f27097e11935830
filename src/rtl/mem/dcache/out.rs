//! The data cache's request on the bus.
use super::WORDS;
use crate::prelude::*;

module! {
    /// Holds one request until the bus takes it: a store, a line that is wanted, or a line's dirty bytes.
    ///
    /// Ports: below; a request of the load/store unit is followed while there is room. Latency: one cycle. Reset:
    /// empty. Invariants: `put` and `evict` do not coincide, and come only while `put_ready`; a request stays as it
    /// is until taken; requests leave in the order put. Critical path: `mem_req_ready` -> `put_ready`. Source: none.
    /// Mirror in the model: `model::timing::dcache`.
    pub struct OutBuffer(write_back: bool) [clock, reset] {
        /// The load/store unit's request goes out; its tag is the MSHR of a read.
        pub put: LineRequest<In> = LineRequest::new(MASTER_TAG_BITS),
        /// Dirty bytes go out.
        pub evict: Signal<In, Bit>,
        /// Their line.
        pub evict_line: Signal<In, Bits<26>>,
        /// Which bytes they are.
        pub evict_mask: Signal<In, Bits<64>>,
        /// The line's words, from a cache with write-back.
        pub evict_words: Vec<Signal<In, Bits<32>>> = signals(if write_back { WORDS } else { 0 }, 32),
        /// A request is held.
        pub pending: Signal<Out, Bit>,
        /// The request, to memory.
        pub mem_req: LineRequest<Out> = LineRequest::new(MASTER_TAG_BITS),
        held: LineRequest<Registered> = LineRequest::new(MASTER_TAG_BITS),
        write_back: Const<Bit> = Const::new(write_back),
    }
}

impl Logic for OutBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread evict: only write-back has dirty bytes");
        comment!("unread evict_line: only write-back has dirty bytes");
        comment!("unread evict_mask: only write-back has dirty bytes");
        self.put.ready.next = !self.held.valid.q.val() | self.mem_req.ready.val();
        self.pending.next = self.held.valid.q.val();
        comment!(
            "While there is room the registers follow the request, since whether it is put is known late."
        );
        if self.put.ready.val() {
            Data::join(&mut self.put, &mut self.held);
        }
        self.held.valid.d.next = self.held.valid.q.val();
        if self.mem_req.ready.val() {
            self.held.valid.d.next = false;
        }
        if self.put.valid.val() {
            self.held.valid.d.next = true;
        }
        if self.write_back.val() && self.evict.val() {
            self.held.valid.d.next = true;
            self.held.rw.d.next = true;
            self.held.byteen.d.next = self.evict_mask.val();
            self.held.addr.d.next = self.evict_line.val();
            Data::join(&mut self.evict_words, &mut self.held.data);
        }
        Data::join(&mut self.held, &mut self.mem_req);
    }
}
