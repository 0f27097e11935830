//! What a memory behind AXI4 holds.

use super::{Address, ReadBeat, WriteBeat, DECERR};
use crate::memory::BusError;
use model::memory::{Memory, Unmapped};
use spec::config::LINE_BYTES;

/// What a failed read beat shows, which nobody may use.
const GARBAGE: u32 = 0xdead_beef;

/// What is read and written: the values of words, or nothing where only the time matters.
pub(super) trait Contents {
    /// The values of a read.
    type Words;
    /// What is stored by a beat.
    type Beat;

    /// Takes the values of all words of the burst.
    ///
    /// # Errors
    /// There is no memory; the values are taken nevertheless.
    fn read(&self, burst: &Address, width: u32, words: &mut Option<Self::Words>) -> Result<(), BusError>;

    /// The beat of a read with that number.
    fn beat(burst: &Address, width: u32, words: Option<&Self::Words>, number: u32) -> ReadBeat;

    /// Writes the bytes of the burst.
    ///
    /// # Errors
    /// There is no memory.
    fn write(&mut self, burst: &Address, width: u32, beats: &[Self::Beat]) -> Result<(), BusError>;
}

impl Contents for Memory {
    /// `None` where there is no memory.
    type Words = Vec<Option<u32>>;
    type Beat = WriteBeat;

    fn read(&self, burst: &Address, width: u32, words: &mut Option<Self::Words>) -> Result<(), BusError> {
        let first = burst.address & !(width - 1);
        let count = 0..burst.beats() * width / 4;
        let read: Self::Words =
            count.map(|i| Memory::read(self, first.wrapping_add(4 * i), 4).ok()).collect();
        let mapped = read.iter().all(Option::is_some);
        *words = Some(read);
        // Fetching ahead may run past the end of the program, which is no fault until the warp gets there.
        if mapped || burst.is_fetch() {
            return Ok(());
        }
        Err(BusError::Unmapped { line: burst.address & !(LINE_BYTES as u32 - 1), write: false })
    }

    fn beat(burst: &Address, width: u32, words: Option<&Self::Words>, number: u32) -> ReadBeat {
        let count = (width / 4) as usize;
        let first = number as usize * count;
        let mut beat = ReadBeat { id: burst.id, last: number + 1 == burst.beats(), ..ReadBeat::default() };
        for (i, word) in beat.data.iter_mut().enumerate().take(count) {
            let value = words.and_then(|words| words.get(first + i).copied().flatten());
            if value.is_none() {
                beat.resp = DECERR;
            }
            *word = value.unwrap_or(GARBAGE);
        }
        beat
    }

    fn write(&mut self, burst: &Address, width: u32, beats: &[WriteBeat]) -> Result<(), BusError> {
        let mut result = Ok(());
        for (n, beat) in beats.iter().enumerate() {
            let base = burst.beat(n as u32) & !(width - 1);
            for lane in (0..width).filter(|lane| beat.strobes >> lane & 1 != 0) {
                let byte = beat.data[lane as usize / 4] >> (lane % 4 * 8) & 0xff;
                let written = Memory::write(self, base + lane, 1, byte);
                let line = base & !(LINE_BYTES as u32 - 1);
                result = result.and(written.map_err(|Unmapped(_)| BusError::Unmapped { line, write: true }));
            }
        }
        result
    }
}

impl Contents for () {
    type Words = ();
    type Beat = ();

    fn read(&self, _: &Address, _: u32, words: &mut Option<()>) -> Result<(), BusError> {
        *words = Some(());
        Ok(())
    }

    fn beat(burst: &Address, _: u32, _: Option<&()>, number: u32) -> ReadBeat {
        ReadBeat { id: burst.id, last: number + 1 == burst.beats(), ..ReadBeat::default() }
    }

    fn write(&mut self, _: &Address, _: u32, _: &[()]) -> Result<(), BusError> {
        Ok(())
    }
}
