//! The check of warp sharing: in every cycle the warps that issue through other slices than their own are those that the
//! definition shares.

use crate::config::{CoreConfig, WarpMask};
use crate::model::members;
use crate::model::sched::{Sharing, SharingView, View, Visit, CLASSES};
use crate::model::timing::Collector;

use super::elements::Elements;
use super::failure::{Checked, Mismatch};
use super::lockstep::Lockstep;
use super::ports::{SharingPorts, TracePorts};
use super::verilator::Model;

/// The model of the control unit beside the hardware's.
pub(super) struct SharingCheck {
    cfg: CoreConfig,
    sharing: Sharing,
    ports: SharingPorts,
}

impl SharingCheck {
    /// `None` if the core's slices share nothing.
    pub(super) fn new(cfg: &CoreConfig, trace: &TracePorts) -> Option<Self> {
        Some(Self { cfg: cfg.clone(), sharing: Sharing::new(cfg), ports: trace.sharing? })
    }

    /// Checks the cycle that the trace port shows; `views` are what the slices' schedulers see. `lockstep` has executed what
    /// issued in the cycles before, and so knows every head.
    pub(super) fn cycle<'a>(
        &self,
        model: &Model,
        trace: &TracePorts,
        lockstep: &Lockstep,
        views: impl Iterator<Item = &'a View>,
    ) -> Checked {
        let Some(view) = self.view(model, trace, lockstep, views) else { return Ok(()) };
        let mut expected = self.sharing.issue(&view);
        expected.sort_by_key(|visit| visit.through);
        let got = self.visits(model, trace);
        let pairs = || expected.iter().map(|visit: &Visit| (visit.warp, visit.through));
        if !pairs().eq(got.iter().copied()) {
            return Err(mismatch(pairs().collect(), got));
        }
        Ok(())
    }

    /// Warps that issue through other slices than their own, by slice.
    fn visits(&self, model: &Model, trace: &TracePorts) -> Vec<(usize, usize)> {
        let issues = model.read(trace.issue_valid);
        let slices = (0..self.cfg.slices).filter(|slice| issues >> slice & 1 != 0);
        let issued = slices.map(|slice| (trace.issue_wid.get(model, slice) as usize, slice));
        issued.filter(|&(warp, slice)| self.cfg.slice_of(warp) != slice).collect()
    }

    /// `None` if the class of a head cannot be known, for its warp has faulted or is about to.
    fn view<'a>(
        &self,
        model: &Model,
        trace: &TracePorts,
        lockstep: &Lockstep,
        views: impl Iterator<Item = &'a View>,
    ) -> Option<SharingView> {
        let by_class = |ports: Elements| std::array::from_fn(|class| ports.get(model, class));
        let mut seen = SharingView {
            room: by_class(self.ports.room),
            full: by_class(self.ports.full),
            stalled: model.read(trace.operand_stall) as u32,
            ..SharingView::default()
        };
        let mut data_ready = 0;
        for (slice, view) in views.enumerate() {
            seen.idle |= u32::from(view.stage.ready_warps == 0) << slice;
            data_ready |= view.stage.data_ready_warps;
            seen.older = view.core.older;
        }
        if seen.idle == 0 {
            // Nobody takes a warp, whatever it is.
            return Some(seen);
        }
        for warp in members(data_ready) {
            let collector = lockstep.next_collector(warp)?;
            let class = CLASSES.iter().position(|class| *class == collector)?;
            let waits = collector != Collector::Sp
                && self.ports.waiting_warps.get_wide(model, class) >> warp & 1 != 0;
            seen.candidates[class] |= WarpMask::from(!waits) << warp;
        }
        Some(seen)
    }
}

#[cold]
fn mismatch(expected: Vec<(usize, usize)>, got: Vec<(usize, usize)>) -> Box<Mismatch> {
    let show = |visits: Vec<(usize, usize)>| match visits.as_slice() {
        [] => "none".to_owned(),
        all => all
            .iter()
            .map(|(warp, slice)| format!("warp {warp} through slice {slice}"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    Mismatch::new(None, "warps that issue through other slices", show(expected), show(got))
}
