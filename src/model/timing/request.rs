//! What the core asks of memory, and what it gets.

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
    Icache(u8, u8),
    Data(u8),
}
