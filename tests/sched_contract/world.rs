//! A random environment of one scheduler: warps that start, exit and wait at barriers, CTAs, other slices, an unreliable unit.
use super::inputs::inputs;
use cosim::Rng;
use model::sched::{Counts, Inputs, Masks, Slots};
use spec::config::{warps_below, CoreConfig, WarpMask};
use spec::registry::Stage;

/// Deepest queue that the counts of unissued instructions come from.
const QUEUE: u32 = 4;

/// What surrounds a scheduler.
pub struct World {
    rng: Rng,
    stage: Stage,
    warps: usize,
    ctas: usize,
    own_warps: WarpMask,
    /// Active warps, oldest first.
    resident: Vec<usize>,
    waiting: WarpMask,
    cta: Slots,
    unissued: Counts,
    /// CTAs of the kernel that are still to be dispatched.
    ctas_left: u32,
    started: bool,
    /// Kernels that have begun.
    pub kernels: u32,
    ready_percent: u32,
    exit_percent: u32,
}

impl World {
    /// Around the scheduler of one stage, at issue that of a random slice.
    pub fn new(cfg: &CoreConfig, stage: Stage, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let (warps, slices) = (cfg.warps, cfg.slices);
        let slice = rng.below(slices as u32) as usize;
        let owns = |wid: usize| stage == Stage::Fetch || wid % slices == slice;
        Self {
            stage,
            warps,
            ctas: cfg.ctas(),
            own_warps: (0..warps).filter(|wid| owns(*wid)).fold(0, |mask, wid| mask | 1 << wid),
            resident: vec![],
            waiting: 0,
            cta: Slots::default(),
            unissued: Counts::default(),
            ctas_left: 2 * warps as u32,
            started: false,
            kernels: 0,
            ready_percent: 50,
            exit_percent: 3,
            rng,
        }
    }

    /// A random subset of `of`.
    fn some(&mut self, of: WarpMask, percent: u32) -> WarpMask {
        (0..self.warps).filter(|w| of >> w & 1 != 0 && self.rng.percent(percent)).fold(0, |m, w| m | 1 << w)
    }

    /// The view with its events, or all but these, at random, so that an input of which this world has no notion moves too.
    fn anything(&mut self, mut view: Inputs, events: bool) -> Inputs {
        let (warps, rng) = (self.warps, &mut self.rng);
        let some = inputs(&mut view).into_iter().filter(|input| input.event == events);
        some.for_each(|mut input| input.randomise(warps, rng));
        view
    }

    /// Everything a scheduler sees this cycle but the events, which hang on its grant.
    pub fn cycle(&mut self) -> Inputs {
        if self.rng.percent(2) {
            self.ready_percent = [5, 30, 60, 100][self.rng.below(4) as usize];
            self.exit_percent = [0, 3, 15, 40][self.rng.below(4) as usize];
        }
        let all = warps_below(self.warps);
        let active = self.resident.iter().fold(0, |mask, wid| mask | 1 << wid);
        let mut view = self.anything(Inputs::default(), false);
        view.stage.own_warps = self.own_warps;
        view.core.active_warps = active;
        view.core.barrier.warps = self.waiting;
        view.core.cta = self.cta;
        view.core.last_cta_dispatched = self.ctas_left == 0;
        // An idle slot's age is of no meaning, and no policy may look at it.
        view.core.older = Masks::default();
        view.core.kernel_start = !self.started;
        self.kernels += u32::from(!self.started);
        self.started = true;
        for (rank, wid) in self.resident.iter().enumerate() {
            view.core.older[*wid] = self.resident[..rank].iter().fold(0, |mask, w| mask | 1 << w);
        }
        let percent = self.ready_percent;
        // Behind a barrier fetching goes on, and a queue need not hold anything to be fetched into.
        let (stopped, with_head) = match self.stage {
            Stage::Fetch => (0, 0),
            Stage::Issue => (self.waiting, all),
        };
        view.stage.data_ready_warps = self.some(active & !stopped & self.own_warps, percent);
        view.stage.ready_warps = self.some(view.stage.data_ready_warps, 80);
        let of_others = active & !self.own_warps & !self.waiting;
        view.core.blocked_warps =
            (view.stage.data_ready_warps & !view.stage.ready_warps) | self.some(of_others, 20);
        view.core.held_warps = self.some(active, 10);
        view.core.icache_req_ready = self.rng.percent(95);
        view.stage.memory_warps = self.some(all, 30);
        view.stage.empty_warps = self.some(all & !(view.stage.data_ready_warps & with_head), 50);
        for wid in 0..self.warps {
            if self.rng.percent(20) {
                self.unissued[wid] = self.rng.below(QUEUE + 1) as u8;
            }
        }
        view.stage.unissued = self.unissued;
        view
    }

