//! A run of the comparison, as it is kept in a file.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use kernels::KERNELS;
use spec::config::PRESETS;
use spec::registry;

/// A run: which one of the cross product, and all that `sim --json` says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::cli::bench) struct Entry {
    /// The core but for its schedulers.
    pub machine: String,
    /// The scheduler's key, as `--sched` takes it.
    pub sched: String,
    /// The record of `sim --json`; of a run that could not be made only what it was, and `failure`.
    #[serde(flatten)]
    pub record: Map<String, Value>,
}

/// The longest wait of a warp at the issue stage (sim/README.md, `waits`).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
pub(in crate::cli::bench) struct LongestWait {
    pub cycles: f64,
    /// Instructions that its scheduler issued meanwhile.
    pub others: f64,
}

impl LongestWait {
    /// The longer of the two; the first of equal ones.
    pub(in crate::cli::bench) fn longer(self, other: Self) -> Self {
        if other.cycles > self.cycles {
            other
        } else {
            self
        }
    }
}

impl Entry {
    /// A text of the record.
    pub(in crate::cli::bench) fn text(&self, field: &str) -> &str {
        self.record.get(field).and_then(Value::as_str).unwrap_or("")
    }

    /// A number of the record by its path, as `slots.idle`.
    pub(in crate::cli::bench) fn number(&self, path: &str) -> Option<f64> {
        let mut fields = path.split('.');
        let first = self.record.get(fields.next()?)?;
        fields.try_fold(first, |value, field| value.get(field))?.as_f64()
    }

    /// A count that every whole record has.
    pub(in crate::cli::bench) fn count(&self, path: &str) -> f64 {
        self.number(path).unwrap_or(0.0)
    }

    pub(in crate::cli::bench) fn kernel(&self) -> &str {
        self.text("kernel")
    }

    pub(in crate::cli::bench) fn passed(&self) -> bool {
        self.text("result") == "pass"
    }

    /// The memory's timing with all that disturbs it, but for the seed.
    pub(in crate::cli::bench) fn memory(&self) -> String {
        let disturbed = |field: &str, unit: &str| match self.count(field) {
            0.0 => String::new(),
            value => format!(", {field} {value}{unit}"),
        };
        format!("{}{}{}", self.text("memory"), disturbed("backpressure", " %"), disturbed("jitter", ""))
    }

    /// The longest wait of any warp, of a record that has them.
    pub(in crate::cli::bench) fn longest_wait(&self) -> Option<LongestWait> {
        let waits = self.record.get("waits")?.as_array()?;
        let wait = |wait: &Value| {
            let number = |field| wait.get(field)?.as_f64();
            Some(LongestWait { cycles: number("cycles")?, others: number("others")? })
        };
        waits.iter().filter_map(wait).reduce(LongestWait::longer)
    }

    /// Which run has failed, and why.
    pub(in crate::cli::bench) fn failure(&self) -> Option<String> {
        let why = match (self.passed(), self.text("failure")) {
            (true, _) => return None,
            (false, "") => "no result",
            (false, why) => why,
        };
        let (memory, seed) = (self.memory(), self.count("seed"));
        Some(format!(
            "{} on {} with {}, memory {memory}, seed {seed}: {why}",
            self.kernel(),
            self.machine,
            self.sched
        ))
    }

    /// Where it stands among others, whoever ran them: in the order of presets, kernels and policies.
    pub(in crate::cli::bench) fn place(&self) -> impl Ord {
        let (name, size) = self.kernel().split_once(':').unwrap_or((self.kernel(), "0"));
        let last = usize::MAX;
        (
            PRESETS.iter().position(|preset| preset.name == self.machine).unwrap_or(last),
            self.machine.clone(),
            self.memory(),
            KERNELS.iter().position(|kernel| kernel.name == name).unwrap_or(last),
            name.to_owned(),
            size.parse().unwrap_or(0_u32),
            registry::all().position(|policy| policy.key == self.sched).unwrap_or(last),
            self.count("seed") as u64,
        )
    }
}
