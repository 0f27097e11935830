//! Dispatch: in which cycle which warps of which blocks of a grid start where (docs/ISA.md, section 7.1, "Time").

use spec::config::{CoreConfig, WarpMask};

use super::grid::{GridLaunch, Placement, Residents, StartingWarps};

/// A grid that is laid out, or whose blocks start.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatch {
    warps: Residents,
    blocks: u64,
    /// Blocks all of whose warps have started.
    started: u64,
    /// Cycles until the first block is given a slot.
    layout: usize,
    /// What was given a slot in the cycle before: it starts.
    given: Option<StartingWarps>,
}

/// What starts in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Started {
    /// The warps that start.
    pub warps: Option<StartingWarps>,
    /// All blocks had started before.
    pub was_last: bool,
}

impl Started {
    /// The warps that start, one bit each.
    pub fn mask(&self) -> WarpMask {
        self.warps.map_or(0, |starting| starting.warps)
    }

    /// The CTA slot whose block begins.
    pub fn begun_slot(&self) -> Option<usize> {
        self.warps.filter(|starting| starting.rank == 0).map(|starting| starting.slot)
    }
}

impl Dispatch {
    /// The state after the cycle in which the grid is taken.
    pub fn new(launch: &GridLaunch, cfg: &CoreConfig) -> Self {
        let placement = Placement::new(launch, cfg);
        let layout = placement.size * cfg.threads + cfg.warps;
        let warps = Residents::new(placement);
        Self { warps, blocks: launch.blocks(), started: 0, layout, given: None }
    }

    /// A further cycle, in which the warps of `active_warps` are active, one bit each.
    pub fn cycle(&mut self, active_warps: WarpMask) -> Started {
        let was_last = !self.has_more();
        let started = Started { warps: self.given.take(), was_last };
        if let Some(starting) = started.warps {
            self.warps.start(starting);
            self.started += u64::from(!self.warps.has_partial());
        }
        if self.layout > 0 {
            self.layout -= 1;
        } else {
            self.given = self.warps.next(active_warps | started.mask(), self.has_more());
        }
        started
    }

    /// Where the blocks are.
    pub fn residents(&self) -> &Residents {
        &self.warps
    }

    /// Whether the block of a warp has warps that are not active yet.
    pub fn is_partial(&self, wid: usize) -> bool {
        let starts = |given: StartingWarps| given.slot == self.warps.slot_of(wid);
        self.warps.is_partial(wid) || self.given.is_some_and(starts)
    }

    /// Whether blocks have yet to start.
    pub fn has_more(&self) -> bool {
        self.started < self.blocks
    }
}
