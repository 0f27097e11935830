//! The dispatcher: takes grids, and starts their blocks.

use std::collections::VecDeque;

use crate::{Dispatch, GridLaunch, Started};
use spec::config::{CoreConfig, WarpMask};

/// Takes grids one after another, each when the core rests.
pub(super) struct Dispatcher {
    cfg: CoreConfig,
    pending: VecDeque<GridLaunch>,
    grid: Option<Dispatch>,
    /// The host presents the next grid: at once after reset, later from the cycle on that follows one at rest.
    presented: bool,
    /// Cycles at rest before a grid, the ones in which grids were taken included.
    pub rests: u64,
}

impl Dispatcher {
    pub fn new(cfg: &CoreConfig, launches: &[GridLaunch]) -> Self {
        let pending: VecDeque<_> = launches.iter().cloned().collect();
        Self { cfg: cfg.clone(), presented: !pending.is_empty(), pending, grid: None, rests: 0 }
    }

    /// The grid that is taken in this cycle, in which the core rests.
    pub fn take(&mut self) -> Option<GridLaunch> {
        self.rests += u64::from(self.has_more());
        if !self.presented {
            self.presented = self.has_more();
            return None;
        }
        self.presented = false;
        let launch = self.pending.pop_front()?;
        self.grid = Some(Dispatch::new(&launch, &self.cfg));
        Some(launch)
    }

    /// Whether there is a grid that has not been taken.
    pub fn has_more(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The grid, of which each cycle is a step but the one in which it was taken.
    pub fn running(&mut self) -> Option<&mut Dispatch> {
        self.grid.as_mut()
    }

    /// The grid, which places blocks; `None` after a bare start.
    pub fn grid(&self) -> Option<&Dispatch> {
        self.grid.as_ref()
    }

    /// The CTA slots that blocks begin in, in a cycle in which these warps start; without a grid each warp is or joins one.
    pub fn begun_slots(&self, begins: &Started, begun_warps: WarpMask) -> WarpMask {
        if begun_warps == 0 {
            return 0;
        }
        match begins.warps {
            None => self.cfg.bare_ctas(begun_warps),
            Some(_) => begins.begun_slot().map_or(0, |slot| 1 << slot),
        }
    }

    /// Whether blocks have yet to start.
    pub fn busy(&self) -> bool {
        self.grid.as_ref().is_some_and(Dispatch::has_more)
    }
}
