//! What a cycle shows of instructions: issue, register writes, accesses.

use super::{Run, Step};
use crate::failure::At;
use crate::trace::{Accessed, Committed};

impl Run<'_> {
    /// Instructions that issue: the model executes them.
    #[inline]
    pub(super) fn issues(&mut self, cycle: u64) -> Step {
        let Self { core, record, lockstep, unchecked, observers, .. } = self;
        for of_slice in &record.slices[..self.slices] {
            let Some(issued) = of_slice.issued else { continue };
            observers.watchdog.issued(cycle, At { wid: issued.wid, pc: issued.pc, raw: Some(issued.raw) });
            if let Some(lockstep) = lockstep {
                lockstep.decided_by_unknown(&issued).map_or(Ok(()), Err)?;
                if let Some(fault) = lockstep.issue(cycle, &issued)? {
                    return Err(self.agreed(fault));
                }
            }
            if let Some(unchecked) = unchecked {
                unchecked.issue(&issued, core.link.memory()).map_or(Ok(()), Err)?;
            }
        }
        if let Some(lockstep) = lockstep {
            lockstep.expected.overdue(cycle, observers.watchdog.patience)?;
        }
        Ok(())
    }

    /// Register writes.
    #[inline]
    pub(super) fn commits(&mut self, cycle: u64) -> Step {
        let Self { core, trace, lockstep, unchecked, observers, .. } = self;
        let mut valid = core.model.read(trace.commit_valid);
        if valid == 0 {
            return Ok(());
        }
        observers.watchdog.committed(cycle);
        while valid != 0 {
            let slice = valid.trailing_zeros() as usize;
            valid &= valid - 1;
            let committed = Committed::read(&core.model, trace, cycle, slice, self.cfg.threads);
            if let Some(lockstep) = lockstep {
                lockstep.commit(&committed)?;
            }
            if let Some(unchecked) = unchecked {
                unchecked.commit(&committed);
            }
        }
        Ok(())
    }

    /// Loads and stores, as the load-store unit begins them.
    #[inline]
    pub(super) fn accesses(&mut self, cycle: u64) -> Step {
        let Self { core, trace, record, lockstep, observers, .. } = self;
        for (number, begun) in record.begun.iter().enumerate() {
            let Some(begun) = *begun else { continue };
            observers.watchdog.committed(cycle);
            if let Some(lockstep) = lockstep.as_mut() {
                let accessed = Accessed::read(&core.model, trace, cycle, number, begun, self.cfg);
                lockstep.access(&accessed)?;
            }
        }
        Ok(())
    }
}
