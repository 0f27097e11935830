//! Barriers between the warps of the core.
use crate::prelude::*;

module! {
    /// Holds back warps until as many as each barrier asks for have arrived.
    ///
    /// Ports, from the special unit: `arrive`, `arrive_warp_oh`, `barrier_id`, `barrier_count` (register values) ->
    /// `release_warps` (in the cycle of the last arrival, all that leave, the last one included), `too_many` (no such
    /// number of warps: nothing happens), `waiting_warps`.
    /// Latency: release combinational, `waiting_warps` a register. Reset: nobody waits. Invariants: a warp waits at one
    /// barrier at most. A count of 1 passes at once and leaves the barrier as it is; a count of 0 stands for the full
    /// range of a warp identifier. There is a power of two of barriers; higher bits of the id are ignored.
    /// In a grid barriers are of the warp's block, and a count of 0 or of all its warps asks for all that have not ended;
    /// with `--warp-dispatch` for those too that have yet to start.
    /// Critical path: arrival mask (NB:1), count of W bits, comparison.
    /// Source: docs/ISA.md, section 3, BAR. Mirror in the model: barrier.
    pub struct BarrierUnit(cfg: &CoreConfig) [clock, reset]
    let (w, barriers) = (cfg.warps, cfg.barriers().next_power_of_two());
    let (full, count) = (1 << cfg.wid_bits(), cfg.warp_count_bits());
    {
        /// A warp arrives.
        pub arrive: Signal<In, Bit>,
        /// The warp, one-hot.
        pub arrive_warp_oh: Signal<In, WarpMask> = signal(w),
        /// Barrier it arrives at.
        pub barrier_id: Signal<In, Bits<32>>,
        /// Warps that meet there.
        pub barrier_count: Signal<In, Bits<32>>,
        /// Warps that go on.
        pub release_warps: Signal<Out, WarpMask> = signal(w),
        /// More warps are asked for than the core has.
        pub too_many: Signal<Out, Bit>,
        /// Warps that wait.
        pub waiting_warps: Signal<Out, WarpMask> = signal(w),
        /// With a dispatcher: where warps belong.
        pub map: Opt<CtaMap<In>> = Opt::new(cfg.grid, CtaMap::new(cfg)),
        /// With a dispatcher: warps that are active.
        pub active_warps: Opt<Signal<In, WarpMask>> = Opt::new(cfg.grid, signal(w)),
        /// With a dispatcher: the warp that ended last, from when it is not active any more.
        pub ended_wid: Opt<Signal<In, WarpId>> = Opt::new(cfg.grid, signal(cfg.wid_bits())),
        arrived: Vec<Reg<WarpMask>> = regs(barriers, w),
        id: Signal<Local, Bits<5>>,
        here, peers, ended_peers, there, opened_warps: Signal<Local, WarpMask> = signal(w),
        others: Signal<Local, WarpCount> = signal(count),
        here_bit: Signal<Local, Bits<1>>,
        whole: Signal<Local, Bit>,
        slot, ended_slot: Signal<Local, WarpId> = signal(cfg.cta_bits()),
        /// Those who wait for all of their block.
        whole_warps: Opt<Reg<WarpMask>> = Opt::new(cfg.grid, Reg::<WarpMask>::width(w)),
        has_grid: Const<Bit> = Const::new(cfg.grid),
        by_warp: Const<Bit> = Const::new(cfg.warp_dispatch),
        needed: Signal<Local, WarpCount> = signal(count),
        complete, passes, waits: Signal<Local, Bit>,
        id_mask: Const<Bits<5>> = constant(5, barriers as u64 - 1),
        warps: Const<Bits<32>> = constant(32, w as u64),
        zero_means: Const<WarpCount> = constant(count, full as u64),
        zero_illegal: Const<Bit> = Const::new(full > w),
        _barriers: usize = barriers,
        _warps: usize = w,
    }
}

