//! A policy as a module of its own: with the tables of CTAs that a core keeps for it.
use ::rtl::sched::{self as rtl, CoreView, CtaTracker, Grant, SchedulerSocket, StageView};
use hdl::prelude::*;
use spec::config::CoreConfig;
use spec::registry::Stage;

module! {
    /// The scheduler of a stage with what it needs of its core, behind the ports of a scheduler.
    pub struct Scheduler(cfg: &CoreConfig, of: Stage) [clock, reset] {
        /// What its stage tells it alone.
        pub stage: StageView<In> = StageView::new(cfg),
        /// What all schedulers see alike.
        pub core: CoreView<In> = CoreView::new(cfg),
        /// The choice.
        pub grant: Grant<Out> = Grant::new(cfg),
        policy: SchedulerSocket = rtl::build(cfg, of),
        tracker: CtaTracker = CtaTracker::new(cfg),
    }
}

impl Logic for Scheduler {
    #[hdl_gen]
    fn update(&mut self) {
        Wires::join(&mut self.core, &mut self.tracker.core);
        Wires::join(&mut self.tracker.tables, &mut self.policy.tables);
        Wires::join(&mut self.stage, &mut self.policy.stage);
        Wires::join(&mut self.core, &mut self.policy.core);
        Wires::join(&mut self.policy.grant, &mut self.grant);
    }
}
