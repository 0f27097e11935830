//! A path between the access stage and the bus: what serves lanes from lines, and a bank of the data cache.

use super::access::Group;
use super::dcache::{self, Cache, Look};
use super::free_number::{first_numbers, FreeNumber};
use super::loads::Loads;
use super::record::{CacheRecord, LocalRecord};
use super::request::Request;
use super::Result;
use spec::config::{CoreConfig, WarpMask};

/// A group of lanes with the banks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pass {
    pub group: Group,
    /// Uses of the banks that remain.
    pub left: u8,
    pub store: bool,
    /// The store's last group.
    pub ends: bool,
    pub wid: u8,
    pub rd: u8,
    /// Number of the load.
    pub load: u8,
}

/// A load's words on their way to the lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Return {
    wid: u8,
    rd: u8,
    load: u8,
    /// Which of the load's uses of the banks is next.
    turn: u8,
    /// Cycles that the lanes still need.
    left: u8,
    /// They never needed more than one.
    single: bool,
}

/// A result of a load, or the part of it that this path has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub result: Result,
    pub load: u8,
    /// No further lane of the load waits.
    pub last: bool,
}

/// What surrounds the path in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    /// The part that is shown is written.
    pub taken: bool,
    /// The tag of the line that memory shows.
    pub response: Option<u8>,
    /// Memory takes the request.
    pub granted: bool,
    /// A fence waits, and nothing is before the cache.
    pub flush: bool,
    /// The core rests but for what is dirty.
    pub drain: bool,
}

/// What the path tells in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// A group can enter.
    pub room: bool,
    pub response_taken: bool,
    /// A fence may pass.
    pub flushed: bool,
    /// The warp of which a store completes.
    pub stored_warp: WarpMask,
    pub cache: CacheRecord,
    pub local: LocalRecord,
}

/// Serves groups of lanes in the order in which they come, one line or one local pass a cycle.
#[derive(Clone, PartialEq)]
pub(super) struct LinePath {
    pass: Option<Pass>,
    /// Lanes that each use of the banks serves, if the group's are in local memory.
    served: Vec<u8>,
    request: Option<Request>,
    /// A store's line is being put together.
    filling: bool,
    /// Line reads under way, by tag, and which slots have one.
    slots: Vec<Option<Return>>,
    used_slots: u32,
    /// The slot whose line came in the cycle before: it is in use a cycle more.
    freed: Option<usize>,
    /// The slot that the next line read gets.
    slot: FreeNumber,
    line: Option<Return>,
    local: Option<Return>,
    /// What is offered in this cycle.
    pub part: Option<Part>,
    cache: Option<Cache>,
}

