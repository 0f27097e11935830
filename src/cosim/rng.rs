//! Reproducible random numbers for latencies and back-pressure.

use isa::random;

/// The generator of the random programs, with the questions that a memory or a test bench asks.
#[derive(Clone, Debug)]
pub struct Rng(random::Rng);

impl Rng {
    /// The sequence of that seed.
    pub fn new(seed: u64) -> Self {
        Self(random::Rng::new(seed))
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound - 1`; 0 when `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0.below(bound.max(1) as usize) as u32
    }

    /// True in `percent` of 100 cases; draws nothing when that is never.
    #[inline]
    pub fn percent(&mut self, percent: u32) -> bool {
        percent != 0 && self.below(100) < percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold() {
        let mut rng = Rng::new(1);
        assert!((0..1000).all(|_| rng.below(7) < 7));
        assert!((0..100).all(|_| !rng.percent(0) && rng.percent(100)));
        let hits = (0..10_000).filter(|_| rng.percent(30)).count();
        assert!((2700..3300).contains(&hits), "{hits}");
    }
}
