//! The dispatcher: in which cycle which CTA slot gets a block (docs/ISA.md, section 7.1, "Time").

use std::collections::VecDeque;

use crate::config::CoreConfig;
use crate::model::{GridLaunch, Placement};

/// The grid that is laid out, or whose blocks start.
struct Grid {
    placement: Placement,
    blocks: u64,
    started: u64,
    /// Cycles until the first block is given a slot.
    layout: usize,
    /// The slot that was given away in the cycle before.
    given: Option<usize>,
}

/// What starts in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Started {
    pub slot: Option<usize>,
    pub warps: u32,
    /// All blocks had started before.
    pub was_last: bool,
}

/// Takes grids one after another, each when the core rests.
pub(super) struct Dispatcher {
    cfg: CoreConfig,
    pending: VecDeque<GridLaunch>,
    grid: Option<Grid>,
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
        let placement = Placement::new(&launch, &self.cfg);
        let layout = placement.size * self.cfg.threads + self.cfg.warps;
        self.grid = Some(Grid { placement, blocks: launch.blocks(), started: 0, layout, given: None });
        self.taken += 1;
        Some(launch)
    }

    /// A cycle after the one in which the grid was taken.
    pub fn cycle(&mut self, active_warps: u32) -> Started {
        let Some(grid) = &mut self.grid else { return Started::default() };
        let slot = grid.given.take();
        let was_last = grid.started == grid.blocks;
        let warps = slot.map_or(0, |slot| grid.placement.warps_of(slot));
        grid.started += u64::from(slot.is_some());
        if grid.layout > 0 {
            grid.layout -= 1;
        } else if grid.started < grid.blocks {
            grid.given = grid.placement.free_slot(active_warps | warps);
        }
        Started { slot, warps, was_last }
    }

    /// Where the blocks of the grid are; `None` after a bare start.
    pub fn placement(&self) -> Option<&Placement> {
        self.grid.as_ref().map(|grid| &grid.placement)
    }

    /// Whether blocks have yet to start.
    pub fn busy(&self) -> bool {
        self.grid.as_ref().is_some_and(|grid| grid.started < grid.blocks)
    }
}
