//! The loads in flight: which lanes still wait for their words.

use super::free_number::{first_numbers, FreeNumber};

/// Tells the last result of a load, in whatever order and by whatever path its lines come back.
#[derive(Clone, PartialEq)]
pub(super) struct Loads {
    /// Lanes of each that wait.
    waiting: Vec<u32>,
    /// Those that no lane waits for.
    free: u32,
    /// The lanes of each of its results.
    served: Vec<Vec<u8>>,
    /// The number that the next load of each access gets, of those that are its own.
    next: Vec<FreeNumber>,
    /// Numbers of an access.
    each: usize,
}

impl Loads {
    /// `each` of so many accesses at once.
    pub fn new(each: usize, accesses: usize) -> Self {
        let count = each * accesses;
        let (waiting, served) = (vec![0; count], vec![vec![]; count]);
        let next = (0..accesses).map(|access| FreeNumber(Some((access * each) as u8))).collect();
        Self { waiting, free: first_numbers(count), served, next, each }
    }

    pub fn in_flight(&self) -> bool {
        self.free != first_numbers(self.waiting.len())
    }

    /// Those that are not in use.
    pub fn free(&self) -> u32 {
        self.free
    }

    /// Whether a load of an access can start.
    pub fn ready(&self, access: usize) -> bool {
        self.next[access].0.is_some()
    }

    /// A load starts, whose uses of the banks serve so many lanes each: its number.
    #[inline(always)]
    pub fn open(&mut self, access: usize, served: &[u8]) -> u8 {
        let started = self.next[access].0.unwrap_or(0);
        let number = usize::from(started);
        self.waiting[number] = served.iter().copied().map(u32::from).sum();
        self.free &= !(u32::from(self.waiting[number] != 0) << number);
        self.served[number].clear();
        self.served[number].extend_from_slice(served);
        started
    }

    /// A result of a load is made: the lanes of a use of the banks.
    pub fn serve(&mut self, load: u8, turn: u8) -> u8 {
        let load = usize::from(load);
        let lanes = self.served[load][usize::from(turn)];
        self.waiting[load] -= u32::from(lanes);
        self.free |= u32::from(self.waiting[load] == 0) << load;
        lanes
    }

    /// How many lanes of the load wait.
    pub fn waiting(&self, load: u8) -> u32 {
        self.waiting[usize::from(load)]
    }

    /// No lane of the load waits any longer.
    pub fn complete(&self, load: u8) -> bool {
        self.waiting(load) == 0
    }

    /// The edge, behind which accesses have `opened` loads, a bit each; `free` are those that were when the cycle began.
    pub fn clock(&mut self, opened: u32, free: u32) {
        for (access, next) in self.next.iter_mut().enumerate() {
            let own = first_numbers(self.each) << (access * self.each);
            next.advance(opened >> access & 1 != 0, free & own);
        }
    }
}
