//! When a memory behind AXI4 accepts, performs and answers.

use std::collections::VecDeque;

use super::contents::Contents;
use super::{Address, AxiViolation, Master, Slave, WriteResponse, INCR};
use crate::memory::{BusError, Disturbance, MemoryKind, MemoryModel, RowStats};
use crate::rng::Rng;
use spec::config::LINE_BYTES;

/// Beats that are taken before their address.
const BEATS_AHEAD: usize = 16;
/// A read that was accepted.
struct Read<Words> {
    burst: Address,
    due: Due,
    beats_done: u32,
    /// Its data, once the memory has performed it.
    words: Option<Words>,
}

/// A write that is complete.
struct Write<Beat> {
    burst: Address,
    beats: Vec<Beat>,
    due: Due,
    performed: bool,
}

/// When a transaction is answered.
#[derive(Clone, Copy)]
struct Due {
    /// Its number among all.
    number: u64,
    /// By how much the answer comes late.
    late: u64,
    /// The cycle, once the memory has said it.
    cycle: Option<u64>,
}

impl Due {
    fn is_over(self, cycle: u64) -> bool {
        self.cycle.is_some_and(|due| due + self.late <= cycle)
    }
}

/// The slave's timing and random disturbance.
///
/// Without disturbance, reads and writes are performed when they are accepted and answered in that order. With it,
/// each channel refuses at random, responses come late, those of different ids in any order and the beats of several
/// reads interleaved, and a transaction may be performed at any time between request and response, as AXI4 allows:
/// a master that relies on an order between reads and writes goes wrong.
pub(super) struct Schedule<C: Contents> {
    pub contents: C,
    timing: Box<dyn MemoryModel>,
    disturbance: Disturbance,
    rng: Rng,
    /// Bytes in a beat.
    width: u32,
    cycle: u64,
    shown: Slave,
    announced: VecDeque<Address>,
    beats: VecDeque<C::Beat>,
    writes: VecDeque<Write<C::Beat>>,
    reads: VecDeque<Read<C::Words>>,
    accepted: u64,
    accepted_writes: u64,
    /// Transactions of which the memory has been told.
    told: u64,
}

impl<C: Contents> Schedule<C> {
    /// A memory with the timing of `kind` and data channels of `width` bytes; `seed` chooses the disturbance's sequence.
    pub fn new(contents: C, kind: MemoryKind, disturbance: Disturbance, seed: u64, width: u32) -> Self {
        Self {
            contents,
            timing: kind.model(),
            disturbance,
            rng: Rng::new(seed),
            width,
            cycle: 0,
            shown: Slave::default(),
            announced: VecDeque::new(),
            beats: VecDeque::new(),
            writes: VecDeque::new(),
            reads: VecDeque::new(),
            accepted: 0,
            accepted_writes: 0,
            told: 0,
        }
    }

    /// What the memory drives in this cycle.
    #[inline]
    pub fn drive(&self) -> &Slave {
        &self.shown
    }

    /// Whether data reads still wait for their response. Instructions may: a warp that ends has fetched ahead.
    pub fn awaits_data(&self) -> bool {
        self.reads.iter().any(|read| !read.burst.is_fetch())
    }

    /// Bursts accepted so far.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Of these, writes.
    pub fn accepted_writes(&self) -> u64 {
        self.accepted_writes
    }

    /// What the requests found in the memory's rows, if it has rows.
    pub fn rows(&self) -> Option<RowStats> {
        self.timing.rows()
    }

    /// Nothing is driven, as in reset.
    pub fn silence(&mut self) {
        self.shown = Slave::default();
    }

    /// Ends the cycle: takes what is accepted, and chooses what to drive in the next one.
    ///
    /// # Errors
    /// A burst that is not supported, or an access to memory that does not exist; the memory can be used further.
    pub fn clock(&mut self, master: Master<C::Beat>) -> Result<(), BusError> {
        let shown = self.shown;
        let mut result = Ok(());
        if shown.b.is_some() && master.bready {
            self.shown.b = None;
        }
        if shown.r.is_some() && master.rready {
            self.shown.r = None;
        }
        if let Some(ar) = master.ar.filter(|_| shown.arready) {
            result = result.and(self.accept_read(ar));
        }
        if let Some(aw) = master.aw.filter(|_| shown.awready) {
            self.accepted += 1;
            self.accepted_writes += 1;
            self.announced.push_back(aw);
        }
        if let Some(w) = master.w.filter(|_| shown.wready) {
            self.beats.push_back(w);
        }
        while self.announced.front().is_some_and(|aw| self.beats.len() >= aw.beats() as usize) {
            result = result.and(self.accept_write());
        }
        if let Some((number, due)) = self.timing.clock(self.cycle) {
            let reads = self.reads.iter_mut().map(|read| &mut read.due);
            let mut all = reads.chain(self.writes.iter_mut().map(|write| &mut write.due));
            if let Some(undecided) = all.find(|other| other.number == number) {
                undecided.cycle = Some(due);
            }
        }
        self.cycle += 1;
        result = result.and(self.respond());
        let accepts = self.timing.accepts(self.cycle);
        let refuses = self.disturbance.backpressure_percent;
        self.shown.arready = accepts && !self.rng.percent(refuses);
        self.shown.awready = accepts && !self.rng.percent(refuses);
        self.shown.wready = self.beats.len() < BEATS_AHEAD && !self.rng.percent(refuses);
        result
    }

