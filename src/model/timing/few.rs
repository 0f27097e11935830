//! A core has one slice or several, and a path to memory or several. Most have one of each.

use std::ops::{Deref, DerefMut};

/// One of something or several, `MOST` at most. Where that is one, the compiler knows it, and a loop over all is none: a
/// cycle then takes three quarters of the time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Few<T, const MOST: usize>(Vec<T>);

impl<T, const MOST: usize> Few<T, MOST> {
    /// So many, each made of its number.
    pub fn new(count: usize, make: impl FnMut(usize) -> T) -> Self {
        debug_assert!((1..=MOST).contains(&count), "{count} are not one to {MOST}");
        Self((0..count).map(make).collect())
    }
}

impl<T, const MOST: usize> Deref for Few<T, MOST> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match MOST {
            1 => std::slice::from_ref(&self.0[0]),
            _ => &self.0,
        }
    }
}

impl<T, const MOST: usize> DerefMut for Few<T, MOST> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match MOST {
            1 => std::slice::from_mut(&mut self.0[0]),
            _ => &mut self.0,
        }
    }
}
