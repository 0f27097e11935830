//! A core has one slice or several, and a path to memory or several. Most have one of each.

use std::ops::{Deref, DerefMut};

/// One of something or several, `MOST` at most. Where that is one, the compiler knows it, and a loop over all is none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Few<T, const MOST: usize> {
    /// Those that there are, and then copies of the last, which nobody uses: an array needs no check of its length.
    all: [T; MOST],
    count: usize,
}

impl<T, const MOST: usize> Few<T, MOST> {
    /// So many, each made of its number.
    pub fn new(count: usize, mut make: impl FnMut(usize) -> T) -> Self {
        debug_assert!((1..=MOST).contains(&count), "{count} are not one to {MOST}");
        Self { all: std::array::from_fn(|number| make(number.min(count - 1))), count }
    }

    fn count(&self) -> usize {
        if MOST == 1 {
            1
        } else {
            self.count
        }
    }
}

impl<T, const MOST: usize> Deref for Few<T, MOST> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.all[..self.count()]
    }
}

impl<T, const MOST: usize> DerefMut for Few<T, MOST> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let count = self.count();
        &mut self.all[..count]
    }
}
