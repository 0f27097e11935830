//! A bank of the data cache: hits, lines on their way, and the loads that wait for them; with write-back dirty lines too.

mod misses;
mod replay;
mod tags;
mod walk;

use super::record::CacheRecord;
use super::request::Request;
use super::traffic::FIRST_CACHED_LINE;
use misses::Misses;
use replay::{Replay, Served};
use spec::config::CoreConfig;
use tags::{Line, Tags};
use walk::Walk;

/// The line with the banks, whose request may be there in the next cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub line: u32,
    pub load: bool,
}

/// What surrounds the cache in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    pub request: Option<Request>,
    pub look: Option<Look>,
    /// A line can go to the lanes.
    pub room: bool,
    /// The MSHR whose line memory shows.
    pub response: Option<u8>,
    /// Memory takes a request.
    pub granted: bool,
    /// A fence waits, and nothing is before the cache.
    pub flush: bool,
    /// The core rests but for what is dirty.
    pub drain: bool,
}

/// What the cache does in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    /// The request was taken.
    pub accepted: bool,
    /// A load's line goes to the lanes: its slot.
    pub slot: Option<u8>,
    pub response_taken: bool,
    /// A fence may pass.
    pub flushed: bool,
    /// For the counters.
    pub record: CacheRecord,
}

/// Non-blocking cache of 64-byte lines, one line access a cycle.
#[derive(Clone, PartialEq)]
pub(super) struct Cache {
    write_back: bool,
    tags: Tags,
    /// What the tags show is of the request's set, and still so.
    looked: bool,
    /// The request was a hit that could not be answered.
    known_hit: bool,
    /// With write-back: what the tags show is of the set of the line that comes.
    fill_looked: bool,
    misses: Misses,
    replay: Replay,
    walk: Walk,
    dirty_lines: u32,
    /// On the bus.
    pub out: Option<Request>,
}

impl Cache {
    /// A bank of the core's cache, if it has one.
    pub fn new(cfg: &CoreConfig) -> Option<Self> {
        let bank = cfg.cache_bank();
        (bank.bytes != 0).then(|| Self {
            write_back: bank.write_back,
            tags: Tags::new(bank, cfg.line_paths()),
            looked: false,
            known_hit: false,
            fill_looked: false,
            misses: Misses::new(cfg.mshrs),
            replay: Replay::default(),
            walk: Walk::default(),
            dirty_lines: 0,
            out: None,
        })
    }

    /// Memory lacks stored bytes.
    pub fn dirty(&self) -> bool {
        self.dirty_lines != 0
    }

    /// Whether anything is on its way.
    pub fn under_way(&self) -> bool {
        self.out.is_some() || self.replay.busy() || self.misses.any()
    }

    /// A cycle in which nothing happens.
    pub fn rest(&mut self) {
        self.looked = true;
        self.known_hit = false;
        self.walk.looked = false;
        self.tags.sweep();
    }

    /// Nothing comes, and nothing that has come goes on. Lines may be on their way, and what is on the bus waits for it.
    fn is_quiet(&self, inputs: &Inputs) -> bool {
        let Inputs { request, look, response, granted, flush, drain, .. } = inputs;
        let comes = request.is_some() || look.is_some() || response.is_some() || *granted || *flush || *drain;
        !(comes || self.replay.busy() || self.fill_looked || self.walk.looked)
    }

    /// One cycle.
    #[inline(always)]
    pub fn cycle(&mut self, inputs: Inputs) -> Done {
        if self.is_quiet(&inputs) {
            self.rest();
            let record = CacheRecord { mshrs: self.misses.in_use(), ..CacheRecord::default() };
            return Done { accepted: false, slot: None, response_taken: false, flushed: false, record };
        }
        // Without write-back much of it is nothing, which the compiler then knows.
        match self.write_back {
            true => self.step::<true>(inputs),
            false => self.step::<false>(inputs),
        }
    }

