//! Where in memory the words of the threads' stacks are (docs/ISA.md, section 6).

use super::super::warp::Lanes;
use super::{LOCAL_MEM_BASE, STACK_BYTES};
use spec::config::CoreConfig;

/// The stacks of a core, which may be interleaved; by default they are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stacks {
    /// Where the lowest begins.
    begin: u32,
    /// So many lie word for word side by side; a power of two.
    together: u32,
}

impl Stacks {
    /// Those of a core.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { begin: LOCAL_MEM_BASE - cfg.stacks_bytes(), together: cfg.interleaved_stacks() as u32 }
    }

    /// Where in memory the byte is that a program has at an address.
    #[inline]
    pub fn place(self, address: u32) -> u32 {
        if self.together <= 1 || !(self.begin..LOCAL_MEM_BASE).contains(&address) {
            return address;
        }
        let first = address & !(self.together * STACK_BYTES - 1);
        let (stack, offset) = ((address - first) / STACK_BYTES, address % STACK_BYTES);
        let (word, byte) = (offset / 4, offset % 4);
        first + 4 * (word * self.together + stack) + byte
    }

    /// Makes [`Stacks::place`] of each lane's address.
    #[inline]
    pub fn find(self, addresses: &mut Lanes) {
        if self.together > 1 {
            addresses.iter_mut().for_each(|address| *address = self.place(*address));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stacks(warps: usize, threads: usize) -> Stacks {
        Stacks::new(&CoreConfig { warps, threads, stack_interleave: true, ..CoreConfig::default() })
    }

    #[test]
    fn the_words_of_lanes_lie_side_by_side() {
        let four = stacks(4, 4);
        let top = |thread: u32| four.place(LOCAL_MEM_BASE - thread * STACK_BYTES - 4);
        assert_eq!(
            [0, 1, 2, 3].map(top),
            [0xffff_0000 - 4, 0xffff_0000 - 8, 0xffff_0000 - 12, 0xffff_0000 - 16]
        );
        assert_eq!(top(4), 0xffff_0000 - 4 * STACK_BYTES - 4, "the next warp");
        assert_eq!(four.place(LOCAL_MEM_BASE - 8), 0xffff_0000 - 20, "the next word");
        assert_eq!(four.place(LOCAL_MEM_BASE - 1), 0xffff_0000 - 1, "bytes of a word stay together");
    }

    #[test]
    fn what_is_in_no_stack_stays() {
        let small = stacks(4, 4);
        let begin = LOCAL_MEM_BASE - 16 * STACK_BYTES;
        for address in [0x1_0000, 0x8000_0000, begin - 4, LOCAL_MEM_BASE, LOCAL_MEM_BASE + 8, u32::MAX] {
            assert_eq!(small.place(address), address);
        }
        assert_ne!(small.place(begin + 4), begin + 4);
        let plain = Stacks::new(&CoreConfig::default());
        assert_eq!(plain.place(LOCAL_MEM_BASE - 8), LOCAL_MEM_BASE - 8);
    }

    /// Also with an odd number of warps, and more lanes than lie side by side.
    #[test]
    fn each_word_of_the_stacks_has_a_place_of_its_own_in_them() {
        for (warps, threads) in [(3, 2), (1, 4), (5, 8), (3, 16), (2, 32)] {
            let stacks = stacks(warps, threads);
            let words = || (stacks.begin..LOCAL_MEM_BASE).step_by(4);
            let mut places: Vec<u32> = words().map(|address| stacks.place(address)).collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(words()), "{warps} {threads}");
        }
    }
}
