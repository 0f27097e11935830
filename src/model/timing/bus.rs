//! The bus that instruction caches and load-store unit share.

use super::arbiter::Arbiter;
use super::port::{MemoryPort, Port};
use super::request::{Request, Response};
use spec::config::MAX_SLICES;

/// What is asked for in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    pub data: Option<Request>,
    /// Line and tag, by slice.
    pub icaches: [Option<(u32, u8)>; MAX_SLICES],
}

impl Requests {
    /// Whether anybody asks.
    pub fn any(&self) -> bool {
        self.asking() != 0
    }

    /// Who asks, a bit a master: the load-store unit, then the instruction caches.
    fn asking(&self) -> u32 {
        self.icaches.iter().zip(1..).fold(u32::from(self.data.is_some()), |asking, (request, master)| {
            asking | u32::from(request.is_some()) << master
        })
    }

    /// What a master asks, and who gets the line.
    fn of(&self, master: usize) -> Option<(Request, Response)> {
        match master.checked_sub(1) {
            None => self.data.map(|data| (data, Response::Data(data.tag))),
            Some(slice) => self.icaches[slice].map(|(line, tag)| {
                (Request { line, store: false, tag, bytes: 0 }, Response::Icache(slice, tag))
            }),
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

/// One request a cycle, one response a cycle.
pub(super) struct Bus {
    arbiter: Arbiter,
    port: Port,
}

impl Bus {
    pub fn new(memory: MemoryPort) -> Self {
        Self { arbiter: Arbiter::default(), port: memory.into() }
    }

    /// What carries the requests.
    pub fn port(&self) -> &Port {
        &self.port
    }

    /// What is shown in this cycle, and accepted if memory is ready.
    fn shown(&self, requests: &Requests) -> Option<(usize, Request, Response)> {
        let master = self.arbiter.shown(requests.asking())?;
        requests.of(master).map(|(request, response)| (master, request, response))
    }

    fn accepted(&self, requests: &Requests) -> Option<(usize, Request, Response)> {
        self.shown(requests).filter(|(_, request, _)| self.port.ready(request.line, request.store))
    }

    /// Whose request is accepted in this cycle.
    pub fn grant(&self, requests: &Requests) -> Grant {
        match self.accepted(requests) {
            None => Grant::Nobody,
            Some((0, ..)) => Grant::Data,
            Some((master, ..)) => Grant::Icache(master - 1),
        }
    }

    /// Ends the cycle; the line that is shown was `taken`.
    pub fn clock(&mut self, cycle: u64, requests: &Requests, taken: bool) {
        let accepted = self.accepted(requests);
        self.arbiter.clock(requests.asking(), accepted.is_some());
        self.port.clock(cycle, accepted.map(|(_, request, response)| (request, response)), taken);
    }
}
