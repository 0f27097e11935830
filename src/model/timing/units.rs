//! From the operand stage to the register file's write port: collectors, arithmetic units, commit.

use super::commit::{Port, Writes};
use super::latencies::Latencies;
use super::special::Task;
use super::work::{Collector, What, Work};
use super::Result;
use spec::config::WarpMask;

/// A pipeline that stands still while the result at its end is not taken, in a ring.
#[derive(Clone, PartialEq)]
struct Pipeline {
    entries: Vec<Option<Result>>,
    /// The oldest.
    end: usize,
    /// How many of them hold a result.
    filled: usize,
}

impl Pipeline {
    fn new(stages: usize) -> Self {
        Self { entries: vec![None; stages], end: 0, filled: 0 }
    }

    fn oldest(&self) -> Option<Result> {
        self.entries[self.end]
    }

    #[inline]
    fn advance(&mut self, taken: bool, entering: Option<Result>) {
        let moves = self.filled != 0 || entering.is_some();
        if moves && (taken || self.oldest().is_none()) {
            self.filled = self.filled - usize::from(taken) + usize::from(entering.is_some());
            self.entries[self.end] = entering;
            self.end = if self.end + 1 == self.entries.len() { 0 } else { self.end + 1 };
        }
    }

    fn busy(&self) -> bool {
        self.filled != 0
    }
}

/// A unit that does one instruction at a time: its result, and the cycle from which it waits.
type Iterative = Option<(Result, u64)>;

/// Everything in a slice between issue and commit but for the memory instructions' collector.
#[derive(Clone, PartialEq)]
pub(super) struct Units {
    latencies: Latencies,
    operand: Option<Work>,
    sp: Option<Work>,
    sfu: Option<Work>,
    integer: Option<Result>,
    float: Pipeline,
    divider: Iterative,
    slow: Iterative,
    /// When the last lanes of the instruction that the slow unit has begun leave the collector.
    last_turn: Option<u64>,
    /// The warp of a branch or jump that left the collector in the cycle before, and goes elsewhere.
    taken: Option<usize>,
}

/// What an edge does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Registers that arithmetic units write.
    pub written: [Option<Result>; 2],
    /// The warp of what leaves the special collector.
    pub left_special: Option<u8>,
}

/// What happens before the edge, from the state of the units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outlook {
    pub writes: Writes,
    /// The entry of the sp collector goes to its unit.
    sp_leaves: bool,
    /// The operand stage holds its instruction, and takes nothing.
    pub holds: bool,
    /// A branch or jump of this warp leaves the collector; whether it is taken.
    leaving: Option<(usize, bool)>,
    /// The warp of a branch or jump that takes it elsewhere, a cycle after it has left.
    pub taken: Option<usize>,
}

impl Outlook {
    /// Warps whose branch or jump is resolved: at once if it is not taken.
    pub fn resolved_warps(&self) -> WarpMask {
        let passed = self.leaving.filter(|&(_, taken)| !taken).map_or(0, |(wid, _)| 1 << wid);
        passed | self.taken.map_or(0, |wid| 1 << wid)
    }
}

impl Units {
    pub fn new(latencies: Latencies) -> Self {
        Self {
            float: Pipeline::new(latencies.float),
            latencies,
            operand: None,
            sp: None,
            sfu: None,
            integer: None,
            divider: None,
            slow: None,
            last_turn: None,
            taken: None,
        }
    }

    /// What waits for a write port and is for a warp of some, the first in the order of its priority. The floating-point units
    /// have one result for it, the slow one's first.
    #[inline(always)]
    pub fn offer(&self, cycle: u64, for_warp: impl Fn(u8) -> bool) -> Option<(Port, u8)> {
        let due = |unit: &Iterative| unit.filter(|&(_, due)| due <= cycle).map(|(result, _)| result.wid);
        let slow = due(&self.slow).map(|wid| (Port::SlowFloat, wid));
        let float = slow.or_else(|| self.float.oldest().map(|result| (Port::Float, result.wid)));
        due(&self.divider)
            .map(|wid| (Port::Divider, wid))
            .filter(|&(_, wid)| for_warp(wid))
            .or(float.filter(|&(_, wid)| for_warp(wid)))
            .or_else(|| {
                self.integer.map(|result| (Port::Integer, result.wid)).filter(|&(_, wid)| for_warp(wid))
            })
    }

    /// Looks at the cycle, in which the results in `writes` are written.
    pub fn outlook(&self, writes: Writes) -> Outlook {
        let room = |result: &Option<Result>, own: Port| result.is_none() || writes.take(own);
        let mut leaving = None;
        let sp_leaves = match &self.sp {
            None => true,
            Some(work) => match work.what {
                What::Float => room(&self.float.oldest(), Port::Float),
                // What writes nothing needs no result register.
                What::Integer { resolves, taken } => {
                    let leaves = room(&self.integer, Port::Integer) || work.rd.is_none();
                    leaving = (resolves && leaves).then_some((usize::from(work.wid), taken));
                    leaves
                }
                _ => true,
            },
        };
        let holds = self.holds(Collector::Sp) && !sp_leaves;
        Outlook { writes, sp_leaves, holds, leaving, taken: self.taken }
    }

