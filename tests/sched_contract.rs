//! What every registered warp scheduler must show: hardware and reference model choose the same warp in every cycle,
//! whatever happens around them, and the choice obeys the contract of SCHEDULERS section 8.
use heddle::config::CoreConfig;
use heddle::cosim::verilator::{lint, Toolchain};
use heddle::cosim::Rng;
use heddle::model::sched::{self as model, View};
use heddle::registry::{PolicyInfo, Stage, POLICIES};
use heddle::rtl::sched::{self as rtl, SchedulerSocket};
use heddle::verilog::emit;
use rust_hdl::prelude::*;

/// Policies that may grant nothing although some warp is ready.
const STRICT: &[&str] = &["srr"];

/// A random environment of one scheduler: warps that start, exit and wait at barriers, CTAs, an unreliable unit.
struct World {
    rng: Rng,
    warps: usize,
    /// Active warps, oldest first.
    resident: Vec<usize>,
    waiting: u32,
    cta: [u8; 32],
    ctas_left: u32,
    started: bool,
    ready_percent: u32,
}

impl World {
    fn new(warps: usize, seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            warps,
            resident: vec![],
            waiting: 0,
            cta: [0; 32],
            ctas_left: 40,
            started: false,
            ready_percent: 50,
        }
    }

    /// A random subset of `of`.
    fn some(&mut self, of: u32, percent: u32) -> u32 {
        (0..self.warps).filter(|w| of >> w & 1 != 0 && self.rng.percent(percent)).fold(0, |m, w| m | 1 << w)
    }

    /// Everything a scheduler sees this cycle but `fire`, which hangs on its grant.
    fn cycle(&mut self) -> View {
        if self.rng.percent(2) {
            self.ready_percent = [5, 30, 60, 100][self.rng.below(4) as usize];
        }
        let all = ((1u64 << self.warps) - 1) as u32;
        let active = self.resident.iter().fold(0, |mask, wid| mask | 1 << wid);
        let mut view = View {
            active_warps: active,
            barrier_warps: self.waiting,
            own_warps: all,
            cta: self.cta,
            last_cta_dispatched: self.ctas_left == 0,
            kernel_start: !self.started,
            ..View::default()
        };
        self.started = true;
        for (wid, older) in view.older.iter_mut().enumerate().take(self.warps) {
            let rank = self.resident.iter().position(|w| *w == wid);
            // an idle slot stays where the matrix left it, which no policy may look at
            *older = self.resident[..rank.unwrap_or(0)].iter().fold(0, |mask, w| mask | 1 << w);
        }
        let percent = self.ready_percent;
        view.data_ready_warps = self.some(active & !self.waiting, percent);
        view.ready_warps = self.some(view.data_ready_warps, 80);
        view.memory_warps = self.some(all, 30);
        view.empty_warps = self.some(all & !view.data_ready_warps, 50);
        view.fetch_fire_warps = self.some(active, 10);
        view.memory_done_warps = self.some(active, 5);
        view
    }

    /// The events that the granted warp, if it fired, and chance bring about; they end the cycle.
    fn events(&mut self, view: &mut View, granted: Option<usize>) {
        view.fire = granted.is_some() && self.rng.percent(80);
        let fired = granted.filter(|_| view.fire);
        view.issue_fire_warps = fired.map_or(0, |wid| 1 << wid);
        view.barrier_arrive_warps = fired.filter(|_| self.rng.percent(20)).map_or(0, |wid| 1 << wid);
        if self.waiting != 0 && self.rng.percent(10) {
            view.barrier_release_warps = self.some(self.waiting, 70);
        }
        if let Some(wid) =
            fired.filter(|wid| view.barrier_arrive_warps >> wid & 1 == 0 && self.rng.percent(4))
        {
            view.exit_warps = 1 << wid;
        }
        let idle = (0..self.warps).find(|wid| view.active_warps >> wid & 1 == 0);
        let starter = idle.filter(|_| self.ctas_left != 0 && self.rng.percent(30));
        if let Some(wid) = starter {
            self.ctas_left -= 1;
            view.start_warps = 1 << wid;
            view.cta_start = 1 << wid;
            self.cta[wid] = wid as u8;
            self.resident.push(wid);
        }
        self.resident.retain(|wid| view.exit_warps >> wid & 1 == 0);
        self.waiting =
            (self.waiting | view.barrier_arrive_warps) & !view.barrier_release_warps & !view.exit_warps;
        if self.ctas_left == 0 && self.resident.is_empty() {
            self.ctas_left = 40;
            self.started = false;
        }
    }
}

/// A policy's hardware in rust-hdl's simulator.
struct Hardware(SchedulerSocket);

impl Hardware {
    fn new(cfg: &CoreConfig, stage: Stage) -> Self {
        let mut hardware = Self(rtl::build(cfg, stage));
        hardware.settle();
        hardware
    }

    fn settle(&mut self) {
        assert!(simulate(&mut self.0, 100), "the scheduler does not settle");
    }

