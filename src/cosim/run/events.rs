//! What a cycle shows of instructions: issue, register writes, accesses.

use super::{Run, Step};
use crate::failure::At;
use crate::trace::{Accessed, Committed, Issued};

impl Run<'_> {
    /// Instructions that issue: the model executes them.
    #[inline]
    pub(super) fn issues(&mut self, cycle: u64) -> Step {
        let Self { core, trace, lockstep, unchecked, watchdog, .. } = self;
        let mut valid = core.model.read(trace.issue_valid);
        while valid != 0 {
            let slice = valid.trailing_zeros() as usize;
            valid &= valid - 1;
            let issued = Issued::read(&core.model, trace, cycle, slice);
            watchdog.issued(cycle, At { wid: issued.wid, pc: issued.pc, raw: Some(issued.raw) });
            if let Some(lockstep) = lockstep {
                lockstep.decided_by_unknown(&issued).map_or(Ok(()), Err)?;
                if let Some(fault) = lockstep.issue(&issued)? {
                    return Err(self.agreed(fault));
                }
            }
            if let Some(unchecked) = unchecked {
                unchecked.issue(&issued, core.link.memory()).map_or(Ok(()), Err)?;
            }
        }
        if let Some(lockstep) = lockstep {
            lockstep.expected.overdue(cycle, watchdog.patience)?;
        }
        Ok(())
    }

    /// Register writes.
    #[inline]
    pub(super) fn commits(&mut self, cycle: u64) -> Step {
        let Self { core, trace, lockstep, unchecked, watchdog, .. } = self;
        let mut valid = core.model.read(trace.commit_valid);
        if valid == 0 {
            return Ok(());
        }
        watchdog.committed(cycle);
        while valid != 0 {
            let slice = valid.trailing_zeros() as usize;
            valid &= valid - 1;
            let committed = Committed::read(&core.model, trace, cycle, slice, self.threads);
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
        let Self { core, trace, lockstep, watchdog, .. } = self;
        for number in Accessed::numbers(&core.model, trace) {
            watchdog.committed(cycle);
            if let Some(lockstep) = lockstep.as_mut() {
                lockstep.access(&Accessed::read(&core.model, trace, cycle, number, self.threads))?;
            }
        }
        Ok(())
    }
}
