//! Ports of the core that are arrays.

use super::verilator::{Model, PortRef};

/// A port that holds an array, element 0 in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    port: PortRef,
    width: u32,
}

impl Elements {
    /// A port that holds `count` of them.
    pub(super) fn new(port: PortRef, count: usize) -> Self {
        Self { port, width: port.width() / count as u32 }
    }

    #[inline]
    pub(super) fn get(self, model: &Model, index: usize) -> u32 {
        model.bits(self.port, index as u32 * self.width, self.width)
    }

    /// All elements together.
    pub(super) fn sum(self, model: &Model) -> u64 {
        self.from(model, 0).take((self.port.width() / self.width) as usize).sum()
    }

    /// Elements from `first` on, one after the other.
    #[inline]
    pub(super) fn from(self, model: &Model, first: usize) -> impl Iterator<Item = u64> + '_ {
        let narrow = (self.port.width() <= 64).then(|| model.read(self.port));
        (first..).map(move |index| match narrow {
            Some(all) => self.part(all, index),
            None => self.get_wide(model, index),
        })
    }

    /// The element of that number, of a port that has no more than 64 bits: these are `all`.
    #[inline]
    fn part(self, all: u64, index: usize) -> u64 {
        all >> (index as u32 * self.width) & (u64::MAX >> (64 - self.width))
    }

    /// An element that may have more than 32 bits, such as a mask of warps.
    #[inline]
    pub(super) fn get_wide(self, model: &Model, index: usize) -> u64 {
        match self.port.width() <= 64 {
            true => self.part(model.read(self.port), index),
            false => self.in_words(model, index),
        }
    }

    /// The same of a port of more than 64 bits; not inlined, as there are many who ask.
    fn in_words(self, model: &Model, index: usize) -> u64 {
        let at = index as u32 * self.width;
        let low = model.bits(self.port, at, self.width.min(32));
        let high = if self.width > 32 { model.bits(self.port, at + 32, self.width - 32) } else { 0 };
        u64::from(high) << 32 | u64::from(low)
    }
}
