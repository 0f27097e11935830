//! The dispatcher: takes grids, and starts their blocks.

use std::collections::VecDeque;

use crate::config::{CoreConfig, WarpMask};
use crate::model::{Dispatch, GridLaunch, Placement, Started};

/// Takes grids one after another, each when the core rests.
pub(super) struct Dispatcher {
    cfg: CoreConfig,
    pending: VecDeque<GridLaunch>,
    grid: Option<Dispatch>,
    /// Grids taken: cycles in which the core was not busy.
    pub taken: u64,
}

impl Dispatcher {
    pub fn new(cfg: &CoreConfig, launches: &[GridLaunch]) -> Self {
        Self { cfg: cfg.clone(), pending: launches.iter().cloned().collect(), grid: None, taken: 0 }
    }

    /// The grid that is taken in this cycle, in which the core rests.
    pub fn take(&mut self) -> Option<GridLaunch> {
        let launch = self.pending.pop_front()?;
        self.grid = Some(Dispatch::new(&launch, &self.cfg));
        self.taken += 1;
        Some(launch)
    }

    /// A cycle after the one in which the grid was taken.
    pub fn cycle(&mut self, active_warps: WarpMask) -> Started {
        self.grid.as_mut().map_or_else(Started::default, |grid| grid.cycle(active_warps))
    }

    /// Where the blocks of the grid are; `None` after a bare start.
    pub fn placement(&self) -> Option<&Placement> {
        self.grid.as_ref().map(Dispatch::placement)
    }

    /// Whether blocks have yet to start.
    pub fn busy(&self) -> bool {
        self.grid.as_ref().is_some_and(Dispatch::has_more)
    }
}
