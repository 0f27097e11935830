//! The counts of iPAWS.
use crate::prelude::*;

module! {
    /// Counts, for each warp slot, instructions issued, these and cycles at a barrier while others issue, and stalls.
    ///
    /// Ports: `clear` (a kernel begins), `freeze` (scores and stalls stand still), `start_warps` (their counts are cleared),
    /// `issued_warps`, `waited_warps`, `stalled_warps` (what happens to each in this cycle) -> `inst`, `score`, `stall` (32
    /// bits each). Latency: one cycle. Reset: 0. Invariants: counts saturate; nothing that `freeze` holds needs a copy, for
    /// what goes on counting, `inst`, is another count. Critical path: an increment of 32 bits.
    /// Source: iPAWS 3.2, 3.3, 3.5; docs/SCHEDULERS.md, section 6. Mirror in the model: `model::sched::ipaws`.
    pub struct IssueCounts(warps: usize) [clock, reset] {
        /// A kernel begins.
        pub clear: Signal<In, Bit>,
        /// The first warp has exited: scores and stalls are kept as they are.
        pub freeze: Signal<In, Bit>,
        /// Started in this cycle.
        pub start_warps: Signal<In, WarpMask> = signal(warps),
        /// An instruction of the warp issues.
        pub issued_warps: Signal<In, WarpMask> = signal(warps),
        /// It waits at a barrier while another issues.
        pub waited_warps: Signal<In, WarpMask> = signal(warps),
        /// It could issue if there were room for its instruction.
        pub stalled_warps: Signal<In, WarpMask> = signal(warps),
        /// Instructions issued.
        pub inst: Vec<Signal<Out, Bits<32>>> = signals(warps, 32),
        /// Instructions issued, and cycles at a barrier while another issued.
        pub score: Vec<Signal<Out, Bits<32>>> = signals(warps, 32),
        /// Stalls.
        pub stall: Vec<Signal<Out, Bits<32>>> = signals(warps, 32),
        issued, scored, stalled: Vec<Reg<Bits<32>>> = regs(warps, 32),
        scored_warps: Signal<Local, WarpMask> = signal(warps),
        full: Const<Bits<32>> = constant(32, u32::MAX.into()),
        _warps: usize = warps,
    }
}

impl Logic for IssueCounts {
    #[hdl_gen]
    fn update(&mut self) {
        self.scored_warps.next = self.issued_warps.val() | self.waited_warps.val();
        for i in 0..self._warps {
            self.inst[i].next = self.issued[i].q.val();
            self.score[i].next = self.scored[i].q.val();
            self.stall[i].next = self.stalled[i].q.val();
            if self.issued_warps.val().get_bit(i) & (self.issued[i].q.val() != self.full.val()) {
                self.issued[i].d.next = self.issued[i].q.val() + 1;
            }
            if self.clear.val() | self.start_warps.val().get_bit(i) {
                self.issued[i].d.next = 0.into();
            }
            if !self.freeze.val() {
                if self.scored_warps.val().get_bit(i) & (self.scored[i].q.val() != self.full.val()) {
                    self.scored[i].d.next = self.scored[i].q.val() + 1;
                }
                if self.stalled_warps.val().get_bit(i) & (self.stalled[i].q.val() != self.full.val()) {
                    self.stalled[i].d.next = self.stalled[i].q.val() + 1;
                }
            }
            if self.clear.val() | (self.start_warps.val().get_bit(i) & !self.freeze.val()) {
                self.scored[i].d.next = 0.into();
                self.stalled[i].d.next = 0.into();
            }
        }
    }
}
