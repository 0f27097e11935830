//! A warp's instruction queue.

use spec::config::MAX_QUEUE;

/// The addresses of what is queued, in a ring.
#[derive(Clone, Copy, Default)]
pub(super) struct Queue {
    pcs: [u32; MAX_QUEUE],
    head: u8,
    count: u8,
}

impl Queue {
    pub fn head(&self) -> Option<u32> {
        (!self.is_empty()).then(|| self.pcs[usize::from(self.head) % MAX_QUEUE])
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The head leaves; there is one.
    pub fn pop(&mut self) {
        debug_assert!(!self.is_empty());
        self.head = (self.head + 1) % MAX_QUEUE as u8;
        self.count -= 1;
    }

    /// There is room.
    pub fn push(&mut self, pc: u32) {
        debug_assert!(usize::from(self.count) < MAX_QUEUE);
        self.pcs[usize::from(self.head + self.count) % MAX_QUEUE] = pc;
        self.count += 1;
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }
}
