//! Reproducible random numbers for latencies and back-pressure.

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
/// Its sequence is part of what `--seed` promises, so it is ours and not a library's.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of that seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound - 1`; 0 when `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((self.next_u64() >> 32) * u64::from(bound) >> 32) as u32
    }

    /// True in `percent` of 100 cases.
    #[inline]
    pub fn percent(&mut self, percent: u32) -> bool {
        percent != 0 && self.below(100) < percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_reference_implementation() {
        let mut rng = Rng::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn bounds_hold() {
        let mut rng = Rng::new(1);
        assert!((0..1000).all(|_| rng.below(7) < 7));
        assert!((0..100).all(|_| !rng.percent(0) && rng.percent(100)));
        let hits = (0..10_000).filter(|_| rng.percent(30)).count();
        assert!((2700..3300).contains(&hits), "{hits}");
    }
}