    fn drive(&mut self, view: &View) {
        let mask = |warps: u32| u64::from(warps).to_bits::<32>();
        let ports = &mut *self.0;
        ports.ready_warps.next = mask(view.ready_warps);
        ports.data_ready_warps.next = mask(view.data_ready_warps);
        ports.own_warps.next = mask(view.own_warps);
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
        for (wid, (older, cta)) in ports.older.iter_mut().zip(&mut ports.cta).enumerate() {
            older.next = mask(view.older[wid]);
            cta.next = u64::from(view.cta[wid]).to_bits();
        }
        self.settle();
    }

    /// The granted warp; the three forms of the grant must agree.
    fn grant(&self) -> Option<usize> {
        let grant = self.0.grant_oh.val().to_u64() as u32;
        assert!(grant.count_ones() <= 1, "{grant:b} is not one-hot");
        assert_eq!(self.0.grant_valid.val(), grant != 0);
        assert_eq!(
            self.0.grant_wid.val().to_u64() as u32,
            if grant == 0 { 0 } else { grant.trailing_zeros() }
        );
        (grant != 0).then(|| grant.trailing_zeros() as usize)
    }

    fn clock(&mut self) {
        for level in [true, false] {
            self.0.clock.next = level.into();
            self.settle();
        }
    }
}

fn config(policy: &PolicyInfo, stage: Stage, warps: usize) -> CoreConfig {
    let mut cfg = CoreConfig { warps, ..CoreConfig::default() };
    match stage {
        Stage::Fetch => cfg.fetch = policy.key.into(),
        Stage::Issue => cfg.issue = policy.key.into(),
    }
    cfg
}

/// Every policy at every stage where it may be used.
fn everywhere() -> impl Iterator<Item = (&'static PolicyInfo, Stage)> {
    POLICIES.iter().flat_map(|policy| policy.stages.iter().map(move |stage| (policy, *stage)))
}

/// Runs `cycles` random cycles; returns the choices.
fn check(policy: &PolicyInfo, stage: Stage, warps: usize, seed: u64, cycles: u32) -> Vec<Option<usize>> {
    let cfg = config(policy, stage, warps);
    let mut hardware = Hardware::new(&cfg, stage);
    let mut reference = model::build(policy.key, &cfg, stage).expect("a registered policy");
    let mut world = World::new(warps, seed);
    let mut choices = vec![];
    for cycle in 0..cycles {
        let context = format!("{} {stage:?} {warps} warps seed {seed} cycle {cycle}", policy.key);
        let mut view = world.cycle();
        hardware.drive(&view);
        let granted = hardware.grant();
        assert_eq!(granted, reference.pick(&view), "{context}: {view:?}");
        assert!(granted.is_none_or(|wid| view.ready_warps >> wid & 1 != 0), "{context}: not ready");
        let idle = view.ready_warps != 0 && granted.is_none();
        assert!(!idle || STRICT.contains(&policy.key), "{context}: nobody granted");
        world.events(&mut view, granted);
        hardware.drive(&view);
        assert_eq!(hardware.grant(), granted, "{context}: the grant hangs on the events of its own cycle");
        hardware.clock();
        reference.clock(&view, granted);
        choices.push(granted);
    }
    choices
}

#[test]
fn hardware_and_model_choose_the_same_warp() {
    for (policy, stage) in everywhere() {
        for (seed, warps) in [1, 2, 3, 4, 7, 8, 16, 31, 32].into_iter().enumerate() {
            let choices = check(policy, stage, warps, seed as u64, 600);
            let granted = choices.iter().flatten().count();
            assert!(granted > 20, "{} {warps}: only {granted} grants in 600 cycles", policy.key);
        }
    }
}

#[test]
fn no_two_policies_are_the_same() {
    // Each starts in the same world, which goes other ways only after the choices have.
    for stage in [Stage::Fetch, Stage::Issue] {
        let runs: Vec<_> = everywhere()
            .filter(|(_, at)| *at == stage)
            .map(|(policy, _)| {
                let all: Vec<_> = (0..4).flat_map(|seed| check(policy, stage, 8, 100 + seed, 400)).collect();
                (policy.key, all)
            })
            .collect();
        for (i, (key, choices)) in runs.iter().enumerate() {
            for (other, others) in &runs[..i] {
                assert_ne!(choices, others, "{key} and {other} at {stage:?}");
            }
        }
    }
}

#[test]
fn the_verilog_of_every_policy_is_free_of_lint() {
    let tools = Toolchain::discover().expect("Verilator");
    for (policy, stage) in everywhere() {
        for warps in [1, 6, 32] {
            let mut socket = rtl::build(&config(policy, stage, warps), stage);
            let design =
                emit(&mut socket, "scheduler", &[]).unwrap_or_else(|e| panic!("{}: {e:#?}", policy.key));
            lint(&tools, &design.concat(), "scheduler").unwrap_or_else(|e| panic!("{}: {e}", policy.key));
        }
    }
}
