//! A warp's instruction queue.

/// Entries of the largest queue.
const MOST: usize = 8;

/// The addresses of what is queued, in a ring.
#[derive(Clone, Copy, Default)]
pub(super) struct Queue {
    pcs: [u32; MOST],
    head: u8,
    count: u8,
}

impl Queue {
    pub fn head(&self) -> Option<u32> {
        (!self.is_empty()).then(|| self.pcs[usize::from(self.head) % MOST])
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The head leaves; there is one.
    pub fn pop(&mut self) {
        debug_assert!(!self.is_empty());
        self.head = (self.head + 1) % MOST as u8;
        self.count -= 1;
    }

    /// There is room.
    pub fn push(&mut self, pc: u32) {
        debug_assert!(usize::from(self.count) < MOST);
        self.pcs[usize::from(self.head + self.count) % MOST] = pc;
        self.count += 1;
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }
}
