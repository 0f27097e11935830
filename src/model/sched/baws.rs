//! The warp priority table of BAWS, and what `mwf-lrr` and `mwf-gto` remember of a CTA.

use std::cmp::Reverse;

use super::view::{Mask, View};
use crate::{members, PerWarp};

/// How many warps of each CTA slot wait at a barrier.
#[derive(Clone, Debug, Default)]
pub(super) struct PriorityTable {
    waiting: PerWarp<usize>,
}

impl PriorityTable {
    /// While nobody waits there is one group of all warps.
    pub(super) fn is_clear(&self) -> bool {
        self.waiting.iter().all(|count| *count == 0)
    }

    /// Of these warps, those of the first CTA that has any: the most waiting, of equals the smaller slot.
    pub(super) fn first_group(&self, warps: Mask, view: &View) -> Mask {
        if self.is_clear() {
            return warps;
        }
        let cta = |wid: usize| usize::from(view.core.cta[wid]);
        let first = members(warps).map(cta).min_by_key(|cta| (Reverse(self.waiting[*cta]), *cta));
        members(warps).filter(|wid| Some(cta(*wid)) == first).fold(0, |group, wid| group | 1 << wid)
    }

    /// The edge at the end of a cycle.
    pub(super) fn clock(&mut self, view: &View) {
        let (arrive, release) = (view.core.barrier.arrive_warps, view.core.barrier.release_warps);
        // A barrier that opens takes its CTA's count along, before anybody arrives at the next.
        members(release).for_each(|wid| self.waiting[usize::from(view.core.cta[wid])] = 0);
        members(view.core.cta_start).for_each(|slot| self.waiting[slot] = 0);
        members(arrive & !release).for_each(|wid| self.waiting[usize::from(view.core.cta[wid])] += 1);
        if view.core.kernel_start {
            *self = Self::default();
        }
    }
}

/// The warp that fired last, of each CTA slot and of all.
#[derive(Clone, Debug, Default)]
pub(super) struct LastFired {
    of_all: Option<usize>,
    of_cta: PerWarp<Option<usize>>,
}

impl LastFired {
    /// The last of all while there is one group, else that of the CTA of these warps.
    pub(super) fn of(&self, group: Mask, table: &PriorityTable, view: &View) -> Option<usize> {
        if table.is_clear() {
            self.of_all
        } else {
            members(group).next().and_then(|wid| self.of_cta[usize::from(view.core.cta[wid])])
        }
    }

    /// The edge at the end of a cycle.
    pub(super) fn clock(&mut self, view: &View, granted: Option<usize>) {
        if let Some(wid) = granted.filter(|_| view.stage.fire) {
            self.of_all = Some(wid);
            self.of_cta[usize::from(view.core.cta[wid])] = Some(wid);
        }
        members(view.core.cta_start).for_each(|slot| self.of_cta[slot] = None);
        // The slot of a warp that begins is no longer that of a CTA that once had it.
        for last in self.of_cta.iter_mut() {
            *last = last.filter(|wid| view.core.start_warps >> wid & 1 == 0);
        }
        if view.core.kernel_start {
            *self = Self::default();
        }
    }
}