    /// A cycle in which something happens.
    #[inline(always)]
    fn step<const WRITE_BACK: bool>(&mut self, inputs: Inputs) -> Done {
        let Inputs { request, look, room, response, granted, flush, drain } = inputs;
        let out_room = self.out.is_none() || granted;
        let idle = request.is_none() && !self.under_way();
        let dirty = WRITE_BACK && self.dirty();
        let walking = (flush || drain) && dirty;
        let flushed = flush && idle && !dirty;
        let mshrs = self.misses.in_use();
        if granted {
            self.out = None;
        }
        // 1. a line that comes is written at once, if the last one has been read; with write-back its victim is looked at first,
        // and rather than waiting for the bus to take the victim it is not kept
        let victim = self.tags.victim;
        let victim_dirty = WRITE_BACK && self.tags.is_dirty(victim);
        let coming = response.filter(|_| !self.replay.full());
        let coming_set =
            coming.and_then(|mshr| self.misses.get(mshr)).map(|miss| self.tags.set_of(miss.line));
        let fill = coming.filter(|_| !WRITE_BACK || self.fill_looked);
        let filled = fill.and_then(|mshr| self.misses.take(mshr));
        let kept_line = filled.filter(|miss| miss.open && (out_room || !victim_dirty)).map(|miss| miss.line);
        // 2. the request acts
        let blocked = fill.is_some() || WRITE_BACK && self.tags.sweeping();
        let acting = request.filter(|_| self.looked && !blocked);
        let cached = acting.is_some_and(|request| request.line >= FIRST_CACHED_LINE);
        let at = acting.and_then(|request| self.tags.find(request.line));
        let held = at.and_then(|way| self.tags.seen(way));
        let hit = held.is_some_and(|line| line.full);
        let partial = WRITE_BACK && at.is_some() && !hit;
        let free = self.misses.free();
        let miss_room = free.is_some() && out_room;
        let accepted = acting.filter(|request| match (request.store, WRITE_BACK) {
            (true, true) if cached => at.is_some() || !victim_dirty,
            (true, _) => out_room,
            (false, true) => room && (hit || !partial && miss_room),
            (false, false) => room && (self.known_hit || miss_room),
        });
        let (load, store) = (acting.is_some_and(|r| !r.store), acting.is_some_and(|r| r.store));
        // A load that is known to hit, and one that finds no MSHR, wait for other things.
        let no_mshr = load && !hit && free.is_none();
        let waits = request.is_some() && accepted.is_none();
        let (read, write) = (cached && load && accepted.is_some(), cached && store && accepted.is_some());
        let record = CacheRecord {
            reads: read.into(),
            writes: write.into(),
            read_misses: (read && !hit).into(),
            write_misses: (write && at.is_none()).into(),
            bank_stalls: (waits && !no_mshr).into(),
            mshr_stalls: no_mshr.into(),
            mshrs,
        };
        self.known_hit = load && hit && accepted.is_none();
        // 3. dirty bytes go out: of the line that lacks others, of the victim, or of what the walk has found
        let walk_dirty = if WRITE_BACK && self.walk.looked { self.tags.first_dirty() } else { None };
        let replaces = kept_line.is_some() || WRITE_BACK && store && cached && at.is_none();
        let evicts = match (load && partial, replaces && victim_dirty) {
            (true, _) => at,
            (_, true) => Some(victim),
            _ => walk_dirty,
        };
        let evicted = evicts.filter(|_| out_room);
        if let Some(line) = evicted.and_then(|way| self.tags.seen(way)) {
            self.out = Some(Request { line: line.number, store: true, tag: 0, bytes: line.dirty_bytes });
        }
        let mut slot = None;
        if let Some(request) = accepted {
            slot = Some(request.tag).filter(|_| hit && !request.store);
            self.act(request, hit, free);
        }
        // a store changes the line where it is; with write-back it takes the victim's place if it is nowhere
        let keeps = |request: &Request| request.store && (at.is_some() || WRITE_BACK && cached);
        let stored = accepted.filter(keeps);
        let store_way = at.unwrap_or(victim);
        let dirties = WRITE_BACK && stored.is_some() && !self.tags.is_dirty(store_way);
        // 4. loads whose line has come
        let Served { slot: served, holds, reads } = self.replay.cycle(room, filled.map(|miss| miss.loads));
        slot = slot.or(served);
        // 5. what the tags show next; what is written meanwhile must be looked at again
        let request_set = request.map(|request| self.tags.set_of(request.line));
        let written = match () {
            () if fill.is_some() => filled.map(|miss| self.tags.set_of(miss.line)),
            () if self.walk.looked && evicted.is_some() => Some(self.walk.set),
            () if evicted.is_some() || stored.is_some() => request_set,
            () => None,
        };
        let retry = request.is_some() && !self.looked;
        let read_fill = WRITE_BACK && !self.fill_looked && !holds && coming.is_some();
        let free_to_read = !reads && !holds && !read_fill && !self.fill_looked && !walking;
        let look_set = if retry { request_set } else { look.map(|look| self.tags.set_of(look.line)) };
        let kept_set = if waits { request_set } else { look_set };
        let collides = written.is_some_and(|set| {
            let harmless = !WRITE_BACK && !waits && stored.is_some() && look.is_some_and(|look| !look.load);
            kept_set == Some(set) && !harmless
        });
        let read_set = match () {
            () if self.walk.reads(walking) => Some(self.walk.set),
            () if read_fill => coming_set,
            () => look_set.filter(|_| free_to_read && (retry || !waits)),
        };
        if WRITE_BACK {
            self.walk.clock(walking, walk_dirty.is_some(), evicted.is_some(), self.tags.after(self.walk.set));
        }
        if let Some(set) = read_set {
            self.tags.read(set);
        }
        self.looked = free_to_read && !collides;
        self.fill_looked =
            WRITE_BACK && (read_fill && written != coming_set || self.fill_looked && fill.is_none());
        // 6. writes
        if let Some(set) = written.filter(|_| WRITE_BACK || fill.is_some()) {
            if let Some(way) = evicted {
                self.dirty_lines -= 1;
                self.tags.write(set, way, None);
            }
            if let Some(number) = kept_line {
                self.tags.write(set, victim, Some(Line { number, dirty_bytes: 0, full: true }));
            }
            if let Some(request) = stored {
                self.dirty_lines += u32::from(dirties);
                self.tags.write(set, store_way, Some(Line::stored(request, held)));
            }
            if kept_line.is_some() || stored.is_some() && at.is_none() {
                self.tags.next_victim();
            }
        } else {
            self.tags.sweep();
        }
        if flushed {
            self.tags.forget();
        }
        Done { accepted: accepted.is_some(), slot, response_taken: fill.is_some(), flushed, record }
    }

    /// The request is taken: a store goes on to memory unless it stays here, and a load that finds nothing joins a line on its
    /// way, or asks memory.
    #[inline(always)]
    fn act(&mut self, request: Request, hit: bool, free: Option<usize>) {
        let joinable = self.misses.joinable(request.line);
        let cached = request.line >= FIRST_CACHED_LINE;
        match (request.store, joinable, free) {
            (true, ..) => {
                if let Some(number) = joinable {
                    self.misses.close(number);
                }
                if !(self.write_back && cached) {
                    self.out = Some(request);
                }
            }
            (false, ..) if hit => {}
            (false, Some(number), _) => self.misses.join(number, request.tag),
            (false, None, Some(number)) => {
                self.misses.ask(number, request, cached);
                self.out = Some(Request { tag: number as u8, ..request });
            }
            (false, None, None) => {}
        }
    }
}
