//! Joins the lanes of a warp that touch the same memory line into one request.
use crate::prelude::*;

module! {
    /// Finds, for the first lane still to be served, every lane that can share its request.
    ///
    /// Ports: below. For local memory every local lane is joined: bank conflicts are the bank arbiter's affair.
    /// Latency: combinational. Reset: none. Invariants: `joined` is a subset of `lanes`, and not 0 unless `lanes` is
    /// 0. Critical path: first lane, its address (T:1), 26-bit comparison a lane. Source: none. Mirror in the model:
    /// none (timing only).
    pub struct Coalescer(cfg: &CoreConfig)
    let t = cfg.threads;
    {
        /// Lanes still to be served.
        pub lanes: Signal<In, Bits<32>> = signal(t),
        /// Byte address of each lane.
        pub address: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// Line of this cycle's request.
        pub line: Signal<Out, Bits<26>>,
        /// This cycle serves local memory.
        pub in_local: Signal<Out, Bit>,
        /// Lanes that the request can serve.
        pub joined: Signal<Out, Bits<32>> = signal(t),
        leader: Signal<Local, Bits<5>> = signal(cfg.tid_bits()),
        found, lane_local: Signal<Local, Bit>,
        leader_address: Signal<Local, Bits<32>>,
        _t: usize = t,
    }
}

impl Logic for Coalescer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread leader: a single lane leads itself");
        comment!("unread leader_address: a group is a line, wherever in it its lanes are");
        comment!("1. leader: the first lane still to be served");
        self.leader.next = 0.into();
        self.found.next = false;
        if self.lanes.val().any() {
            for i in 0..self._t {
                if self.lanes.val().get_bit(i) & !self.found.val() {
                    self.leader.next = i.to_bits::<5>();
                    self.found.next = true;
                }
            }
        }
        self.leader_address.next = self.address[self.leader.val().index()].val();
        comment!("2. where it goes");
        self.line.next = self.leader_address.val().get_bits::<26>(6);
        self.in_local.next = self.leader_address.val().get_bits::<16>(16) == 0xFFFF;
        comment!("3. lanes that go there too");
        self.joined.next = 0.into();
        if self.lanes.val().any() {
            for i in 0..self._t {
                self.lane_local.next = self.address[i].val().get_bits::<16>(16) == 0xFFFF;
                if self.lanes.val().get_bit(i)
                    & (self.lane_local.val() == self.in_local.val())
                    & (self.in_local.val() | (self.address[i].val().get_bits::<26>(6) == self.line.val()))
                {
                    self.joined.next = self.joined.val().replace_bit(i, true);
                }
            }
        }
    }
}
