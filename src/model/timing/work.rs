//! What an instruction is between its issue and its unit.

use super::special::Task;
use super::Result;

/// The collector that an instruction goes through, in the order of [`CLASSES`](crate::sched::CLASSES).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collector {
    /// Load-store unit.
    Mem,
    /// Special unit, divider, slow floating-point unit.
    Sfu,
    /// Integer unit, floating-point pipeline.
    Sp,
}

impl Collector {
    /// Its number in [`CLASSES`](crate::sched::CLASSES).
    pub fn class(self) -> usize {
        self as usize
    }
}

/// What an instruction does after it has issued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What {
    /// The integer unit; a branch or jump resolves there.
    Integer {
        resolves: bool,
        taken: bool,
    },
    Float,
    /// With its cycles in the divider.
    Divide(u32),
    Convert,
    FloatDivide,
    Special(Task),
    /// The load-store unit, which has had the access since it issued.
    Memory,
}

/// An instruction between issue and its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Work {
    pub wid: u8,
    pub rd: Option<u8>,
    /// How many are active.
    pub lanes: u8,
    pub collector: Collector,
    pub what: What,
    /// What other warps do depends on it: it stays behind the accesses before it.
    pub ordered: bool,
}

impl Work {
    /// What it will write, if anything.
    pub fn result(&self) -> Option<Result> {
        self.rd.map(|rd| Result { wid: self.wid, rd, lanes: self.lanes })
    }
}
