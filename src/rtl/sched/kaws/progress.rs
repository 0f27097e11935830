//! Which CTAs have issued least.
use crate::prelude::*;
use spec::config::warps_below;

module! {
    /// Counts for each CTA slot the warp instructions that its warps have issued, and orders the slots by it.
    ///
    /// Ports: `members` (the warps of each CTA slot), the events `fired_warps`, `cta_start`, `kernel_start` -> `ahead` (of
    /// each CTA slot a mask of those that go before it: fewer instructions, or as many and dispatched later).
    /// Latency: two cycles, for the comparisons end in registers: C (C-1) of 32 bits are too slow and too many to stand in
    /// the path of a choice. Reset: no progress, a smaller slot is older. Invariants: `ahead` is a strict total order.
    /// State: 32 bits for each CTA slot, as in the paper; besides, the order of dispatch and that by progress, C bits each.
    /// Critical path: `fired_warps` -> an OR, or with several slices a sum, of W bits -> an addition of 32 bits.
    /// Source: KAWS 3; docs/SCHEDULERS.md, section 5. Mirror in the model: `model::sched::kaws`.
    pub struct CtaProgress(cfg: &CoreConfig) [clock, reset]
    let ctas = cfg.ctas();
    let behind = |c: usize| warps_below(ctas) & (!1 << c);
    {
        /// The warps of each CTA slot.
        pub members: Vec<Signal<In, WarpMask>> = signals(ctas, cfg.warps),
        /// Warps whose head issues, of all slices.
        pub fired_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// A CTA was dispatched to the slot.
        pub cta_start: Signal<In, WarpMask> = signal(ctas),
        /// A kernel begins.
        pub kernel_start: Signal<In, Bit>,
        /// Bit `d` of element `c`: CTA slot `d` goes before CTA slot `c`.
        pub ahead: Vec<Signal<Out, WarpMask>> = signals(ctas, ctas),
        issued: Vec<Reg<Bits<32>>> = regs(ctas, 32),
        order: Vec<Reg<WarpMask>> = (0..ctas).map(|c| Reg::<WarpMask>::with_reset(ctas, behind(c))).collect(),
        age: AgeMatrix = AgeMatrix::new(ctas),
        fired: Signal<Local, WarpMask> = signal(cfg.warps),
        preceding: Signal<Local, WarpMask> = signal(ctas),
        one: Signal<Local, Bits<1>>,
        fires: Signal<Local, Bits<3>>,
        single: Const<Bit> = Const::new(cfg.slices == 1),
        _warps: usize = cfg.warps,
        _ctas: usize = ctas,
    }
}

impl Logic for CtaProgress {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. count");
        self.age.start_warps.next = self.cta_start.val();
        for c in 0..self._ctas {
            self.fired.next = self.fired_warps.val() & self.members[c].val();
            self.fires.next = 0.into();
            if self.single.val() {
                if self.fired.val().any() {
                    self.fires.next = 1.into();
                }
            } else {
                for w in 0..self._warps {
                    self.one.next = self.fired.val().get_bits::<1>(w);
                    self.fires.next = self.fires.val() + bit_cast::<3, 1>(self.one.val());
                }
            }
            self.issued[c].d.next = self.issued[c].q.val() + bit_cast::<32, 3>(self.fires.val());
            if self.cta_start.val().get_bit(c) | self.kernel_start.val() {
                self.issued[c].d.next = bit_cast::<32, 3>(self.fires.val());
            }
        }
        comment!("2. compare: fewer go first, of equals the CTA that was dispatched later");
        for c in 0..self._ctas {
            self.preceding.next = 0.into();
            for d in 0..self._ctas {
                if self.issued[d].q.val() < self.issued[c].q.val() {
                    self.preceding.next = self.preceding.val().replace_bit(d, true);
                } else if self.issued[d].q.val() == self.issued[c].q.val() {
                    self.preceding.next =
                        self.preceding.val().replace_bit(d, self.age.older[d].val().get_bit(c));
                }
            }
            self.order[c].d.next = self.preceding.val();
            self.ahead[c].next = self.order[c].q.val();
        }
    }
}
