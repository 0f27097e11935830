//! Random kernels: built as rust-hdl syntax trees, and evaluated by an interpreter of their own.
pub mod bench;
pub mod block;
pub mod expr;
pub mod kernel;

/// Xorshift: small, seeded, the same everywhere.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end
    }
    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
    /// Random bits, corner values more often than not.
    pub fn value(&mut self, width: usize) -> u128 {
        let all = mask(width);
        match self.below(6) {
            0 => 0,
            1 => all,
            2 => 1,
            3 => 1 << (width - 1),
            _ => (u128::from(self.next()) << 64 | u128::from(self.next())) & all,
        }
    }
}

pub fn mask(width: usize) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}