impl Logic for BarrierUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread barrier_id: a register names the barrier, of which there are few");
        comment!("1. how many are asked for");
        self.needed.next = bit_cast::<WARP_COUNT_BITS, 32>(self.barrier_count.val());
        self.too_many.next = self.barrier_count.val() > self.warps.val();
        if self.barrier_count.val() == 0 {
            self.needed.next = self.zero_means.val();
            self.too_many.next = self.zero_illegal.val();
        }
        self.passes.next = self.barrier_count.val() == 1;
        self.whole.next = false;
        if self.has_grid.val() && self.map.in_grid.val() {
            comment!("Of a block there are fewer warps, and 0 stands for all of them, as their number does.");
            self.too_many.next =
                self.barrier_count.val() > bit_cast::<32, WARP_COUNT_BITS>(self.map.size.val());
            self.whole.next = (self.barrier_count.val() == 0)
                | (self.barrier_count.val() == bit_cast::<32, WARP_COUNT_BITS>(self.map.size.val()));
        }
        comment!("2. who is there already");
        self.id.next = self.barrier_id.val().get_bits::<5>(0) & self.id_mask.val();
        self.here.next = 0.into();
        for b in 0..self._barriers {
            if self.id.val() == b.to_bits::<5>() {
                self.here.next = self.arrived[b].q.val();
            }
        }
        if self.has_grid.val() {
            comment!("A barrier serves all blocks at once, since a warp is of one block alone.");
            self.slot.next = 0.into();
            self.peers.next = 0.into();
            for w in 0..self._warps {
                if self.arrive_warp_oh.val().get_bit(w) {
                    self.slot.next = self.slot.val() | self.map.slot[w].val();
                }
            }
            for w in 0..self._warps {
                self.peers.next = self.peers.val().replace_bit(w, self.map.slot[w].val() == self.slot.val());
            }
            if self.map.in_grid.val() {
                self.here.next = self.here.val() & self.peers.val();
            }
        }
        self.others.next = 0.into();
        for w in 0..self._warps {
            self.here_bit.next = self.here.val().get_bits::<1>(w);
            self.others.next = self.others.val() + bit_cast::<WARP_COUNT_BITS, 1>(self.here_bit.val());
        }
        comment!("3. whether that is all");
        self.complete.next = (self.others.val() + 1) == self.needed.val();
        if self.has_grid.val() && self.whole.val() {
            self.complete.next = (self.peers.val()
                & self.active_warps.val()
                & !(self.here.val() & self.whole_warps.q.val())
                & !self.arrive_warp_oh.val())
                == 0;
            if self.by_warp.val() && self.map.partial.val() & (self.slot.val() == self.map.partial_slot.val())
            {
                comment!("Of a block that starts by and by there are always some that have not arrived.");
                self.complete.next = false;
            }
        }
        self.release_warps.next = 0.into();
        if self.arrive.val() & !self.too_many.val() {
            if self.passes.val() {
                self.release_warps.next = self.arrive_warp_oh.val();
            } else if self.complete.val() {
                self.release_warps.next = self.here.val() | self.arrive_warp_oh.val();
            }
        }
        self.opened_warps.next = 0.into();
        if self.has_grid.val() {
            comment!("The end of a warp may leave none of its block that has not arrived; at other times there is no such block.");
            self.ended_slot.next = 0.into();
            self.ended_peers.next = 0.into();
            for w in 0..self._warps {
                if self.ended_wid.val() == w.to_bits::<WID_BITS>() {
                    self.ended_slot.next = self.map.slot[w].val();
                }
            }
            for w in 0..self._warps {
                self.ended_peers.next =
                    self.ended_peers.val().replace_bit(w, self.map.slot[w].val() == self.ended_slot.val());
            }
            for b in 0..self._barriers {
                self.there.next = self.arrived[b].q.val() & self.whole_warps.q.val() & self.ended_peers.val();
                if self.by_warp.val()
                    && self.map.partial.val() & (self.ended_slot.val() == self.map.partial_slot.val())
                {
                    self.there.next = 0.into();
                }
                if self.map.in_grid.val()
                    & ((self.active_warps.val() & self.ended_peers.val() & !self.there.val()) == 0)
                {
                    self.opened_warps.next = self.opened_warps.val() | self.there.val();
                }
            }
            self.release_warps.next = self.release_warps.val() | self.opened_warps.val();
        }
        comment!("4. remember");
        self.waits.next = self.arrive.val() & !self.too_many.val() & !self.passes.val();
        self.waiting_warps.next = 0.into();
        for b in 0..self._barriers {
            self.waiting_warps.next = self.waiting_warps.val() | self.arrived[b].q.val();
            if self.has_grid.val() {
                comment!("What other blocks, and other kinds of barrier, have here stays.");
                self.arrived[b].d.next = self.arrived[b].q.val() & !self.release_warps.val();
                if self.waits.val() & (self.id.val() == b.to_bits::<5>()) {
                    self.arrived[b].d.next =
                        (self.arrived[b].q.val() | self.arrive_warp_oh.val()) & !self.release_warps.val();
                }
            } else if self.waits.val() & (self.id.val() == b.to_bits::<5>()) {
                self.arrived[b].d.next = self.here.val() | self.arrive_warp_oh.val();
                if self.complete.val() {
                    self.arrived[b].d.next = 0.into();
                }
            }
        }
        if self.has_grid.val() && self.arrive.val() {
            self.whole_warps.d.next = self.whole_warps.q.val() & !self.arrive_warp_oh.val();
            if self.whole.val() {
                self.whole_warps.d.next = self.whole_warps.q.val() | self.arrive_warp_oh.val();
            }
        }
    }
}
