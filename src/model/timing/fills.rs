//! The lines on their way to the instruction cache, and the warps that wait for them.

use spec::config::WarpMask;

/// Lines that may be on their way, or guarded, at once.
const ENTRIES: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Entry {
    busy: bool,
    /// Memory has been asked.
    requested: bool,
    /// The line is here, and stays until it has been fetched from or nobody wants it.
    guarded: bool,
    /// Asked for before FENCE.I: not to be kept.
    stale: bool,
    line: u32,
    waiting: WarpMask,
}

/// What happens to the table in a cycle; see [`InstructionCache::cycle`](super::icache::InstructionCache::cycle).
#[derive(Clone, Copy, Debug)]
pub(super) struct Events {
    /// The lookup of the cycle before: a warp, its line, and whether it was found.
    pub looked: Option<(usize, u32, bool)>,
    pub killed_warps: WarpMask,
    pub parked_warps: WarpMask,
    pub arrived: Option<u8>,
    pub granted: bool,
    pub flush: bool,
}

/// The table of misses. Entries are used in rotation; no two hold lines of one set.
#[derive(Clone, PartialEq)]
pub(super) struct Fills {
    entries: [Entry; ENTRIES],
    /// Which entries were guarded in the cycle before.
    guarded_then: [bool; ENTRIES],
    sets: usize,
    free: usize,
    next_request: usize,
    /// Warps whose miss found no room.
    refused_warps: WarpMask,
    /// Nothing is in the table, nor was in the cycle before.
    rests: bool,
}

impl Fills {
    pub fn new(sets: usize) -> Self {
        Self {
            entries: Default::default(),
            guarded_then: [false; ENTRIES],
            sets,
            free: 0,
            next_request: 0,
            refused_warps: 0,
            rests: true,
        }
    }

    /// The set of the cache to which a line belongs.
    pub fn set_of(&self, line: u32) -> usize {
        super::modulo(line as usize, self.sets)
    }

    /// The line to ask memory for, and the tag.
    pub fn request(&self) -> Option<(u32, u8)> {
        let entry = &self.entries[self.next_request];
        (entry.busy && !entry.requested).then_some((entry.line, self.next_request as u8))
    }

    /// The line that is written when memory answers with this tag.
    pub fn written(&self, arrived: Option<u8>) -> Option<u32> {
        let entry = self.entries[usize::from(arrived?)];
        (!entry.stale).then_some(entry.line)
    }

    /// Whether a cycle changes nothing, in which the table gets this lookup.
    #[inline]
    pub fn rests(&self, looked: Option<(usize, u32, bool)>) -> bool {
        self.rests && !matches!(looked, Some((_, _, false)))
    }

    /// One cycle: gives the warps that may try again.
    #[inline(never)]
    pub fn cycle(&mut self, events: &Events) -> WarpMask {
        let Events { looked, killed_warps, parked_warps, arrived, granted, flush } = *events;
        let guarded = self.entries.map(|entry| entry.guarded);
        let guarded_then = std::mem::replace(&mut self.guarded_then, guarded);
        if looked.is_none()
            && killed_warps == 0
            && arrived.is_none()
            && !granted
            && !flush
            && !guarded.contains(&true)
        {
            return 0;
        }
        let before = self.entries;
        let live = |entry: &Entry| entry.busy && !entry.stale;
        let (mut joined, mut allocated, mut refused) = (None, None, 0);
        if let Some((wid, line, false)) = looked {
            // It joins a line that was on its way when it was looked for.
            let on_its_way = |i: &usize| !(guarded[*i] && guarded_then[*i]);
            joined = (0..ENTRIES).filter(on_its_way).find(|&i| live(&before[i]) && before[i].line == line);
            if joined.is_none() {
                let same_set = |entry: &Entry| live(entry) && self.set_of(entry.line) == self.set_of(line);
                if before[self.free].busy || before.iter().any(same_set) {
                    refused = 1 << wid;
                } else {
                    allocated = Some(self.free);
                    self.free = (self.free + 1) % ENTRIES;
                }
            }
        }
        // A guard ends with a fetch from its line, found or lost again, or when nobody waits any more.
        let ends = |i: usize| {
            let entry = &before[i];
            let fetched = looked
                .is_some_and(|(_, line, hit)| live(entry) && entry.line == line && (hit || guarded_then[i]));
            entry.guarded && (flush || entry.waiting & !parked_warps == 0 || fetched)
        };
        let released: [bool; ENTRIES] = std::array::from_fn(ends);
        let missed = looked.map_or(0, |(wid, _, _)| 1 << wid);
        // The line of a warp that is sent elsewhere comes, but the warp does not wait for it.
        let waits = missed & !killed_warps;

        let mut wake_warps = 0;
        self.refused_warps &= !killed_warps;
        if arrived.is_some() || released.contains(&true) {
            wake_warps = self.refused_warps | refused;
            self.refused_warps = 0;
        } else {
            self.refused_warps |= refused & !killed_warps;
        }
        for (i, entry) in self.entries.iter_mut().enumerate() {
            entry.waiting &= !killed_warps;
            if joined == Some(i) {
                entry.waiting |= waits;
                // The line came in the meantime.
                wake_warps |= if guarded[i] { missed } else { 0 };
            }
            if allocated == Some(i) {
                let (_, line, _) = looked.unwrap_or_default();
                *entry = Entry { busy: true, line, waiting: waits, ..Entry::default() };
            }
            if arrived == Some(i as u8) {
                wake_warps |= before[i].waiting | if joined == Some(i) { missed } else { 0 };
                if before[i].stale {
                    (entry.busy, entry.requested, entry.stale) = (false, false, false);
                } else {
                    entry.guarded = true;
                }
            } else if flush {
                entry.stale = entry.busy && !before[i].guarded;
            }
            if released[i] {
                (entry.busy, entry.requested, entry.guarded, entry.stale) = (false, false, false, false);
            }
        }
        if granted {
            self.entries[self.next_request].requested = true;
            self.next_request = (self.next_request + 1) % ENTRIES;
        }
        let busy = self.entries.iter().any(|entry| entry.busy);
        self.rests = !busy && !guarded.contains(&true) && self.refused_warps == 0;
        wake_warps
    }
}
