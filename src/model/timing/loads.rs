//! The loads in flight: which lanes still wait for their words.

use super::free_number::{first_numbers, FreeNumber};

/// Tells the last result of a load, in whatever order and by whatever path its lines come back.
pub(super) struct Loads {
    /// Lanes of each that wait.
    waiting: Vec<u32>,
    /// Those that no lane waits for.
    free: u32,
    /// The lanes of each of its results.
    served: Vec<Vec<u8>>,
    /// The number that the next load gets.
    next: FreeNumber,
}

impl Loads {
    pub fn new(count: usize) -> Self {
        let (waiting, served) = (vec![0; count], vec![vec![]; count]);
        Self { waiting, free: first_numbers(count), served, next: FreeNumber(Some(0)) }
    }

    pub fn in_flight(&self) -> bool {
        self.free != first_numbers(self.waiting.len())
    }

    /// Those that are not in use.
    pub fn free(&self) -> u32 {
        self.free
    }

    /// Whether a load can start.
    pub fn ready(&self) -> bool {
        self.next.0.is_some()
    }

    /// A load starts, whose uses of the banks serve so many lanes each: its number.
    pub fn open(&mut self, served: &[u8]) -> usize {
        let number = self.next.0.unwrap_or(0);
        self.waiting[number] = served.iter().copied().map(u32::from).sum();
        self.free &= !(u32::from(self.waiting[number] != 0) << number);
        self.served[number].clear();
        self.served[number].extend_from_slice(served);
        number
    }

    /// A result of a load is made: the lanes of a use of the banks.
    pub fn serve(&mut self, load: usize, turn: usize) -> u8 {
        let lanes = self.served[load][turn];
        self.waiting[load] -= u32::from(lanes);
        self.free |= u32::from(self.waiting[load] == 0) << load;
        lanes
    }

    /// No lane of the load waits any longer.
    pub fn complete(&self, load: usize) -> bool {
        self.waiting[load] == 0
    }

    /// The edge; `free` are those that were when the cycle began.
    pub fn clock(&mut self, opened: bool, free: u32) {
        self.next.advance(opened, free);
    }
}
