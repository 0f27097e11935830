//! `kaws`: the kernel-aware priority of KAWS.

use super::view::{oldest, SchedulerModel, View};
use crate::members;
use spec::config::{CoreConfig, MAX_WARPS};

/// What is known of a CTA slot.
#[derive(Clone, Copy, Debug, Default)]
struct Cta {
    /// Warp instructions issued since the dispatch, wrapping.
    progress: u32,
    /// Number of the dispatch: larger is younger.
    dispatch: u64,
}

/// `lo`; from the dispatch of the last CTA on, the oldest ready warp of the CTA with the least progress.
#[derive(Clone, Debug)]
pub struct KernelAware {
    ctas: [Cta; MAX_WARPS],
    /// As they were a cycle ago: what the choice goes by.
    compared: [Cta; MAX_WARPS],
    dispatches: u64,
    kernel_aware: bool,
}

impl KernelAware {
    /// In its reset state: no progress, a smaller slot is older.
    pub fn new(cfg: &CoreConfig) -> Self {
        let ctas = std::array::from_fn(|slot| Cta { progress: 0, dispatch: slot as u64 });
        Self { ctas, compared: ctas, dispatches: MAX_WARPS as u64, kernel_aware: cfg.kaws_kernel_aware }
    }

    fn compared(&self, wid: usize, view: View) -> Cta {
        self.compared[usize::from(view.core.cta[wid])]
    }
}

impl SchedulerModel for KernelAware {
    fn pick(&self, view: View) -> Option<usize> {
        // 1. candidates
        let mut candidates = view.stage.ready_warps;
        if self.kernel_aware && view.core.last_cta_dispatched {
            let order = |wid: &usize| {
                let cta = self.compared(*wid, view);
                (cta.progress, std::cmp::Reverse(cta.dispatch))
            };
            let first = view.core.cta[members(candidates).min_by_key(order)?];
            candidates = members(candidates)
                .filter(|wid| view.core.cta[*wid] == first)
                .fold(0, |mask, wid| mask | 1 << wid);
        }
        // 2. pick
        oldest(candidates, view)
    }

    fn clock(&mut self, view: View, _: Option<usize>) {
        // 3. remember
        self.compared = self.ctas;
        if view.core.kernel_start {
            self.ctas.iter_mut().for_each(|cta| cta.progress = 0);
        }
        for slot in members(view.core.cta_start) {
            self.ctas[slot] = Cta { progress: 0, dispatch: self.dispatches };
            self.dispatches += 1;
        }
        for wid in members(view.core.issue_fire_warps) {
            let cta = &mut self.ctas[usize::from(view.core.cta[wid])];
            cta.progress = cta.progress.wrapping_add(1);
        }
    }
}
