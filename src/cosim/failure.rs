//! Why a run failed, in the words of its report.

use std::fmt;

use serde::Serialize;

use isa::{decode, disassemble, has_atomic_opcode, Op};
use model::{Cause, Fault, Origin};

use super::core::CoreFault;
use super::history::History;

/// An instruction, as reports name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The warp.
    pub wid: usize,
    /// Address of the instruction.
    pub pc: u32,
    /// The instruction word, where it is known.
    pub raw: Option<u32>,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warp {}, pc {:#010x}", self.wid, self.pc)?;
        match self.raw {
            Some(raw) => write!(f, ": {}", disassemble(self.pc, raw)),
            None => Ok(()),
        }
    }
}

/// Hardware and model disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where, if one instruction is concerned.
    pub at: Option<At>,
    /// What was compared.
    pub what: String,
    /// The model's side.
    pub expected: String,
    /// The hardware's side.
    pub got: String,
}

impl Mismatch {
    pub(super) fn new(
        at: impl Into<Option<At>>,
        what: impl Into<String>,
        expected: impl fmt::Display,
        got: impl fmt::Display,
    ) -> Box<Self> {
        Box::new(Self {
            at: at.into(),
            what: what.into(),
            expected: expected.to_string(),
            got: got.to_string(),
        })
    }
}

/// What a check gives: a disagreement ends the run.
pub(super) type Checked<T = ()> = Result<T, Box<Mismatch>>;

/// A warp that makes no progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The instruction that it should execute next.
    pub at: At,
    /// What it waits for.
    pub reasons: Vec<String>,
}

/// A warp that waits for its turn or for a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Starved {
    /// The warp.
    pub warp: usize,
    /// The cycle of its last issue, or of its start if it has never issued.
    pub since: u64,
}

/// Who did not come to issue, and by whose choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Starvation {
    /// The warps, if there are any.
    pub warps: Vec<Starved>,
    /// The policies at fetch and issue.
    pub policies: String,
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Hardware and model disagree.
    Mismatch(Box<Mismatch>),
    /// The program did something that faults, and hardware and model agree on that.
    Fault {
        /// The faulting instruction; unknown when the memory saw it and no model ran along.
        at: Option<At>,
        /// What is wrong with it.
        what: String,
        /// How it came about, if another instruction has a part in it.
        origin: Option<String>,
    },
    /// With random reset: the program decides something by a value that nobody has written.
    Unwritten {
        /// The instruction.
        at: At,
        /// What it decides.
        what: &'static str,
        /// What was never written.
        origin: String,
    },
    /// No instruction issued or completed for a long time.
    Hang {
        /// For how many cycles.
        cycles: u64,
        /// The warps that are still active.
        stuck: Vec<Stuck>,
    },
    /// The limit of cycles was reached.
    TooLong {
        /// The limit.
        cycles: u64,
        /// The warps that are still active.
        stuck: Vec<Stuck>,
        /// Those of them that the schedulers have passed over for long.
        starvation: Starvation,
    },
}

impl FailureKind {
    /// A fault of the program; `word` gives the instruction at an address, where it is known.
    pub(super) fn of_program(at: At, fault: Fault, word: impl Fn(u32) -> Option<u32>) -> Self {
        let what = describe(fault.cause, fault.address, at.raw);
        let origin = fault.origin.map(|Origin { wid, pc }| {
            let part = if fault.cause == Cause::StaleFetch { "stored by" } else { "reached from" };
            format!("{part} {}", At { wid, pc, raw: word(pc) })
        });
        Self::Fault { at: Some(at), what, origin }
    }
}

impl From<Box<Mismatch>> for FailureKind {
    fn from(mismatch: Box<Mismatch>) -> Self {
        Self::Mismatch(mismatch)
    }
}

/// A failed run: why, where, and how to see it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Why.
    pub kind: FailureKind,
    /// The cycle, counted from the end of reset.
    pub cycle: u64,
    /// Configuration and options that reproduce it, seed included.
    pub setting: String,
    /// The last events on which hardware and model agreed, oldest first; empty without a model.
    pub history: Vec<String>,
}

