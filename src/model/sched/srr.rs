//! `srr`: strict round-robin.

use super::view::{SchedulerModel, View};
use spec::config::CoreConfig;

/// One active warp a cycle has its turn, in slot order; ready or not, the turn is over then.
#[derive(Clone, Debug)]
pub struct StrictRoundRobin {
    warps: usize,
    /// Whose turn it was last.
    last_turn: usize,
}

impl StrictRoundRobin {
    /// In its reset state: warp 0 is the first.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { warps: cfg.warps, last_turn: cfg.warps - 1 }
    }

    /// Whose turn it is: the next of this scheduler's active warps, at last the same again.
    fn turn(&self, view: View) -> Option<usize> {
        let members = view.core.active_warps & view.stage.own_warps;
        let mut order = (1..=self.warps).map(|step| (self.last_turn + step) % self.warps);
        order.find(|wid| members >> wid & 1 != 0)
    }
}

impl SchedulerModel for StrictRoundRobin {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates: the only one is the warp whose turn it is
        let candidate = self.turn(view);
        // 2. pick it if it is ready
        candidate.filter(|wid| view.stage.ready_warps >> wid & 1 != 0)
    }

    fn clock(&mut self, view: View, _: Option<usize>) {
        // 3. remember: the turn passes, used or not
        if view.core.kernel_start {
            self.last_turn = self.warps - 1;
        } else if let Some(wid) = self.turn(view) {
            self.last_turn = wid;
        }
    }
}
