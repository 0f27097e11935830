//! The load-store unit: collector, access, pass, request or local memory, return.

use std::collections::VecDeque;

use super::access::{Access, Group, Kind};
use super::bus::Request;
use super::dcache::{Cache, Look};
use super::order::RoundRobin;
use super::record::{Begun, CacheRecord, LocalRecord};
use super::{members, Result};
use spec::config::{CoreConfig, WarpMask, MAX_SLICES};

/// Instructions that the collector holds.
const COLLECTOR: usize = 4;

/// A group of lanes with the banks.
#[derive(Clone, Copy, Debug)]
struct Pass {
    group: Group,
    left: u8,
    store: bool,
    /// The store's last group.
    ends: bool,
    wid: u8,
    rd: u8,
    /// Number of the load.
    load: usize,
    /// The use of the banks that is next, among all of the instruction.
    turn: usize,
}

/// A load's words on their way to the lanes.
#[derive(Clone, Copy, Debug)]
struct Return {
    wid: u8,
    rd: u8,
    load: usize,
    /// Which of the load's uses of the banks is next.
    turn: usize,
    /// Cycles that the lanes still need.
    left: u8,
    /// They never needed more than one.
    single: bool,
}

/// A number that is free, found a cycle before it is needed.
struct Ready(Option<usize>);

impl Ready {
    /// The next one, if this one is `taken` or there is none: the lowest of those that were free when the cycle began.
    fn advance(&mut self, taken: bool, mut free: impl Iterator<Item = usize>) {
        if taken || self.0.is_none() {
            let before = self.0;
            self.0 = free.find(|&number| Some(number) != before);
        }
    }
}

