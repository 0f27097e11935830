//! The load-store unit: collector, access, and the paths from there to memory, of which each has a bank of the data cache.

use std::collections::VecDeque;

use super::access::{Access, Kind};
use super::arbiter::Arbiter;
use super::bus::Request;
use super::loads::Loads;
use super::order::RoundRobin;
use super::path::{self, LinePath, Pass};
use super::record::{Begun, CacheRecord, LocalRecord};
use super::Result;
use crate::Lanes;
use spec::config::{BusKind, CoreConfig, WarpMask, MASTER_READS};

/// Instructions that the collector holds.
const COLLECTOR: usize = 4;
/// Paths of a core, at most.
const PATHS: usize = 4;
/// Bits of a tag by which a path tells its own requests apart; the path's number is above.
const PATH_TAG_BITS: u32 = MASTER_READS.ilog2();

/// The instruction in the access stage.
#[derive(Debug)]
struct Serving {
    access: Access,
    /// The place from which on the next group of each path is.
    next: [usize; PATHS],
    /// Groups to be served.
    left: usize,
    /// Number of the load.
    load: usize,
}

impl From<Access> for Serving {
    fn from(access: Access) -> Self {
        Self { next: [0; PATHS], left: access.groups.len(), load: 0, access }
    }
}

impl Serving {
    fn is(&self, fence: impl Fn(bool) -> bool) -> bool {
        matches!(self.access.kind, Kind::Fence(fence_i) if fence(fence_i))
    }

    fn stores(&self) -> bool {
        self.access.kind == Kind::Store
    }

    /// Nothing of it has been served.
    fn untouched(&self) -> bool {
        self.left == self.access.groups.len()
    }

    /// The next group of a path.
    fn group(&mut self, path: usize) -> Option<Pass> {
        let mut rest = self.access.groups[self.next[path]..].iter();
        let ahead = rest.position(|group| usize::from(group.path) == path)?;
        let group = self.access.groups[self.next[path] + ahead];
        self.next[path] += ahead + 1;
        self.left -= 1;
        let (wid, rd) = (self.access.wid, self.access.rd.unwrap_or(0));
        let (left, store) = (group.passes, self.stores());
        Some(Pass { group, left, store, ends: false, wid, rd, load: self.load })
    }
}

/// What surrounds the unit in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    /// The tag of a line on the bus.
    pub response: Option<u8>,
    /// The bus takes the request.
    pub granted: bool,
    /// The core rests but for this unit.
    pub drain: bool,
    /// A store has left the core and may not have been performed yet.
    pub writes_pending: bool,
}

/// What the unit tells in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    /// A FENCE is done; whether it is FENCE.I.
    pub fence: Option<(usize, bool)>,
    /// Warps of which a load or store completes.
    pub done_warps: WarpMask,
    /// The response on the bus was taken.
    pub response_taken: bool,
    /// The slice whose instruction has left its collector, and the warp.
    pub left: Option<(usize, u8)>,
    /// What begins.
    pub begun: Option<Begun>,
    /// What the data cache has done.
    pub cache: CacheRecord,
    /// What local memory has done.
    pub local: LocalRecord,
}

/// Performs the memory instructions in order, one line or one local pass a path and cycle.
pub(super) struct LoadStoreUnit {
    /// The entries of each slice's collector in order.
    collectors: Vec<VecDeque<Access>>,
    /// Which slice's instruction is next.
    turns: RoundRobin,
    access: Option<Serving>,
    loads: Loads,
    paths: Vec<LinePath>,
    /// Somebody asks which bytes are stored.
    notes_bytes: bool,
    /// Which path's request is shown.
    requests: Arbiter,
    /// Which path's result is written, with the others' parts of it.
    results: RoundRobin,
    /// Paths whose parts are in what is written.
    joined: u32,
    /// What is written in this cycle, and whether it completes its load.
    pub result: Option<(Result, bool)>,
    /// Nothing was on its way in the last cycle, and nothing has come.
    idle: bool,
}

