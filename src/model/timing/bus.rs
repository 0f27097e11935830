//! The bus that instruction caches and load-store unit share.

use super::arbiter::Arbiter;
use super::port::{MemoryPort, Port};
use super::request::{Request, Response};

/// What is asked for in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requests<const MOST: usize> {
    pub data: Option<Request>,
    /// Line and tag, by slice.
    pub icaches: [Option<(u32, u8)>; MOST],
}

impl<const MOST: usize> Default for Requests<MOST> {
    fn default() -> Self {
        Self { data: None, icaches: [None; MOST] }
    }
}

impl<const MOST: usize> Requests<MOST> {
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
                (Request { line, store: false, tag, bytes: 0 }, Response::Icache(slice as u8, tag))
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

/// What the bus does with the requests of a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Accepted {
    /// Who asks.
    asking: u32,
    /// Whose request is accepted.
    pub whose: Grant,
    /// The request, and who gets the line.
    request: Option<(Request, Response)>,
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

    /// What is accepted of what is asked for in this cycle: one request is shown, if memory is ready for it.
    #[inline(always)]
    pub fn accept<const MOST: usize>(&self, requests: &Requests<MOST>) -> Accepted {
        let asking = requests.asking();
        let shown = self.arbiter.shown(asking).and_then(|master| Some((master, requests.of(master)?)));
        match shown.filter(|(_, (request, _))| self.port.ready(request.line, request.store)) {
            None => Accepted { asking, ..Accepted::default() },
            Some((0, request)) => Accepted { asking, whose: Grant::Data, request: Some(request) },
            Some((master, request)) => {
                Accepted { asking, whose: Grant::Icache(master - 1), request: Some(request) }
            }
        }
    }

    /// Ends the cycle; the line that is shown was `taken`.
    #[inline(always)]
    pub fn clock(&mut self, cycle: u64, accepted: &Accepted, taken: bool) {
        self.arbiter.clock(accepted.asking, accepted.request.is_some());
        self.port.clock(cycle, accepted.request, taken);
    }
}