/// The numbers for which `free` holds.
fn numbers<T>(of: &[T], free: impl Fn(&T) -> bool) -> u32 {
    of.iter().enumerate().fold(0, |mask, (number, entry)| mask | u32::from(free(entry)) << number)
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

/// Performs the memory instructions in order, one line or one local pass a cycle.
pub(super) struct LoadStoreUnit {
    /// The entries of each slice's collector in order.
    collectors: Vec<VecDeque<Access>>,
    /// Which slice's instruction is next.
    turns: RoundRobin,
    /// The instruction being served, and its next group.
    access: Option<(Access, usize)>,
    /// Number of the load being served.
    load: usize,
    pass: Option<Pass>,
    request: Option<Request>,
    /// A store's line is being put together.
    filling: bool,
    /// Line reads under way, by tag.
    slots: Vec<Option<Return>>,
    /// The slot whose line came in the cycle before: it is in use a cycle more.
    freed: Option<usize>,
    /// The slot that the next line read gets.
    slot: Ready,
    /// Results that each load in flight still has to write.
    loads: Vec<u32>,
    /// The lanes of each of its results.
    served: Vec<Vec<u8>>,
    /// The lanes of each use of the banks by the store being served.
    stored: Vec<u8>,
    /// Uses of the banks before the next group of the instruction that is served.
    turn: usize,
    /// The number that the next load gets.
    next_load: Ready,
    line: Option<Return>,
    local: Option<Return>,
    /// What is written in this cycle, and whether it completes its load.
    pub result: Option<(Result, bool)>,
    cache: Option<Cache>,
}

impl LoadStoreUnit {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            collectors: vec![VecDeque::new(); cfg.slices],
            turns: RoundRobin::new(cfg.slices),
            access: None,
            load: 0,
            pass: None,
            request: None,
            filling: false,
            slots: vec![None; cfg.load_slots],
            freed: None,
            slot: Ready(Some(0)),
            loads: vec![0; cfg.load_slots],
            served: vec![vec![]; cfg.load_slots],
            stored: vec![],
            turn: 0,
            next_load: Ready(Some(0)),
            line: None,
            local: None,
            result: None,
            cache: Cache::new(cfg),
        }
    }

    /// Whether a memory instruction that issues now will find room in the slice's collector; `arriving` says that one is in
    /// the operand stage.
    pub fn room(&self, slice: usize, arriving: bool) -> bool {
        self.collectors[slice].len() + usize::from(arriving) < COLLECTOR
    }

    /// The request on the bus.
    pub fn request(&self) -> Option<Request> {
        match &self.cache {
            Some(cache) => cache.out,
            None => self.request,
        }
    }

    /// Nothing is between the access stage and the lanes.
    fn rests(&self) -> bool {
        self.pass.is_none()
            && self.request.is_none()
            && !self.filling
            && self.slots.iter().all(Option::is_none)
            && self.loads.iter().all(|&left| left == 0)
            && self.line.is_none()
            && self.local.is_none()
            && self.result.is_none()
    }

    /// Whether anything is on its way.
    pub fn busy(&self) -> bool {
        self.collectors.iter().any(|collector| !collector.is_empty())
            || self.access.is_some()
            || !self.rests()
            || self.cache.as_ref().is_some_and(Cache::busy)
    }

    /// One cycle. `arriving` leaves the operand stage of each slice, `response` is the tag of a line on the bus, `granted`
    /// says that the bus takes the request.
    pub fn cycle(
        &mut self,
        arriving: [Option<Access>; MAX_SLICES],
        response: Option<u8>,
        granted: bool,
    ) -> Told {
        let mut told = Told::default();
        if arriving.iter().all(Option::is_none) && !self.busy() {
            if let Some(cache) = &mut self.cache {
                cache.rest();
            }
            self.slot.advance(false, 0..1);
            self.next_load.advance(false, 0..1);
            return told;
        }
        let rests = self.rests();
        let freed = self.freed.take().map_or(0, |slot| 1 << slot);
        let free_slots = numbers(&self.slots, Option::is_none) & !freed;
        let free_loads = numbers(&self.loads, |&left| left == 0);
        let (free_slot, free_load) = (self.slot.0, self.next_load.0);
        if let Some((Result { wid, .. }, true)) = self.result {
            told.done_warps |= 1 << wid;
        }
        // 1. to the lanes: a line before a local access
        self.result = None;
        // a line that takes several cycles makes room only when all are over
        let line_room = self.line.is_none_or(|line| line.single);
        let local_room = self.local.is_none() || self.line.is_none();
        let returned = match self.line {
            Some(line) => {
                self.line =
                    (line.left > 1).then_some(Return { left: line.left - 1, turn: line.turn + 1, ..line });
                Some(line)
            }
            None => self.local.take(),
        };
        if let Some(Return { wid, rd, load, turn, .. }) = returned {
            self.loads[load] -= 1;
            let lanes = self.served[load][turn];
            self.result = Some((Result { wid, rd, lanes }, self.loads[load] == 0));
        }
        // 2. memory, through the cache if there is one
        let look = self.pass.and_then(|pass| Some(Look { line: pass.group.line?, load: !pass.store }));
        let (accepted, slot, flushed) = match &mut self.cache {
            Some(cache) => {
                let fence = matches!(&self.access, Some((Access { kind: Kind::Fence(_), .. }, _)));
                let done = cache.cycle(self.request, look, line_room, response, granted, fence && rests);
                told.response_taken = done.response_taken;
                told.cache = done.record;
                (done.accepted, done.slot, done.flushed)
            }
            None => {
                told.response_taken = response.is_some() && line_room;
                (granted, response.filter(|_| line_room), true)
            }
        };
        if let Some(slot) = slot {
            self.freed = Some(usize::from(slot));
            self.line = self.slots[usize::from(slot)].take();
        }
        // 3. the pass
        let request_room = self.request.is_none() || accepted;
        if accepted {
            self.request = None;
        }
        let pass_room = self.step(request_room, free_slot, local_room, &mut told);
        // 4. the access stage
        let (mut served, mut first_of) = (None, None);
        if let Some((access, next)) = &mut self.access {
            let fence = matches!(access.kind, Kind::Fence(_));
            let fence_i = access.kind == Kind::Fence(true);
            let store = access.kind == Kind::Store;
            let mut ends = false;
            if fence {
                ends = rests && flushed;
                if ends {
                    told.fence = Some((usize::from(access.wid), fence_i));
                }
            } else if access.discarded() {
                told.done_warps |= 1 << access.wid;
                ends = true;
            } else if pass_room && (store || *next > 0 || free_load.is_some()) {
                if !store && *next == 0 {
                    self.load = free_load.unwrap_or(0);
                    first_of = Some(access.results());
                    self.served[self.load] = std::mem::take(&mut access.served);
                }
                if store && *next == 0 {
                    self.stored = std::mem::take(&mut access.served);
                }
                if *next == 0 {
                    self.turn = 0;
                    told.begun = Some(Begun { wid: access.wid.into(), pc: access.pc });
                }
                let group = access.groups[*next];
                *next += 1;
                ends = *next == access.groups.len();
                let (wid, rd) = (access.wid, access.rd.unwrap_or(0));
                let (load, turn) = (self.load, self.turn);
                self.turn += usize::from(group.passes);
                served = Some(Pass { group, left: group.passes, store, ends, wid, rd, load, turn });
            }
            if ends {
                self.access = None;
            }
        }
        if let Some(results) = first_of {
            self.loads[self.load] = results;
        }
        if pass_room {
            self.pass = served;
        }
        let slot_taken = free_slot.is_some_and(|slot| self.slots[slot].is_some());
        self.slot.advance(slot_taken, members(free_slots));
        self.next_load.advance(first_of.is_some(), members(free_loads));
        // 5. the collectors
        if self.access.is_none() {
            if let Some(slice) = self.turns.next(|slice| !self.collectors[slice].is_empty()) {
                self.turns.served(slice);
                self.access = self.collectors[slice].pop_front().map(|access| (access, 0));
                told.left = self.access.as_ref().map(|(access, _)| (slice, access.wid));
            }
        }
        for (collector, access) in self.collectors.iter_mut().zip(arriving) {
            collector.extend(access);
        }
        told
    }

    /// A use of the banks, if it can be made. Gives whether a group can enter.
    fn step(
        &mut self,
        request_room: bool,
        free_slot: Option<usize>,
        local_room: bool,
        told: &mut Told,
    ) -> bool {
        let Some(pass) = self.pass else { return true };
        let Pass { wid, rd, load, turn, .. } = pass;
        let returned = Return { wid, rd, load, turn, left: 1, single: true };
        let Some(line) = pass.group.line else {
            if !pass.store && !local_room {
                return false;
            }
            let (reads, writes) = match pass.store {
                true => (0, self.stored[turn].into()),
                false => (self.served[load][turn].into(), 0),
            };
            told.local = LocalRecord { reads, writes, stalls: pass.left > 1 };
            if !pass.store {
                self.local = Some(returned);
            }
            return self.passed(pass, told);
        };
        match (request_room, free_slot) {
            (true, _) if pass.store => {
                self.filling = pass.left > 1;
                self.request = (pass.left == 1).then_some(Request { line, store: true, tag: 0 });
                self.passed(pass, told)
            }
            (true, Some(slot)) => {
                let passes = pass.group.passes;
                self.slots[slot] = Some(Return { left: passes, single: passes == 1, ..returned });
                self.request = Some(Request { line, store: false, tag: slot as u8 });
                self.passed(Pass { left: 1, ..pass }, told)
            }
            _ => false,
        }
    }

    fn passed(&mut self, pass: Pass, told: &mut Told) -> bool {
        let finished = pass.left == 1;
        self.pass = (!finished).then_some(Pass { left: pass.left - 1, turn: pass.turn + 1, ..pass });
        if finished && pass.store && pass.ends {
            told.done_warps |= 1 << pass.wid;
        }
        finished
    }
}
