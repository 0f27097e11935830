//! Hardware and model of an issue policy side by side under a stimulus written by hand, with the grants that it must bring.
use super::hardware::Hardware;
use super::reference;
use model::sched::{Inputs, Masks, SchedulerModel, Slots};
use spec::config::{warps_below, CoreConfig, WarpMask};
use spec::registry::{self, Stage};

/// What happens in a cycle; whoever is granted fires.
#[derive(Clone, Copy, Default)]
pub struct Cycle {
    /// Warps that are issue-ready.
    pub ready: WarpMask,
    /// Warps that are data-ready and not issue-ready.
    pub blocked: WarpMask,
    /// Warps that issue through other slices.
    pub elsewhere: WarpMask,
    /// Warps with a load or a store at the head.
    pub memory: WarpMask,
    /// Warps that wait at a barrier.
    pub waiting: WarpMask,
    /// Warps whose loads and stores complete.
    pub done: WarpMask,
    /// Warps that exit.
    pub exit: WarpMask,
    /// Warps that start.
    pub start: WarpMask,
    /// A kernel begins.
    pub kernel_start: bool,
    /// CTA slots to which a CTA is dispatched.
    pub cta_start: WarpMask,
    /// All CTAs have been dispatched.
    pub last_cta_dispatched: bool,
}

/// A policy in both forms, and the warps around it: all are active at the beginning, the smallest slot the oldest.
pub struct Bench {
    hardware: Hardware,
    model: Box<dyn SchedulerModel>,
    warps: usize,
    active: WarpMask,
    older: Masks,
    ctas: Slots,
    cycle: usize,
}

impl Bench {
    /// Of the policy of that key, with that many warps in one slice.
    pub fn new(key: &str, warps: usize) -> Self {
        Self::of(&CoreConfig { warps, issue: key.into(), ..CoreConfig::default() })
    }

    /// Of the issue policy of a configuration.
    pub fn of(cfg: &CoreConfig) -> Self {
        let policy = registry::find(&cfg.issue).expect("a registered policy");
        let mut bench = Self {
            hardware: Hardware::new(cfg, Stage::Issue),
            model: reference(policy, cfg, Stage::Issue),
            warps: cfg.warps,
            active: cfg.all_warps(),
            older: Masks::default(),
            ctas: Slots::default(),
            cycle: 0,
        };
        bench.ages(&(0..cfg.warps).collect::<Vec<_>>());
        bench
    }

    /// Sets the age of each warp: its place in the order of starting.
    pub fn ages(&mut self, places: &[usize]) {
        for (i, place) in places.iter().enumerate() {
            let older = places.iter().enumerate().filter(|(_, other)| *other < place);
            self.older[i] = older.fold(0, |mask, (j, _)| mask | 1 << j);
        }
    }

    /// Sets the CTA slot of each warp: slot 0 unless this is called.
    pub fn ctas(&mut self, slots: &[u8]) {
        self.ctas[..slots.len()].copy_from_slice(slots);
    }

    /// A cycle, in which both must grant that warp.
    pub fn cycle(&mut self, what: &str, cycle: Cycle, expected: Option<usize>) {
        let mut view = Inputs::default();
        view.stage.ready_warps = cycle.ready;
        view.stage.data_ready_warps = cycle.ready | cycle.blocked;
        view.stage.own_warps = warps_below(self.warps);
        view.stage.memory_warps = cycle.memory;
        view.core.active_warps = self.active;
        view.core.older = self.older;
        view.core.blocked_warps = cycle.blocked;
        view.core.barrier.warps = cycle.waiting;
        view.core.kernel_start = cycle.kernel_start;
        view.core.cta = self.ctas;
        view.core.last_cta_dispatched = cycle.last_cta_dispatched;
        self.hardware.drive(&view);
        let context = format!("cycle {} ({what})", self.cycle);
        assert_eq!(self.hardware.grant(), expected, "the hardware in {context}");
        assert_eq!(self.model.pick(view.view()), expected, "the model in {context}");
        let fired = expected.map_or(0, |warp| 1 << warp);
        view.stage.fire = expected.is_some();
        view.stage.fired_oh = fired;
        view.core.issue_fire_warps = fired | cycle.elsewhere;
        view.core.memory.done_warps = cycle.done;
        view.core.exit_warps = cycle.exit;
        view.core.start_warps = cycle.start;
        view.core.cta_start = cycle.cta_start;
        self.hardware.drive(&view);
        self.hardware.clock();
        self.model.clock(view.view(), expected);
        self.active = (self.active | cycle.start) & !cycle.exit;
        self.cycle += 1;
    }
}
