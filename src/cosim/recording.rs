//! What a recorded part of a run holds: what each warp did in each of its cycles.

use super::phases::Interval;

/// What keeps an active warp from issuing in a cycle, in the terms of docs/SCHEDULERS.md, section 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stall {
    /// Waits at a barrier.
    Barrier,
    /// A branch, jump, mask change or fence is unresolved.
    Control,
    /// Nothing is fetched.
    Ibuffer,
    /// A register has yet to be written, and a load of the warp is under way.
    Load,
    /// A register has yet to be written by something else.
    Scoreboard,
    /// There is no room for what it would issue.
    Pipeline,
    /// Another warp has the slot.
    Ready,
    /// It issues a NOP of SWaS.
    Nop,
}

impl Stall {
    /// As views call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Barrier => "barrier",
            Self::Control => "control",
            Self::Ibuffer => "ibuffer",
            Self::Load => "load",
            Self::Scoreboard => "scoreboard",
            Self::Pipeline => "pipeline",
            Self::Ready => "ready",
            Self::Nop => "nop",
        }
    }

    /// Whether the instruction that will issue next is known and waits in its queue.
    pub fn has_head(self) -> bool {
        matches!(self, Self::Load | Self::Scoreboard | Self::Pipeline | Self::Ready)
    }
}

/// Consecutive cycles in which a warp does not issue for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The warp.
    pub wid: usize,
    /// First cycle.
    pub begin: u64,
    /// The cycle after the last.
    pub end: u64,
    /// The reason.
    pub stall: Stall,
}

/// An instruction that issued, and what became of it as long as cycles were recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its warp.
    pub wid: usize,
    /// The slice through which it issued.
    pub slice: usize,
    /// Its address.
    pub pc: u32,
    /// Its word.
    pub raw: u32,
    /// Its lanes, a bit each.
    pub tmask: u32,
    /// Cycle from which on it stood at the head of its queue with nothing unresolved before it.
    pub head: u64,
    /// Cycle in which it issued.
    pub issue: u64,
    /// Cycle in which the load/store unit began it.
    pub access: Option<u64>,
    /// Cycle in which the first lanes of its result were written.
    pub write: Option<u64>,
    /// Cycle in which the last were.
    pub done: Option<u64>,
}

impl Instruction {
    /// Whether it reads or writes memory.
    pub fn is_memory(&self) -> bool {
        isa::decode(self.raw).is_some_and(|op| op.accesses_memory())
    }

    /// Number of the register that it writes, 32 and up for f0 and up; it may be x0 ([`isa::Op::writes_x0`]).
    pub fn register(&self) -> Option<usize> {
        let op = isa::decode(self.raw)?;
        op.format().rd(self.raw).or(Some(0).filter(|_| op.writes_x0()))
    }

    /// The cycle after the last in which the trace shows something of it; `None` if that is not in the recording.
    ///
    /// A store is last seen when the load/store unit begins it, and what writes no register when it issues.
    pub fn end(&self) -> Option<u64> {
        let last = match (self.register(), self.is_memory()) {
            (Some(_), _) => self.done,
            (None, true) => self.access,
            (None, false) => Some(self.issue),
        };
        last.map(|cycle| cycle + 1)
    }
}

/// A warp between its start, its barriers and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The warp.
    pub wid: usize,
    /// The slot of its thread block.
    pub cta: u32,
    /// How many barriers have released it since its start, or since the recording began.
    pub number: u32,
    /// First cycle.
    pub begin: u64,
    /// Cycle from which on it waits at a barrier, or has exited; `end` if it does not.
    pub waits: u64,
    /// The cycle after the last.
    pub end: u64,
}

/// A quantity of the whole core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Active warps.
    Active,
    /// Warps that wait at barriers.
    AtBarrier,
    /// Lines on their way to the data cache.
    Mshrs,
}

/// A recorded part of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Warps of the core.
    pub warps: usize,
    /// First cycle.
    pub begin: u64,
    /// The cycle after the last; `begin` if the run ended before.
    pub end: u64,
    /// Whether it ended because it had become too large.
    pub cut: bool,
    /// In the order in which they issued.
    pub instructions: Vec<Instruction>,
    /// In the order of their beginnings.
    pub spans: Vec<Span>,
    /// In the order of their beginnings.
    pub phases: Vec<Phase>,
    /// Barriers that opened, those with a single warp not among them.
    pub barriers: Vec<Interval>,
    /// Values that last from a cycle to the next of the same quantity.
    pub values: Vec<(u64, Quantity, u64)>,
}