    /// Whether the operand stage has an instruction for this collector.
    pub fn holds(&self, collector: Collector) -> bool {
        self.operand.as_ref().is_some_and(|work| work.collector == collector)
    }

    /// Whether the operand stage has warp control or a barrier.
    pub fn holds_ordered(&self) -> bool {
        self.operand.as_ref().is_some_and(|work| work.ordered)
    }

    /// Whether the collector of the special class holds something.
    #[inline]
    pub fn has_task(&self) -> bool {
        self.sfu.is_some()
    }

    /// What the special unit is to do next, with its warp and what it will write. What other warps do depends on warp control
    /// and barriers: they wait for the accesses of `accessing_warps`.
    pub fn task(&self, accessing_warps: WarpMask) -> Option<(u8, Option<Result>, Task)> {
        let waits = |work: &&Work| work.ordered && accessing_warps >> work.wid & 1 != 0;
        self.sfu.as_ref().filter(|work| !waits(work)).and_then(|work| match work.what {
            What::Special(task) => Some((work.wid, work.result(), task)),
            _ => None,
        })
    }

    /// The warp of the memory instruction that leaves the operand stage, where it never has to stay.
    pub fn leaving_memory(&mut self) -> Option<u8> {
        self.operand.take_if(|work| work.collector == Collector::Mem).map(|work| work.wid)
    }

    /// Whether an instruction of the special class that issues now will find its collector free.
    pub fn sfu_room(&self) -> bool {
        !self.holds(Collector::Sfu) && self.sfu.is_none()
    }

    /// Nothing of the arithmetic class is in the operand stage or the collector.
    pub fn sp_empty(&self) -> bool {
        !self.holds(Collector::Sp) && self.sp.is_none()
    }

    /// Where an instruction that issues comes: the operand stage, if it does not hold.
    pub fn place(&mut self) -> &mut Option<Work> {
        &mut self.operand
    }

    /// The edge. `entering` comes to the operand stage unless it holds; `special_taken` is the special unit's doing.
    #[inline(always)]
    pub fn cycle(
        &mut self,
        cycle: u64,
        outlook: &Outlook,
        special_taken: bool,
        entering: Option<Work>,
    ) -> Done {
        let Writes { own, away } = outlook.writes;
        self.taken = outlook.leaving.filter(|&(_, taken)| taken).map(|(wid, _)| wid);
        // 1. the class of the special unit: whoever is idle takes it; the slow unit may need it longer
        self.begin_slow(cycle);
        let sfu_leaves = match &self.sfu {
            None => false,
            Some(work) => match work.what {
                What::Special(_) => special_taken,
                What::Divide(_) => work.rd.is_none() || self.divider.is_none(),
                _ => self.last_turn.take_if(|&mut last| last == cycle).is_some(),
            },
        };
        let written = [own, away].map(|port| port.and_then(|port| self.take(port)));
        let left = if sfu_leaves { self.sfu.take() } else { None };
        let left_special = left.as_ref().map(|work| work.wid);
        if let Some((What::Divide(cycles), result)) =
            left.and_then(|work| work.result().map(|result| (work.what, result)))
        {
            self.divider = Some((result, cycle + u64::from(cycles)));
        }
        // 2. the class of the integer unit
        let leaving = if outlook.sp_leaves { self.sp.take() } else { None };
        let result = leaving.as_ref().and_then(Work::result);
        let floats = leaving.is_some_and(|work| work.what == What::Float);
        self.float.advance(outlook.writes.take(Port::Float), result.filter(|_| floats));
        self.integer = self.integer.or(result.filter(|_| !floats));
        // 3. from the operand stage to the collectors
        if !outlook.holds {
            match self.operand.take() {
                Some(work) if work.collector == Collector::Sfu => self.sfu = Some(work),
                Some(work) => self.sp = Some(work),
                None => {}
            }
            self.operand = entering;
        }
        Done { written, left_special }
    }

    /// The result that is written.
    #[inline(never)]
    fn take(&mut self, port: Port) -> Option<Result> {
        match port {
            Port::Divider => self.divider.take().map(|(result, _)| result),
            Port::SlowFloat => self.slow.take().map(|(result, _)| result),
            Port::Float => self.float.oldest(),
            Port::Integer => self.integer.take(),
            Port::Memory | Port::Special => None,
        }
    }

    /// The slow floating-point unit, if it is idle, begins with what is in the collector: lanes that share it take turns.
    fn begin_slow(&mut self, cycle: u64) {
        let Some(work) = self.sfu.as_ref().filter(|_| self.slow.is_none()) else { return };
        let turn = u64::from(match work.what {
            What::Convert => self.latencies.convert,
            What::FloatDivide => self.latencies.float_divide,
            _ => return,
        });
        let last = cycle + turn * u64::from(self.latencies.turns - 1);
        self.slow = work.result().map(|result| (result, last + turn));
        self.last_turn = Some(last);
    }

    /// Whether something ends by the number of the cycle.
    pub fn counts_cycles(&self) -> bool {
        self.divider.is_some() || self.slow.is_some() || self.last_turn.is_some()
    }

    /// Whether anything is on its way.
    pub fn busy(&self) -> bool {
        self.operand.is_some()
            || self.sp.is_some()
            || self.sfu.is_some()
            || self.integer.is_some()
            || self.float.busy()
            || self.divider.is_some()
            || self.slow.is_some()
    }
}
