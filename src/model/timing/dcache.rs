//! The data cache, write-through: hits, lines on their way, and the loads that wait for them.

use super::bus::Request;
use super::record::CacheRecord;
use spec::config::CoreConfig;

/// First line that is kept; below are the lines of I/O.
const FIRST_KEPT: u32 = 0x1_0000 / 64;

/// The line with the banks, whose request may be there in the next cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub line: u32,
    pub load: bool,
}

/// The set of a line: the digits of its number to the base of the sets, without carries; of a 26-bit number the lowest three.
fn set_of(line: u32, sets: usize) -> usize {
    let line = line as usize;
    [line, line / sets, line / sets / sets].into_iter().fold(0, |set, digits| set ^ (digits % sets))
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

/// A line on its way, and the slots of the loads that wait for it.
#[derive(Clone, Copy, Debug)]
struct Miss {
    line: u32,
    loads: u32,
    /// Further loads may join, and the line is kept. A store to the line ends that.
    open: bool,
}

/// What the tag memories last showed.
#[derive(Clone, Debug, Default)]
struct Seen {
    tags: Vec<Option<u32>>,
    /// The set had not been swept.
    unswept: bool,
}

/// Non-blocking cache of 64-byte lines, one line access a cycle.
pub(super) struct Cache {
    /// Of each set the line in each way.
    sets: Vec<Vec<Option<u32>>>,
    victim: usize,
    /// The next set to be made invalid, since reset or a fence.
    sweep: Option<usize>,
    seen: Seen,
    /// What was seen is that of the request, and still so.
    looked: bool,
    /// The request was a hit that could not be answered.
    known_hit: bool,
    misses: Vec<Option<Miss>>,
    /// Loads of a line that has been written and is still to be read.
    waiting: Option<u32>,
    /// Loads of the line that has been read.
    serving: Option<u32>,
    /// On the bus.
    pub out: Option<Request>,
}

impl Cache {
    /// The cache of a core, if it has one.
    pub fn new(cfg: &CoreConfig) -> Option<Self> {
        let sets = cfg.dcache.sets();
        (sets != 0).then(|| Self {
            sets: vec![vec![None; cfg.dcache.ways]; sets],
            victim: 0,
            sweep: Some(0),
            seen: Seen { tags: vec![None; cfg.dcache.ways], unswept: false },
            looked: false,
            known_hit: false,
            misses: vec![None; cfg.mshrs],
            waiting: None,
            serving: None,
            out: None,
        })
    }

    /// Whether anything is on its way.
    pub fn busy(&self) -> bool {
        self.out.is_some()
            || self.waiting.is_some()
            || self.serving.is_some()
            || self.misses.iter().any(Option::is_some)
    }

    /// A cycle in which nothing happens.
    pub fn rest(&mut self) {
        self.looked = true;
        self.known_hit = false;
        self.move_sweep();
    }

    fn move_sweep(&mut self) {
        if let Some(set) = self.sweep {
            self.sets[set].fill(None);
            self.sweep = Some(set + 1).filter(|&next| next < self.sets.len());
        }
    }

    /// One cycle. `room` says that a line can go to the lanes; `response` is the tag of the line that memory shows; `granted`
    /// that memory takes a request; `flush` that a fence waits and nothing is before the cache.
    pub fn cycle(
        &mut self,
        request: Option<Request>,
        look: Option<Look>,
        room: bool,
        response: Option<u8>,
        granted: bool,
        flush: bool,
    ) -> Done {
        let out_room = self.out.is_none() || granted;
        let idle = request.is_none() && !self.busy();
        let mshrs = self.misses.iter().flatten().count() as u32;
        if granted {
            self.out = None;
        }
        // 1. a line that comes is written at once, if the last one has been read
        let fill = response.filter(|_| self.waiting.is_none());
        let filled = fill.and_then(|mshr| self.misses[usize::from(mshr)].take());
        // 2. the request acts
        let sets = self.sets.len();
        let set_of = |line: u32| set_of(line, sets);
        let acting = request.filter(|_| self.looked && fill.is_none());
        let present = acting.is_some_and(|r| !self.seen.unswept && self.seen.tags.contains(&Some(r.line)));
        let joinable = acting.and_then(|request| {
            let same = |miss: &Miss| miss.open && miss.line == request.line;
            self.misses.iter().position(|miss| miss.as_ref().is_some_and(same))
        });
        let free = self.misses.iter().position(Option::is_none);
        let miss_room = free.is_some() && out_room;
        let accepted = acting.is_some_and(|request| match request.store {
            true => out_room,
            false => room && (self.known_hit || miss_room),
        });
        let known_hit = acting.is_some_and(|request| !request.store) && present && !accepted;
        // A load that is known to hit, and one that finds no MSHR, wait for other things.
        let of_kept = acting.filter(|request| accepted && request.line >= FIRST_KEPT);
        let (read, write) = (of_kept.is_some_and(|r| !r.store), of_kept.is_some_and(|r| r.store));
        let no_mshr = acting.is_some_and(|r| !r.store) && !present && free.is_none();
        let stalls = request.is_some() && !accepted;
        let record = CacheRecord {
            reads: read.into(),
            writes: write.into(),
            read_misses: (read && !present).into(),
            write_misses: (write && !present).into(),
            bank_stalls: (stalls && !no_mshr).into(),
            mshr_stalls: no_mshr.into(),
            mshrs,
        };
        let mut slot = None;
        let mut written = filled.map(|miss| set_of(miss.line));
        let mut kept_store = false;
        if let Some(request) = acting.filter(|_| accepted) {
            if request.store {
                self.out = Some(request);
                if let Some(joinable) = joinable {
                    if let Some(miss) = &mut self.misses[joinable] {
                        miss.open = false;
                    }
                }
                if present {
                    kept_store = true;
                    written = Some(set_of(request.line));
                }
            } else if present {
                slot = Some(request.tag);
            } else {
                self.miss(request, joinable, free);
            }
        }
        // 3. loads whose line has come
        let mut ends = false;
        let was_serving = self.serving;
        if let Some(loads) = was_serving {
            if room {
                ends = loads & (loads - 1) == 0;
                self.serving = (!ends).then_some(loads & (loads - 1));
            }
            slot = Some(loads.trailing_zeros() as u8).filter(|_| room);
        }
        let holds = was_serving.is_some() && !ends;
        let replayed = self.waiting.is_some() && !holds;
        if replayed {
            self.serving = self.waiting.take();
        }
        if let Some(miss) = filled {
            self.waiting = Some(miss.loads);
        }
        // 4. what the tags show next; what is written meanwhile must be looked at again
        let waits = request.is_some() && !accepted;
        let retry = request.filter(|_| !self.looked).map(|request| request.line);
        let free_to_read = !replayed && !holds;
        let look_set = retry.or(look.map(|look| look.line)).map(set_of);
        let kept_set = if waits { request.map(|request| set_of(request.line)) } else { look_set };
        let looks_at_store = look.is_some_and(|look| !look.load);
        let harmless = !waits && kept_store && looks_at_store;
        let collides = written.is_some() && written == kept_set && !harmless;
        if free_to_read && (retry.is_some() || (look.is_some() && !waits)) {
            if let Some(set) = look_set {
                self.seen.tags.copy_from_slice(&self.sets[set]);
                self.seen.unswept = self.sweep.is_some_and(|swept| set >= swept);
            }
        }
        self.looked = free_to_read && !collides;
        self.known_hit = known_hit;
        // 5. writes
        if let Some(miss) = filled.filter(|miss| miss.open) {
            self.sets[set_of(miss.line)][self.victim] = Some(miss.line);
            self.victim = (self.victim + 1) % self.seen.tags.len();
        }
        if fill.is_none() {
            self.move_sweep();
        }
        let flushed = flush && idle;
        if flushed {
            self.sweep = Some(0);
        }
        Done { accepted, slot, response_taken: fill.is_some(), flushed, record }
    }

    /// A load that finds nothing joins a line on its way, or asks memory.
    fn miss(&mut self, request: Request, joinable: Option<usize>, free: Option<usize>) {
        let load = 1 << request.tag;
        match (joinable, free) {
            (Some(number), _) => {
                if let Some(miss) = &mut self.misses[number] {
                    miss.loads |= load;
                }
            }
            (None, Some(number)) => {
                let open = request.line >= FIRST_KEPT;
                self.misses[number] = Some(Miss { line: request.line, loads: load, open });
                self.out = Some(Request { tag: number as u8, ..request });
            }
            (None, None) => {}
        }
    }
}
