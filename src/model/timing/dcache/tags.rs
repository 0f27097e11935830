//! What lines the data cache holds, and what its memories last showed of them.

use std::ops::Range;
use std::sync::Arc;

use crate::timing::modulo;
use crate::timing::request::Request;
use spec::config::DataCacheConfig;

/// A line in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub number: u32,
    /// Bytes that memory does not have yet, with write-back.
    pub dirty_bytes: u64,
    /// All bytes are there, not only stored ones.
    pub full: bool,
}

impl Line {
    /// What a store makes of the line that is held, if one is.
    pub fn stored(request: Request, held: Option<Self>) -> Self {
        let dirty_bytes = request.bytes | held.map_or(0, |line| line.dirty_bytes);
        let full = held.is_some_and(|line| line.full) || dirty_bytes == u64::MAX;
        Self { number: request.line, dirty_bytes, full }
    }
}

/// The lines of each set, which victim is next, and the sweep that makes all invalid.
#[derive(Clone, PartialEq)]
pub(super) struct Tags {
    /// By set, and in it by way. Shared with copies of the cache, which are only compared, until a line changes.
    lines: Arc<Vec<Option<Line>>>,
    sets: usize,
    /// Bits of a set's number and of the bank's.
    place_bits: u32,
    /// The set that was read last.
    seen: Vec<Option<Line>>,
    pub victim: usize,
    /// The next set to be made invalid, since reset or a fence; it and those above count as invalid.
    sweep: Option<usize>,
    /// Lowest bits of a line's number, which are of no set: they give the bank away.
    bank_bits: u32,
}

impl Tags {
    pub fn new(bank: DataCacheConfig, banks: usize) -> Self {
        Self {
            lines: Arc::new(vec![None; bank.sets() * bank.ways]),
            sets: bank.sets(),
            place_bits: banks.trailing_zeros() + bank.sets().trailing_zeros(),
            seen: vec![None; bank.ways],
            victim: 0,
            sweep: Some(0),
            bank_bits: banks.trailing_zeros(),
        }
    }

    /// The set of a line: two more groups of its number's bits are folded onto the lowest above those of the bank.
    pub fn set_of(&self, line: u32) -> usize {
        let line = line as usize >> self.bank_bits;
        let above = line >> self.place_bits;
        modulo(line ^ above ^ above >> self.place_bits, self.sets)
    }

    /// Where the lines of a set are.
    fn places(&self, set: usize) -> Range<usize> {
        let ways = self.seen.len();
        set * ways..(set + 1) * ways
    }

    /// Reads a set.
    pub fn read(&mut self, set: usize) {
        let places = self.places(set);
        match self.sweep {
            Some(swept) if set >= swept => self.seen.fill(None),
            _ => match (&mut self.seen[..], &self.lines[places]) {
                // As most caches have them: without a call.
                ([first, second], [a, b]) => (*first, *second) = (*a, *b),
                (seen, lines) => seen.copy_from_slice(lines),
            },
        }
    }

    /// The way in which a line of the set that was read is.
    pub fn find(&self, line: u32) -> Option<usize> {
        self.seen.iter().position(|way| way.is_some_and(|held| held.number == line))
    }

    /// What is in a way of that set.
    pub fn seen(&self, way: usize) -> Option<Line> {
        self.seen[way]
    }

    pub fn is_dirty(&self, way: usize) -> bool {
        self.seen[way].is_some_and(|line| line.dirty_bytes != 0)
    }

    /// The first way of it with bytes that memory does not have.
    pub fn first_dirty(&self) -> Option<usize> {
        (0..self.seen.len()).find(|&way| self.is_dirty(way))
    }

    #[inline(never)]
    pub fn write(&mut self, set: usize, way: usize, line: Option<Line>) {
        let places = self.places(set);
        Arc::make_mut(&mut self.lines)[places][way] = line;
    }

    /// The victim has been replaced.
    pub fn next_victim(&mut self) {
        self.victim = modulo(self.victim + 1, self.seen.len());
    }

    pub fn sweeping(&self) -> bool {
        self.sweep.is_some()
    }

    /// Makes the next set invalid.
    pub fn sweep(&mut self) {
        if let Some(set) = self.sweep {
            self.clear(set);
        }
    }

    #[inline(never)]
    fn clear(&mut self, set: usize) {
        let places = self.places(set);
        Arc::make_mut(&mut self.lines)[places].fill(None);
        self.sweep = Some(set + 1).filter(|&next| next < self.sets);
    }

    /// All sets are invalid from now on.
    pub fn forget(&mut self) {
        self.sweep = Some(0);
    }

    /// The set behind another one.
    pub fn after(&self, set: usize) -> usize {
        modulo(set + 1, self.sets)
    }
}
