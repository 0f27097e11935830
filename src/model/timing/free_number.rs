//! Numbers of what is under way, one of which is found free before it is needed.

/// The number that is taken next.
#[derive(Clone, PartialEq)]
pub(super) struct FreeNumber(pub Option<u8>);

impl FreeNumber {
    /// The next one, if this one is `taken` or there is none: the lowest of those that were free when the cycle began.
    pub fn advance(&mut self, taken: bool, free: u32) {
        if taken || self.0.is_none() {
            let others = free & !self.0.map_or(0, |before| 1 << before);
            self.0 = (others != 0).then(|| others.trailing_zeros() as u8);
        }
    }
}

/// A mask of the first `count` numbers, which are 32 at most.
pub(super) fn first_numbers(count: usize) -> u32 {
    ((1u64 << count) - 1) as u32
}

/// The numbers for which `free` holds.
pub(super) fn numbers<T>(of: &[T], free: impl Fn(&T) -> bool) -> u32 {
    of.iter().enumerate().fold(0, |mask, (number, entry)| mask | u32::from(free(entry)) << number)
}
