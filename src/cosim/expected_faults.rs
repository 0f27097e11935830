//! Faults that the model has met and the hardware has not reported yet: it reports them when it comes to them.

use model::{Cause, Fault};
use spec::config::{WarpMask, MAX_WARPS};

use super::core::CoreFault;
use super::failure::{describe_core, At, Checked, Mismatch};

/// What the hardware is to report.
#[derive(Default)]
pub(super) struct ExpectedFaults {
    /// With the cycle of issue, earliest first.
    faults: Vec<(u64, At, Fault)>,
    /// Warps with such a fault. What they issue until the hardware notices is not checked.
    warps: WarpMask,
}

impl ExpectedFaults {
    /// The model has met a fault in what issued in that cycle.
    pub(super) fn push(&mut self, cycle: u64, at: At, fault: Fault) {
        self.faults.push((cycle, at, fault));
        self.warps |= 1 << at.wid;
    }

    /// Whether a fault of that warp is expected.
    #[inline]
    pub(super) fn of_warp(&self, wid: usize) -> bool {
        wid < MAX_WARPS && self.warps >> wid & 1 != 0
    }

    /// The hardware reports a fault, and the model must have met the same one.
    pub(super) fn reported(&self, fault: &CoreFault) -> Checked<(At, Fault)> {
        let place = |f: &&(u64, At, Fault)| (f.2.wid, f.2.pc) == (fault.wid, fault.pc);
        let left_to_the_bus = |f: &&(u64, At, Fault)| f.2.wid == fault.wid && f.2.cause == Cause::Unmapped;
        let got = describe_core(fault, None);
        let Some((_, at, model)) = self.faults.iter().find(place) else {
            if let Some((_, at, model)) = self.faults.iter().find(left_to_the_bus) {
                // The warp has gone on meanwhile, and into the next fault.
                return Ok((*at, *model));
            }
            let at = At { wid: fault.wid, pc: fault.pc, raw: None };
            return Err(Mismatch::new(at, "fault that the model does not see", "none", got));
        };
        let same_address = !model.cause.has_address() || model.address == fault.address;
        if model.cause.code() != Some(fault.cause) || !same_address {
            return Err(Mismatch::new(*at, "fault", model, got));
        }
        Ok((*at, *model))
    }

    /// The memory reports an access to a line that does not exist.
    pub(super) fn unmapped(&self, line: u32, write: bool) -> Checked<(At, Fault)> {
        let same = |f: &&(u64, At, Fault)| f.2.cause == Cause::Unmapped && f.2.address & !63 == line;
        match self.faults.iter().find(same) {
            Some((_, at, fault)) => Ok((*at, *fault)),
            None => {
                let access = if write { "store to" } else { "load from" };
                let got = format!("{access} line {line:#010x}");
                Err(Mismatch::new(None, "access to unmapped memory", "none", got))
            }
        }
    }

    /// The earliest fault of the model that the hardware has not reported yet, if older than `patience` cycles.
    pub(super) fn overdue(&self, cycle: u64, patience: u64) -> Checked {
        match self.faults.first() {
            Some((since, at, fault)) if cycle > since + patience => {
                Err(Mismatch::new(*at, "fault that the hardware does not report", fault, "none"))
            }
            _ => Ok(()),
        }
    }
}
