//! Reads over AXI4: the AR and R channels.

use std::collections::VecDeque;

use super::{Burst, Channels};
use crate::timing::request::{Request, Response};
use spec::config::LINE_BYTES;

/// Reads that may be outstanding.
const READS: usize = 16;

/// A read that has not been handed over; its number is its id.
#[derive(Clone, Copy)]
struct Read {
    line: u32,
    to: Response,
    /// Not all its data have come.
    waits: bool,
}

/// Puts lines together, and hands them back in the order in which they are complete.
pub(super) struct Reader {
    /// Beats of a line.
    beats: u8,
    /// On the address channel: id and line.
    asked: Option<(u8, u32)>,
    reads: [Option<Read>; READS],
    /// Those that are complete.
    finished: VecDeque<u8>,
    /// The one that is shown to the core.
    shown: Option<u8>,
}

impl Reader {
    pub fn new(bytes: u32) -> Self {
        let beats = (LINE_BYTES as u32 / bytes) as u8;
        let finished = VecDeque::with_capacity(READS);
        Self { beats, asked: None, reads: [None; READS], finished, shown: None }
    }

    /// The entry of the next read, the lowest that is free.
    fn free(&self) -> Option<usize> {
        self.reads.iter().position(Option::is_none)
    }

    pub fn ready(&self, channels: &Channels) -> bool {
        self.free().is_some() && (self.asked.is_none() || channels.arready)
    }

    /// A read of the line has not got all its data.
    pub fn awaits(&self, line: u32) -> bool {
        self.reads.iter().flatten().any(|read| read.waits && read.line == line)
    }

    pub fn response(&self) -> Option<Response> {
        self.shown.and_then(|id| self.reads[usize::from(id)]).map(|read| read.to)
    }

    pub fn drives(&self) -> Option<Burst> {
        self.asked.map(|(id, line)| Burst { id, address: line * LINE_BYTES as u32, beats: self.beats })
    }

    pub fn clock(&mut self, accepted: Option<(Request, Response)>, channels: &Channels, taken: bool) {
        let free = self.free();
        if channels.arready {
            self.asked = None;
        }
        if taken {
            if let Some(id) = self.shown.take() {
                self.reads[usize::from(id)] = None;
            }
        }
        if self.shown.is_none() {
            self.shown = self.finished.pop_front();
        }
        if let Some((id, true)) = channels.beat {
            self.finished.push_back(id);
            if let Some(read) = &mut self.reads[usize::from(id)] {
                read.waits = false;
            }
        }
        if let Some(((Request { line, .. }, to), id)) = accepted.zip(free) {
            self.reads[id] = Some(Read { line, to, waits: true });
            self.asked = Some((id as u8, line));
        }
    }
}
