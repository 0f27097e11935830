//! The lines that the data cache has asked memory for.

use crate::timing::members;
use crate::timing::request::Request;

/// A line on its way, and the slots of the loads that wait for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Miss {
    pub line: u32,
    pub loads: u32,
    /// Further loads may join, and the line is kept. A store to the line ends that.
    pub open: bool,
}

/// Miss status holding registers.
#[derive(Clone, PartialEq)]
pub(super) struct Misses {
    of: Vec<Option<Miss>>,
    /// Those in use.
    used: u32,
}

impl Misses {
    pub fn new(mshrs: usize) -> Self {
        Self { of: vec![None; mshrs], used: 0 }
    }

    pub fn in_use(&self) -> u32 {
        // Few at a time.
        members(self.used).count() as u32
    }

    pub fn any(&self) -> bool {
        self.used != 0
    }

    /// The lowest free one.
    pub fn free(&self) -> Option<usize> {
        let free = (!self.used).trailing_zeros() as usize;
        (free < self.of.len()).then_some(free)
    }

    /// The one of a line that further loads may join.
    pub fn joinable(&self, line: u32) -> Option<usize> {
        let joinable = |&number: &usize| self.of[number].is_some_and(|miss| miss.open && miss.line == line);
        members(self.used).find(joinable)
    }

    pub fn get(&self, number: u8) -> Option<Miss> {
        self.of[usize::from(number)]
    }

    /// Its line has come.
    pub fn take(&mut self, number: u8) -> Option<Miss> {
        self.used &= !(1 << number);
        self.of[usize::from(number)].take()
    }

    /// A store went to its line, which is older on its way.
    pub fn close(&mut self, number: usize) {
        if let Some(miss) = &mut self.of[number] {
            miss.open = false;
        }
    }

    /// A load waits for a line that is on its way.
    pub fn join(&mut self, number: usize, slot: u8) {
        if let Some(miss) = &mut self.of[number] {
            miss.loads |= 1 << slot;
        }
    }

    /// A line is asked for, to be kept if `open`.
    pub fn ask(&mut self, number: usize, request: Request, open: bool) {
        self.used |= 1 << number;
        self.of[number] = Some(Miss { line: request.line, loads: 1 << request.tag, open });
    }
}
