//! The decision of iPAWS.
use crate::prelude::*;

module! {
    /// Tells a concave issue pattern from a convex one, a warp a cycle in three rounds: who is of interest; the sum of
    /// their scores and the largest; that one as often as there are warps of interest.
    ///
    /// Ports: `clear` (a kernel begins), `start` (the first warp exits), `resident_warps` and `older` (as [`AgeMatrix`]
    /// gives them; both read in that cycle and kept), the counts (`score` and `stall` stand still from the next cycle on)
    /// -> `decided` (in the last cycle of 3 W), `concave` (valid then); `behind_warps` (the resident ones), `youngest_oh`
    /// (the youngest of them), `enough_inst` (what the oldest of them had issued; all three valid from the second cycle of
    /// the decision on). Latency: 3 W cycles after `start`. Reset: no decision under way.
    /// Invariants: the arithmetic is exact; of what starts meanwhile in the slots nothing is seen.
    /// Critical path: a choice of one of W numbers, a comparison and an increment.
    /// Source: iPAWS 3.2, Algorithm 1, 3.4; docs/SCHEDULERS.md, section 6. Ours: rounds instead of sums of W terms. The order
    /// of age is kept as W (W-1) / 2 bits, the only copy. Mirror in the model: `model::sched::ipaws`.
    pub struct IssuePattern(warps: usize, by_block: bool) [clock, reset]
    let below = |i: usize| (1 << i) - 1;
    {
        /// A kernel begins.
        pub clear: Signal<In, Bit>,
        /// The decision begins, in the next cycle.
        pub start: Signal<In, Bit>,
        /// Warps that it is about.
        pub resident_warps: Signal<In, WarpMask> = signal(warps),
        /// Bit `j` of element `i`: warp `j` is older than warp `i`.
        pub older: Vec<Signal<In, WarpMask>> = signals(warps, warps),
        /// Instructions issued.
        pub inst: Vec<Signal<In, Bits<32>>> = signals(warps, 32),
        /// Instructions issued, and cycles at a barrier while another issued.
        pub score: Vec<Signal<In, Bits<32>>> = signals(warps, 32),
        /// Stalls.
        pub stall: Vec<Signal<In, Bits<32>>> = signals(warps, 32),
        /// The last cycle of the decision.
        pub decided: Signal<Out, Bit>,
        /// The pattern is concave.
        pub concave: Signal<Out, Bit>,
        /// The resident warps.
        pub behind_warps: Signal<Out, WarpMask> = signal(warps),
        /// The youngest of them.
        pub youngest_oh: Signal<Out, WarpMask> = signal(warps),
        /// What the oldest of them had issued.
        pub enough_inst: Signal<Out, Bits<32>>,
        /// 0: none under way.
        round: Reg<Bits<2>>,
        /// Whose turn it is, one-hot.
        turn: Reg<WarpMask> = Reg::<WarpMask>::with_reset(warps, 1),
        resident: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        /// Bit `j` of element `i`, for `j` below `i`: warp `j` was older than warp `i`.
        was_older: Vec<Reg<WarpMask>> = regs(warps, warps),
        oldest: OldestWarp = OldestWarp::new(warps),
        youngest: YoungestWarp = YoungestWarp::new(warps),
        oldest_warp, youngest_warp: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        enough: Reg<Bits<32>>,
        /// None if nobody has stalled.
        limit: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        limit_stall: Reg<Bits<32>>,
        interest: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        sum, largest, area: Reg<Bits<40>>,
        one: Const<WarpMask> = constant(warps, 1),
        top: Const<WarpMask> = constant(warps, 1 << (warps - 1)),
        /// Of each warp, the warps with smaller slots.
        below: Vec<Const<WarpMask>> = (0..warps).map(|i| constant(warps, below(i))).collect(),
        here, ends: Signal<Local, Bit>,
        its_score, its_stall, oldest_inst: Signal<Local, Bits<32>>,
        its_older, limit_older: Signal<Local, WarpMask> = signal(warps),
        wide_score, whole: Signal<Local, Bits<40>>,
        by_block: Const<Bit> = Const::new(by_block),
        _warps: usize = warps,
    }
}

