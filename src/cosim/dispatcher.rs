//! The dispatch check: which block starts in which CTA slot in which cycle, from the definition in docs/ISA.md, section 7.1,
//! and from which warps were active when.

use model::sched::CoreView;
use model::{members, Dispatch, GridLaunch, StartingWarps};
use spec::config::CoreConfig;

use super::failure::{Checked, Mismatch};

/// What a dispatcher does in the cycles of a run.
pub(super) struct DispatchCheck {
    cfg: CoreConfig,
    /// No cycle has passed since reset.
    first: bool,
    grid: Option<Dispatch>,
}

impl DispatchCheck {
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        Self { cfg: cfg.clone(), first: true, grid: None }
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
            for (wid, &slot) in seen.cta.iter().enumerate().take(self.cfg.warps) {
                compare("CTA slot of a warp", self.cfg.bare_cta(wid), usize::from(slot))?;
            }
            self.grid = launch.map(|launch| Dispatch::new(launch, &self.cfg));
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

fn compare<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, got: T) -> Checked {
    if expected == got {
        return Ok(());
    }
    let show = |value: T| format!("{value:?}");
    Err(Mismatch::new(None, format!("dispatch of blocks: {what}"), show(expected), show(got)))
}
