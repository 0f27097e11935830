//! Arbiters between requesters that share something: the port shell of the warp schedulers is in `rtl::sched`.
use crate::prelude::*;

module! {
    /// Grants the lowest requester.
    ///
    /// Ports: `requests` (`count` bits) -> `grant_valid`, `grant_oh` (`count` bits), `grant_index` (`clog2(count)` bits).
    /// Latency: combinational. Reset: none. Invariants: one grant if and only if there is a request.
    /// Critical path: one increment of `count` bits and an encoder. Source: none. Mirror in the model: `trailing_zeros`.
    pub struct PriorityArbiter(count: usize) {
        /// Who asks.
        pub requests: Signal<In, Mask> = signal(count),
        /// Whether anybody asks.
        pub grant_valid: Signal<Out, Bit>,
        /// The lowest who asks.
        pub grant_oh: Signal<Out, Mask> = signal(count),
        /// Its index, 0 without a request.
        pub grant_index: Signal<Out, Index> = signal(clog2(count.max(2))),
        encoder: OneHotIndex = OneHotIndex::new(count),
    }
}

impl Logic for PriorityArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        self.grant_oh.next = self.requests.val() & ((!self.requests.val()) + 1);
        self.grant_valid.next = self.requests.val().any();
        self.encoder.mask_oh.next = self.grant_oh.val();
        self.grant_index.next = self.encoder.index.val();
    }
}

module! {
    /// Grants the first requester after the last one whose grant was taken, wrapping.
    ///
    /// Ports: `requests` (`count` bits), `advance` (the grant is taken) -> `grant_valid`, `grant_oh` (`count` bits),
    /// `grant_index` (`clog2(count)` bits). Latency: combinational; the pointer moves at the edge after `advance`.
    /// Reset: as if the highest requester was served last. Invariants: one grant if and only if there is a request; a
    /// requester that keeps asking is served within `count` grants.
    /// Critical path: two increments of `count` bits in parallel, a multiplexer and an encoder. Source: none.
    /// Mirror in the model: none.
    pub struct RoundRobinArbiter(count: usize) [clock, reset] {
        /// Who asks.
        pub requests: Signal<In, Mask> = signal(count),
        /// The grant is taken this cycle.
        pub advance: Signal<In, Bit>,
        /// Whether anybody asks.
        pub grant_valid: Signal<Out, Bit>,
        /// Who is granted.
        pub grant_oh: Signal<Out, Mask> = signal(count),
        /// Its index, 0 without a request.
        pub grant_index: Signal<Out, Index> = signal(clog2(count.max(2))),
        last_oh: Reg<Mask> = Reg::<Mask>::with_reset(count, 1 << (count - 1)),
        above, candidates: Signal<Local, Mask> = signal(count),
        one: Const<Mask> = constant(count, 1),
        encoder: OneHotIndex = OneHotIndex::new(count),
    }
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the requesters above the last one served, or all when there is none");
        self.above.next =
            self.requests.val() & (!(self.last_oh.q.val() | (self.last_oh.q.val() - self.one.val())));
        self.candidates.next = self.above.val();
        if !self.above.val().any() {
            self.candidates.next = self.requests.val();
        }
        comment!("2. pick the lowest");
        self.grant_oh.next = self.candidates.val() & ((!self.candidates.val()) + self.one.val());
        self.grant_valid.next = self.requests.val().any();
        self.encoder.mask_oh.next = self.grant_oh.val();
        self.grant_index.next = self.encoder.index.val();
        comment!("3. remember it");
        if self.advance.val() & self.grant_valid.val() {
            self.last_oh.d.next = self.grant_oh.val();
        }
    }
}
