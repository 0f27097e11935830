//! How a run ends: at rest, by a fault, or because nothing goes on.

use model::{Cause, Fault};

use super::{Run, Step, START_CYCLES};
use crate::core_counters;
use crate::failure::{describe_core, At, FailureKind, Mismatch, Stuck};
use crate::memory::BusError;
use crate::oracle;
use crate::stats::Departures;
use crate::unchecked::Unchecked;
use crate::verilator;

impl Run<'_> {
    /// A fault that the core reports ends the run, whether or not the model agrees.
    #[inline]
    pub(super) fn fault(&self) -> Step {
        let Some(fault) = self.core.fault() else { return Ok(()) };
        Err(match &self.lockstep {
            Some(lockstep) => self.agreed(lockstep.expected.reported(&fault)?),
            None => {
                let before = |unchecked: &Unchecked| unchecked.stray_before(fault.wid, fault.pc);
                if let Some(earlier) = self.unchecked.as_ref().and_then(before) {
                    return Err(earlier);
                }
                let raw = self.word(fault.pc);
                // What is not mapped reads as zero, an illegal instruction.
                let is_fetch = raw.is_none() && Some(fault.cause) == Cause::IllegalInstruction.code();
                let what = match is_fetch {
                    true => format!("{} at {:#010x}", Cause::Unmapped, fault.pc),
                    false => describe_core(&fault, raw),
                };
                let at = At { wid: fault.wid, pc: fault.pc, raw };
                FailureKind::Fault { at: Some(at), what, origin: None }
            }
        })
    }

    pub(super) fn departures(&self) -> Option<Departures> {
        oracle::departures(&self.core.model, self.trace)
    }

    /// The core is no longer busy.
    pub(super) fn at_end(&self, was_busy: bool) -> Step {
        if !was_busy {
            let what = "start after reset";
            return Err(Mismatch::new(None, what, "busy", format!("idle for {START_CYCLES} cycles")).into());
        }
        self.core.link.finish().or_else(|error| self.bus_error(error))?;
        let Some(lockstep) = &self.lockstep else { return Ok(()) };
        lockstep.finish(self.core.link.memory())?;
        if let Some(policy) = &self.policy {
            policy.finish(self.departures())?;
        }
        if self.core.link.awaits_data() {
            return Err(Mismatch::new(None, "memory bus at the end", "idle", "data reads wait").into());
        }
        Ok(())
    }

    /// After the end: how the core's own counters differ from the simulator's, if they do.
    pub(super) fn counters_disagree(&mut self) -> verilator::Result<Option<FailureKind>> {
        let totals = core_counters::drain(&mut self.core, self.trace)?;
        let Some(lockstep) = &self.lockstep else { return Ok(None) };
        let agreement = self.counters.agree(totals, &self.core, &lockstep.traffic);
        Ok(agreement.err().map(FailureKind::from))
    }

    #[cold]
    pub(super) fn bus_error(&self, error: BusError) -> Step {
        Err(match (error, &self.lockstep) {
            (BusError::Unmapped { line, write }, Some(lockstep)) => {
                self.agreed(lockstep.expected.unmapped(line, write)?)
            }
            (BusError::Unmapped { line, write }, None) => {
                let placed = self.unchecked.as_ref().and_then(|unchecked| unchecked.unmapped(line, write));
                let unplaced = || FailureKind::Fault { at: None, what: error.to_string(), origin: None };
                placed.unwrap_or_else(unplaced)
            }
            _ => Mismatch::new(None, "bus protocol", "a request that stays and is allowed", error).into(),
        })
    }

    /// A fault of the program, on which all observers agree.
    #[cold]
    pub(super) fn agreed(&self, (at, fault): (At, Fault)) -> FailureKind {
        FailureKind::of_program(at, fault, |pc| self.word(pc))
    }

    #[cold]
    pub(super) fn stuck(&self) -> Vec<Stuck> {
        let machine = self.lockstep.as_ref().map(|l| &l.machine);
        self.observers.watchdog.stuck(&self.record, machine)
    }

    pub(super) fn word(&self, pc: u32) -> Option<u32> {
        self.core.link.memory().read(pc & !3, 4).ok()
    }
}
