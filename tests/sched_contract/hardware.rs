//! A policy's module, driven through the standard ports.
use heddle::config::CoreConfig;
use heddle::model::sched::View;
use heddle::registry::Stage;
use heddle::rtl::sched::{self as rtl, SchedulerSocket};
use rust_hdl::prelude::*;

/// A policy's hardware in rust-hdl's simulator.
pub struct Hardware(pub SchedulerSocket);

impl Hardware {
    /// In its reset state.
    pub fn new(cfg: &CoreConfig, stage: Stage) -> Self {
        let mut hardware = Self(rtl::build(cfg, stage));
        hardware.settle();
        hardware
    }

    fn settle(&mut self) {
        assert!(simulate(&mut self.0, 100), "the scheduler does not settle");
    }

    /// Gives it the inputs of a cycle.
    pub fn drive(&mut self, view: &View) {
        let mask = |warps: u32| u64::from(warps).to_bits::<32>();
        let ports = &mut *self.0;
        ports.ready_warps.next = mask(view.ready_warps);
        ports.data_ready_warps.next = mask(view.data_ready_warps);
        ports.own_warps.next = mask(view.own_warps);
        ports.suspended_warps.next = mask(view.suspended_warps);
        ports.icache_req_ready.next = view.icache_req_ready;
        ports.fire.next = view.fire;
        ports.fetch_fire_warps.next = mask(view.fetch_fire_warps);
        ports.issue_fire_warps.next = mask(view.issue_fire_warps);
        ports.memory_warps.next = mask(view.memory_warps);
        ports.empty_warps.next = mask(view.empty_warps);
        ports.barrier_warps.next = mask(view.barrier_warps);
        ports.memory_done_warps.next = mask(view.memory_done_warps);
        ports.barrier_arrive_warps.next = mask(view.barrier_arrive_warps);
        ports.barrier_release_warps.next = mask(view.barrier_release_warps);
        ports.active_warps.next = mask(view.active_warps);
        ports.start_warps.next = mask(view.start_warps);
        ports.exit_warps.next = mask(view.exit_warps);
        ports.cta_start.next = mask(view.cta_start);
        ports.last_cta_dispatched.next = view.last_cta_dispatched;
        ports.kernel_start.next = view.kernel_start;
        for wid in 0..ports.older.len() {
            ports.older[wid].next = mask(view.older[wid]);
            ports.cta[wid].next = u64::from(view.cta[wid]).to_bits();
            ports.unissued[wid].next = u64::from(view.unissued[wid]).to_bits();
        }
        self.settle();
        let fired = if view.fire { self.0.grant_oh.val() } else { 0.into() };
        self.0.fired_oh.next = fired;
        self.settle();
    }

    /// The granted warp; the three forms of the grant must agree.
    pub fn grant(&self) -> Option<usize> {
        let grant = self.0.grant_oh.val().to_u64() as u32;
        assert!(grant.count_ones() <= 1, "{grant:b} is not one-hot");
        assert_eq!(self.0.grant_valid.val(), grant != 0);
        assert_eq!(
            self.0.grant_wid.val().to_u64() as u32,
            if grant == 0 { 0 } else { grant.trailing_zeros() }
        );
        (grant != 0).then(|| grant.trailing_zeros() as usize)
    }

    /// Ends the cycle.
    pub fn clock(&mut self) {
        for level in [true, false] {
            self.0.clock.next = level.into();
            self.settle();
        }
    }
}
