//! The dispatch check: which block starts in which CTA slot in which cycle, from the definition in docs/ISA.md, section 7.1,
//! and from which warps were active when.

use crate::config::CoreConfig;
use crate::model::sched::CoreView;
use crate::model::{GridLaunch, Placement};

use super::failure::{Checked, Mismatch};

/// What a dispatcher does in the cycles of a run.
pub(super) struct DispatchCheck {
    cfg: CoreConfig,
    /// No cycle has passed since reset.
    first: bool,
    grid: Option<Grid>,
}

/// A grid on its way.
struct Grid {
    placement: Placement,
    blocks: u64,
    started: u64,
    /// Cycles until blocks are given slots.
    layout: usize,
    /// The slot that was given away in the cycle before: its block starts.
    given: Option<usize>,
}

impl DispatchCheck {
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        Self { cfg: cfg.clone(), first: true, grid: None }
    }

    /// Compares a cycle with what schedulers are told; `launch` is the grid that is taken in it. Returns the CTA slot
    /// whose block starts.
    pub(super) fn cycle(&mut self, seen: &CoreView, launch: Option<&GridLaunch>) -> Checked<Option<usize>> {
        let first = std::mem::replace(&mut self.first, false);
        compare("kernel_start", first || launch.is_some(), seen.kernel_start)?;
        let Some(grid) = &mut self.grid else {
            // A bare start, or none yet: each warp is a block of its own.
            compare("last_cta_dispatched", false, seen.last_cta_dispatched)?;
            compare("cta_start", seen.start_warps, seen.cta_start)?;
            for (wid, &slot) in seen.cta.iter().enumerate().take(self.cfg.warps) {
                compare("CTA slot of a warp", wid, usize::from(slot))?;
            }
            self.grid = launch.map(|launch| Grid::new(launch, &self.cfg));
            return Ok(None);
        };
        let starts = grid.given.take();
        let warps = starts.map_or(0, |slot| grid.placement.warps_of(slot));
        compare("start_warps", warps, seen.start_warps)?;
        compare("cta_start", starts.map_or(0, |slot| 1 << slot), seen.cta_start)?;
        compare("last_cta_dispatched", grid.started == grid.blocks, seen.last_cta_dispatched)?;
        for (wid, &slot) in seen.cta.iter().enumerate() {
            if (seen.active_warps | warps) >> wid & 1 != 0 {
                compare("CTA slot of a warp", grid.placement.slot_of(wid), usize::from(slot))?;
            }
        }
        grid.started += u64::from(starts.is_some());
        if let Some(launch) = launch {
            *grid = Grid::new(launch, &self.cfg);
        } else if grid.layout > 0 {
            grid.layout -= 1;
        } else if grid.started < grid.blocks {
            grid.given = grid.placement.free_slot(seen.active_warps | warps);
        }
        Ok(starts)
    }
}

impl Grid {
    fn new(launch: &GridLaunch, cfg: &CoreConfig) -> Self {
        let placement = Placement::new(launch, cfg);
        let layout = placement.size * cfg.threads + cfg.warps;
        Self { placement, blocks: launch.blocks(), started: 0, layout, given: None }
    }
}

fn compare<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, got: T) -> Checked {
    if expected == got {
        return Ok(());
    }
    let show = |value: T| format!("{value:?}");
    Err(Mismatch::new(None, format!("dispatch of blocks: {what}"), show(expected), show(got)))
}
