//! What the counters have to know of an instruction word, found out once.

use isa::Latency;

/// Bits of the number of a place.
const PLACE_BITS: u32 = 10;
/// The golden ratio as a part of 2^32, by which multiplying spreads words over the places.
const SPREAD: u32 = 0x9e37_79b9;

/// What counts of a word.
#[derive(Clone, Copy)]
pub(super) struct Word {
    raw: u32,
    /// The register that it writes; 0 for none.
    pub register: usize,
    /// `None` for an illegal one.
    pub latency: Option<Latency>,
}

impl Word {
    fn new(raw: u32) -> Self {
        let op = isa::decode(raw);
        let register = op.and_then(|op| op.format().rd(raw)).unwrap_or(0);
        Self { raw, register, latency: op.map(|op| op.info().latency) }
    }
}

/// The words that were met last, each in a place that its bits give: a program repeats few.
pub(super) struct Words(Vec<Word>);

impl Default for Words {
    fn default() -> Self {
        Self(vec![Word::new(0); 1 << PLACE_BITS])
    }
}

impl Words {
    #[inline]
    pub(super) fn get(&mut self, raw: u32) -> Word {
        let place = &mut self.0[(raw.wrapping_mul(SPREAD) >> (u32::BITS - PLACE_BITS)) as usize];
        if place.raw != raw {
            *place = Word::new(raw);
        }
        *place
    }
}
