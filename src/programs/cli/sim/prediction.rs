//! What `sim --predict` tells of a prediction and of the run beside it.

use serde::Serialize;

use cosim::{Comparison, Report};
use isa::disassemble;
use model::timing::Slot;

/// Who has an issue slot, for people and scripts.
#[derive(Serialize)]
struct SlotRecord {
    warp: usize,
    /// `None` for a NOP.
    pc: Option<String>,
    instruction: String,
}

/// The first slot that differs; `None` where nobody issues.
#[derive(Serialize)]
struct FirstDifference {
    cycle: u64,
    predicted: Option<SlotRecord>,
    measured: Option<SlotRecord>,
}

/// The prediction of one run, as `--json` shows it.
#[derive(Serialize)]
pub(in crate::cli) struct Prediction {
    predicted_cycles: u64,
    measured_cycles: u64,
    slots_compared: u64,
    slots_differing: u64,
    /// Whether the predictor claims to know every slot.
    equality_promised: bool,
    /// Why it does not, if it does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reservations: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_difference: Option<FirstDifference>,
    /// Counters that differ: name, as modelled, as measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counters_differing: Vec<(&'static str, u64, u64)>,
    predictor_kilocycles_per_second: f64,
    /// How many times faster than the hardware's simulation.
    speedup: f64,
}

fn slot_record(slot: Slot, report: &Report) -> SlotRecord {
    let instruction = match slot.pc {
        None => "NOP".to_owned(),
        Some(pc) => report.memory.read(pc, 4).map_or("?".to_owned(), |word| disassemble(pc, word)),
    };
    SlotRecord { warp: slot.wid, pc: slot.pc.map(|pc| format!("{pc:#010x}")), instruction }
}

fn show(slot: &Option<SlotRecord>) -> String {
    match slot {
        None => "nobody".into(),
        Some(SlotRecord { warp, pc: None, .. }) => format!("warp {warp}, a NOP"),
        Some(SlotRecord { warp, pc: Some(pc), instruction }) => format!("warp {warp}, {pc}: {instruction}"),
    }
}

impl Prediction {
    pub(in crate::cli) fn new(comparison: &Comparison, report: &Report) -> Self {
        let record = |slot: Option<Slot>| slot.map(|slot| slot_record(slot, report));
        let seconds = comparison.wall.as_secs_f64();
        Self {
            predicted_cycles: comparison.predicted_cycles,
            measured_cycles: comparison.measured_cycles,
            slots_compared: comparison.slots,
            slots_differing: comparison.differing,
            equality_promised: comparison.reservations.is_empty(),
            reservations: comparison.reservations.iter().map(ToString::to_string).collect(),
            first_difference: comparison.first.map(|first| FirstDifference {
                cycle: first.cycle,
                predicted: record(first.predicted),
                measured: record(first.measured),
            }),
            counters_differing: comparison.counters.clone(),
            predictor_kilocycles_per_second: comparison.kilocycles_per_second().round(),
            speedup: if seconds == 0.0 { 0.0 } else { (report.wall.as_secs_f64() / seconds).round() },
        }
    }

    /// Why the run is a failure for this alone: slots differ although equality was promised.
    pub(super) fn failure(&self) -> Option<String> {
        let differs = self.slots_differing != 0
            || self.predicted_cycles != self.measured_cycles
            || !self.counters_differing.is_empty();
        (differs && self.equality_promised).then(|| "the schedule is not the predicted one".to_owned())
    }

    /// What people are told of it.
    pub(super) fn text(&self, kernel: &str) -> String {
        let Self { predicted_cycles, measured_cycles, slots_compared, slots_differing, .. } = self;
        let mut text = format!(
            "{kernel}: predicted {predicted_cycles} cycles, measured {measured_cycles}; {slots_differing} of \
             {slots_compared} issue slots differ; prediction {:.0} kcycles/s, {:.0} times faster\n",
            self.predictor_kilocycles_per_second, self.speedup
        );
        for (name, modelled, measured) in &self.counters_differing {
            text += &format!("  counter {name}: predicted {modelled}, measured {measured}\n");
        }
        if let Some(FirstDifference { cycle, predicted, measured }) = &self.first_difference {
            let (predicted, measured) = (show(predicted), show(measured));
            text += &format!("  first in cycle {cycle}: predicted {predicted}; measured {measured}\n");
            for reason in &self.reservations {
                text += &format!("  possible reason: {reason}\n");
            }
        }
        text
    }
}
