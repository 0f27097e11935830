//! The recency register of MOTRR (docs/SCHEDULERS.md, section 7).

use super::view::{age, Mask, View};
use crate::{members, PerWarp};

/// Where a count stops.
const SATURATED: u8 = 63;

/// Which warps had a load or a store completed lately.
#[derive(Clone, Debug, Default)]
pub struct RecencyRegister {
    recent: Mask,
    counts: PerWarp<u8>,
}

impl RecencyRegister {
    /// The warps whose bit R is set; what it says of a warp that is not active is of no meaning.
    pub fn recent(&self) -> Mask {
        self.recent
    }

    /// The edge at the end of a cycle.
    pub fn clock(&mut self, view: View) {
        let active = view.core.active_warps;
        // A warp that has exited has lost its bit.
        self.recent &= active;
        // While too many are recent, the one of longest standing goes; of equals the youngest.
        if self.recent.count_ones() > active.count_ones() / 2 {
            let order = |wid: &usize| (self.counts[*wid], age(*wid, self.recent, view));
            let leaves = members(self.recent).max_by_key(order).expect("more than none");
            self.recent &= !(1 << leaves);
        }
        // Then the completions of the cycle.
        let done = view.core.memory.done_warps & active;
        if done != 0 {
            for wid in members(active) {
                let older = (self.counts[wid] + 1).min(SATURATED);
                self.counts[wid] = if done >> wid & 1 != 0 { 0 } else { older };
            }
        }
        self.recent |= done;
    }
}
