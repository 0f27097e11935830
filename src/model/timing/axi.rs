//! The core as a master of AXI4. A read waits while a write to its line has not been answered, and a write while a read of
//! its line has not got its data.

mod read;
mod write;

use super::native::RowStats;
use super::request::{Request, Response};
use read::Reader;
use write::Writer;

/// A burst on an address channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// Transactions of one id are performed in order.
    pub id: u8,
    /// Byte address of the first beat.
    pub address: u32,
    /// Its beats, 16 at most.
    pub beats: u8,
}

/// What the core drives in a cycle; it always takes what it is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bursts {
    /// A write is announced.
    pub write: Option<Burst>,
    /// A beat to write is there.
    pub beat: bool,
    /// A line is asked for.
    pub read: Option<Burst>,
}

/// What memory drives in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    /// A write that is announced is accepted.
    pub awready: bool,
    /// A beat to write is.
    pub wready: bool,
    /// A read is.
    pub arready: bool,
    /// The oldest write is answered.
    pub answers: bool,
    /// A beat of the read of that id, and whether it is the last.
    pub beat: Option<(u8, bool)>,
}

/// When a memory behind AXI4 accepts and answers.
pub trait AxiTiming: Send {
    /// What it drives in this cycle.
    fn drives(&self) -> Channels;

    /// Ends the cycle.
    fn clock(&mut self, bursts: &Bursts);

    /// What accesses found in their banks; `None` for a memory without rows.
    fn rows(&self) -> Option<RowStats>;

    /// Bursts accepted so far.
    fn accepted(&self) -> u64;
}

/// Carries the core's requests over AXI4.
pub(super) struct AxiPort {
    timing: Box<dyn AxiTiming>,
    reader: Reader,
    writer: Writer,
}

impl AxiPort {
    /// With beats of so many bytes.
    pub fn new(timing: Box<dyn AxiTiming>, bytes: u32) -> Self {
        Self { timing, reader: Reader::new(bytes), writer: Writer::new(bytes) }
    }

    /// Whether a request would be accepted in this cycle.
    #[inline(never)]
    pub fn ready(&self, line: u32, store: bool) -> bool {
        let channels = self.timing.drives();
        match store {
            true => self.writer.ready(&channels) && !self.reader.awaits(line),
            false => self.reader.ready(&channels) && !self.writer.awaits(line),
        }
    }

    /// The line that is complete and shown.
    #[inline(never)]
    pub fn response(&self) -> Option<Response> {
        self.reader.response()
    }

    /// A write has not been answered.
    #[inline(never)]
    pub fn writes_pending(&self) -> bool {
        self.writer.pending()
    }

    pub fn rows(&self) -> Option<RowStats> {
        self.timing.rows()
    }

    pub fn accepted(&self) -> u64 {
        self.timing.accepted()
    }

    #[inline(never)]
    pub fn clock(&mut self, accepted: Option<(Request, Response)>, taken: bool) {
        let channels = self.timing.drives();
        let (write, beat) = self.writer.drives();
        self.timing.clock(&Bursts { write, beat, read: self.reader.drives() });
        let is = |store: bool| accepted.filter(|(request, _)| request.store == store);
        self.reader.clock(is(false), &channels, taken);
        self.writer.clock(is(true).map(|(request, _)| request), &channels);
    }
}
