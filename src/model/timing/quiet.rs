//! Cycles in which nothing can happen, because everybody waits for memory: they are not computed.
//!
//! If nothing was to be seen in a cycle and all parts are after it as they were before it, the next cycle is the same, and so
//! on until memory shows something. To compare all parts takes as long as some cycles, so it is done only after some quiet
//! ones in a row. Memory itself goes on cycle by cycle.

use super::bus::{Accepted, Grant};
use super::core::Core;
use super::fetch::Fetch;
use super::front::Kind;
use super::now::Now;
use super::record::SliceRecord;
use super::skip::Parts;
use super::special::Shown;

/// Quiet cycles in a row after which the parts are copied: most waits are over by then, or take many more.
const PATIENCE: u32 = 12;
/// The quiet cycle after which they are compared with what they were in the one before.
const COMPARED: u32 = PATIENCE + 1;

impl<const MOST: usize> Core<MOST> {
    /// A cycle that is like the last one, if nothing can happen: only memory goes on. Otherwise does nothing and gives `false`.
    #[inline]
    pub(super) fn skip_cycle(&mut self) -> bool {
        let Some(writes_pending) = self.skip.until else { return false };
        let port = self.bus.port();
        if port.response().is_some() || port.writes_pending() != writes_pending {
            self.skip.until = None;
            return false;
        }
        self.bus.clock(self.cycle, &Accepted::default(), false);
        let [last, before] = &mut self.records;
        before.clone_from(last);
        self.cycle += 1;
        self.skip.skipped += 1;
        true
    }

    /// Looks after a cycle whether nothing can happen from now on.
    #[inline]
    pub(super) fn look_whether_to_skip(&mut self, now: &Now<MOST>) {
        let fires =
            self.records[0].slices[..self.slices.len()].iter().any(|of_slice| of_slice.fires.is_some());
        if !fires && self.skip.possible {
            self.count_quiet(now);
        } else {
            self.skip.quiet = 0;
        }
    }

    /// Counts the cycle, in which nothing issues, if nothing else was to be seen in it either.
    #[inline(never)]
    fn count_quiet(&mut self, now: &Now<MOST>) {
        self.skip.quiet = if self.is_quiet(now) { self.skip.quiet + 1 } else { 0 };
        match self.skip.quiet {
            PATIENCE => self.skip.before = Some(Box::new(self.parts())),
            COMPARED => self.compare(),
            _ => {}
        }
    }

    /// Nothing was to be seen in the cycle, and nothing ends by the clock alone.
    fn is_quiet(&self, now: &Now<MOST>) -> bool {
        let record = &self.records[0];
        let is_quiet = |of_slice: &SliceRecord| {
            let SliceRecord { fetches, icache, written, .. } = of_slice;
            !fetches && icache.is_none() && written.is_none()
        };
        let queues_rest = match &self.front.kind {
            Kind::Unified(_) => true,
            Kind::Decoupled(fetch) => fetch.iter().all(Fetch::rests),
        };
        record.busy
            && record.slices[..self.slices.len()].iter().all(is_quiet)
            && now.data_response.is_none()
            && !now.icache_response
            && now.accepted.whose == Grant::Nobody
            && !now.requests.any()
            && !now.starts
            && now.begun_warps | now.redirected_warps | now.ended_warps == 0
            && now.shown == Shown::default()
            && now.memory.left.iter().all(Option::is_none)
            && queues_rest
            && !self.slices.iter().any(|slice| slice.units.counts_cycles())
    }

    /// Compares the parts with what they were a cycle before. Where something still moves, the next look comes later.
    fn compare(&mut self) {
        let parts = self.parts();
        if self.skip.before.take().is_some_and(|before| *before == parts) {
            self.skip.until = Some(parts.writes_pending);
        }
        self.skip.quiet = 0;
    }

    fn parts(&self) -> Parts<MOST> {
        let slices = || self.slices.iter();
        Parts {
            icaches: slices().map(|slice| slice.icache.clone()).collect(),
            units: slices().map(|slice| slice.units.clone()).collect(),
            collects: slices().map(|slice| slice.collect.clone()).collect(),
            orders: slices().map(|slice| slice.order.clone()).collect(),
            sharing: self.sharing.clone(),
            suspended_warps: self.front.suspended_warps,
            special: self.special.clone(),
            special_turns: self.special_turns.clone(),
            lsu: self.lsu.clone(),
            blocks: self.dispatcher.grid().cloned(),
            threads_issued: self.threads_issued,
            writes_pending: self.bus.port().writes_pending(),
        }
    }
}
