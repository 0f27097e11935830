//! The warp priority table of BAWS, what is remembered of a CTA, and the choices by both that `mwf-lrr` and `mwf-gto` issue by
//! and others fetch by.

use std::cmp::Reverse;

use super::view::{age, lowest, next_after, oldest, Mask, View};
use crate::{members, PerWarp};

/// How many warps of each CTA slot wait at a barrier or have exited.
#[derive(Clone, Debug, Default)]
struct PriorityTable {
    waiting: PerWarp<usize>,
}

impl PriorityTable {
    /// While nobody waits there is one group of all warps.
    fn is_clear(&self) -> bool {
        self.waiting.iter().all(|count| *count == 0)
    }

    /// Of these warps, those of the first CTA that has any: the most waiting, of equals the older.
    fn first_group(&self, warps: Mask, view: View) -> Mask {
        if self.is_clear() {
            return warps;
        }
        let cta = |wid: usize| usize::from(view.core.cta[wid]);
        // The warps of a CTA are of one age, apart from their order among themselves.
        let order = |wid: &usize| (Reverse(self.waiting[cta(*wid)]), age(*wid, warps, view));
        let first = members(warps).min_by_key(order).map(cta);
        members(warps).filter(|wid| Some(cta(*wid)) == first).fold(0, |group, wid| group | 1 << wid)
    }

    /// The edge at the end of a cycle.
    fn clock(&mut self, view: View) {
        let core = view.core;
        let (arrive, release) = (core.barrier.arrive_warps, core.barrier.release_warps);
        let slot = |wid: usize| usize::from(core.cta[wid]);
        let slots = |warps: Mask| members(warps).fold(0, |mask: Mask, wid| mask | 1 << slot(wid));
        // A barrier that opens takes its CTA's count along, before anybody arrives at the next.
        members(slots(release)).for_each(|cta| self.waiting[cta] = 0);
        members(slots(arrive & !release)).for_each(|cta| self.waiting[cta] += 1);
        // The end is a barrier too, at which those arrive who did not wait anyway; it opens with the last.
        members(slots(core.exit_warps & !core.barrier.warps)).for_each(|cta| self.waiting[cta] += 1);
        let ended = slots(core.exit_warps) & !slots(core.active_warps & !core.exit_warps);
        members(ended).for_each(|cta| self.waiting[cta] = 0);
    }
}

/// The warp that fired last, of each CTA slot and of all.
#[derive(Clone, Debug, Default)]
struct LastFired {
    of_all: Option<usize>,
    of_cta: PerWarp<Option<usize>>,
}

impl LastFired {
    /// The last of all while there is one group, else that of the CTA of these warps.
    fn of(&self, group: Mask, table: &PriorityTable, view: View) -> Option<usize> {
        if table.is_clear() {
            self.of_all
        } else {
            members(group).next().and_then(|wid| self.of_cta[usize::from(view.core.cta[wid])])
        }
    }

    /// The edge at the end of a cycle.
    fn clock(&mut self, view: View, fired: Option<usize>) {
        if let Some(wid) = fired {
            self.of_all = Some(wid);
            self.of_cta[usize::from(view.core.cta[wid])] = Some(wid);
        }
        // Where a warp begins, another CTA does, or none has the slot that once had it.
        for last in self.of_cta.iter_mut() {
            *last = last.filter(|wid| view.core.start_warps >> wid & 1 == 0);
        }
        if view.core.kernel_start {
            *self = Self::default();
        }
    }
}

/// The order of most waiting first.
#[derive(Clone, Debug, Default)]
pub(super) struct MostWaiting {
    table: PriorityTable,
    last: LastFired,
}

impl MostWaiting {
    /// Of these warps, inside the first CTA greedy then oldest.
    pub(super) fn greedy(&self, warps: Mask, view: View) -> Option<usize> {
        let group = self.table.first_group(warps, view);
        let last = self.last.of(group, &self.table, view);
        last.filter(|wid| group >> wid & 1 != 0).or_else(|| oldest(group, view))
    }

    /// Of these warps, inside the first CTA the oldest.
    pub(super) fn oldest(&self, warps: Mask, view: View) -> Option<usize> {
        oldest(self.table.first_group(warps, view), view)
    }

    /// Of these warps, inside the first CTA the one behind the last that fired, else from warp 0.
    pub(super) fn in_turn(&self, warps: Mask, view: View) -> Option<usize> {
        let group = self.table.first_group(warps, view);
        match self.last.of(group, &self.table, view) {
            Some(last) => next_after(last, group),
            None => lowest(group),
        }
    }

    /// The edge at the end of a cycle in which that warp fired.
    pub(super) fn clock(&mut self, view: View, fired: Option<usize>) {
        self.last.clock(view, fired);
        self.table.clock(view);
    }
}

/// Of the warps that may be fetched for, the first that are not none: not at a barrier and out of instructions, not at a barrier,
/// all.
pub(super) fn critical(view: View) -> Mask {
    let ready = view.stage.ready_warps;
    let running = ready & !view.core.barrier.warps;
    let classes = [running & view.stage.empty_warps, running, ready];
    classes.into_iter().find(|warps| *warps != 0).unwrap_or(0)
}
