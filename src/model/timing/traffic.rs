//! What a program asks of the data cache and of local memory: it follows from addresses alone.

use super::access::{Access, Kind};

/// Lines below this one are the I/O region, which no cache keeps (docs/ISA.md, section 6).
pub(super) const FIRST_CACHED_LINE: u32 = 0x1_0000 / spec::config::LINE_BYTES as u32;

/// Counts of all memory instructions so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Lines that loads look up in the data cache.
    pub lines_read: u64,
    /// Lines that stores look up.
    pub lines_written: u64,
    /// Threads that load from local memory.
    pub local_reads: u64,
    /// Threads that store to it.
    pub local_writes: u64,
    /// Cycles in which threads wait for others that use the same bank.
    pub local_bank_stalls: u64,
}

impl Traffic {
    /// Counts an instruction that has executed.
    #[inline]
    pub fn add(&mut self, access: &Access) {
        let loads = match access.kind {
            Kind::Load => access.groups.len(),
            Kind::Atomic => access.groups.len() / 2,
            Kind::Store | Kind::Fence(_) => 0,
        };
        for (number, group) in access.groups.iter().enumerate() {
            let load = number < loads;
            let (lines, threads) = match (group.line, load) {
                (Some(line), _) if line < FIRST_CACHED_LINE => continue,
                (_, true) => (&mut self.lines_read, &mut self.local_reads),
                (_, false) => (&mut self.lines_written, &mut self.local_writes),
            };
            if group.line.is_some() {
                *lines += 1;
            } else {
                *threads += u64::from(group.lanes.count_ones());
                self.local_bank_stalls += u64::from(group.passes) - 1;
            }
        }
    }
}
