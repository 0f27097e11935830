//! The line bus, whose memory accepts and answers a line a cycle.

use std::collections::VecDeque;

use serde::Serialize;

use super::request::{Request, Response};
use spec::config::LINE_BYTES;

/// What accesses to a memory with rows found in their banks, and before those in its second-level cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RowStats {
    /// Their row was open.
    pub row_hits: u64,
    /// No row was open.
    pub row_misses: u64,
    /// Another row was open and had to be closed.
    pub row_conflicts: u64,
    /// Their line was in the second-level cache, or on its way there.
    pub l2_hits: u64,
    /// It was not: reads went on to a bank. 0, as the hits, where there is no such cache.
    pub l2_misses: u64,
}

/// When the memory behind the bus answers. What it holds is the functional model's affair.
pub trait MemoryTiming: Send {
    /// The cycle in which the response to a request accepted in `cycle` is on the bus; `None` if [`MemoryTiming::clock`] tells
    /// it. Called once for each accepted request, in order.
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> Option<u64>;

    /// The end of a cycle, after its request: the number, from 0, of a request that was not told when it is answered, and the
    /// cycle in which it is. Called in every cycle.
    fn clock(&mut self, cycle: u64) -> Option<(u64, u64)>;

    /// What accesses found in their banks; `None` for a memory without rows.
    fn rows(&self) -> Option<RowStats> {
        None
    }

    /// Whether a request of this cycle can be accepted. Cycles do not go back.
    fn accepts(&mut self, cycle: u64) -> bool;

    /// Until the next request nothing happens: it would be accepted in any cycle, and nobody has to be told of those before.
    fn rests(&self) -> bool;
}

/// The memory on the bus.
pub(super) struct NativePort {
    timing: Box<dyn MemoryTiming>,
    /// The memory rests.
    rests: bool,
    /// A request of this cycle is accepted.
    pub ready: bool,
    pending: VecDeque<(u64, Response)>,
    /// Reads of which the memory has not said when they are due, by their numbers.
    undecided: Vec<(u64, Response)>,
    /// The line on the bus.
    pub shown: Option<Response>,
    pub accepted: u64,
}

impl NativePort {
    pub fn new(timing: Box<dyn MemoryTiming>) -> Self {
        Self {
            timing,
            rests: false,
            ready: true,
            pending: VecDeque::new(),
            undecided: vec![],
            shown: None,
            accepted: 0,
        }
    }

    pub fn rows(&self) -> Option<RowStats> {
        self.timing.rows()
    }

    #[inline]
    pub fn clock(&mut self, cycle: u64, accepted: Option<(Request, Response)>, taken: bool) {
        if taken {
            self.shown = None;
        }
        if !(self.rests && accepted.is_none() && self.pending.is_empty()) {
            self.go_on(cycle, accepted);
        }
    }

    #[inline(never)]
    fn go_on(&mut self, cycle: u64, accepted: Option<(Request, Response)>) {
        if let Some((Request { line, store, .. }, response)) = accepted {
            let due = self.timing.due(cycle, line * LINE_BYTES as u32, store);
            match due {
                _ if store => {}
                Some(due) => self.answer(due, response),
                None => self.undecided.push((self.accepted, response)),
            }
            self.accepted += 1;
        }
        if let Some((number, due)) = self.timing.clock(cycle) {
            if let Some(place) = self.undecided.iter().position(|&(other, _)| other == number) {
                let (_, response) = self.undecided.remove(place);
                self.answer(due, response);
            }
        }
        if self.shown.is_none() && self.pending.front().is_some_and(|&(due, _)| due <= cycle + 1) {
            self.shown = self.pending.pop_front().map(|(_, response)| response);
        }
        self.ready = self.timing.accepts(cycle + 1);
        self.rests = self.timing.rests();
    }

    /// A line is due in a cycle.
    fn answer(&mut self, due: u64, response: Response) {
        let place = self.pending.partition_point(|&(other, _)| other <= due);
        self.pending.insert(place, (due, response));
    }
}
