//! The counts of iPAWS, a set for each thread block.
use super::IssueCounts;
use crate::prelude::*;

module! {
    /// [`IssueCounts`] that the warps of a CTA share: what happens to any of them counts once, and each has what all have.
    ///
    /// Ports: as those of [`IssueCounts`], for warps, but `cta_start` (a CTA begins in the slot: its counts are cleared); `cta`
    /// (the CTA slot of each warp). Latency: one cycle, for reads a choice among the CTA slots. Reset: 0. Critical path: a mask
    /// of warps -> an OR over each CTA's -> an increment of 32 bits.
    /// Source: iPAWS 3.5 (a coarse-grained iPAWS); docs/SCHEDULERS.md, section 6. Mirror in the model: `model::sched::ipaws`.
    pub struct BlockCounts(cfg: &CoreConfig) [clock, reset] {
        /// A kernel begins.
        pub clear: Signal<In, Bit>,
        /// The first warp has exited: scores and stalls are kept as they are.
        pub freeze: Signal<In, Bit>,
        /// A CTA begins in the slot.
        pub cta_start: Signal<In, WarpMask> = signal(cfg.ctas()),
        /// An instruction of the warp issues.
        pub issued_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// It waits at a barrier while another issues.
        pub waited_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// It could issue if there were room for its instruction.
        pub stalled_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// CTA slot of each warp.
        pub cta: Vec<Signal<In, WarpId>> = signals(cfg.warps, cfg.cta_bits()),
        /// Instructions that the warp's CTA has issued.
        pub inst: Vec<Signal<Out, Bits<32>>> = signals(cfg.warps, 32),
        /// These, and cycles at a barrier while another issued.
        pub score: Vec<Signal<Out, Bits<32>>> = signals(cfg.warps, 32),
        /// Stalls.
        pub stall: Vec<Signal<Out, Bits<32>>> = signals(cfg.warps, 32),
        ctas: CtaMembers = CtaMembers::new(cfg),
        counts: IssueCounts = IssueCounts::new(cfg.ctas()),
        /// With `--warp-dispatch`, where a warp slot goes on to another CTA: who was where when scores and stalls were frozen.
        kept_cta: Opt<Vec<Pipe<WarpId>>> = Opt::new(cfg.warp_dispatch, pipes(cfg.warps, cfg.cta_bits())),
        kept: Opt<CtaMembers> = Opt::new(cfg.warp_dispatch, CtaMembers::new(cfg)),
        by_warp: Const<Bit> = Const::new(cfg.warp_dispatch),
        issued, waited, stalled: Signal<Local, WarpMask> = signal(cfg.ctas()),
        _warps: usize = cfg.warps,
        _ctas: usize = cfg.ctas(),
    }
}

impl Logic for BlockCounts {
    #[hdl_gen]
    fn update(&mut self) {
        Wires::join(&mut self.cta, &mut self.ctas.cta);
        self.issued.next = 0.into();
        self.waited.next = 0.into();
        self.stalled.next = 0.into();
        for c in 0..self._ctas {
            self.issued.next = self
                .issued
                .val()
                .replace_bit(c, (self.issued_warps.val() & self.ctas.members[c].val()).any());
            self.waited.next = self
                .waited
                .val()
                .replace_bit(c, (self.waited_warps.val() & self.ctas.members[c].val()).any());
            self.stalled.next = self
                .stalled
                .val()
                .replace_bit(c, (self.stalled_warps.val() & self.ctas.members[c].val()).any());
        }
        self.counts.clear.next = self.clear.val();
        self.counts.freeze.next = self.freeze.val();
        self.counts.start_warps.next = self.cta_start.val();
        self.counts.issued_warps.next = self.issued.val();
        self.counts.waited_warps.next = self.waited.val();
        self.counts.stalled_warps.next = self.stalled.val();
        for i in 0..self._warps {
            self.inst[i].next = 0.into();
            self.score[i].next = 0.into();
            self.stall[i].next = 0.into();
            for c in 0..self._ctas {
                if self.ctas.members[c].val().get_bit(i) {
                    self.inst[i].next = self.counts.inst[c].val();
                    if !self.by_warp.val() {
                        self.score[i].next = self.counts.score[c].val();
                        self.stall[i].next = self.counts.stall[c].val();
                    }
                }
            }
        }
        if self.by_warp.val() {
            for i in 0..self._warps {
                if !self.freeze.val() {
                    self.kept_cta[i].d.next = self.cta[i].val();
                }
                self.kept.cta[i].next = self.kept_cta[i].q.val();
                for c in 0..self._ctas {
                    if self.kept.members[c].val().get_bit(i) {
                        self.score[i].next = self.counts.score[c].val();
                        self.stall[i].next = self.counts.stall[c].val();
                    }
                }
            }
        }
    }
}
