//! What is kept of each CTA slot for the policies that order CTAs: once a core, beside the warp table, and not once a scheduler.
use super::baws::WarpPriorityTable;
use super::kaws::CtaProgress;
use super::CoreView;
use crate::prelude::*;
use spec::registry::CtaTable::{Progress, Waiting};

bundle! {
    /// The CTAs as their policies see them; nothing under policies that do not order CTAs.
    pub struct CtaTables(cfg: &CoreConfig) {
        forward {
            /// The warps of each CTA slot.
            members: if (cfg.has_table(None)) [WarpMask; cfg.ctas()] = cfg.warps,
            /// Of each CTA slot how many of these wait at a barrier or have exited (BAWS).
            waiting: if (cfg.has_table(Some(Waiting))) [WarpId; cfg.ctas()] = cfg.wid_bits(),
            /// Bit `d` of element `c`: CTA slot `d` goes before CTA slot `c`, for it has issued less (KAWS).
            ahead: if (cfg.has_table(Some(Progress))) [WarpMask; cfg.ctas()] = cfg.ctas(),
        }
    }
}

module! {
    /// Keeps the tables that the core's policies ask for.
    ///
    /// Ports: `core` -> `tables`. Latency: members combinational, the rest follows an event one cycle later, progress two.
    /// Reset: that of the tables. Invariants: all schedulers of the core see the same. Critical path: that of the tables.
    /// Source: BAWS 4.1.1 (one table a core), KAWS 3; docs/SCHEDULERS.md, sections 4 and 5. Mirror in the model: each
    /// policy's model has its own, of the same events.
    pub struct CtaTracker(cfg: &CoreConfig) [clock, reset] {
        /// What all schedulers see alike.
        pub core: CoreView<In> = CoreView::new(cfg),
        /// What they see of CTAs.
        pub tables: CtaTables<Out> = CtaTables::new(cfg),
        ctas: CtaMembers = CtaMembers::new(cfg),
        priorities: Opt<WarpPriorityTable> = Opt::new(cfg.has_table(Some(Waiting)), WarpPriorityTable::new(cfg)),
        progress: Opt<CtaProgress> = Opt::new(cfg.has_table(Some(Progress)), CtaProgress::new(cfg)),
        counts_waiting: Const<Bit> = Const::new(cfg.has_table(Some(Waiting))),
        counts_progress: Const<Bit> = Const::new(cfg.has_table(Some(Progress))),
    }
}

impl Logic for CtaTracker {
    #[hdl_gen]
    fn update(&mut self) {
        Wires::join(&mut self.core.cta, &mut self.ctas.cta);
        Wires::join(&mut self.ctas.members, &mut self.tables.members);
        if self.counts_waiting.val() {
            comment!("who waits, for mwf and cff");
            Wires::join(&mut self.ctas.members, &mut self.priorities.members);
            Wires::join(&mut self.core.barrier, &mut self.priorities.barrier);
            self.priorities.active_warps.next = self.core.active_warps.val();
            self.priorities.exit_warps.next = self.core.exit_warps.val();
            Wires::join(&mut self.priorities.waiting, &mut self.tables.waiting);
        }
        if self.counts_progress.val() {
            comment!("who has issued least, for kaws");
            Wires::join(&mut self.ctas.members, &mut self.progress.members);
            self.progress.fired_warps.next = self.core.issue_fire_warps.val();
            self.progress.cta_start.next = self.core.cta_start.val();
            self.progress.kernel_start.next = self.core.kernel_start.val();
            Wires::join(&mut self.progress.ahead, &mut self.tables.ahead);
        }
    }
}
