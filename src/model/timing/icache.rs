//! The instruction cache: tags, and what happens to the lines on their way.

use std::sync::Arc;

use super::fetch::Request;
use super::fills::{Events, Fills};
use spec::config::{CacheConfig, WarpMask, LINE_BYTES};

/// A request, in the cycle after the one in which it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lookup {
    wid: usize,
    line: u32,
    /// The way that had it when the tags were read.
    way: Option<usize>,
}

/// Tags of one way, and how far they have been made invalid since reset or FENCE.I: one set a cycle in which no line is
/// written to the way; sets that are not reached yet do not count.
#[derive(Clone, PartialEq)]
struct Way {
    /// Shared with copies of the cache, which are only compared, until a line changes.
    tags: Arc<Vec<Option<u32>>>,
    sweep: Option<usize>,
}

/// Read-only cache of 64-byte lines.
#[derive(Clone, PartialEq)]
pub(super) struct InstructionCache {
    ways: Vec<Way>,
    /// Some way has a sweep.
    sweeps: bool,
    /// The way that the next line replaces.
    victim: usize,
    lookup: Option<Lookup>,
    /// The lookup of the cycle before, as the table of misses gets it.
    looked: Option<(usize, u32, bool)>,
    /// The warp of the request made last.
    requested: Option<usize>,
    fills: Fills,
}

impl InstructionCache {
    pub fn new(cfg: &CacheConfig) -> Self {
        let sets = cfg.sets();
        let way = || Way { tags: Arc::new(vec![None; sets]), sweep: Some(0) };
        Self {
            ways: (0..cfg.ways).map(|_| way()).collect(),
            sweeps: true,
            victim: 0,
            lookup: None,
            looked: None,
            requested: None,
            fills: Fills::new(sets),
        }
    }

    /// The address of the line that memory shall read, if any, and its tag.
    pub fn request(&self) -> Option<(u32, u8)> {
        self.fills.request()
    }

    /// The warp whose request of the cycle before last missed, and whether it made another in the last cycle, which is void.
    pub fn missed(&self) -> Option<(usize, bool)> {
        let (wid, _, _) = self.looked.filter(|&(_, _, hit)| !hit)?;
        Some((wid, self.requested == Some(wid)))
    }

    /// Whether the request that was looked up in the last cycle hit; `None` if there was none, or it was void.
    pub fn outcome(&self) -> Option<bool> {
        self.looked.map(|(_, _, hit)| hit)
    }

    /// Whether a request made in the last cycle is looked up: it is void if its warp misses at the same time.
    pub fn looks_up(&self) -> bool {
        self.lookup.is_some()
    }

    /// The request of the cycle before, unless killed, and whether it hits: a line that another is about to replace does not.
    fn found(&self, killed_warps: WarpMask, arrived: Option<u8>) -> Option<(usize, u32, bool)> {
        let lookup = self.lookup.filter(|lookup| killed_warps >> lookup.wid & 1 == 0)?;
        let same_set = |line: u32| self.fills.set_of(line) == self.fills.set_of(lookup.line);
        let replaced = self.fills.written(arrived).filter(|&line| same_set(line)).map(|_| self.victim);
        Some((lookup.wid, lookup.line, lookup.way.is_some() && lookup.way != replaced))
    }

    /// One cycle. `request` is the warp that fetches now, and where; memory's line for tag `arrived` comes; `granted` says
    /// that memory takes the request; `flush` that FENCE.I completes; `parked_warps` have an instruction that must be
    /// resolved before they fetch again. Gives the warps that may try again.
    #[inline(always)]
    pub fn cycle(
        &mut self,
        request: Option<Request>,
        killed_warps: WarpMask,
        parked_warps: WarpMask,
        arrived: Option<u8>,
        granted: bool,
        flush: bool,
    ) -> WarpMask {
        // 1. the request reads the tags as they are, and is looked up in the next cycle
        let next = request.map(|Request { wid, pc, .. }| {
            let line = pc / LINE_BYTES as u32;
            Lookup { wid: wid.into(), line, way: self.holds(line) }
        });
        let found = self.found(killed_warps, arrived);
        let missed_warp = found.filter(|&(_, _, hit)| !hit).map(|(wid, _, _)| wid);
        self.requested = request.map(|request| request.wid.into());
        self.lookup = next.filter(|lookup| missed_warp != Some(lookup.wid));
        // 2. misses and lines that arrive
        let looked = std::mem::replace(&mut self.looked, found);
        let filled = self.fills.written(arrived);
        let mut wake_warps = 0;
        if !self.fills.rests(looked) {
            let events = Events { looked, killed_warps, parked_warps, arrived, granted, flush };
            wake_warps = self.fills.cycle(&events);
        }
        // 3. writes
        if filled.is_some() || flush || self.sweeps {
            self.write(filled, flush);
        }
        wake_warps
    }

    /// The line that has come, or the next sets that do not count; FENCE.I makes all invalid. Few cycles do any of it.
    #[inline(never)]
    fn write(&mut self, filled: Option<u32>, flush: bool) {
        let written = filled.map(|line| {
            let way = self.victim;
            self.victim = super::modulo(way + 1, self.ways.len());
            (way, line, self.fills.set_of(line))
        });
        for (number, way) in self.ways.iter_mut().enumerate() {
            if let Some((_, line, set)) = written.filter(|&(victim, ..)| victim == number) {
                Arc::make_mut(&mut way.tags)[set] = Some(line);
            } else if let Some(set) = way.sweep {
                Arc::make_mut(&mut way.tags)[set] = None;
                way.sweep = Some(set + 1).filter(|&next| next < way.tags.len());
            }
            if flush {
                way.sweep = Some(0);
            }
        }
        self.sweeps = self.ways.iter().any(|way| way.sweep.is_some());
    }

    fn holds(&self, line: u32) -> Option<usize> {
        let set = self.fills.set_of(line);
        self.ways
            .iter()
            .position(|way| way.tags[set] == Some(line) && way.sweep.is_none_or(|swept| set < swept))
    }
}
