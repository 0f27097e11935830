//! The dispatch check: which block starts in which CTA slot in which cycle, from the definition in docs/ISA.md, section 7.1,
//! and from which warps were active when.

use model::sched::CoreView;
use model::{members, Dispatch, GridLaunch, StartingWarps};
use spec::config::CoreConfig;

use super::failure::{Checked, Mismatch};

/// What a dispatcher does in the cycles of a run.
pub(super) struct DispatchCheck {
    cfg: CoreConfig,
    /// The CTA slot of each warp while there is no grid.
    bare_slots: Vec<u8>,
    /// No cycle has passed since reset.
    first: bool,
    grid: Option<Dispatch>,
}

impl DispatchCheck {
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        let bare_slots = (0..cfg.warps).map(|wid| cfg.bare_cta(wid) as u8).collect();
        Self { cfg: cfg.clone(), bare_slots, first: true, grid: None }
    }

    /// Compares a cycle with what schedulers are told; `launch` is the grid that is taken in it. Returns the warps
    /// of a block that start.
    pub(super) fn cycle(
        &mut self,
        seen: &CoreView,
        launch: Option<&GridLaunch>,
    ) -> Checked<Option<StartingWarps>> {
        let first = std::mem::replace(&mut self.first, false);
        compare("kernel_start", first || launch.is_some(), seen.kernel_start)?;
        let Some(grid) = &mut self.grid else {
            // A bare start, or none yet: where there is a CTA slot for each warp, each is a block of its own.
            compare("last_cta_dispatched", false, seen.last_cta_dispatched)?;
            compare("cta_start", self.cfg.bare_ctas(seen.start_warps), seen.cta_start)?;
            compare("CTA slots of all warps", &self.bare_slots[..], &seen.cta[..self.cfg.warps])?;
            if let Some(launch) = launch {
                self.grid = Some(Dispatch::new(launch, &self.cfg));
            }
            return Ok(None);
        };
        let block = grid.cycle(seen.active_warps);
        compare("start_warps", block.mask(), seen.start_warps)?;
        compare("cta_start", block.begun_slot().map_or(0, |slot| 1 << slot), seen.cta_start)?;
        compare("last_cta_dispatched", block.was_last, seen.last_cta_dispatched)?;
        // With dispatch by warps the slot of a warp is known from the cycle after its start on.
        let starting = if self.cfg.warp_dispatch { 0 } else { block.mask() };
        for wid in members(seen.active_warps | starting) {
            compare("CTA slot of a warp", grid.residents().slot_of(wid), usize::from(seen.cta[wid]))?;
        }
        if let Some(launch) = launch {
            *grid = Dispatch::new(launch, &self.cfg);
        }
        Ok(block.warps)
    }
}

#[inline]
fn compare<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, got: T) -> Checked {
    match expected == got {
        true => Ok(()),
        false => Err(mismatch(what, &expected, &got)),
    }
}

#[cold]
fn mismatch(what: &str, expected: &dyn std::fmt::Debug, got: &dyn std::fmt::Debug) -> Box<Mismatch> {
    Mismatch::new(None, format!("dispatch of blocks: {what}"), format!("{expected:?}"), format!("{got:?}"))
}