impl LinePath {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            pass: None,
            served: vec![],
            request: None,
            filling: false,
            slots: vec![None; cfg.load_slots],
            used_slots: 0,
            freed: None,
            slot: FreeNumber(Some(0)),
            line: None,
            local: None,
            part: None,
            cache: Cache::new(cfg),
        }
    }

    /// The request to memory.
    pub fn request(&self) -> Option<Request> {
        match &self.cache {
            Some(cache) => cache.out,
            None => self.request,
        }
    }

    /// Nothing is held here, whatever the cache has under way.
    pub fn rests(&self) -> bool {
        self.pass.is_none()
            && self.request.is_none()
            && !self.filling
            && self.used_slots == 0
            && self.line.is_none()
            && self.local.is_none()
            && self.part.is_none()
    }

    /// The cache has lines under way.
    pub fn under_way(&self) -> bool {
        self.cache.as_ref().is_some_and(Cache::under_way)
    }

    /// Memory lacks stored bytes.
    pub fn dirty(&self) -> bool {
        self.cache.as_ref().is_some_and(Cache::dirty)
    }

    /// A cycle in which nothing happens.
    pub fn rest(&mut self) {
        if let Some(cache) = &mut self.cache {
            cache.rest();
        }
        self.slot.advance(false, 1);
    }

    /// A group enters; `served` are the lanes of each use of the banks by its instruction.
    pub fn push(&mut self, pass: Pass, served: &[u8]) {
        if pass.group.line.is_none() {
            self.served.clear();
            self.served.extend_from_slice(&served[pass.group.turn.into()..][..usize::from(pass.left)]);
        }
        self.pass = Some(pass);
    }

    /// With the group that entered last the store ends.
    pub fn ends(&mut self) {
        if let Some(pass) = &mut self.pass {
            pass.ends = true;
        }
    }

    /// One cycle.
    #[inline(always)]
    pub fn cycle(&mut self, inputs: Inputs, loads: &mut Loads) -> Done {
        let Inputs { taken, response, granted, flush, drain } = inputs;
        let mut done = Done { flushed: true, ..Done::default() };
        let freed = self.freed.take().map_or(0, |slot| 1 << slot);
        let free_slots = first_numbers(self.slots.len()) & !(self.used_slots | freed);
        let free_slot = self.slot.0.map(usize::from);
        // 1. to the lanes: a line before a local access
        if taken {
            self.part = None;
        }
        let result_room = self.part.is_none();
        // a line that takes several cycles makes room only when all are over
        let line_room = self.line.is_none_or(|line| line.single && result_room);
        let local_room = self.local.is_none() || self.line.is_none() && result_room;
        if result_room {
            let returned = self.line.or(self.local);
            match &mut self.line {
                Some(line) if line.left > 1 => {
                    line.left -= 1;
                    line.turn += 1;
                }
                Some(_) => self.line = None,
                None => self.local = None,
            }
            self.part = returned.map(|Return { wid, rd, load, turn, .. }| {
                let lanes = loads.serve(load, turn);
                Part { result: Result { wid, rd, lanes }, load, last: false }
            });
        }
        // 2. memory, through the cache if there is one
        let (accepted, slot) = match &mut self.cache {
            Some(cache) => {
                let look = self.pass.and_then(|p| Some(Look { line: p.group.line?, load: !p.store }));
                let room = line_room;
                let of_cache = cache.cycle(dcache::Inputs {
                    request: self.request,
                    look,
                    room,
                    response,
                    granted,
                    flush,
                    drain,
                });
                done.response_taken = of_cache.response_taken;
                done.flushed = of_cache.flushed;
                done.cache = of_cache.record;
                (of_cache.accepted, of_cache.slot)
            }
            None => {
                done.response_taken = response.is_some() && line_room;
                (granted, response.filter(|_| line_room))
            }
        };
        if let Some(slot) = slot.map(usize::from) {
            self.freed = Some(slot);
            self.line = self.slots[slot].take();
            self.used_slots &= !(1 << slot);
        }
        // 3. the pass
        let request_room = self.request.is_none() || accepted;
        if accepted {
            self.request = None;
        }
        done.room = self.step(request_room, free_slot, local_room, &mut done);
        let slot_taken = free_slot.is_some_and(|slot| self.used_slots >> slot & 1 != 0);
        self.slot.advance(slot_taken, free_slots);
        done
    }

    /// A use of the banks, if it can be made. Gives whether a group can enter.
    #[inline(always)]
    fn step(
        &mut self,
        request_room: bool,
        free_slot: Option<usize>,
        local_room: bool,
        done: &mut Done,
    ) -> bool {
        let Some(pass) = self.pass else { return true };
        let Pass { group, wid, rd, load, .. } = pass;
        let used = group.passes - pass.left;
        let returned = Return { wid, rd, load, turn: group.turn + used, left: 1, single: true };
        let Some(line) = group.line else {
            if !pass.store && !local_room {
                return false;
            }
            let lanes = self.served[usize::from(used)].into();
            let (reads, writes) = if pass.store { (0, lanes) } else { (lanes, 0) };
            done.local = LocalRecord { reads, writes, stalls: pass.left > 1 };
            if !pass.store {
                self.local = Some(returned);
            }
            return self.passed(pass, done);
        };
        match (request_room, free_slot) {
            (true, _) if pass.store => {
                self.filling = pass.left > 1;
                let bytes = group.bytes;
                self.request = (pass.left == 1).then_some(Request { line, store: true, tag: 0, bytes });
                self.passed(pass, done)
            }
            (true, Some(slot)) => {
                let passes = group.passes;
                self.slots[slot] = Some(Return { left: passes, single: passes == 1, ..returned });
                self.used_slots |= 1 << slot;
                self.request = Some(Request { line, store: false, tag: slot as u8, bytes: 0 });
                self.passed(Pass { left: 1, ..pass }, done)
            }
            _ => false,
        }
    }

    fn passed(&mut self, pass: Pass, done: &mut Done) -> bool {
        let finished = pass.left == 1;
        self.pass = (!finished).then_some(Pass { left: pass.left - 1, ..pass });
        if finished && pass.store && pass.ends {
            done.stored_warp = 1 << pass.wid;
        }
        finished
    }
}
