//! What `sim --predict` tells of a prediction and of the run beside it.

use serde::Serialize;

use cosim::{Comparison, Difference, Report, Slot};
use isa::disassemble;

/// The first cycle that differs, for people and scripts.
#[derive(Serialize)]
struct FirstDifference {
    cycle: u64,
    signal: String,
    modelled: String,
    measured: String,
    /// The last issue slots before it.
    last_slots: Vec<String>,
}

impl FirstDifference {
    fn new(first: &Difference, report: &Report) -> Self {
        let Difference { cycle, signal, modelled, measured, slots } = first.clone();
        let last_slots = slots.iter().map(|slot| told(slot, report)).collect();
        Self { cycle, signal, modelled, measured, last_slots }
    }
}

/// The comparison of both engines' runs, as `--json` shows it.
#[derive(Serialize)]
pub(in crate::cli) struct Prediction {
    modelled_cycles: u64,
    measured_cycles: u64,
    cycles_compared: u64,
    cycles_differing: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_difference: Option<FirstDifference>,
    /// Counters that differ: name, as modelled, as measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counters_differing: Vec<(&'static str, u64, u64)>,
    #[serde(skip)]
    equal: bool,
}

/// Who had a slot.
fn told(slot: &Slot, report: &Report) -> String {
    let Slot { cycle, slice, wid, pc } = *slot;
    let instruction = match pc {
        None => "NOP".to_owned(),
        Some(pc) => {
            let text = report.memory.read(pc, 4).map_or("?".to_owned(), |word| disassemble(pc, word));
            format!("{pc:#010x} {text}")
        }
    };
    format!("cycle {cycle}, slice {slice}, warp {wid}: {instruction}")
}

impl Prediction {
    pub(in crate::cli) fn new(comparison: &Comparison, report: &Report) -> Self {
        Self {
            modelled_cycles: comparison.modelled.stats.cycles,
            measured_cycles: comparison.measured_cycles,
            cycles_compared: comparison.cycles,
            cycles_differing: comparison.differing,
            first_difference: comparison.first.as_ref().map(|first| FirstDifference::new(first, report)),
            counters_differing: comparison.counters.clone(),
            equal: comparison.equal(),
        }
    }

    /// Why the run is a failure for this alone.
    pub(super) fn failure(&self) -> Option<String> {
        (!self.equal).then(|| "model and hardware differ".to_owned())
    }

    /// What people are told of it.
    pub(super) fn text(&self, kernel: &str) -> String {
        let Self { modelled_cycles, measured_cycles, cycles_compared, cycles_differing, .. } = self;
        let mut text = format!(
            "{kernel}: the model has {modelled_cycles} cycles, the hardware {measured_cycles}; {cycles_differing} of \
             {cycles_compared} cycles differ\n",
        );
        for (name, modelled, measured) in &self.counters_differing {
            text += &format!("  counter {name}: model {modelled}, hardware {measured}\n");
        }
        if let Some(FirstDifference { cycle, signal, modelled, measured, last_slots }) =
            &self.first_difference
        {
            text += &format!("  first in cycle {cycle}, {signal}: model {modelled}; hardware {measured}\n");
            for slot in last_slots {
                text += &format!("  before: {slot}\n");
            }
        }
        text
    }
}
