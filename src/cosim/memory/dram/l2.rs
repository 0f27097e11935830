//! A second-level cache between the bus and a DRAM channel, as the machines of the papers have one.
//!
//! It holds lines of the bus, in sets, and gives up the line of a set that was used least recently. Stores are written to
//! it and go on when their line is given up (write-back); a store that misses takes a place without reading its line.
//! Requests to a line that is on its way wait for it, and ask the channel for nothing. A request is looked up at once, and
//! `l2hit` is added to each answer. Only what is where is kept here: what the lines hold is in [`Memory`](model::Memory).

use std::collections::VecDeque;

use super::{DramConfig, MemoryModel, RowStats};
use spec::config::LINE_BYTES;

/// Lines that wait to be written to the channel, until there are so many, or the channel rests: written in a row they close
/// fewer rows of others. With twice as many no request is accepted.
const BATCH: usize = 16;

/// When a line is in the cache.
#[derive(Clone, Copy, PartialEq, Eq)]
enum There {
    /// From this cycle on.
    From(u64),
    /// When the channel has answered its request with this number.
    Asked(u64),
}

#[derive(Clone)]
struct Line {
    /// Its number: the address divided by its bytes.
    number: u32,
    /// It was stored to.
    dirty: bool,
    /// The request that used it last.
    used: u64,
    there: There,
}

/// A read that waits for the channel.
struct Waiting {
    /// Its number among the requests of the bus.
    number: u64,
    cycle: u64,
    line: u32,
    /// The number of the channel's request.
    asked: u64,
}

/// The cache, with the channel behind it.
pub(super) struct SecondLevel {
    channel: Box<dyn MemoryModel>,
    cfg: DramConfig,
    sets: Vec<Vec<Line>>,
    /// Requests of the bus, and to the channel.
    requests: u64,
    asked: u64,
    waiting: Vec<Waiting>,
    /// Reads whose line has come, by number, with the cycle of their answer: one a cycle is told.
    answers: VecDeque<(u64, u64)>,
    /// Lines to be written to the channel, and whether they are.
    leaving: VecDeque<u32>,
    writing: bool,
    hits: u64,
    misses: u64,
}

impl SecondLevel {
    pub(super) fn new(cfg: DramConfig, channel: Box<dyn MemoryModel>) -> Self {
        Self {
            channel,
            cfg,
            sets: vec![vec![]; cfg.l2_sets() as usize],
            requests: 0,
            asked: 0,
            waiting: vec![],
            answers: VecDeque::new(),
            leaving: VecDeque::new(),
            writing: false,
            hits: 0,
            misses: 0,
        }
    }

    /// The longest time that it adds to an answer: it has no more reads waiting than the controller holds requests.
    pub(super) fn longest(cfg: &DramConfig) -> u32 {
        cfg.l2hit + cfg.queue
    }

    /// A line's set: in turn, with `hash` by the upper bits of the number too.
    fn set(&mut self, line: u32) -> &mut Vec<Line> {
        let sets = self.sets.len() as u32;
        let mixed = if self.cfg.hash == 1 { line ^ (line / sets) } else { line };
        &mut self.sets[(mixed % sets) as usize]
    }

    fn find(&mut self, line: u32) -> Option<&mut Line> {
        self.set(line).iter_mut().find(|other| other.number == line)
    }

    /// Asks the channel for a line, or to write one: the number of the request, and when it is done, if that is known.
    fn ask(&mut self, cycle: u64, line: u32, write: bool) -> (u64, Option<u64>) {
        let due = self.channel.due(cycle, line * LINE_BYTES as u32, write);
        self.asked += 1;
        (self.asked - 1, due)
    }

    /// Gives a line a place.
    fn insert(&mut self, line: Line) {
        let ways = self.cfg.l2ways as usize;
        let set = self.set(line.number);
        if set.len() < ways {
            set.push(line);
        } else if let Some(oldest) = set.iter_mut().min_by_key(|line| line.used) {
            let left = std::mem::replace(oldest, line);
            if left.dirty {
                self.leaving.push_back(left.number);
            }
        }
    }

    /// A read is answered when its line is there, or that is told later.
    fn answer(&mut self, cycle: u64, line: u32, there: There) -> Option<u64> {
        match there {
            There::From(from) => Some(cycle.max(from) + u64::from(self.cfg.l2hit)),
            There::Asked(asked) => {
                self.waiting.push(Waiting { number: self.requests, cycle, line, asked });
                None
            }
        }
    }

    fn access(&mut self, cycle: u64, number: u32, write: bool) -> Option<u64> {
        let used = self.requests;
        let hit = self.find(number).map(|line| {
            line.used = used;
            line.dirty |= write;
            line.there
        });
        *(if hit.is_some() { &mut self.hits } else { &mut self.misses }) += 1;
        let there = hit.unwrap_or_else(|| {
            let there = match write {
                true => There::From(cycle),
                false => match self.ask(cycle, number, false) {
                    (_, Some(due)) => There::From(due),
                    (asked, None) => There::Asked(asked),
                },
            };
            self.insert(Line { number, dirty: write, used, there });
            there
        });
        self.answer(cycle, number, if write { There::From(cycle) } else { there })
    }

    /// The channel has answered a request: so are all that wait for it.
    fn arrive(&mut self, asked: u64, due: u64) {
        while let Some(place) = self.waiting.iter().position(|waiting| waiting.asked == asked) {
            let Waiting { number, cycle, line, .. } = self.waiting.remove(place);
            if let Some(line) = self.find(line).filter(|line| line.there == There::Asked(asked)) {
                line.there = There::From(due);
            }
            self.answers.push_back((number, cycle.max(due) + u64::from(self.cfg.l2hit)));
        }
    }
}

impl MemoryModel for SecondLevel {
    fn due(&mut self, cycle: u64, address: u32, write: bool) -> Option<u64> {
        let due = self.access(cycle, address / LINE_BYTES as u32, write);
        self.requests += 1;
        due
    }

    fn clock(&mut self, cycle: u64) -> Option<(u64, u64)> {
        self.writing = match self.leaving.len() {
            0 => false,
            BATCH.. => true,
            _ => self.writing || self.channel.rests(),
        };
        if self.writing && self.channel.accepts(cycle) {
            if let Some(line) = self.leaving.pop_front() {
                self.ask(cycle, line, true);
            }
        }
        if let Some((asked, due)) = self.channel.clock(cycle) {
            self.arrive(asked, due);
        }
        self.answers.pop_front().map(|(number, due)| (number, due.max(cycle + 1)))
    }

    fn accepts(&mut self, cycle: u64) -> bool {
        self.channel.accepts(cycle)
            && self.leaving.len() < 2 * BATCH
            && self.waiting.len() + self.answers.len() < self.cfg.queue as usize
    }

    fn rests(&self) -> bool {
        self.leaving.is_empty() && self.answers.is_empty() && self.channel.rests()
    }

    fn rows(&self) -> Option<RowStats> {
        let rows = self.channel.rows()?;
        Some(RowStats { l2_hits: self.hits, l2_misses: self.misses, ..rows })
    }
}

#[cfg(test)]
mod tests;
