//! The bus that instruction cache and load-store unit share, and the memory behind it.

use std::collections::VecDeque;

use super::arbiter::Arbiter;
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
    /// Bytes to store, where anybody asks.
    pub bytes: u64,
}

/// A line that memory gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Response {
    /// For the instruction cache of that slice.
    Icache(usize, u8),
    Data(u8),
}

/// What is asked for in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    pub data: Option<Request>,
    /// Line and tag, by slice.
    pub icaches: [Option<(u32, u8)>; MAX_SLICES],
}

impl Requests {
    /// Who asks, a bit a master: the load-store unit, then the instruction caches.
    fn asking(&self) -> u32 {
        self.icaches.iter().zip(1..).fold(u32::from(self.data.is_some()), |asking, (request, master)| {
            asking | u32::from(request.is_some()) << master
        })
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

/// One request a cycle, one response a cycle.
pub(super) struct Bus {
    timing: Box<dyn MemoryTiming>,
    ready: bool,
    arbiter: Arbiter,
    pending: VecDeque<(u64, Response)>,
    shown: Option<Response>,
}

impl Bus {
    pub fn new(timing: Box<dyn MemoryTiming>) -> Self {
        Self { timing, ready: true, arbiter: Arbiter::default(), pending: VecDeque::new(), shown: None }
    }

    /// The memory.
    pub fn timing(&self) -> &dyn MemoryTiming {
        &*self.timing
    }

    /// What memory shows in this cycle.
    pub fn response(&self) -> Option<Response> {
        self.shown
    }

    /// A store has left the core and may not have been performed yet.
    pub fn writes_pending(&self) -> bool {
        false
    }

    /// Whose request is accepted in this cycle.
    pub fn grant(&self, requests: &Requests) -> Grant {
        match self.arbiter.shown(requests.asking()).filter(|_| self.ready) {
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
        self.arbiter.clock(requests.asking(), self.ready);
        if taken {
            self.shown = None;
        }
        if self.shown.is_none() && self.pending.front().is_some_and(|&(due, _)| due <= cycle + 1) {
            self.shown = self.pending.pop_front().map(|(_, response)| response);
        }
        self.ready = self.timing.accepts(cycle + 1);
    }
}
