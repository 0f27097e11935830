//! `gtlo`: greedy then loose oldest.

use super::view::{oldest, SchedulerModel, View};
use spec::config::CoreConfig;

/// The warp that fired last while it is ready, else the oldest ready warp.
#[derive(Clone, Debug)]
pub struct GreedyLooseOldest {
    greedy: Option<usize>,
}

impl GreedyLooseOldest {
    /// In its reset state: no warp is greedy.
    pub fn new(_: &CoreConfig) -> Self {
        Self { greedy: None }
    }
}

impl SchedulerModel for GreedyLooseOldest {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let candidates = view.stage.ready_warps;
        // 2. pick
        match self.greedy {
            Some(wid) if candidates >> wid & 1 != 0 => Some(wid),
            _ => oldest(candidates, view),
        }
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        // 3. remember: whichever warp fires is the greedy one
        if view.core.kernel_start {
            self.greedy = None;
        } else if view.stage.fire {
            self.greedy = granted.or(self.greedy);
        }
    }
}
