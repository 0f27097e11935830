//! The bus that instruction cache and load-store unit share, and the memory behind it.

use std::collections::VecDeque;

use spec::config::MAX_SLICES;

/// When the memory behind the bus answers. What it holds is the functional model's affair.
pub trait MemoryTiming: Send {
    /// The cycle in which the response to a request accepted in `cycle` is on the bus. Called once for each accepted
    /// request, in order.
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> u64;

    /// Accesses that found a row open, another one open, or none; `None` for a memory without rows.
    fn rows(&self) -> Option<[u64; 3]> {
        None
    }

    /// Whether a request of this cycle can be accepted. Cycles do not go back.
    fn accepts(&mut self, cycle: u64) -> bool;
}

/// A request of the load-store unit, or of the data cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub line: u32,
    pub store: bool,
    pub tag: u8,
}

/// A line that memory gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Response {
    /// For the instruction cache of that slice.
    Icache(usize, u8),
    Data(u8),
}

/// The load-store unit and the instruction caches, in this order.
const MASTERS: usize = 1 + MAX_SLICES;

/// What they ask for in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    pub data: Option<Request>,
    /// Line and tag, by slice.
    pub icaches: [Option<(u32, u8)>; MAX_SLICES],
}

impl Requests {
    fn valid(&self, master: usize) -> bool {
        match master {
            0 => self.data.is_some(),
            _ => self.icaches[master - 1].is_some(),
        }
    }
}

/// Whose request is accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Grant {
    #[default]
    Nobody,
    Data,
    Icache(usize),
}

/// One request a cycle, one response a cycle. Of several that wait the load-store unit goes first, then the slices'
/// instruction caches; who is passed over, or shown and not accepted, goes before all before it.
pub(super) struct Bus {
    timing: Box<dyn MemoryTiming>,
    ready: bool,
    /// Who goes before those before it.
    turns: [bool; MASTERS],
    pending: VecDeque<(u64, Response)>,
    shown: Option<Response>,
}

impl Bus {
    pub fn new(timing: Box<dyn MemoryTiming>) -> Self {
        Self { timing, ready: true, turns: [false; MASTERS], pending: VecDeque::new(), shown: None }
    }

    /// The memory.
    pub fn timing(&self) -> &dyn MemoryTiming {
        &*self.timing
    }

    /// What memory shows in this cycle.
    pub fn response(&self) -> Option<Response> {
        self.shown
    }

    /// Whether the master's request goes before those of the masters before it, and whether it would be accepted then.
    fn look(&self, requests: &Requests, master: usize) -> (bool, bool) {
        let alone = !(0..master).any(|before| requests.valid(before));
        let offered = self.ready && !self.turns[master + 1..].contains(&true);
        (alone || self.turns[master], offered)
    }

    /// Whose request is accepted in this cycle.
    pub fn grant(&self, requests: &Requests) -> Grant {
        let accepted =
            |&master: &usize| requests.valid(master) && self.look(requests, master) == (true, true);
        match (0..MASTERS).find(accepted) {
            None => Grant::Nobody,
            Some(0) => Grant::Data,
            Some(master) => Grant::Icache(master - 1),
        }
    }

    /// Ends the cycle.
    pub fn clock(&mut self, cycle: u64, requests: &Requests, taken: bool) {
        let accepted = match self.grant(requests) {
            Grant::Nobody => None,
            Grant::Data => requests.data.map(|data| (data.line, data.store, Response::Data(data.tag))),
            Grant::Icache(slice) => {
                requests.icaches[slice].map(|(line, tag)| (line, false, Response::Icache(slice, tag)))
            }
        };
        if let Some((line, store, response)) = accepted {
            let due = self.timing.due(cycle, line << 6, store);
            if !store {
                let place = self.pending.partition_point(|&(other, _)| other <= due);
                self.pending.insert(place, (due, response));
            }
        }
        let mut turns = [false; MASTERS];
        for (master, turn) in turns.iter_mut().enumerate().skip(1).filter(|(m, _)| requests.valid(*m)) {
            let (chosen, offered) = self.look(requests, master);
            *turn = chosen != offered;
        }
        self.turns = turns;
        if taken {
            self.shown = None;
        }
        if self.shown.is_none() && self.pending.front().is_some_and(|&(due, _)| due <= cycle + 1) {
            self.shown = self.pending.pop_front().map(|(_, response)| response);
        }
        self.ready = self.timing.accepts(cycle + 1);
    }
}
