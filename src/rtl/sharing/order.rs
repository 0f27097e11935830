//! The order of a warp's instructions in the collectors of several slices.
use crate::prelude::*;

module! {
    /// Keeps the instructions of a warp and class in program order, although they wait in the collectors of several slices.
    ///
    /// Those of one collector leave it in order. So a warp's instructions of a class are in one collector at a time:
    /// one goes to another slice only when none waits, and then the next one waits until that has left. Ports: below.
    /// Latency: what enters or leaves shows in the next cycle. Reset: nothing waits. Invariants: a collector and the
    /// operand stage hold six of a warp at most. Critical path: none of its own. Source: docs/ISA.md, section 6
    /// (memory order). Mirror in the model: `model::timing::sharing`; `cosim::order` checks the order.
    pub struct ClassOrder(cfg: &CoreConfig) [clock, reset]
    let (warps, slices) = (cfg.warps, cfg.slices);
    {
        /// A bit a warp: warps of which an instruction of the class issues.
        pub enters_warps: Signal<In, WarpMask> = signal(warps),
        /// A bit a warp: those of them that do so through another slice.
        pub visits_warps: Signal<In, WarpMask> = signal(warps),
        /// An instruction leaves the collector of each slice.
        pub leaves: Vec<Signal<In, Bit>> = vec![Signal::default(); slices],
        /// Its warp.
        pub leaves_wid: Vec<Signal<In, WarpId>> = signals(slices, cfg.wid_bits()),
        /// A bit a warp: warps with instructions in a collector, or before it.
        pub waiting_warps: Signal<Out, WarpMask> = signal(warps),
        /// A bit a warp: those of them in another slice.
        pub away_warps: Signal<Out, WarpMask> = signal(warps),
        waiting: Vec<Reg<Bits<3>>> = regs(warps, 3),
        away: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        leaving: Signal<Local, Bit>,
        left_warps: Signal<Local, WarpMask> = signal(warps),
        _warps: usize = warps,
        _slices: usize = slices,
    }
}

impl Logic for ClassOrder {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. who waits, and where");
        self.away_warps.next = self.away.q.val();
        self.waiting_warps.next = 0.into();
        for w in 0..self._warps {
            self.waiting_warps.next = self.waiting_warps.val().replace_bit(w, self.waiting[w].q.val() != 0);
        }
        comment!("2. count");
        self.left_warps.next = 0.into();
        for w in 0..self._warps {
            self.leaving.next = false;
            for s in 0..self._slices {
                if self.leaves[s].val() & (self.leaves_wid[s].val() == w.to_bits::<WID_BITS>()) {
                    self.leaving.next = true;
                }
            }
            if self.enters_warps.val().get_bit(w) & !self.leaving.val() {
                self.waiting[w].d.next = self.waiting[w].q.val() + 1;
            }
            if !self.enters_warps.val().get_bit(w) & self.leaving.val() {
                self.waiting[w].d.next = self.waiting[w].q.val() - 1;
                if self.waiting[w].q.val() == 1 {
                    self.left_warps.next = self.left_warps.val().replace_bit(w, true);
                }
            }
        }
        self.away.d.next = (self.away.q.val() | self.visits_warps.val()) & !self.left_warps.val();
    }
}
