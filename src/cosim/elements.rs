//! Ports of the core that are arrays.

use super::verilator::{Model, PortRef};

/// A port that holds an array, element 0 in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    port: PortRef,
    width: u32,
    /// The bits of element 0.
    mask: u64,
}

impl Elements {
    /// A port that holds `count` of them.
    pub(super) fn new(port: PortRef, count: usize) -> Self {
        let width = port.width() / count as u32;
        Self { port, width, mask: u64::MAX >> (64 - width) }
    }

    /// An element of at most 32 bits.
    #[inline]
    pub(super) fn get(self, model: &Model, index: usize) -> u32 {
        debug_assert!(self.width <= 32, "an element has more bits");
        self.get_wide(model, index) as u32
    }

    /// Elements from `first` on, as many as `to` has room for.
    #[inline]
    pub(super) fn copy(self, model: &Model, first: usize, to: &mut [u32]) {
        if self.width == 32 && self.port.width() > 64 {
            return to.copy_from_slice(&model.words(self.port)[first..first + to.len()]);
        }
        for (number, word) in to.iter_mut().enumerate() {
            *word = self.get(model, first + number);
        }
    }

    /// All elements together.
    pub(super) fn sum(self, model: &Model) -> u64 {
        let mut sum = 0;
        self.each(model, 0, (self.port.width() / self.width) as usize, |_, element| sum += element);
        sum
    }

    /// Gives `take` so many elements from `first` on, with their numbers from 0 on.
    #[inline]
    pub(super) fn each(self, model: &Model, first: usize, count: usize, mut take: impl FnMut(usize, u64)) {
        if self.port.width() > 64 {
            return (0..count).for_each(|number| take(number, self.in_words(model, first + number)));
        }
        // The port is read once. Only where there is no other element has one all of its bits.
        let mut rest = model.read(self.port).wrapping_shr(first as u32 * self.width);
        for number in 0..count {
            take(number, rest & self.mask);
            rest = rest.wrapping_shr(self.width);
        }
    }

    /// An element that may have more than 32 bits, such as a mask of warps.
    #[inline]
    pub(super) fn get_wide(self, model: &Model, index: usize) -> u64 {
        match self.port.width() <= 64 {
            true => model.read(self.port) >> (index as u32 * self.width) & self.mask,
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
