//! What orders the accesses of the warps of different slices: warp control and barriers wait until the accesses of their
//! slice that issued before them have left for the load-store unit.

/// Of a slice.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AccessOrder {
    /// Accesses in the memory collector.
    held: u32,
    /// Those ahead of what is in the special collector.
    ahead: u32,
}

impl AccessOrder {
    /// The special unit does not see what is in the collector yet.
    pub fn waits(&self) -> bool {
        self.ahead != 0
    }

    /// The edge. An access `enters` the memory collector, one `leaves` it; warp control or a barrier enters the special
    /// collector (`controls`).
    pub fn clock(&mut self, enters: bool, leaves: bool, controls: bool) {
        let remaining = self.held - u32::from(leaves);
        self.held = remaining + u32::from(enters);
        if controls {
            self.ahead = remaining;
        } else if leaves {
            self.ahead = self.ahead.saturating_sub(1);
        }
    }
}

/// Whose turn it is: the first after the last that was served.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RoundRobin {
    count: usize,
    last: usize,
}

impl RoundRobin {
    pub fn new(count: usize) -> Self {
        Self { count, last: count - 1 }
    }

    /// The next one of those that ask.
    pub fn next(&self, asks: impl Fn(usize) -> bool) -> Option<usize> {
        self.next_of((0..self.count).fold(0, |asking, number| asking | u32::from(asks(number)) << number))
    }

    /// The same, if those that ask are a bit each.
    pub fn next_of(&self, asking: u32) -> Option<usize> {
        let behind = asking & (u32::MAX << 1) << self.last;
        let first = if behind != 0 { behind } else { asking };
        (first != 0).then(|| first.trailing_zeros() as usize)
    }

    pub fn served(&mut self, number: usize) {
        self.last = number;
    }
}
