//! First ready, first come first served (FR-FCFS): of the requests in the controller the oldest whose row is open goes first.
//!
//! One command a cycle: a column command for the oldest request whose row is open, or else a row command for the oldest one
//! whose bank has no use for the row that is open. Source: Rixner et al., Memory Access Scheduling (ISCA 2000).

use super::channel::{Channel, Place, Row};
use super::{DramConfig, MemoryModel, RowStats};

/// A request in the controller.
struct Waiting {
    /// Its number among all requests.
    number: u64,
    /// From when on commands can be given for it.
    arrival: u64,
    place: Place,
    write: bool,
    /// What it found, once a command has been given for it.
    found: Option<Row>,
}

/// How many requests may pass an older one, so that none waits for ever: four times the `queue` of the controller.
pub(super) fn most_passing(queue: u32) -> u32 {
    4 * queue
}

/// A channel with this order.
pub(super) struct FirstReady {
    channel: Channel,
    /// In the order in which they came.
    waiting: Vec<Waiting>,
    /// When the requests that have been served are done.
    done: Vec<u64>,
    requests: u64,
    /// How many have passed the oldest.
    passing: u32,
}

impl FirstReady {
    pub(super) fn new(cfg: DramConfig) -> Self {
        Self { channel: Channel::new(cfg), waiting: vec![], done: vec![], requests: 0, passing: 0 }
    }

    /// Whether the oldest may be passed once more.
    fn is_patient(&self) -> bool {
        self.passing < most_passing(self.channel.cfg.queue)
    }

    /// The request that gets its column command in a cycle: the oldest that can.
    fn ready(&self, cycle: u64) -> Option<usize> {
        let can = |waiting: &Waiting| {
            let Waiting { arrival, place, write, .. } = *waiting;
            arrival <= cycle
                && self.channel.found(place) == Row::Open
                && self.channel.column(place, write) <= cycle
        };
        self.waiting.iter().position(can).filter(|&index| self.is_patient() || index == 0)
    }

    /// The request that gets its row: the oldest of its bank, if no other one, unless that must not pass, is for the row that
    /// is open.
    fn opens(&self, cycle: u64) -> Option<usize> {
        let patient = self.is_patient();
        (0..self.waiting.len()).find(|&index| {
            let Waiting { arrival, place, .. } = self.waiting[index];
            let mut of_bank =
                self.waiting.iter().enumerate().filter(|(_, other)| other.place.bank == place.bank);
            arrival <= cycle
                && self.channel.found(place) != Row::Open
                && self.channel.openable(place) <= cycle
                && !of_bank.any(|(number, other)| {
                    number < index || patient && self.channel.found(other.place) == Row::Open
                })
        })
    }
}

impl MemoryModel for FirstReady {
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> Option<u64> {
        let (number, arrival) = (self.requests, cycle + u64::from(self.channel.cfg.ctl));
        let place = self.channel.place(line);
        self.waiting.push(Waiting { number, arrival, place, write, found: None });
        self.requests += 1;
        None
    }

    fn clock(&mut self, cycle: u64) -> Option<(u64, u64)> {
        self.channel.refresh(cycle);
        if let Some(index) = self.ready(cycle) {
            let Waiting { number, place, write, found, .. } = self.waiting.remove(index);
            self.passing = if index == 0 { 0 } else { self.passing + 1 };
            self.channel.count(found.unwrap_or(Row::Open));
            let end = self.channel.transfer(place, write, cycle);
            self.done.push(end);
            return Some((number, end));
        }
        if let Some(index) = self.opens(cycle) {
            let place = self.waiting[index].place;
            self.waiting[index].found.get_or_insert(self.channel.found(place));
            self.channel.open(place, cycle);
        }
        None
    }

    fn accepts(&mut self, cycle: u64) -> bool {
        self.done.retain(|&done| done > cycle);
        self.waiting.len() + self.done.len() < self.channel.cfg.queue as usize
    }

    fn rests(&self) -> bool {
        // Refreshes in the meantime are made up for in the next cycle that counts.
        self.waiting.is_empty() && self.done.is_empty()
    }

    fn rows(&self) -> Option<RowStats> {
        Some(self.channel.stats)
    }
}