impl LoadStoreUnit {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            collectors: vec![VecDeque::new(); cfg.slices],
            turns: RoundRobin::new(cfg.slices),
            access: None,
            loads: Loads::new(cfg.load_slots),
            paths: (0..cfg.line_paths()).map(|_| LinePath::new(cfg)).collect(),
            notes_bytes: cfg.dcache.write_back || cfg.bus == BusKind::Axi4,
            requests: Arbiter::default(),
            results: RoundRobin::new(cfg.line_paths()),
            joined: 0,
            result: None,
            idle: false,
        }
    }

    /// What the unit has to know of an instruction besides, whose word is `raw`.
    pub fn placed(&self, mut access: Access, addresses: &Lanes, raw: u32) -> Access {
        if self.paths.len() > 1 {
            access.find_paths(self.paths.len());
        }
        if self.notes_bytes && access.kind == Kind::Store {
            access.note_bytes(addresses, 1 << (raw >> 12 & 3));
        }
        access
    }

    /// Whether a memory instruction that issues now will find room in the slice's collector; `arriving` says that one is in
    /// the operand stage.
    pub fn room(&self, slice: usize, arriving: bool) -> bool {
        self.collectors[slice].len() + usize::from(arriving) < COLLECTOR
    }

    /// The paths that have a request, a bit each.
    fn asking(&self) -> u32 {
        super::free_number::numbers(&self.paths, |path| path.request().is_some())
    }

    /// The request on the bus.
    pub fn request(&self) -> Option<Request> {
        if self.idle {
            return None;
        }
        let path = self.requests.shown(self.asking())?;
        let request = self.paths[path].request()?;
        Some(Request { tag: request.tag | (path as u8) << PATH_TAG_BITS, ..request })
    }

    /// Nothing is between the access stage and the lanes.
    fn rests(&self) -> bool {
        !self.loads.in_flight() && self.paths.iter().all(LinePath::rests)
    }

    /// Memory lacks stored bytes.
    pub fn dirty(&self) -> bool {
        self.paths.iter().any(LinePath::dirty)
    }

    /// An instruction is in the unit.
    fn holds(&self) -> bool {
        self.access.is_some() || self.collectors.iter().any(|collector| !collector.is_empty())
    }

    /// Anything but dirty lines.
    fn works(&self) -> bool {
        self.holds() || !self.rests() || self.paths.iter().any(LinePath::under_way)
    }

    /// Whether anything is on its way, or memory lacks stored bytes.
    pub fn busy(&self) -> bool {
        self.works() || self.dirty()
    }

    /// One cycle. `arriving` leaves the operand stage of each slice.
    pub fn cycle(&mut self, arriving: &mut [Option<Access>], inputs: Inputs) -> Told {
        let mut told = Told::default();
        let drains = inputs.drain && self.dirty();
        self.idle = arriving.iter().all(Option::is_none) && !drains && (self.idle || !self.works());
        if self.idle {
            self.paths.iter_mut().for_each(LinePath::rest);
            self.loads.clock(false, 1);
            return told;
        }
        let rests = self.rests();
        let free_loads = self.loads.free();
        if let Some((Result { wid, .. }, true)) = self.result {
            told.done_warps |= 1 << wid;
        }
        // 1. the paths
        let fences = self.access.as_ref().is_some_and(|serving| serving.is(|_| true));
        let holds = self.holds();
        let asking = self.asking();
        let shown = self.requests.shown(asking);
        let mut room = [false; PATHS];
        let mut flushed = true;
        for (number, path) in self.paths.iter_mut().enumerate() {
            let tag = inputs.response.filter(|tag| usize::from(tag >> PATH_TAG_BITS) == number);
            let done = path.cycle(
                path::Inputs {
                    taken: self.joined >> number & 1 != 0,
                    response: tag.map(|tag| tag & ((1 << PATH_TAG_BITS) - 1)),
                    granted: inputs.granted && shown == Some(number),
                    flush: fences && rests,
                    drain: inputs.drain && rests && !holds,
                },
                &mut self.loads,
            );
            room[number] = done.room;
            flushed &= done.flushed;
            told.done_warps |= done.stored_warp;
            told.response_taken |= done.response_taken;
            told.cache.add(&done.cache);
            if number == 0 {
                told.local = done.local;
            }
        }
        self.requests.clock(asking, inputs.granted);
        self.merge();
        // 2. the access stage
        let opened = self.serve(room, rests && flushed && !inputs.writes_pending, &mut told);
        self.loads.clock(opened, free_loads);
        // 3. the collectors
        if self.access.is_none() {
            if let Some(slice) = self.turns.next(|slice| !self.collectors[slice].is_empty()) {
                self.turns.served(slice);
                self.access = self.collectors[slice].pop_front().map(Serving::from);
                told.left = self.access.as_ref().map(|serving| (slice, serving.access.wid));
            }
        }
        for (collector, access) in self.collectors.iter_mut().zip(arriving) {
            collector.extend(access.take());
        }
        told
    }

    /// What the access stage does; `fence_done` says that a fence may pass. Gives whether a load starts.
    fn serve(&mut self, room: [bool; PATHS], fence_done: bool, told: &mut Told) -> bool {
        let Some(serving) = &mut self.access else { return false };
        let wid = usize::from(serving.access.wid);
        let first = serving.untouched();
        let mut opened = false;
        let ends = if serving.is(|_| true) {
            told.fence = fence_done.then(|| (wid, serving.is(|fence_i| fence_i)));
            fence_done
        } else if serving.access.discarded() {
            told.done_warps |= 1 << wid;
            true
        } else if serving.stores() || !first || self.loads.ready() {
            let mut last = None;
            for (path, _) in room.iter().enumerate().filter(|(_, room)| **room) {
                let Some(mut pass) = serving.group(path) else { continue };
                if first && !serving.stores() && !opened {
                    serving.load = self.loads.open(&serving.access.served);
                    opened = true;
                }
                if first && last.is_none() {
                    told.begun = Some(Begun { wid, pc: serving.access.pc });
                }
                pass.load = serving.load;
                self.paths[path].push(pass, &serving.access.served);
                last = Some(path);
            }
            let ends = serving.left == 0;
            if let Some(path) = last.filter(|_| ends) {
                self.paths[path].ends();
            }
            ends
        } else {
            false
        };
        if ends {
            self.access = None;
        }
        opened
    }

    /// What is written in the next cycle: a path's part of a load, and with it those of all others.
    fn merge(&mut self) {
        for part in self.paths.iter_mut().filter_map(|path| path.part.as_mut()) {
            part.last |= self.loads.complete(part.load);
        }
        let parts = &self.paths;
        let offered = |path: usize| parts[path].part.map(|part| part.result);
        let Some(chosen) = self.results.next(|path| offered(path).is_some()) else {
            (self.joined, self.result) = (0, None);
            return;
        };
        let to = offered(chosen).map(|result| (result.wid, result.rd));
        let same = |path: &LinePath| path.part.is_some_and(|p| Some((p.result.wid, p.result.rd)) == to);
        self.joined = super::free_number::numbers(parts, same);
        let joined = parts.iter().filter(|path| same(path)).filter_map(|path| path.part);
        self.result = joined.fold(None, |all: Option<(Result, bool)>, part| {
            let (lanes, last) = all.map_or((0, false), |(result, last)| (result.lanes, last));
            Some((Result { lanes: lanes + part.result.lanes, ..part.result }, last || part.last))
        });
        self.results.served(chosen);
    }
}
