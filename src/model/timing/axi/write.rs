//! Writes over AXI4: the AW, W and B channels.

use super::{Burst, Channels};
use crate::timing::request::Request;
use spec::config::LINE_BYTES;

/// Writes that may be outstanding.
const WRITES: usize = 8;

/// Turns line writes into bursts no longer than the bytes to write require, one at a time.
pub(super) struct Writer {
    /// Bytes of a beat.
    bytes: u32,
    announced: Option<Burst>,
    /// Beats that are still to be accepted.
    beats: u8,
    /// Lines of the writes that have not been answered, in a ring.
    lines: [Option<u32>; WRITES],
    oldest: usize,
    newest: usize,
}

impl Writer {
    pub fn new(bytes: u32) -> Self {
        Self { bytes, announced: None, beats: 0, lines: [None; WRITES], oldest: 0, newest: 0 }
    }

    /// The burst before is through, and another one can be remembered.
    pub fn ready(&self, channels: &Channels) -> bool {
        (self.announced.is_none() || channels.awready)
            && (self.beats == 0 || self.beats == 1 && channels.wready)
            && self.lines[self.newest].is_none()
    }

    /// A write to the line has not been answered.
    pub fn awaits(&self, line: u32) -> bool {
        self.lines.contains(&Some(line))
    }

    /// Some write has not been answered.
    pub fn pending(&self) -> bool {
        self.lines.iter().any(Option::is_some)
    }

    /// What is announced, and whether a beat is there.
    pub fn drives(&self) -> (Option<Burst>, bool) {
        (self.announced, self.beats != 0)
    }

    pub fn clock(&mut self, accepted: Option<Request>, channels: &Channels) {
        if channels.awready {
            self.announced = None;
        }
        if channels.wready {
            self.beats = self.beats.saturating_sub(1);
        }
        if channels.answers {
            self.lines[self.oldest] = None;
            self.oldest = (self.oldest + 1) % WRITES;
        }
        if let Some(Request { line, bytes, .. }) = accepted {
            let beat = |byte: u32| byte / self.bytes;
            let (first, last) = match bytes {
                0 => (0, 0),
                _ => (beat(bytes.trailing_zeros()), beat(63 - bytes.leading_zeros())),
            };
            self.beats = (last - first + 1) as u8;
            let address = line * LINE_BYTES as u32 + first * self.bytes;
            self.announced = Some(Burst { id: 0, address, beats: self.beats });
            self.lines[self.newest] = Some(line);
            self.newest = (self.newest + 1) % WRITES;
        }
    }
}
