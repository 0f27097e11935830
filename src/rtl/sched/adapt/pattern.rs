//! The decision of iPAWS.
use crate::prelude::*;

module! {
    /// Tells a concave issue pattern from a convex one, a warp a cycle in three rounds: who is of interest; the sum of
    /// their scores and the largest; that one as often as there are warps of interest.
    ///
    /// Ports: `clear` (a kernel begins), `start` (the decision begins), `resident_warps` (in that cycle), the counts, and
    /// `older` (as [`AgeMatrix`] gives them) -> `decided` (in the last cycle of 3 W),
    /// `concave` (valid then); `least_oh`, `most_inst` (the resident warp with the fewest instructions, of equals the
    /// youngest, and the most that any had; valid from then on). Latency: 3 W cycles after `start`. Reset: no decision under way.
    /// Invariants: the arithmetic is exact. Critical path: a choice of one of W numbers, a comparison and an increment.
    /// Source: iPAWS 3.2, Algorithm 1; docs/SCHEDULERS.md, section 6. Mirror in the model: `model::sched::ipaws`.
    pub struct IssuePattern(warps: usize) [clock, reset] {
        /// A kernel begins.
        pub clear: Signal<In, Bit>,
        /// The decision begins, in the next cycle.
        pub start: Signal<In, Bit>,
        /// Warps that it is about.
        pub resident_warps: Signal<In, WarpMask> = signal(warps),
        /// Instructions issued.
        pub inst: Vec<Signal<In, Bits<32>>> = signals(warps, 32),
        /// Cycles at a barrier while another issued.
        pub btime: Vec<Signal<In, Bits<32>>> = signals(warps, 32),
        /// Stalls as the oldest.
        pub stall: Vec<Signal<In, Bits<32>>> = signals(warps, 32),
        /// Bit `j` of element `i`: warp `j` is older than warp `i`.
        pub older: Vec<Signal<In, WarpMask>> = signals(warps, warps),
        /// The last cycle of the decision.
        pub decided: Signal<Out, Bit>,
        /// The pattern is concave.
        pub concave: Signal<Out, Bit>,
        /// The resident warp with the fewest instructions.
        pub least_oh: Signal<Out, WarpMask> = signal(warps),
        /// The most instructions of any.
        pub most_inst: Signal<Out, Bits<32>>,
        /// 0: none under way.
        round: Reg<Bits<2>>,
        /// Whose turn it is, one-hot.
        turn: Reg<WarpMask> = Reg::<WarpMask>::with_reset(warps, 1),
        resident: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        /// None if nobody has stalled.
        limit: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        limit_stall: Reg<Bits<32>>,
        least: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        least_inst, most: Reg<Bits<32>>,
        interest: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        sum, largest, area: Reg<Bits<40>>,
        one: Const<WarpMask> = constant(warps, 1),
        top: Const<WarpMask> = constant(warps, 1 << (warps - 1)),
        here, last: Signal<Local, Bit>,
        its_inst, its_btime, its_stall: Signal<Local, Bits<32>>,
        its_older, limit_older: Signal<Local, WarpMask> = signal(warps),
        score, whole: Signal<Local, Bits<40>>,
        _warps: usize = warps,
    }
}

impl Logic for IssuePattern {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the warp whose turn it is");
        self.its_inst.next = 0.into();
        self.its_btime.next = 0.into();
        self.its_stall.next = 0.into();
        self.its_older.next = 0.into();
        self.limit_older.next = 0.into();
        for i in 0..self._warps {
            if self.turn.q.val().get_bit(i) {
                self.its_inst.next = self.inst[i].val();
                self.its_btime.next = self.btime[i].val();
                self.its_stall.next = self.stall[i].val();
                self.its_older.next = self.older[i].val();
            }
            if self.limit.q.val().get_bit(i) {
                self.limit_older.next = self.older[i].val();
            }
        }
        self.here.next = (self.turn.q.val() & self.resident.q.val()).any();
        self.last.next = (self.turn.q.val() & self.top.val()).any();
        self.score.next = bit_cast::<40, 32>(self.its_inst.val()) + bit_cast::<40, 32>(self.its_btime.val());
        comment!("2. first round: the limit, the fewest instructions and the most; of equals the younger");
        if (self.round.q.val() == 1) & self.here.val() {
            if (self.its_stall.val() > self.limit_stall.q.val())
                | ((self.its_stall.val() == self.limit_stall.q.val())
                    & (self.its_older.val() & self.limit.q.val()).any())
            {
                self.limit.d.next = self.turn.q.val();
                self.limit_stall.d.next = self.its_stall.val();
            }
            if !self.least.q.val().any()
                | (self.its_inst.val() < self.least_inst.q.val())
                | ((self.its_inst.val() == self.least_inst.q.val())
                    & (self.its_older.val() & self.least.q.val()).any())
            {
                self.least.d.next = self.turn.q.val();
                self.least_inst.d.next = self.its_inst.val();
            }
            if self.its_inst.val() > self.most.q.val() {
                self.most.d.next = self.its_inst.val();
            }
        }
        comment!("3. second round: the warps of interest, the sum of their scores, the largest score");
        if (self.round.q.val() == 2)
            & self.here.val()
            & (!self.limit.q.val().any()
                | ((self.limit.q.val() | self.limit_older.val()) & self.turn.q.val()).any())
        {
            self.interest.d.next = self.interest.q.val() | self.turn.q.val();
            self.sum.d.next = self.sum.q.val() + self.score.val();
            if self.score.val() > self.largest.q.val() {
                self.largest.d.next = self.score.val();
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
        self.decided.next = (self.round.q.val() == 3) & self.last.val();
        self.concave.next = (self.sum.q.val() << 1) < self.whole.val();
        self.least_oh.next = self.least.q.val();
        self.most_inst.next = self.most.q.val();
        comment!("5. the next turn, the next round; after the third none");
        if self.round.q.val() != 0 {
            self.turn.d.next = self.turn.q.val() << 1;
            if self.last.val() {
                self.turn.d.next = self.one.val();
                self.round.d.next = self.round.q.val() + 1;
            }
        }
        if self.start.val() | self.clear.val() {
            self.round.d.next = 0.into();
            if self.start.val() & !self.clear.val() {
                self.round.d.next = 1.into();
            }
            self.turn.d.next = self.one.val();
            self.resident.d.next = self.resident_warps.val();
            self.limit.d.next = 0.into();
            self.limit_stall.d.next = 0.into();
            self.least.d.next = 0.into();
            self.least_inst.d.next = 0.into();
            self.most.d.next = 0.into();
            self.interest.d.next = 0.into();
            self.sum.d.next = 0.into();
            self.largest.d.next = 0.into();
            self.area.d.next = 0.into();
        }
    }
}
