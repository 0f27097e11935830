//! The lines that the data cache has asked memory for.

use crate::timing::bus::Request;

/// A line on its way, and the slots of the loads that wait for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Miss {
    pub line: u32,
    pub loads: u32,
    /// Further loads may join, and the line is kept. A store to the line ends that.
    pub open: bool,
}

/// Miss status holding registers.
pub(super) struct Misses(Vec<Option<Miss>>);

impl Misses {
    pub fn new(mshrs: usize) -> Self {
        Self(vec![None; mshrs])
    }

    pub fn in_use(&self) -> u32 {
        self.0.iter().flatten().count() as u32
    }

    pub fn any(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// The lowest free one.
    pub fn free(&self) -> Option<usize> {
        self.0.iter().position(Option::is_none)
    }

    /// The one of a line that further loads may join.
    pub fn joinable(&self, line: u32) -> Option<usize> {
        self.0.iter().position(|miss| miss.is_some_and(|miss| miss.open && miss.line == line))
    }

    pub fn get(&self, number: u8) -> Option<Miss> {
        self.0[usize::from(number)]
    }

    /// Its line has come.
    pub fn take(&mut self, number: u8) -> Option<Miss> {
        self.0[usize::from(number)].take()
    }

    /// A store went to its line, which is older on its way.
    pub fn close(&mut self, number: usize) {
        if let Some(miss) = &mut self.0[number] {
            miss.open = false;
        }
    }

    /// A load waits for a line that is on its way.
    pub fn join(&mut self, number: usize, slot: u8) {
        if let Some(miss) = &mut self.0[number] {
            miss.loads |= 1 << slot;
        }
    }

    /// A line is asked for, to be kept if `open`.
    pub fn ask(&mut self, number: usize, request: Request, open: bool) {
        self.0[number] = Some(Miss { line: request.line, loads: 1 << request.tag, open });
    }
}
