//! The recency register of MOTRR: which warps had a memory access completed lately.
use crate::prelude::*;

module! {
    /// Keeps a bit R and a count of 6 bits for each warp: at most half of the active warps are recent, those whose loads
    /// and stores completed last.
    ///
    /// Ports: `clear` (a kernel begins), `done_warps` (a load or store completes), `active_warps`, `older`
    /// (as [`AgeMatrix`] gives them) -> `recent_warps`. Latency: one cycle from completion to R;
    /// while more are recent than may be, one a cycle ceases to be. Reset: nobody is recent.
    /// Invariants: a warp that is not active is not recent. Critical path: counts of W bits and their comparison, then, in
    /// parallel, the largest count by six steps of an OR of W bits, and an OR of W bits for the youngest.
    /// Source: MOTRR III; docs/SCHEDULERS.md, section 7, which says what is ours. Mirror in the model: `RecencyRegister`.
    pub struct RecencyRegister(cfg: &CoreConfig) [clock, reset]
    let (warps, count) = (cfg.warps, cfg.warp_count_bits());
    {
        /// A kernel begins.
        pub clear: Signal<In, Bit>,
        /// A load or a store of the warp completes.
        pub done_warps: Signal<In, WarpMask> = signal(warps),
        /// Resident and not exited.
        pub active_warps: Signal<In, WarpMask> = signal(warps),
        /// Bit `j` of element `i`: warp `j` is older than warp `i`.
        pub older: Vec<Signal<In, WarpMask>> = signals(warps, warps),
        /// R of each warp.
        pub recent_warps: Signal<Out, WarpMask> = signal(warps),
        recent: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        counts: Vec<Reg<Bits<6>>> = regs(warps, 6),
        done, held, largest, level: Signal<Local, WarpMask> = signal(warps),
        set, active: Signal<Local, WarpCount> = signal(count),
        one: Signal<Local, Bits<1>>,
        probe: Signal<Local, Bits<6>>,
        highest: Const<Bits<6>> = constant(6, 1 << 5),
        youngest: YoungestWarp = YoungestWarp::new(warps),
        _warps: usize = warps,
    }
}

impl Logic for RecencyRegister {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread active: half of their number, rounded down, matters");
        comment!("1. how many are recent, how many active; who has exited is neither");
        self.held.next = self.recent.q.val() & self.active_warps.val();
        self.recent_warps.next = self.held.val();
        self.set.next = 0.into();
        self.active.next = 0.into();
        for i in 0..self._warps {
            self.one.next = self.held.val().get_bits::<1>(i);
            self.set.next = self.set.val() + bit_cast::<WARP_COUNT_BITS, 1>(self.one.val());
            self.one.next = self.active_warps.val().get_bits::<1>(i);
            self.active.next = self.active.val() + bit_cast::<WARP_COUNT_BITS, 1>(self.one.val());
        }
        comment!("2. of the recent ones those with the largest count, bit by bit from the highest, and of these the youngest");
        self.largest.next = self.held.val();
        self.probe.next = self.highest.val();
        for _bit in 0..6 {
            self.level.next = 0.into();
            for i in 0..self._warps {
                if (self.counts[i].q.val() & self.probe.val()).any() {
                    self.level.next = self.level.val().replace_bit(i, self.largest.val().get_bit(i));
                }
            }
            if self.level.val().any() {
                self.largest.next = self.level.val();
            }
            self.probe.next = self.probe.val() >> 1;
        }
        self.youngest.candidates.next = self.largest.val();
        Wires::join(&mut self.older, &mut self.youngest.older);
        comment!("3. too many: that one goes; whose access completes in this cycle is recent");
        self.done.next = self.done_warps.val() & self.active_warps.val();
        self.recent.d.next = self.held.val() | self.done.val();
        if self.set.val() > (self.active.val() >> 1) {
            self.recent.d.next = (self.held.val() & (!self.youngest.youngest_oh.val())) | self.done.val();
        }
        comment!("4. the counts: 0 for those whose access completes, one more for the other active ones");
        for i in 0..self._warps {
            if self.done.val().get_bit(i) {
                self.counts[i].d.next = 0.into();
            } else if self.done.val().any()
                & self.active_warps.val().get_bit(i)
                & (self.counts[i].q.val() != 63)
            {
                self.counts[i].d.next = self.counts[i].q.val() + 1;
            }
        }
        if self.clear.val() {
            self.recent.d.next = 0.into();
            for i in 0..self._warps {
                self.counts[i].d.next = 0.into();
            }
        }
    }
}
