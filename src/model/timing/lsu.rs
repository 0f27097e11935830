//! The load-store unit: collector, access, and the paths from there to memory, of which each has a bank of the data cache.

mod rounds;
mod stage;

use std::collections::VecDeque;

use super::access::{Access, Banks, Kind};
use super::arbiter::Arbiter;
use super::few::Few;
use super::instr::Instr;
use super::loads::Loads;
use super::order::RoundRobin;
use super::path::{self, LinePath, Part};
use super::record::{Begun, CacheRecord, LocalRecord};
use super::request::Request;
use super::{members, slice_of, Result};
use crate::Retire;
use spec::config::{BusKind, CoreConfig, WarpMask, MASTER_READS};
use stage::AccessStage;

/// Instructions that the collector holds.
const COLLECTOR: usize = 4;
/// Bits of a tag by which a path tells its own requests apart; the path's number is above.
const PATH_TAG_BITS: u32 = MASTER_READS.ilog2();

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Told<const MOST: usize> {
    /// A FENCE is done; whether it is FENCE.I.
    pub fence: Option<(usize, bool)>,
    /// Warps of which a load or store completes.
    pub done_warps: WarpMask,
    /// The response on the bus was taken.
    pub response_taken: bool,
    /// The slices whose instructions have left their collectors, and the warps, in the order of these accesses.
    pub left: [Option<(usize, u8)>; MOST],
    /// What begins, in order.
    pub begun: [Option<Begun>; MOST],
    /// What the data cache has done.
    pub cache: CacheRecord,
    /// What local memory has done.
    pub local: LocalRecord,
}

impl<const MOST: usize> Default for Told<MOST> {
    fn default() -> Self {
        Self {
            fence: None,
            done_warps: 0,
            response_taken: false,
            left: [None; MOST],
            begun: [None; MOST],
            cache: CacheRecord::default(),
            local: LocalRecord::default(),
        }
    }
}

impl<const MOST: usize> Told<MOST> {
    /// Forgets a cycle. Field by field: what is built elsewhere first and copied is read before it is written.
    fn clear(&mut self) {
        let Self { fence, done_warps, response_taken, left, begun, cache, local } = self;
        (*fence, *done_warps, *response_taken) = (None, 0, false);
        left.iter_mut().for_each(|left| *left = None);
        begun.iter_mut().for_each(|begun| *begun = None);
        *cache = CacheRecord::default();
        *local = LocalRecord::default();
    }
}

/// Performs the memory instructions in order, one line or one local pass a path and cycle.
#[derive(Clone, PartialEq)]
pub(super) struct LoadStoreUnit<const MOST: usize> {
    /// By warp, in order, the accesses that have issued and are in no stage yet.
    issued: Vec<VecDeque<Box<Access>>>,
    /// The entries of each slice's collector in order: whose next access each is.
    collectors: Few<VecDeque<u8>, MOST>,
    stages: Few<AccessStage<MOST>, MOST>,
    /// The stages, the one first that has taken its instruction before all others.
    order: Few<usize, MOST>,
    loads: Loads,
    paths: Few<LinePath, MOST>,
    /// Somebody asks which bytes are stored.
    notes_bytes: bool,
    /// Which path's request is shown.
    requests: Arbiter,
    /// Which path's result is written, with the others' parts of it: of all slices, or of each one with several stages.
    merges: Few<RoundRobin, MOST>,
    /// Paths whose parts are in what is written.
    joined: u32,
    /// What is written in this cycle in each slice, and whether it completes its load.
    pub results: [Option<(Result, bool)>; MOST],
    /// Nothing was on its way in the last cycle, and nothing has come.
    idle: bool,
    /// Instructions that are done, to be written over.
    #[expect(clippy::vec_box, reason = "their addresses move, not they")]
    spare: Vec<Box<Access>>,
}

impl<const MOST: usize> LoadStoreUnit<MOST> {
    pub fn new(cfg: &CoreConfig) -> Self {
        let accesses = cfg.accesses();
        let stage = |_| AccessStage { turns: RoundRobin::new(cfg.slices / accesses), serving: None };
        Self {
            issued: vec![VecDeque::new(); cfg.warps],
            collectors: Few::new(cfg.slices, |_| VecDeque::new()),
            stages: Few::new(accesses, stage),
            order: Few::new(accesses, |stage| stage),
            loads: Loads::new(cfg.load_slots, accesses),
            paths: Few::new(cfg.line_paths(), |_| LinePath::new(cfg)),
            notes_bytes: cfg.dcache.write_back || cfg.bus == BusKind::Axi4,
            requests: Arbiter::default(),
            merges: Few::new(cfg.load_results(), |_| RoundRobin::new(cfg.line_paths())),
            joined: 0,
            results: [None; MOST],
            idle: false,
            spare: vec![],
        }
    }