    /// When a transaction accepted now is answered.
    fn due(&mut self, burst: &Address, write: bool) -> Due {
        let line = burst.address & !(LINE_BYTES as u32 - 1);
        let jitter = self.disturbance.jitter;
        let late = if jitter == 0 { 0 } else { self.rng.below(jitter + 1) };
        let number = self.told;
        self.told += 1;
        Due { number, late: late.into(), cycle: self.timing.due(self.cycle, line, write) }
    }

    /// Whether a transaction is performed at once, or when it is answered.
    fn at_once(&mut self) -> bool {
        self.disturbance.jitter == 0 || self.rng.percent(50)
    }

    fn accept_read(&mut self, burst: Address) -> Result<(), BusError> {
        self.accepted += 1;
        let due = self.due(&burst, false);
        let mut read = Read { burst, due, beats_done: 0, words: None };
        let result = supported(&burst, self.width, self.cycle).and_then(|()| {
            if self.at_once() {
                self.contents.read(&burst, self.width, &mut read.words)
            } else {
                Ok(())
            }
        });
        self.reads.push_back(read);
        result
    }

    fn accept_write(&mut self) -> Result<(), BusError> {
        let Some(burst) = self.announced.pop_front() else { return Ok(()) };
        let beats = self.beats.drain(..burst.beats() as usize).collect();
        let due = self.due(&burst, true);
        supported(&burst, self.width, self.cycle)?;
        // Writes of one id are performed in order: an earlier one that waits holds this one up.
        let at_once = self.writes.iter().all(|write| write.performed) && self.at_once();
        let mut write = Write { burst, beats, due, performed: false };
        let result = if at_once { perform_write(&mut self.contents, &mut write, self.width) } else { Ok(()) };
        self.writes.push_back(write);
        result
    }

    /// Chooses responses for the free channels.
    fn respond(&mut self) -> Result<(), BusError> {
        let Self { cycle, disturbance, rng, .. } = self;
        let random = disturbance.jitter != 0;
        let mut result = Ok(());
        if self.shown.b.is_none() && !rng.percent(disturbance.backpressure_percent) {
            let heads = (0..self.writes.len()).filter(|&i| {
                let id = self.writes[i].burst.id;
                self.writes[i].due.is_over(*cycle) && self.writes.range(..i).all(|w| w.burst.id != id)
            });
            if let Some(chosen) = choose(heads, rng, random) {
                // All that were complete before it and go to the same place are performed first.
                for write in self.writes.range_mut(..=chosen) {
                    result = result.and(perform_write(&mut self.contents, write, self.width));
                }
                let id = self.writes[chosen].burst.id;
                self.writes.remove(chosen);
                self.shown.b = Some(WriteResponse { id, resp: 0 });
            }
        }
        if self.shown.r.is_none() && !rng.percent(disturbance.backpressure_percent) {
            let heads = (0..self.reads.len()).filter(|&i| {
                let id = self.reads[i].burst.id;
                self.reads[i].due.is_over(*cycle) && self.reads.range(..i).all(|r| r.burst.id != id)
            });
            if let Some(chosen) = choose(heads, rng, random) {
                let read = &mut self.reads[chosen];
                if read.words.is_none() {
                    result = result.and(self.contents.read(&read.burst, self.width, &mut read.words));
                }
                self.shown.r = Some(C::beat(&read.burst, self.width, read.words.as_ref(), read.beats_done));
                read.beats_done += 1;
                if read.beats_done == read.burst.beats() {
                    self.reads.remove(chosen);
                }
            }
        }
        result
    }
}

/// The first of the candidates, or any.
fn choose(candidates: impl Iterator<Item = usize>, rng: &mut Rng, random: bool) -> Option<usize> {
    let mut candidates = candidates.peekable();
    if !random {
        return candidates.next();
    }
    let all: Vec<usize> = candidates.collect();
    all.get(rng.below(all.len() as u32) as usize).copied()
}

/// This memory performs bursts of whole beats only.
fn supported(burst: &Address, width: u32, cycle: u64) -> Result<(), BusError> {
    if burst.burst == INCR && burst.bytes() == width {
        return Ok(());
    }
    let rule = "this memory knows INCR bursts of whole beats alone";
    Err(BusError::Axi(AxiViolation { cycle, signal: "burst", rule }))
}

/// Writes the bytes of the burst, if that has not been done.
fn perform_write<C: Contents>(
    contents: &mut C,
    write: &mut Write<C::Beat>,
    width: u32,
) -> Result<(), BusError> {
    match std::mem::replace(&mut write.performed, true) {
        true => Ok(()),
        false => contents.write(&write.burst, width, &write.beats),
    }
}
