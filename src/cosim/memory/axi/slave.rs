//! A memory behind AXI4.

use super::schedule::Schedule;
use super::{AxiChecker, AxiViolation, Master, Slave};
use crate::memory::{BusError, Disturbance, MemoryKind, RowStats};
use model::memory::Memory;

/// The slave: contents, timing, random disturbance (see the schedule), and the checker of both sides.
pub struct AxiMemory {
    schedule: Schedule<Memory>,
    checker: AxiChecker,
}

impl AxiMemory {
    /// A memory with the timing of `kind` and data channels of `width` bytes; `seed` chooses the disturbance's sequence.
    pub fn new(memory: Memory, kind: MemoryKind, disturbance: Disturbance, seed: u64, width: u32) -> Self {
        Self {
            schedule: Schedule::new(memory, kind, disturbance, seed, width),
            checker: AxiChecker::new(width),
        }
    }

    /// Contents, console and exit code.
    pub fn memory(&self) -> &Memory {
        &self.schedule.contents
    }

    /// The same, for who needs nothing else.
    pub fn into_memory(self) -> Memory {
        self.schedule.contents
    }

    /// What the memory drives in this cycle.
    #[inline]
    pub fn drive(&self) -> &Slave {
        self.schedule.drive()
    }

    /// Whether data reads still wait for their response. Instructions may: a warp that ends has fetched ahead.
    pub fn awaits_data(&self) -> bool {
        self.schedule.awaits_data()
    }

    /// Bursts accepted so far.
    pub fn accepted(&self) -> u64 {
        self.schedule.accepted()
    }

    /// Of these, writes.
    pub fn accepted_writes(&self) -> u64 {
        self.schedule.accepted_writes()
    }

    /// What the requests found in the memory's rows, if it has rows.
    pub fn rows(&self) -> Option<RowStats> {
        self.schedule.rows()
    }

    /// Checks that nothing is outstanding that must not be at the end.
    ///
    /// # Errors
    /// What is.
    pub fn finish(&self) -> Result<(), AxiViolation> {
        self.checker.finish()
    }

    /// A clock edge in reset: nothing is accepted.
    ///
    /// # Errors
    /// A master that is not silent.
    pub fn reset(&mut self, master: &Master) -> Result<(), BusError> {
        self.schedule.silence();
        self.checker.clock(true, master, self.schedule.drive()).map_err(BusError::Axi)
    }

    /// Ends the cycle: checks both sides, takes what is accepted, and chooses what to drive in the next one.
    ///
    /// # Errors
    /// A broken rule, or an access to memory that does not exist; the memory can be used further.
    pub fn clock(&mut self, master: &Master) -> Result<(), BusError> {
        let checked = self.checker.clock(false, master, self.schedule.drive()).map_err(BusError::Axi);
        checked.and(self.schedule.clock(*master))
    }
}
