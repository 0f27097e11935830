//! What the collectors behind the operand stages hold, as far as records of issues, results and accesses tell.
//!
//! Nothing outside the core shows when a unit takes an instruction from its collector. So these are bounds: one that issued in
//! the cycle before is in the operand stage, and in its collector in the cycle after that; one whose result is written, or
//! whose access has begun, has left. In between the core must be believed.

use std::collections::VecDeque;

use model::timing::Collector;

/// Places of the queue for memory, behind the operand stage.
const QUEUE: usize = 4;

/// An instruction that has issued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entered {
    /// Its warp.
    pub(super) warp: usize,
    /// Its address.
    pub(super) pc: u32,
    /// When it issued.
    pub(super) cycle: u64,
    /// Where it goes.
    pub(super) collector: Collector,
    /// The register that it writes.
    pub(super) rd: Option<usize>,
}

/// The last instruction of a class that has no queue.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    entered: Option<Entered>,
    /// It is in its collector for certain.
    held: bool,
    /// It has left for certain.
    gone: bool,
}

/// Of one slice, at the beginning of a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupancy {
    /// In the operand stage.
    stage: Option<Entered>,
    arithmetic: Last,
    special: Last,
    /// Memory instructions whose access has not begun.
    accesses: VecDeque<Entered>,
}

impl Occupancy {
    fn in_stage(&self, collector: Collector) -> bool {
        self.stage.is_some_and(|entered| entered.collector == collector)
    }

    /// Whether the operand stage can hold: it does for arithmetic alone.
    pub(super) fn may_hold(&self) -> bool {
        self.in_stage(Collector::Sp)
    }

    /// Whether a class has room, if that is certain. Memory has while fewer than the queue's places are taken or about to be.
    pub(super) fn room(&self, collector: Collector) -> Option<bool> {
        let last = match collector {
            Collector::Mem => return (self.accesses.len() < QUEUE).then_some(true),
            Collector::Sfu => self.special,
            Collector::Sp => self.arithmetic,
        };
        match self.in_stage(collector) || last.held {
            true => Some(false),
            false => (last.gone || last.entered.is_none()).then_some(true),
        }
    }

    /// Whether an instruction of a warp is on its way to this class, if that is certain.
    pub(super) fn waits(&self, collector: Collector, warp: usize) -> Option<bool> {
        let is_its = |entered: Entered| entered.warp == warp && entered.collector == collector;
        if self.stage.is_some_and(is_its) {
            return Some(true);
        }
        match collector {
            Collector::Mem => (!self.accesses.iter().any(|entered| entered.warp == warp)).then_some(false),
            Collector::Sfu if self.special.entered.is_some_and(is_its) => match self.special {
                Last { held: true, .. } => Some(true),
                Last { gone: true, .. } => Some(false),
                _ => None,
            },
            _ => Some(false),
        }
    }

    /// A warp's register is written: who writes it has left.
    pub(super) fn committed(&mut self, warp: usize, rd: usize) {
        for last in [&mut self.arithmetic, &mut self.special] {
            last.gone |= last.entered.is_some_and(|entered| entered.warp == warp && entered.rd == Some(rd));
        }
    }

    fn place(&self, warp: usize, pc: u32) -> Option<usize> {
        self.accesses.iter().position(|entered| (entered.warp, entered.pc) == (warp, pc))
    }

    /// When the first access of a warp and instruction that has not begun issued.
    pub(super) fn first(&self, warp: usize, pc: u32) -> Option<u64> {
        self.place(warp, pc).map(|place| self.accesses[place].cycle)
    }

    /// That one begins. Those before it have begun too, or are no loads and stores.
    pub(super) fn begins(&mut self, warp: usize, pc: u32) {
        if let Some(place) = self.place(warp, pc) {
            self.accesses.drain(..=place);
        }
    }

    /// The end of a cycle in which the operand stage held or not, and this issued.
    pub(super) fn clock(&mut self, holds: bool, issued: Option<Entered>) {
        self.arithmetic.held = self.in_stage(Collector::Sp);
        self.special.held = self.in_stage(Collector::Sfu);
        if holds {
            return;
        }
        self.stage = issued;
        let Some(entered) = issued else { return };
        let last = match entered.collector {
            Collector::Mem => return self.accesses.push_back(entered),
            Collector::Sfu => &mut self.special,
            Collector::Sp => &mut self.arithmetic,
        };
        *last = Last { entered: issued, gone: false, ..*last };
    }
}
