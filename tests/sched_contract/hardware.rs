//! A policy's module, driven through the standard ports.
use super::inputs;
use ::model::sched::Inputs;
use ::rtl::sched::{self as rtl, CtaTables, CtaTracker, SchedulerSocket};
use rust_hdl::prelude::*;
use spec::config::CoreConfig;
use spec::registry::Stage;

/// A policy's hardware in rust-hdl's simulator, and the tables of CTAs that the core keeps for it.
pub struct Hardware(pub SchedulerSocket, Option<CtaTracker>);

impl Hardware {
    /// In its reset state.
    pub fn new(cfg: &CoreConfig, stage: Stage) -> Self {
        let mut hardware = Self(rtl::build(cfg, stage), cfg.has_table(None).then(|| CtaTracker::new(cfg)));
        hardware.settle();
        hardware
    }

    fn settle(&mut self) {
        if let Some(tracker) = &mut self.1 {
            assert!(simulate(tracker, 100), "the tables do not settle");
            show(&tracker.tables, &mut self.0.tables);
        }
        assert!(simulate(&mut self.0, 100), "the scheduler does not settle");
    }

    /// Gives it the inputs of a cycle.
    pub fn drive(&mut self, view: &Inputs) {
        inputs::drive(&view.stage, &mut self.0.stage);
        inputs::drive(&view.core, &mut self.0.core);
        if let Some(tracker) = &mut self.1 {
            inputs::drive(&view.core, &mut tracker.core);
        }
        self.settle();
    }

    /// The granted warp; the three forms of the grant must agree.
    pub fn grant(&self) -> Option<usize> {
        let grant = self.0.grant.oh.val().to_u64();
        assert!(grant.count_ones() <= 1, "{grant:b} is not one-hot");
        assert_eq!(self.0.grant.valid.val(), grant != 0);
        assert_eq!(
            self.0.grant.wid.val().to_u64() as u32,
            if grant == 0 { 0 } else { grant.trailing_zeros() }
        );
        (grant != 0).then(|| grant.trailing_zeros() as usize)
    }

    /// Ends the cycle. The clock falls with the inputs of the next one, for nothing changes at that edge.
    pub fn clock(&mut self) {
        self.set_clock(true);
        self.settle();
        self.set_clock(false);
    }

    fn set_clock(&mut self, level: bool) {
        self.0.clock.next = level.into();
        if let Some(tracker) = &mut self.1 {
            tracker.clock.next = level.into();
        }
    }
}

/// As wires would.
fn show(from: &CtaTables<Out>, to: &mut CtaTables<In>) {
    from.members.iter().zip(&mut to.members).for_each(|(from, to)| to.next = from.val());
    from.waiting.iter().zip(&mut to.waiting).for_each(|(from, to)| to.next = from.val());
    from.ahead.iter().zip(&mut to.ahead).for_each(|(from, to)| to.next = from.val());
}
