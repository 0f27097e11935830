//! The memory behind the core's bus: contents in a [`Memory`] of its own, apart from the reference
//! model's, and timing by one of the [`MemoryModel`]s.
//!
//! Protocol (docs/ISA.md, section 9.1): a request is accepted in a cycle in which `valid` and `ready` are both
//! high, and must not change while it waits. Writes take effect, and reads take their value, in
//! the order of acceptance. Only reads get a response; a response stays until it is taken.

pub mod axi;
mod dram;
mod kind;
mod timing;

use std::collections::VecDeque;

use model::memory::{Memory, Unmapped};
use spec::config::LINE_BYTES;

use super::rng::Rng;

pub use dram::DramConfig;
pub use kind::{MemoryKind, ParseMemoryError};
pub use model::timing::RowStats;
pub use timing::MemoryModel;

/// 32-bit words in a line.
pub const LINE_WORDS: usize = LINE_BYTES / 4;

/// Tag bit that marks the instruction cache's requests.
pub const ICACHE_TAG: u8 = 0x80;

/// One beat of the request channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Write or read.
    pub write: bool,
    /// Address of the line in bytes.
    pub address: u32,
    /// For writes, which bytes.
    pub byteen: u64,
    /// For writes, the line.
    pub data: [u32; LINE_WORDS],
    /// Comes back with the response.
    pub tag: u8,
}

/// One beat of the response channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The line.
    pub data: [u32; LINE_WORDS],
    /// The request's tag.
    pub tag: u8,
}

/// What must not happen on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BusError {
    /// A data access to memory that does not exist.
    #[error("{} of unmapped line {line:#010x}", if *.write { "store" } else { "load" })]
    Unmapped {
        /// Address of the line.
        line: u32,
        /// Store or load.
        write: bool,
    },
    /// The core withdrew or changed a request that had not been accepted.
    #[error("the core changed its request for line {0:#010x} while the memory was not ready")]
    Unstable(
        /// Address of the line of the earlier request.
        u32,
    ),
    /// The instruction cache wrote.
    #[error("the instruction cache stores to line {0:#010x}")]
    CacheWrites(
        /// Address of the line.
        u32,
    ),
    /// A rule of AXI4 is broken, by either side.
    #[error(transparent)]
    Axi(#[from] axi::AxiViolation),
}

/// Random disturbance, to meet orders of events that a regular memory never produces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Disturbance {
    /// In how many of 100 cycles the memory refuses requests.
    pub backpressure_percent: u32,
    /// Up to how many cycles a response comes late; later ones may overtake it.
    pub jitter: u32,
}

/// The bus slave.
pub struct Bus {
    /// Contents, console and exit code.
    pub memory: Memory,
    timing: Box<dyn MemoryModel>,
    disturbance: Disturbance,
    rng: Rng,
    cycle: u64,
    ready: bool,
    /// Reads that were accepted, by the cycle in which they are due.
    pending: VecDeque<(u64, Response)>,
    /// Reads of which the memory has not said when they are due: their numbers, and by how much they come late.
    undecided: Vec<(u64, u64, Response)>,
    /// What the response channel shows.
    shown: Option<Response>,
    /// The request that was refused in the last cycle.
    refused: Option<Request>,
    accepted: u64,
}

impl Bus {
    /// A bus with the timing of `kind`; `seed` chooses the disturbance's sequence.
    pub fn new(memory: Memory, kind: MemoryKind, disturbance: Disturbance, seed: u64) -> Self {
        Self {
            memory,
            timing: kind.model(),
            disturbance,
            rng: Rng::new(seed),
            cycle: 0,
            ready: true,
            pending: VecDeque::new(),
            undecided: vec![],
            shown: None,
            refused: None,
            accepted: 0,
        }
    }

    /// Whether a request of this cycle is accepted.
    #[inline]
    pub fn ready(&self) -> bool {
        self.ready
    }

    /// What the response channel shows in this cycle.
    #[inline]
    pub fn response(&self) -> Option<&Response> {
        self.shown.as_ref()
    }