impl Logic for IssuePattern {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the warp whose turn it is");
        self.its_score.next = 0.into();
        self.its_stall.next = 0.into();
        self.its_older.next = 0.into();
        self.oldest_inst.next = 0.into();
        for i in 0..self._warps {
            self.oldest.older[i].next = self.older[i].val();
            self.youngest.older[i].next = self.older[i].val();
            if self.turn.q.val().get_bit(i) {
                self.its_score.next = self.score[i].val();
                self.its_stall.next = self.stall[i].val();
                self.its_older.next = self.was_older[i].q.val();
            }
            if self.oldest_warp.q.val().get_bit(i) {
                self.oldest_inst.next = self.inst[i].val();
            }
        }
        self.here.next = (self.turn.q.val() & self.resident.q.val()).any();
        self.ends.next = (self.turn.q.val() & self.top.val()).any();
        self.wide_score.next = bit_cast::<40, 32>(self.its_score.val());
        if self.by_block.val() {
            comment!("2. first round: the limit; of equals the younger, so that all warps of its CTA, which share counts, are of interest");
            if (self.round.q.val() == 1)
                & self.here.val()
                & ((self.its_stall.val() > self.limit_stall.q.val())
                    | ((self.its_stall.val() == self.limit_stall.q.val())
                        & (self.its_older.val() & self.limit.q.val()).any()))
            {
                self.limit.d.next = self.turn.q.val();
                self.limit_stall.d.next = self.its_stall.val();
            }
        } else {
            comment!("2. first round: the limit; of equals the older, so that a later slot must have been older for it");
            if (self.round.q.val() == 1)
                & self.here.val()
                & ((self.its_stall.val() > self.limit_stall.q.val())
                    | ((self.its_stall.val() == self.limit_stall.q.val())
                        & self.limit.q.val().any()
                        & !(self.its_older.val() & self.limit.q.val()).any()))
            {
                self.limit.d.next = self.turn.q.val();
                self.limit_stall.d.next = self.its_stall.val();
            }
        }
        comment!("3. second round: the warps of interest, the sum of their scores, the largest score. A slot above the limit's says itself that the limit was older.");
        self.limit_older.next = 0.into();
        for i in 0..self._warps {
            if self.limit.q.val().get_bit(i) {
                self.limit_older.next = self.limit_older.val() | self.was_older[i].q.val();
            }
            if (self.below[i].val() & self.limit.q.val()).any()
                & !(self.was_older[i].q.val() & self.limit.q.val()).any()
            {
                self.limit_older.next = self.limit_older.val().replace_bit(i, true);
            }
        }
        if (self.round.q.val() == 2)
            & self.here.val()
            & (!self.limit.q.val().any()
                | ((self.limit.q.val() | self.limit_older.val()) & self.turn.q.val()).any())
        {
            self.interest.d.next = self.interest.q.val() | self.turn.q.val();
            self.sum.d.next = self.sum.q.val() + self.wide_score.val();
            if self.wide_score.val() > self.largest.q.val() {
                self.largest.d.next = self.wide_score.val();
            }
        }
        comment!(
            "4. third round: the area under the line, twice; concave is what fills less than half of it"
        );
        self.whole.next = self.area.q.val();
        if (self.turn.q.val() & self.interest.q.val()).any() {
            self.whole.next = self.area.q.val() + self.largest.q.val();
        }
        if self.round.q.val() == 3 {
            self.area.d.next = self.whole.val();
        }
        self.decided.next = (self.round.q.val() == 3) & self.ends.val();
        self.concave.next = (self.sum.q.val() << 1) < self.whole.val();
        comment!("5. the next turn, the next round; after the third none");
        if self.round.q.val() != 0 {
            self.turn.d.next = self.turn.q.val() << 1;
            if self.ends.val() {
                self.turn.d.next = self.one.val();
                self.round.d.next = self.round.q.val() + 1;
            }
        }
        comment!("6. what is kept from the exit, and in the cycle behind it, before another warp can have begun to count in the slot");
        if (self.round.q.val() == 1) & (self.turn.q.val() & self.one.val()).any() {
            self.enough.d.next = self.oldest_inst.val();
        }
        self.oldest.candidates.next = self.resident_warps.val();
        self.youngest.candidates.next = self.resident_warps.val();
        self.behind_warps.next = self.resident.q.val();
        self.youngest_oh.next = self.youngest_warp.q.val();
        self.enough_inst.next = self.enough.q.val();
        if self.start.val() {
            self.resident.d.next = self.resident_warps.val();
            self.oldest_warp.d.next = self.oldest.oldest_oh.val();
            self.youngest_warp.d.next = self.youngest.youngest_oh.val();
            for i in 0..self._warps {
                self.was_older[i].d.next = self.older[i].val() & self.below[i].val();
            }
        }
        if self.start.val() | self.clear.val() {
            self.round.d.next = 0.into();
            if self.start.val() & !self.clear.val() {
                self.round.d.next = 1.into();
            }
            self.turn.d.next = self.one.val();
            self.limit.d.next = 0.into();
            self.limit_stall.d.next = 0.into();
            self.interest.d.next = 0.into();
            self.sum.d.next = 0.into();
            self.largest.d.next = 0.into();
            self.area.d.next = 0.into();
        }
    }
}
