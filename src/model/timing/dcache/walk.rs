//! The walk over the sets that finds what memory does not have yet.

/// Two cycles a set, two more for each dirty line.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Walk {
    pub set: usize,
    /// The set was read in the last cycle.
    pub looked: bool,
}

impl Walk {
    /// Whether the set is read, if dirty lines are to be found.
    pub fn reads(&self, walking: bool) -> bool {
        walking && !self.looked
    }

    /// The edge. The set that was read is `dirty`; such a line is `written` out, and the set read again.
    pub fn clock(&mut self, walking: bool, dirty: bool, written: bool, next_set: usize) {
        if self.looked && !dirty {
            self.set = next_set;
        }
        self.looked = self.reads(walking) || self.looked && dirty && !written;
    }
}
