//! What the steps of a cycle tell one another.

use super::bus::{Accepted, Requests};
use super::lsu::Told;
use super::record::Record;
use super::request::Response;
use super::slice::Turn;
use super::special::{BarrierEvents, Shown};
use super::Result;
use crate::Started;
use spec::config::{WarpMask, MAX_SLICES};

/// A cycle as far as it is known.
#[derive(Default)]
pub(super) struct Now {
    /// It is the first one, or a grid is taken.
    pub starts: bool,
    /// A grid is taken.
    pub launched: bool,
    /// The first warp starts, without a grid.
    pub boots: bool,
    pub slices: usize,
    /// What each slice does.
    pub turns: [Turn; MAX_SLICES],
    pub requests: Requests,
    pub accepted: Accepted,
    pub response: Option<Response>,
    /// Nothing else is on its way: the data cache writes what it has.
    pub drain: bool,
    /// What is written for the load-store unit in each slice, and whether that completes it.
    pub loaded: [Option<(Result, bool)>; MAX_SLICES],
    /// What the special unit shows, and what is written for it.
    pub shown: Shown,
    pub special_written: Option<Result>,
    pub barriers: BarrierEvents,
    pub memory: Told,
    pub block: Started,
    // Warps.
    pub active_warps: WarpMask,
    pub barrier_warps: WarpMask,
    pub ended_warps: WarpMask,
    pub begun_warps: WarpMask,
    /// Those whose branch or jump goes elsewhere.
    pub taken_warps: WarpMask,
    pub fence_warp: WarpMask,
    pub redirected_warps: WarpMask,
    /// Those that wait for a line.
    pub held_warps: WarpMask,
    pub parked_warps: WarpMask,
    /// Those whose head leaves.
    pub issue_fire_warps: WarpMask,
    /// FENCE.I or a grid empties the instruction caches.
    pub flush_icache: bool,
    /// What observers are told.
    pub record: Box<Record>,
}

impl Now {
    /// Forgets the cycle before, in a core of so many slices.
    pub fn clear(&mut self, slices: usize) {
        self.slices = slices;
        self.turns[..slices].fill(Turn::default());
        self.record.clear(slices);
        self.requests = Requests::default();
        self.issue_fire_warps = 0;
    }

    /// What a mask of each slice is together.
    pub fn of_all(&self, mask: impl Fn(&Turn) -> WarpMask) -> WarpMask {
        self.turns[..self.slices].iter().fold(0, |all, turn| all | mask(turn))
    }

    /// Whether what memory shows is taken.
    pub fn response_taken(&self) -> bool {
        self.memory.response_taken || matches!(self.response, Some(Response::Icache(..)))
    }
}
