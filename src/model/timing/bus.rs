//! The bus that instruction cache and load-store unit share, and the memory behind it.

use std::collections::VecDeque;

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

/// A line that memory gives, for one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Response {
    Icache(u8),
    Data(u8),
}

/// Who may use the bus in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grants {
    pub icache: bool,
    pub data: bool,
}

/// One request a cycle, one response a cycle. Of two that wait the load-store unit goes first, then they take turns.
pub(super) struct Bus {
    timing: Box<dyn MemoryTiming>,
    ready: bool,
    /// The instruction cache was passed over, or shown and not accepted: it goes before the load-store unit.
    icache_turn: bool,
    pending: VecDeque<(u64, Response)>,
    shown: Option<Response>,
}

impl Bus {
    pub fn new(timing: Box<dyn MemoryTiming>) -> Self {
        Self { timing, ready: true, icache_turn: false, pending: VecDeque::new(), shown: None }
    }

    /// The memory.
    pub fn timing(&self) -> &dyn MemoryTiming {
        &*self.timing
    }

    /// What memory shows in this cycle.
    pub fn response(&self) -> Option<Response> {
        self.shown
    }

    /// Whose request is accepted in this cycle, if it has one.
    pub fn grants(&self, icache: bool, data: bool) -> Grants {
        let data = data && !(icache && self.icache_turn);
        Grants { icache: self.ready && icache && !data, data: self.ready && data }
    }

    /// Ends the cycle.
    pub fn clock(&mut self, cycle: u64, icache: Option<(u32, u8)>, data: Option<Request>, taken: bool) {
        let grants = self.grants(icache.is_some(), data.is_some());
        let of_icache =
            icache.filter(|_| grants.icache).map(|(line, tag)| (line, false, Response::Icache(tag)));
        let of_data =
            data.filter(|_| grants.data).map(|data| (data.line, data.store, Response::Data(data.tag)));
        if let Some((line, store, response)) = of_icache.or(of_data) {
            let due = self.timing.due(cycle, line << 6, store);
            if !store {
                let place = self.pending.partition_point(|&(other, _)| other <= due);
                self.pending.insert(place, (due, response));
            }
        }
        let icache_shown = data.is_none() || self.icache_turn;
        self.icache_turn = icache.is_some() && !grants.icache && (icache_shown || grants.data);
        if taken {
            self.shown = None;
        }
        if self.shown.is_none() && self.pending.front().is_some_and(|&(due, _)| due <= cycle + 1) {
            self.shown = self.pending.pop_front().map(|(_, response)| response);
        }
        self.ready = self.timing.accepts(cycle + 1);
    }
}
