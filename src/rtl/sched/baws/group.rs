//! The CTA that BAWS serves first.
use super::WarpPriorityTable;
use crate::prelude::*;

module! {
    /// Narrows warps down to those of the CTA that has most warps waiting at a barrier.
    ///
    /// Ports: `warps` (whom to choose from); `cta`, `cta_start`, `kernel_start` and the barrier's `arrive_warps` and
    /// `release_warps`, from the scheduler's -> `any_waiting` (CTAs are told apart), `candidates` (the given warps of the
    /// first CTA that has one; all of them while nobody waits), `cta_warps` (all slots of that CTA), `members`.
    /// Latency: combinational; the table follows an event one cycle later. Reset: nobody waits.
    /// Invariants: there are candidates if and only if there are warps. The order of the CTAs is a strict total one.
    /// Critical path: `warps` -> an OR over each CTA's -> an OR over the CTAs ahead -> an OR over the CTA's warps. The
    /// comparisons of counts, one a pair of CTAs, come from registers beside them: dearer than a tree of W-1, which would add
    /// its log2 W comparisons to the path.
    /// Source: BAWS 4.1.1; docs/SCHEDULERS.md, section 4. Mirror in the model: `model::sched::baws`.
    pub struct MostWaitingCta(cfg: &CoreConfig) [clock, reset] {
        /// Whom to choose from.
        pub warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// CTA slot of each warp.
        pub cta: Vec<Signal<In, WarpId>> = signals(cfg.warps, cfg.wid_bits()),
        /// A CTA was dispatched to the slot.
        pub cta_start: Signal<In, WarpMask> = signal(cfg.warps),
        /// A kernel begins.
        pub kernel_start: Signal<In, Bit>,
        /// Arrives at a barrier.
        pub arrive_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// Released from a barrier.
        pub release_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// Some warp waits at a barrier.
        pub any_waiting: Signal<Out, Bit>,
        /// Those of `warps` that are to be chosen from.
        pub candidates: Signal<Out, WarpMask> = signal(cfg.warps),
        /// All warps of the CTA that was chosen.
        pub cta_warps: Signal<Out, WarpMask> = signal(cfg.warps),
        /// The warps of each CTA slot.
        pub members: Vec<Signal<Out, WarpMask>> = signals(cfg.warps, cfg.warps),
        ctas: CtaMembers = CtaMembers::new(cfg.warps),
        priorities: WarpPriorityTable = WarpPriorityTable::new(cfg),
        below: Vec<Const<WarpMask>> = (0..cfg.warps).map(|c| constant(cfg.warps, (1 << c) - 1)).collect(),
        present, ahead: Signal<Local, WarpMask> = signal(cfg.warps),
        _warps: usize = cfg.warps,
    }
}

impl Logic for MostWaitingCta {
    #[hdl_gen]
    fn update(&mut self) {
        self.priorities.arrive_warps.next = self.arrive_warps.val();
        self.priorities.release_warps.next = self.release_warps.val();
        self.priorities.cta_start.next = self.cta_start.val();
        self.priorities.kernel_start.next = self.kernel_start.val();
        Wires::join(&mut self.cta, &mut self.ctas.cta);
        Wires::join(&mut self.ctas.members, &mut self.priorities.members);
        Wires::join(&mut self.ctas.members, &mut self.members);
        comment!("1. the CTAs that have a warp to choose");
        self.any_waiting.next = false;
        self.present.next = 0.into();
        for c in 0..self._warps {
            self.any_waiting.next = self.any_waiting.val() | self.priorities.waiting[c].val().any();
            self.present.next =
                self.present.val().replace_bit(c, (self.warps.val() & self.ctas.members[c].val()).any());
        }
        comment!("2. of them the one with most waiting; of equals the smaller slot");
        self.cta_warps.next = 0.into();
        for c in 0..self._warps {
            self.ahead.next = 0.into();
            for d in 0..self._warps {
                if self.priorities.waiting[d].val() > self.priorities.waiting[c].val() {
                    self.ahead.next = self.ahead.val().replace_bit(d, true);
                } else if self.priorities.waiting[d].val() == self.priorities.waiting[c].val() {
                    self.ahead.next = self.ahead.val().replace_bit(d, self.below[c].val().get_bit(d));
                }
            }
            if self.present.val().get_bit(c) & !(self.present.val() & self.ahead.val()).any() {
                self.cta_warps.next = self.cta_warps.val() | self.ctas.members[c].val();
            }
        }
        comment!("3. its warps; while nobody waits, CTAs are all the same");
        self.candidates.next = self.warps.val();
        if self.any_waiting.val() {
            self.candidates.next = self.warps.val() & self.cta_warps.val();
        }
    }
}