impl Failure {
    pub(super) fn new(
        kind: FailureKind,
        cycle: u64,
        setting: String,
        history: Option<&History>,
    ) -> Box<Self> {
        let history = history.map_or_else(Vec::new, History::lines);
        Box::new(Self { kind, cycle, setting, history })
    }
}

impl Failure {
    /// The warps that were ready and did not come to issue, if that may be why the run did not end.
    pub fn starved(&self) -> &[Starved] {
        match &self.kind {
            FailureKind::TooLong { starvation, .. } => &starvation.warps,
            _ => &[],
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycle = self.cycle;
        match &self.kind {
            FailureKind::Mismatch(m) => {
                writeln!(f, "mismatch in cycle {cycle}: {}", m.what)?;
                if let Some(at) = &m.at {
                    writeln!(f, "  {at}")?;
                }
                writeln!(f, "  model:    {}", m.expected)?;
                writeln!(f, "  hardware: {}", m.got)?;
            }
            FailureKind::Fault { at, what, origin } => {
                writeln!(f, "fault in cycle {cycle}: {what}")?;
                if let Some(at) = at {
                    writeln!(f, "  {at}")?;
                }
                if let Some(origin) = origin {
                    writeln!(f, "  {origin}")?;
                }
            }
            FailureKind::Unwritten { at, what, origin } => {
                writeln!(f, "{what} in cycle {cycle} depends on {origin}, which was never written")?;
                writeln!(f, "  {at}")?;
            }
            FailureKind::Hang { cycles, stuck } => {
                writeln!(f, "hang in cycle {cycle}: nothing issued or completed for {cycles} cycles")?;
                write_stuck(f, stuck)?;
            }
            FailureKind::TooLong { cycles, stuck, starvation } => {
                writeln!(f, "not finished after {cycles} cycles (--max-cycles)")?;
                write_stuck(f, stuck)?;
                write_starvation(f, starvation)?;
            }
        }
        if !self.history.is_empty() {
            writeln!(f, "  last agreeing events (cycle, event):")?;
            for line in &self.history {
                writeln!(f, "  {line}")?;
            }
        }
        write!(f, "  {}", self.setting)
    }
}

fn write_stuck(f: &mut fmt::Formatter<'_>, stuck: &[Stuck]) -> fmt::Result {
    if stuck.is_empty() {
        writeln!(f, "  no warp is active, yet the core stays busy")?;
    }
    for warp in stuck {
        writeln!(f, "  {} ({})", warp.at, warp.reasons.join(", "))?;
    }
    Ok(())
}

fn write_starvation(f: &mut fmt::Formatter<'_>, starvation: &Starvation) -> fmt::Result {
    let Starvation { warps, policies } = starvation;
    if warps.is_empty() {
        return Ok(());
    }
    let warps: Vec<String> =
        warps.iter().map(|Starved { warp, since }| format!("warp {warp} since cycle {since}")).collect();
    writeln!(f, "  waits for its turn or for a unit, and has not issued: {}", warps.join(", "))?;
    writeln!(
        f,
        "  whenever it could issue the policies ({policies}) chose others; docs/SCHEDULERS.md, section 2, says what a \
         policy promises"
    )
}

/// A fault in words; `raw` is the instruction, where it is known.
fn describe(cause: Cause, address: u32, raw: Option<u32>) -> String {
    match cause {
        Cause::IllegalInstruction if raw.is_some_and(has_atomic_opcode) => match raw.and_then(decode) {
            Some(_) => format!("{cause}: it is atomic, which a core has with --atomics"),
            None => format!("{cause}: it is LR, SC or atomic on other than words, which no core has"),
        },
        Cause::IllegalInstruction if raw.and_then(decode).is_some_and(Op::is_cross_lane) => {
            format!("{cause}: it is a vote or a shuffle, which a core has with --cross-lane")
        }
        _ if cause.has_address() => format!("{cause} at {address:#010x}"),
        _ => cause.to_string(),
    }
}

/// The hardware's own words for a fault without a model to compare it with.
pub(super) fn describe_core(fault: &CoreFault, raw: Option<u32>) -> String {
    match Cause::of_code(fault.cause) {
        Some(cause) => describe(cause, fault.address, raw),
        None => format!("unknown cause {}", fault.cause),
    }
}
