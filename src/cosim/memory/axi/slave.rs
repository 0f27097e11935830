//! A memory behind AXI4.

use std::collections::VecDeque;

use super::{
    Address, AxiChecker, AxiViolation, Master, ReadBeat, Slave, WriteBeat, WriteResponse, DECERR, INCR,
};
use crate::memory::{BusError, Disturbance, MemoryKind, MemoryModel, RowStats};
use crate::rng::Rng;
use model::memory::{Memory, Unmapped};
use spec::config::LINE_BYTES;

/// Beats that are taken before their address.
const BEATS_AHEAD: usize = 16;
/// What a failed read beat shows, which nobody may use.
const GARBAGE: u32 = 0xdead_beef;

/// A read that was accepted.
struct Read {
    burst: Address,
    due: u64,
    beats_done: u32,
    /// Its data, once the memory has performed it; `None` where there is no memory.
    words: Option<Vec<Option<u32>>>,
}

/// A write that is complete.
struct Write {
    burst: Address,
    beats: Vec<WriteBeat>,
    due: u64,
    performed: bool,
}

/// The slave: contents, timing, random disturbance, and the checker of both sides.
///
/// Without disturbance, reads and writes are performed when they are accepted and answered in that order. With it,
/// each channel refuses at random, responses come late, those of different ids in any order and the beats of several
/// reads interleaved, and a transaction may be performed at any time between request and response, as AXI4 allows:
/// a master that relies on an order between reads and writes goes wrong.
pub struct AxiMemory {
    /// Contents, console and exit code.
    pub memory: Memory,
    timing: Box<dyn MemoryModel>,
    disturbance: Disturbance,
    rng: Rng,
    checker: AxiChecker,
    /// Bytes in a beat.
    width: u32,
    cycle: u64,
    shown: Slave,
    announced: VecDeque<Address>,
    beats: VecDeque<WriteBeat>,
    writes: VecDeque<Write>,
    reads: VecDeque<Read>,
    accepted: u64,
    accepted_writes: u64,
}

impl AxiMemory {
    /// A memory with the timing of `kind` and data channels of `width` bytes; `seed` chooses the disturbance's sequence.
    pub fn new(memory: Memory, kind: MemoryKind, disturbance: Disturbance, seed: u64, width: u32) -> Self {
        Self {
            memory,
            timing: kind.model(),
            disturbance,
            rng: Rng::new(seed),
            checker: AxiChecker::new(width),
            width,
            cycle: 0,
            shown: Slave::default(),
            announced: VecDeque::new(),
            beats: VecDeque::new(),
            writes: VecDeque::new(),
            reads: VecDeque::new(),
            accepted: 0,
            accepted_writes: 0,
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

    /// Checks that nothing is outstanding that must not be at the end.
    ///
    /// # Errors
    /// What is.
    pub fn finish(&self) -> Result<(), AxiViolation> {
        self.checker.finish()
    }

    /// A clock edge in reset: nothing is accepted.
    ///
    /// # Errors
    /// A master that is not silent.
    pub fn reset(&mut self, master: &Master) -> Result<(), BusError> {
        self.shown = Slave::default();
        self.checker.clock(true, master, &self.shown).map_err(BusError::Axi)
    }

    /// Ends the cycle: checks both sides, takes what is accepted, and chooses what to drive in the next one.
    ///
    /// # Errors
    /// A broken rule, or an access to memory that does not exist; the memory can be used further.
    pub fn clock(&mut self, master: &Master) -> Result<(), BusError> {
        let shown = self.shown;
        let mut result = self.checker.clock(false, master, &shown).map_err(BusError::Axi);
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
    fn due(&mut self, burst: &Address, write: bool) -> u64 {
        let line = burst.address & !(LINE_BYTES as u32 - 1);
        let jitter = self.disturbance.jitter;
        let late = if jitter == 0 { 0 } else { self.rng.below(jitter + 1) };
        self.timing.due(self.cycle, line, write) + u64::from(late)
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
                perform_read(&self.memory, &mut read, self.width)
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
        let result = if at_once { perform_write(&mut self.memory, &mut write, self.width) } else { Ok(()) };
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
                self.writes[i].due <= *cycle && self.writes.range(..i).all(|w| w.burst.id != id)
            });
            if let Some(chosen) = choose(heads, rng, random) {
                // All that were complete before it and go to the same place are performed first.
                for write in self.writes.range_mut(..=chosen) {
                    result = result.and(perform_write(&mut self.memory, write, self.width));
                }
                let id = self.writes[chosen].burst.id;
                self.writes.remove(chosen);
                self.shown.b = Some(WriteResponse { id, resp: 0 });
            }
        }
        if self.shown.r.is_none() && !rng.percent(disturbance.backpressure_percent) {
            let heads = (0..self.reads.len()).filter(|&i| {
                let id = self.reads[i].burst.id;
                self.reads[i].due <= *cycle && self.reads.range(..i).all(|r| r.burst.id != id)
            });
            if let Some(chosen) = choose(heads, rng, random) {
                let read = &mut self.reads[chosen];
                result = result.and(perform_read(&self.memory, read, self.width));
                self.shown.r = Some(read_beat(read, self.width));
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

/// Takes the values of all words of the burst, if that has not been done.
fn perform_read(memory: &Memory, read: &mut Read, width: u32) -> Result<(), BusError> {
    if read.words.is_some() {
        return Ok(());
    }
    let first = read.burst.address & !(width - 1);
    let count = (0..read.burst.beats() * width / 4).map(|i| memory.read(first.wrapping_add(4 * i), 4).ok());
    let words: Vec<Option<u32>> = count.collect();
    let mapped = words.iter().all(Option::is_some);
    read.words = Some(words);
    // Fetching ahead may run past the end of the program, which is no fault until the warp gets there.
    if mapped || read.burst.is_fetch() {
        return Ok(());
    }
    Err(BusError::Unmapped { line: read.burst.address & !(LINE_BYTES as u32 - 1), write: false })
}

/// The next beat of a read that was performed.
fn read_beat(read: &mut Read, width: u32) -> ReadBeat {
    let count = (width / 4) as usize;
    let first = read.beats_done as usize * count;
    let mut beat = ReadBeat { id: read.burst.id, ..ReadBeat::default() };
    for (i, word) in beat.data.iter_mut().enumerate().take(count) {
        let value = read.words.as_ref().and_then(|words| words.get(first + i).copied().flatten());
        if value.is_none() {
            beat.resp = DECERR;
        }
        *word = value.unwrap_or(GARBAGE);
    }
    read.beats_done += 1;
    beat.last = read.beats_done == read.burst.beats();
    beat
}

/// Writes the bytes of the burst, if that has not been done.
fn perform_write(memory: &mut Memory, write: &mut Write, width: u32) -> Result<(), BusError> {
    if std::mem::replace(&mut write.performed, true) {
        return Ok(());
    }
    let mut result = Ok(());
    for (n, beat) in write.beats.iter().enumerate() {
        let base = write.burst.beat(n as u32) & !(width - 1);
        for lane in (0..width).filter(|lane| beat.strobes >> lane & 1 != 0) {
            let byte = beat.data[lane as usize / 4] >> (lane % 4 * 8) & 0xff;
            let written = memory.write(base + lane, 1, byte);
            let line = base & !(LINE_BYTES as u32 - 1);
            result = result.and(written.map_err(|Unmapped(_)| BusError::Unmapped { line, write: true }));
        }
    }
    result
}