    /// An instruction of a warp issues: groups its lanes, and notes what the unit has to know of them besides.
    pub fn issue(&mut self, wid: usize, instr: &Instr, kind: Kind, retire: &Retire, banks: Banks) {
        let mut access = self.spare.pop().unwrap_or_default();
        (access.wid, access.pc, access.rd, access.kind) = (wid as u8, retire.pc, instr.rd, kind);
        let addresses = retire.access().map_or(&[0; 32], |access| &access.addr);
        access.group(addresses, retire.tmask, banks);
        if self.paths.len() > 1 {
            access.find_paths(self.paths.len());
        }
        if self.notes_bytes && matches!(kind, Kind::Store | Kind::Atomic) {
            access.note_bytes(addresses, 1 << (instr.raw >> 12 & 3));
        }
        self.issued[wid].push_back(access);
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
        self.stages.iter().any(|stage| stage.serving.is_some())
            || self.collectors.iter().any(|collector| !collector.is_empty())
    }

    /// Anything but dirty lines.
    fn works(&self) -> bool {
        self.holds() || !self.rests() || self.paths.iter().any(LinePath::under_way)
    }

    /// Whether anything is on its way, or memory lacks stored bytes.
    pub fn busy(&self) -> bool {
        self.works() || self.dirty()
    }

    /// One cycle. `arriving` leaves the operand stage of each slice; `told` is written over.
    #[inline(always)]
    pub fn cycle(&mut self, arriving: &[Option<u8>], inputs: Inputs, told: &mut Told<MOST>) {
        told.clear();
        let drains = inputs.drain && self.dirty();
        self.idle = arriving.iter().all(Option::is_none) && !drains && (self.idle || !self.works());
        if self.idle {
            self.paths.iter_mut().for_each(LinePath::rest);
            self.loads.clock(0, self.loads.free());
            return;
        }
        let rests = self.rests();
        let free_loads = self.loads.free();
        for (Result { wid, .. }, last) in self.results.iter().flatten() {
            told.done_warps |= WarpMask::from(*last) << wid;
        }
        // 1. the paths
        let oldest = self.oldest();
        let fences = oldest.is_some_and(|stage| self.stages[stage].fences());
        let holds = self.holds();
        let asking = self.asking();
        let shown = self.requests.shown(asking);
        let mut room = [false; MOST];
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
        // 2. the access stages, in the order in which they have taken what they hold
        self.start(told);
        let mut opened = 0;
        for place in 0..self.order.len() {
            let stage = self.order[place];
            let left: [bool; MOST] = match self.order.len() {
                1 => [false; MOST],
                _ => std::array::from_fn(|path| room[path] && !self.stages[stage].wants(path)),
            };
            let is_oldest = oldest == Some(stage);
            let goes_on = if self.stages[stage].is_atomic() {
                self.serve_atomic(stage, is_oldest, room, told, &mut opened)
            } else {
                let fence_done = is_oldest && rests && flushed && !inputs.writes_pending;
                self.serve(stage, room, fence_done, told, &mut opened)
            };
            if !goes_on {
                break;
            }
            room = left;
        }
        self.loads.clock(opened, free_loads);
        // 3. the collectors
        self.take(told);
        for (collector, access) in self.collectors.iter_mut().zip(arriving) {
            if let &Some(wid) = access {
                collector.push_back(wid);
            }
        }
    }

    /// What is written in the next cycle: a path's part of a load, and with it those of all others; in all slices, or in each.
    fn merge(&mut self) {
        for part in self.paths.iter_mut().filter_map(|path| path.part.as_mut()) {
            part.last |= self.loads.complete(part.load);
        }
        (self.joined, self.results) = (0, [None; MOST]);
        let slices = self.collectors.len();
        let owner = |part: &Part| slice_of(part.result.wid.into(), slices);
        let several = self.merges.len() > 1;
        for (number, merge) in self.merges.iter_mut().enumerate() {
            let offers = |part: &Part| !several || owner(part) == number;
            let offering =
                super::free_number::numbers(&self.paths, |path| path.part.as_ref().is_some_and(offers));
            let Some(chosen) = merge.next_of(offering) else { continue };
            merge.served(chosen);
            let Some(first) = self.paths[chosen].part else { continue };
            let Result { wid, rd, .. } = first.result;
            let (mut lanes, mut last) = (0, false);
            for path in members(offering) {
                let same = |part: &Part| (part.result.wid, part.result.rd) == (wid, rd);
                if let Some(part) = self.paths[path].part.filter(same) {
                    self.joined |= 1 << path;
                    lanes += part.result.lanes;
                    last |= part.last;
                }
            }
            self.results[owner(&first)] = Some((Result { wid, rd, lanes }, last));
        }
    }
}
