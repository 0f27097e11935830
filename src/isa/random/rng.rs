//! A small pseudo-random number generator, so that a seed means the same program for ever.

/// Splitmix64 (Steele, Lea and Flood, OOPSLA 2014): a counter and a mixing function.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator; different seeds give unrelated streams.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next_u64() % limit as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of `items`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A word that is a corner case of some operation more often than not: the limits of division and
    /// of shifts, single bits, small numbers.
    pub fn corner(&mut self) -> u32 {
        let random = self.word();
        match self.below(8) {
            0 => {
                self.pick(&[0, 1, u32::MAX, 0x8000_0000, 0x7fff_ffff, 0x8000_0001, 0xffff_8000, 0x0001_0000])
            }
            1 => self.pick(&[0, u32::MAX, 0x8000_0000]),
            2 => 1 << (random & 31),
            3 => self.pick(&[30, 31, 32, 33, 63, 64, 16]),
            4 => random & 15,
            5 => (random & 15).wrapping_neg(),
            6 => random >> (self.below(32)),
            _ => random,
        }
    }

    /// The bits of a binary32 number that is a corner case more often than not: zeros, infinities, NaNs of
    /// both kinds, the ends of the subnormal, normal and integer ranges, ties, and numbers close enough to
    /// each other to cancel.
    pub fn float(&mut self) -> u32 {
        let random = self.word();
        let sign = random & 1 << 31;
        sign | match self.below(12) {
            0 => self.pick(&[0, 0x7f80_0000, 0x7fc0_0000, 0x7f80_0001, 0x7fff_ffff, 0x7fbf_ffff]),
            // around zero, the smallest normal number, the largest, one
            1 => self.pick(&[
                1,
                2,
                0x007f_ffff,
                0x0080_0000,
                0x0080_0001,
                0x00ff_ffff,
                0x0100_0000,
                0x7f7f_ffff,
            ]),
            2 => self.pick(&[0x3f80_0000, 0x3f7f_ffff, 0x3f80_0001, 0x3f00_0000, 0x3fc0_0000, 0x4040_0000]),
            // the limits of integers, and halves
            3 => self.pick(&[0x4f00_0000, 0x4eff_ffff, 0x4f00_0001, 0x4f80_0000, 0x4f7f_ffff, 0x4b00_0001]),
            4 => random >> 9 & 0x007f_ffff,               // subnormal
            5 => 0x7f00_0000 | random >> 9 & 0x007f_ffff, // nearly overflowing
            6 => (127 + (random >> 27)) << 23 | random >> 9 & 0x7f_ffff, // up to 2^32
            7 => (120 + (random & 15)) << 23 | self.word() & 0x7f_ffff, // about one
            8 => (120 + (random & 15)) << 23 | (self.word() & 7) << 20, // few bits
            9 => (random & 255) << 23 | self.pick(&[0, 1, 0x7f_ffff, 0x40_0000]),
            _ => random,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn first_numbers_of_the_published_generator() {
        let mut rng = Rng::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
