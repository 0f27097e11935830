//! What the steps of a cycle tell one another.

use super::bus::{Accepted, Requests};
use super::few::Few;
use super::lsu::Told;
use super::record::Record;
use super::slice::Turn;
use super::special::{BarrierEvents, Shown};
use super::Result;
use crate::Started;
use spec::config::WarpMask;

/// A cycle as far as it is known.
pub(super) struct Now<const MOST: usize> {
    /// It is the first one, or a grid is taken.
    pub starts: bool,
    /// A grid is taken.
    pub launched: bool,
    /// The first warp starts, without a grid.
    pub boots: bool,
    /// What each slice does.
    pub turns: Few<Turn, MOST>,
    pub requests: Requests<MOST>,
    pub accepted: Accepted,
    /// The tag of the line that memory shows for the load-store unit.
    pub data_response: Option<u8>,
    /// It shows one for an instruction cache, which always takes it.
    pub icache_response: bool,
    /// Nothing else is on its way: the data cache writes what it has.
    pub drain: bool,
    /// What is written for the load-store unit in each slice, and whether that completes it.
    pub loaded: [Option<(Result, bool)>; MOST],
    /// What the special unit shows, and what is written for it.
    pub shown: Shown,
    pub special_written: Option<Result>,
    pub barriers: BarrierEvents,
    pub memory: Told<MOST>,
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
    /// Those with something to issue.
    pub filled_warps: WarpMask,
    /// Those whose head leaves.
    pub issue_fire_warps: WarpMask,
    /// FENCE.I or a grid empties the instruction caches.
    pub flush_icache: bool,
    /// What observers are told.
    pub record: Box<Record>,
}

impl<const MOST: usize> Now<MOST> {
    pub fn new(slices: usize) -> Self {
        Self {
            starts: false,
            launched: false,
            boots: false,
            turns: Few::new(slices, |_| Turn::default()),
            requests: Requests::default(),
            accepted: Accepted::default(),
            data_response: None,
            icache_response: false,
            drain: false,
            loaded: [None; MOST],
            shown: Shown::default(),
            special_written: None,
            barriers: BarrierEvents::default(),
            memory: Told::default(),
            block: Started::default(),
            active_warps: 0,
            barrier_warps: 0,
            ended_warps: 0,
            begun_warps: 0,
            taken_warps: 0,
            fence_warp: 0,
            redirected_warps: 0,
            held_warps: 0,
            parked_warps: 0,
            filled_warps: 0,
            issue_fire_warps: 0,
            flush_icache: false,
            record: Box::default(),
        }
    }

    /// Forgets of the cycle before what is not written over in any case.
    pub fn clear(&mut self) {
        for turn in self.turns.iter_mut() {
            (turn.special, turn.guest, turn.fetched) = (false, None, None);
        }
        self.record.clear(self.turns.len());
        self.requests = Requests::default();
        self.issue_fire_warps = 0;
    }

    /// What a mask of each slice is together.
    pub fn of_all(&self, mask: impl Fn(&Turn) -> WarpMask) -> WarpMask {
        self.turns.iter().fold(0, |all, turn| all | mask(turn))
    }

    /// Whether what memory shows is taken.
    pub fn response_taken(&self) -> bool {
        self.memory.response_taken || self.icache_response
    }
}