    /// Whether data reads still wait for their response. Instructions may: a warp that ends has
    /// fetched ahead.
    pub fn awaits_data(&self) -> bool {
        let pending = self.pending.iter().map(|(_, response)| response);
        let undecided = self.undecided.iter().map(|(_, _, response)| response);
        pending.chain(undecided).chain(&self.shown).any(|response| response.tag & ICACHE_TAG == 0)
    }

    /// Requests accepted so far.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// What the requests found in the memory's rows, if it has rows.
    pub fn rows(&self) -> Option<RowStats> {
        self.timing.rows()
    }

    /// Ends the cycle: takes the request, if there is one and the bus is ready, and drops the
    /// response, if it was taken.
    ///
    /// # Errors
    /// [`BusError`]; the bus can be used further.
    #[inline]
    pub fn clock(&mut self, request: Option<Request>, response_taken: bool) -> Result<(), BusError> {
        let mut result = Ok(());
        if let Some(refused) = self.refused.take() {
            if request != Some(refused) {
                result = Err(BusError::Unstable(refused.address));
            }
        }
        match request {
            Some(request) if self.ready => result = result.and(self.accept(&request)),
            Some(request) => self.refused = Some(request),
            None => {}
        }
        if response_taken {
            self.shown = None;
        }
        if let Some((number, due)) = self.timing.clock(self.cycle) {
            if let Some(place) = self.undecided.iter().position(|(other, ..)| *other == number) {
                let (_, late, response) = self.undecided.remove(place);
                self.answer(due + late, response);
            }
        }
        self.cycle += 1;
        if self.shown.is_none() && self.pending.front().is_some_and(|&(due, _)| due <= self.cycle) {
            self.shown = self.pending.pop_front().map(|(_, response)| response);
        }
        let refuses = self.rng.percent(self.disturbance.backpressure_percent);
        self.ready = self.timing.accepts(self.cycle) && !refuses;
        result
    }

    fn accept(&mut self, request: &Request) -> Result<(), BusError> {
        let Request { write, address, .. } = *request;
        let is_fetch = request.tag & ICACHE_TAG != 0;
        let unmapped = |Unmapped(_)| BusError::Unmapped { line: address, write };
        self.accepted += 1;
        let due = self.timing.due(self.cycle, address, write);
        if write {
            if is_fetch {
                return Err(BusError::CacheWrites(address));
            }
            return self
                .memory
                .write_line(address, &to_bytes(&request.data), request.byteen)
                .map_err(unmapped);
        }
        let line = match self.memory.read_line(address) {
            Ok(line) => line,
            // Fetching ahead may run past the end of the program, which is no fault until the warp
            // gets there: zero is an illegal instruction.
            Err(_) if is_fetch => [0; LINE_BYTES],
            Err(e) => return Err(unmapped(e)),
        };
        let jitter = self.disturbance.jitter;
        let late = if jitter == 0 { 0 } else { self.rng.below(jitter + 1) };
        let response = Response { data: to_words(&line), tag: request.tag };
        match due {
            Some(due) => self.answer(due + u64::from(late), response),
            None => self.undecided.push((self.accepted - 1, late.into(), response)),
        }
        Ok(())
    }

    /// A response is due in a cycle.
    fn answer(&mut self, due: u64, response: Response) {
        let place = self.pending.partition_point(|&(other, _)| other <= due);
        self.pending.insert(place, (due, response));
    }
}

fn to_words(line: &[u8; LINE_BYTES]) -> [u32; LINE_WORDS] {
    std::array::from_fn(|i| {
        u32::from_le_bytes([line[4 * i], line[4 * i + 1], line[4 * i + 2], line[4 * i + 3]])
    })
}

fn to_bytes(line: &[u32; LINE_WORDS]) -> [u8; LINE_BYTES] {
    std::array::from_fn(|i| line[i / 4].to_le_bytes()[i % 4])
}

#[cfg(test)]
mod tests;
