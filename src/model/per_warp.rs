//! Elements and masks of warps.

use std::ops::{Deref, DerefMut};

use spec::config::MAX_WARPS;

/// An element for each warp that a core may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerWarp<T>(pub [T; MAX_WARPS]);

impl<T: Default> Default for PerWarp<T> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| T::default()))
    }
}

impl<T> Deref for PerWarp<T> {
    type Target = [T; MAX_WARPS];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> DerefMut for PerWarp<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The numbers of the warps, lanes or slots in a mask, ascending.
pub fn members(mask: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut mask = mask.into();
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lowest = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lowest
        })
    })
}
