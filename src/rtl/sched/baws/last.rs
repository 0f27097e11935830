//! Which warp of a CTA fired last.
use crate::prelude::*;

module! {
    /// Remembers of each CTA the warp that fired last.
    ///
    /// Ports: `members` (the warps of each CTA slot), the events `fired_oh`, `start_warps`, `kernel_start` ->
    /// `last_warps` (of each CTA slot at most one warp). Latency: one cycle. Reset: none has fired.
    /// Invariants: at most one warp of each CTA. It is forgotten when a warp begins in its slot, as all do of a CTA that is
    /// dispatched: so a bit for each warp is enough, instead of a warp's number for each CTA.
    /// Critical path: grant -> an OR over each CTA's warps, and over the CTAs. Source: BAWS 4.1.1; docs/SCHEDULERS.md,
    /// section 4. Mirror in the model: `model::sched::baws`.
    pub struct LastOfCta(cfg: &CoreConfig) [clock, reset] {
        /// The warps of each CTA slot.
        pub members: Vec<Signal<In, WarpMask>> = signals(cfg.ctas(), cfg.warps),
        /// The warp that fires, or none.
        pub fired_oh: Signal<In, WarpMask> = signal(cfg.warps),
        /// Activated this cycle.
        pub start_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// A kernel begins.
        pub kernel_start: Signal<In, Bit>,
        /// The last that fired of each CTA.
        pub last_warps: Signal<Out, WarpMask> = signal(cfg.warps),
        last: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
        forgotten: Signal<Local, WarpMask> = signal(cfg.warps),
        _ctas: usize = cfg.ctas(),
    }
}

impl Logic for LastOfCta {
    #[hdl_gen]
    fn update(&mut self) {
        self.last_warps.next = self.last.q.val();
        comment!(
            "What the CTA of the warp that fires has had, and what a warp that begins finds in its slot."
        );
        self.forgotten.next = self.start_warps.val();
        for c in 0..self._ctas {
            if (self.fired_oh.val() & self.members[c].val()).any() {
                self.forgotten.next = self.forgotten.val() | self.members[c].val();
            }
        }
        self.last.d.next = (self.last.q.val() & !self.forgotten.val()) | self.fired_oh.val();
        if self.kernel_start.val() {
            self.last.d.next = 0.into();
        }
    }
}
