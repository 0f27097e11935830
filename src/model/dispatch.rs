//! Dispatch: in which cycle which CTA slot gets a block of a grid (docs/ISA.md, section 7.1, "Time").

use spec::config::{CoreConfig, WarpMask};

use super::grid::{GridLaunch, Placement};

/// A grid that is laid out, or whose blocks start.
#[derive(Clone, Debug)]
pub struct Dispatch {
    placement: Placement,
    blocks: u64,
    started: u64,
    /// Cycles until the first block is given a slot.
    layout: usize,
    /// The slot that was given away in the cycle before: its block starts.
    given: Option<usize>,
}

/// What starts in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Started {
    /// The CTA slot whose block starts.
    pub slot: Option<usize>,
    /// The block's warps, one bit each.
    pub warps: WarpMask,
    /// All blocks had started before.
    pub was_last: bool,
}

impl Dispatch {
    /// The state after the cycle in which the grid is taken.
    pub fn new(launch: &GridLaunch, cfg: &CoreConfig) -> Self {
        let placement = Placement::new(launch, cfg);
        let layout = placement.size * cfg.threads + cfg.warps;
        Self { placement, blocks: launch.blocks(), started: 0, layout, given: None }
    }

    /// A further cycle, in which the warps of `active_warps` are active, one bit each.
    pub fn cycle(&mut self, active_warps: WarpMask) -> Started {
        let slot = self.given.take();
        let was_last = !self.has_more();
        let warps = slot.map_or(0, |slot| self.placement.warps_of(slot));
        self.started += u64::from(slot.is_some());
        if self.layout > 0 {
            self.layout -= 1;
        } else if self.has_more() {
            self.given = self.placement.free_slot(active_warps | warps);
        }
        Started { slot, warps, was_last }
    }

    /// Where the blocks are.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether blocks have yet to start.
    pub fn has_more(&self) -> bool {
        self.started < self.blocks
    }
}
