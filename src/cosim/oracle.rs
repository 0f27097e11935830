//! The check of the oracles: in every cycle those of the hardware and the model's find the same, and at the end the
//! hardware has counted as many.

use model::sched::{Events, Oracles, View};
use model::timing::Record;
use spec::config::CoreConfig;

use super::failure::{Checked, Mismatch};
use super::ports::TracePorts;
use super::stats::Departures;
use super::verilator::Model;

/// The model's oracles of all slices.
pub(super) struct OracleCheck {
    slices: Vec<Oracles>,
    unified: bool,
    found: Departures,
}

/// What the hardware's oracles have counted in all slices.
pub(super) fn departures(model: &Model, trace: &TracePorts) -> Option<Departures> {
    let ports = trace.oracles?;
    Some(Departures { discrepancies: ports.discrepancies.sum(model), errors: ports.errors.sum(model) })
}

impl OracleCheck {
    /// `None` if the core has no oracles.
    pub(super) fn new(cfg: &CoreConfig) -> Option<Self> {
        cfg.oracle.then(|| Self {
            slices: (0..cfg.slices).map(|_| Oracles::new(cfg)).collect(),
            unified: cfg.unified().is_some(),
            found: Departures::default(),
        })
    }

    /// Checks one slice in the cycle of a record, as the trace port shows it; `view` is what its issue scheduler sees.
    #[inline]
    pub(super) fn cycle(
        &mut self,
        slice: usize,
        record: &Record,
        view: View,
        model: &Model,
        trace: &TracePorts,
    ) -> Checked {
        let grant_oh = trace.issue_sched_grant_oh.get_wide(model, slice);
        // SWaS: nothing issues while nothing can be fetched; the grant may not show that, being none.
        let blocked = self.unified && !view.core.icache_req_ready;
        let events = Events {
            absent_warps: record.stall_ibuffer & view.stage.own_warps,
            taken_warps: model.read(trace.flush_warps) & !view.core.exit_warps,
            granted: (grant_oh != 0).then(|| grant_oh.trailing_zeros() as usize),
            stalled: blocked || model.read(trace.operand_stall) >> slice & 1 != 0,
        };
        let [discrepancy, error] = self.slices[slice].cycle(view, &events);
        let [got_discrepancy, got_error] = record.slices[slice].departs;
        for (what, expected, got) in
            [("osched1", discrepancy, got_discrepancy), ("osched2", error, got_error)]
        {
            if expected != got {
                let what = format!("{what} of slice {slice} differs from the issue scheduler");
                return Err(Mismatch::new(None, what, expected, got));
            }
        }
        if error && self.unified {
            return Err(Mismatch::new(None, "scheduling error under SWaS", "none, ever", "osched2 differs"));
        }
        self.found.discrepancies += u64::from(discrepancy);
        self.found.errors += u64::from(error);
        Ok(())
    }

    /// The counts at the end.
    pub(super) fn finish(&self, counted: Option<Departures>) -> Checked {
        if counted != Some(self.found) {
            let (expected, got) = (format!("{:?}", self.found), format!("{counted:?}"));
            return Err(Mismatch::new(None, "counts of the oracles", expected, got));
        }
        Ok(())
    }
}
