//! The bus that instruction cache and load-store unit share, and the memory behind it.

use std::collections::VecDeque;

/// When the memory behind the bus answers. What it holds is the functional model's affair.
pub trait MemoryTiming: Send {
    /// The cycle in which the response to a request accepted in `cycle` is on the bus. Called once for each accepted
    /// request, in order.
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> u64;

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

/// One request a cycle, one response a cycle. Of two that wait the instruction cache goes first, but not twice in a row.
pub(super) struct Bus {
    timing: Box<dyn MemoryTiming>,
    ready: bool,
    /// The request shown in the last cycle was not accepted, and stays.
    held: bool,
    icache_last: bool,
    pending: VecDeque<(u64, Response)>,
    shown: Option<Response>,
}

impl Bus {
    pub fn new(timing: Box<dyn MemoryTiming>) -> Self {
        Self { timing, ready: true, held: false, icache_last: false, pending: VecDeque::new(), shown: None }
    }

    /// What memory shows in this cycle.
    pub fn response(&self) -> Option<Response> {
        self.shown
    }

    /// Whether the instruction cache's request goes first.
    fn icache_chosen(&self, icache: bool, data: bool) -> bool {
        if self.held {
            self.icache_last
        } else {
            icache && !(data && self.icache_last)
        }
    }

    /// Whose request is accepted in this cycle, if it has one.
    pub fn grants(&self, icache: bool, data: bool) -> Grants {
        let icache_chosen = self.icache_chosen(icache, data);
        Grants { icache: self.ready && icache_chosen && icache, data: self.ready && !icache_chosen }
    }

    /// Ends the cycle.
    pub fn clock(&mut self, cycle: u64, icache: Option<(u32, u8)>, data: Option<Request>, taken: bool) {
        if icache.is_some() || data.is_some() {
            let icache_chosen = self.icache_chosen(icache.is_some(), data.is_some());
            if self.ready {
                let request = match (icache.filter(|_| icache_chosen), data) {
                    (Some((line, tag)), _) => Some((line, false, Response::Icache(tag))),
                    (None, Some(data)) => Some((data.line, data.store, Response::Data(data.tag))),
                    (None, None) => None,
                };
                if let Some((line, store, response)) = request {
                    let due = self.timing.due(cycle, line << 6, store);
                    if !store {
                        let place = self.pending.partition_point(|&(other, _)| other <= due);
                        self.pending.insert(place, (due, response));
                    }
                }
            }
            self.held = !self.ready;
            self.icache_last = icache_chosen;
        } else {
            self.held = false;
        }
        if taken {
            self.shown = None;
        }
        if self.shown.is_none() && self.pending.front().is_some_and(|&(due, _)| due <= cycle + 1) {
            self.shown = self.pending.pop_front().map(|(_, response)| response);
        }
        self.ready = self.timing.accepts(cycle + 1);
    }
}
