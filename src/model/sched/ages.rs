//! Which warps are older than which.

use crate::PerWarp;
use spec::config::{WarpMask, MAX_WARPS};

/// Launch order (docs/SCHEDULERS.md, section 1): a warp takes the next number when it is activated; among warps
/// activated in one cycle, and before any was, a smaller slot is older.
#[derive(Clone, Debug)]
pub struct Ages {
    number: [u64; MAX_WARPS],
    next: u64,
    older: PerWarp<WarpMask>,
    warps: usize,
}

impl Ages {
    /// The order before any warp has started.
    pub fn new(warps: usize) -> Self {
        let number = std::array::from_fn(|wid| wid as u64);
        let mut ages = Self { number, next: warps as u64, older: PerWarp::default(), warps };
        ages.compare();
        ages
    }

    /// These warps start; from the next cycle on they are younger.
    pub fn start(&mut self, start_warps: WarpMask) {
        for wid in (0..self.warps).filter(|wid| start_warps >> wid & 1 != 0) {
            self.number[wid] = self.next;
            self.next += 1;
        }
        self.compare();
    }

    /// Bit `j` of element `i`: warp `j` is older than warp `i`.
    pub fn older(&self) -> &PerWarp<WarpMask> {
        &self.older
    }

    /// Number of warps.
    pub fn warps(&self) -> usize {
        self.warps
    }

    fn compare(&mut self) {
        let number = &self.number[..self.warps];
        for (i, older) in self.older.iter_mut().enumerate().take(number.len()) {
            let is_older = |j: usize| WarpMask::from(number[j] < number[i]);
            *older = (0..number.len()).fold(0, |mask, j| mask | is_older(j) << j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_follow_activation_and_break_ties_by_slot() {
        let mut ages = Ages::new(4);
        assert_eq!(ages.older[..4], [0b0000, 0b0001, 0b0011, 0b0111]);
        ages.start(0b0001);
        assert_eq!(ages.older[..4], [0b1110, 0b0000, 0b0010, 0b0110]);
        ages.start(0b1010);
        assert_eq!(ages.older[..4], [0b0100, 0b0101, 0b0000, 0b0111]);
    }
}