    /// The events that the granted warp, if it fired, and chance bring about; they end the cycle.
    pub fn events(&mut self, view: &mut Inputs, granted: Option<usize>) {
        let begins = view.core.kernel_start;
        *view = self.anything(*view, true);
        view.core.kernel_start = begins;
        view.core.cta_start = 0;
        view.core.start_warps = 0;
        view.stage.fire = granted.is_some() && self.rng.percent(80);
        let fired = granted.filter(|_| view.stage.fire);
        view.stage.fired_oh = fired.map_or(0, |wid| 1 << wid);
        // What the fetch stage's scheduler grants does not issue, and all slices are others.
        let (issued, own_warps) = match self.stage {
            Stage::Fetch => (0, 0),
            Stage::Issue => (view.stage.fired_oh, self.own_warps),
        };
        let of_others = self.some(view.core.active_warps & !own_warps & !self.waiting, 20);
        view.core.fetch_fire_warps = self.some(view.core.active_warps, 10);
        view.core.memory.done_warps = self.some(view.core.active_warps, 5);
        view.core.issue_fire_warps = issued | of_others;
        // One barrier instruction is performed at a time.
        let arrived = self.some(view.core.issue_fire_warps, 20);
        view.core.barrier.arrive_warps = arrived & arrived.wrapping_neg();
        view.core.barrier.release_warps = 0;
        // A barrier opens, for the warp that arrives last among others.
        let there = self.waiting | view.core.barrier.arrive_warps;
        if there != 0 && self.rng.percent(10) {
            view.core.barrier.release_warps = self.some(there, 70);
        }
        let percent = self.exit_percent;
        view.core.exit_warps =
            self.some(view.core.issue_fire_warps & !view.core.barrier.arrive_warps, percent);
        // Warps may be ended while they wait, too: what a policy holds of their CTA must not outlive it.
        view.core.exit_warps |= self.some(self.waiting & !view.core.barrier.release_warps, 2);
        if self.ctas_left != 0 && self.rng.percent(50) {
            self.dispatch(view);
        }
        self.resident.retain(|wid| view.core.exit_warps >> wid & 1 == 0);
        self.waiting = (self.waiting | view.core.barrier.arrive_warps)
            & !view.core.barrier.release_warps
            & !view.core.exit_warps;
        // Kernels end early now and then, so that a run sees several begin.
        if self.rng.percent(1) {
            self.ctas_left = 0;
            self.exit_percent = 40;
        }
        if self.ctas_left == 0 && self.resident.is_empty() {
            self.ctas_left = 1 + self.rng.below(2 * self.warps as u32);
            self.started = false;
        }
    }

    /// A CTA of one or more warps begins in idle slots, and takes some free CTA slot.
    fn dispatch(&mut self, view: &mut Inputs) {
        let wanted = 1 + self.rng.below(3) as usize;
        let idle = (0..self.warps).filter(|wid| view.core.active_warps >> wid & 1 == 0);
        let starters: Vec<_> = idle.take(wanted).collect();
        let used = |slot: u8| self.resident.iter().any(|wid| self.cta[*wid] == slot);
        let free: Vec<_> = (0..self.ctas as u8).filter(|slot| !used(*slot)).collect();
        let slot = (!free.is_empty()).then(|| free[self.rng.below(free.len() as u32) as usize]);
        if let (Some(slot), false) = (slot, starters.is_empty()) {
            self.ctas_left -= 1;
            view.core.cta_start = 1 << slot;
            for wid in starters {
                view.core.start_warps |= 1 << wid;
                self.cta[wid] = slot;
                self.resident.push(wid);
            }
        }
    }
}
