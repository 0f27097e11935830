//! How requests reach memory: as they are, or over AXI4.

use super::axi::{AxiPort, AxiTiming};
use super::native::RowStats;
use super::native::{MemoryTiming, NativePort};
use super::request::{Request, Response};

/// The memory of a core.
pub enum MemoryPort {
    /// On the line bus.
    Native(Box<dyn MemoryTiming>),
    /// Behind AXI4, whose beats have so many bytes.
    Axi(Box<dyn AxiTiming>, u32),
}

/// What carries a core's requests.
pub(super) enum Port {
    Native(NativePort),
    Axi(Box<AxiPort>),
}

impl From<MemoryPort> for Port {
    fn from(memory: MemoryPort) -> Self {
        match memory {
            MemoryPort::Native(timing) => Self::Native(NativePort::new(timing)),
            MemoryPort::Axi(timing, bytes) => Self::Axi(Box::new(AxiPort::new(timing, bytes))),
        }
    }
}

impl Port {
    /// Whether a request would be accepted in this cycle.
    pub fn ready(&self, line: u32, store: bool) -> bool {
        match self {
            Self::Native(port) => port.ready,
            Self::Axi(port) => port.ready(line, store),
        }
    }

    /// The line that is shown in this cycle.
    pub fn response(&self) -> Option<Response> {
        match self {
            Self::Native(port) => port.shown,
            Self::Axi(port) => port.response(),
        }
    }

    /// A store has left the core and may not have been performed yet.
    pub fn writes_pending(&self) -> bool {
        match self {
            Self::Native(_) => false,
            Self::Axi(port) => port.writes_pending(),
        }
    }

    /// Ends the cycle: a request that is accepted, and who gets its line; whether the line that is shown was `taken`.
    #[inline]
    pub fn clock(&mut self, cycle: u64, accepted: Option<(Request, Response)>, taken: bool) {
        match self {
            Self::Native(port) => port.clock(cycle, accepted, taken),
            Self::Axi(port) => port.clock(accepted, taken),
        }
    }

    /// Requests that memory has accepted.
    pub fn accepted(&self) -> u64 {
        match self {
            Self::Native(port) => port.accepted,
            Self::Axi(port) => port.accepted(),
        }
    }

    /// What accesses found in their banks, if the memory has rows.
    pub fn rows(&self) -> Option<RowStats> {
        match self {
            Self::Native(port) => port.rows(),
            Self::Axi(port) => port.rows(),
        }
    }
}
