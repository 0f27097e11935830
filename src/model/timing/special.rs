//! The special unit: CSR accesses, warp control, barriers.

use super::{members, Result};
use crate::Dispatch;
use spec::config::{warps_below, WarpMask};

/// What an instruction of the special unit does; whatever depends on values is known when it issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Reads the CSR; `resolves` says that issue waits for it.
    Csr { number: u16, tmask: u32, resolves: bool },
    /// TMC, SPLIT, JOIN, PRED; `ends` says that no lane remains.
    Control { ends: bool },
    /// WSPAWN of these warps.
    Spawn { warps: WarpMask },
    /// BAR: how many warps are to arrive at which barrier.
    Barrier { id: u8, count: Count },
}

/// How many warps are to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// So many.
    Arrivals(u32),
    /// All of the block that have not ended.
    Block,
}

/// What the unit shows in a cycle, from its registers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shown {
    /// A mask change is done: the warp, and whether it has ended.
    pub control: Option<(usize, bool)>,
    /// Warps that start.
    pub spawn_warps: WarpMask,
    /// Warps whose instruction is resolved.
    pub resume_warps: WarpMask,
}

/// What happens to the barriers in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BarrierEvents {
    pub arrive_warps: WarpMask,
    pub release_warps: WarpMask,
}

/// Takes an instruction a cycle unless a result waits; all that it tells comes a cycle later.
#[derive(Clone, PartialEq)]
pub(super) struct SpecialUnit {
    pub result: Option<Result>,
    pub shown: Shown,
    /// A WSPAWN whose caller is not alone yet, and the warps to start.
    spawn: Option<(usize, WarpMask)>,
    /// Of each barrier the warps that have arrived.
    arrived: Vec<WarpMask>,
    /// Warps that wait at a barrier, whichever it is.
    pub barrier_warps: WarpMask,
    /// Those of them that wait for all of their block.
    whole_warps: WarpMask,
}

impl SpecialUnit {
    pub fn new(barriers: usize) -> Self {
        Self {
            result: None,
            shown: Shown::default(),
            spawn: None,
            arrived: vec![0; barriers],
            barrier_warps: 0,
            whole_warps: 0,
        }
    }

    /// Number of barriers.
    pub fn barriers(&self) -> usize {
        self.arrived.len()
    }

    /// One cycle: `task` is what stands in the collector, with its warp and what it will write, and `written` says that the
    /// waiting result is written; `blocks` is where the blocks of a grid are. Gives whether the task was taken and what it does to the barriers.
    #[inline(always)]
    pub fn cycle(
        &mut self,
        task: Option<(u8, Option<Result>, Task)>,
        active_warps: WarpMask,
        blocks: Option<&Dispatch>,
        written: bool,
    ) -> (bool, BarrierEvents) {
        let mut next = Shown::default();
        let mut events = BarrierEvents::default();
        // 1. WSPAWN waits until its caller is the only active warp
        if let Some((caller, warps)) = self.spawn.filter(|&(caller, _)| active_warps == 1 << caller) {
            self.spawn = None;
            next = Shown { control: Some((caller, false)), spawn_warps: warps, resume_warps: 1 << caller };
        }
        // 2. the end of a warp opens its block's barrier in the cycle after
        if let Some(blocks) = blocks {
            events.release_warps = self.opened(active_warps, blocks);
        }
        // 3. the next instruction
        let taken = task.filter(|_| self.result.is_none());
        if written {
            self.result = None;
        }
        if let Some((wid, result, task)) = taken {
            let warp = usize::from(wid);
            match task {
                Task::Csr { resolves, .. } => next.resume_warps |= WarpMask::from(resolves) << wid,
                Task::Control { ends } => {
                    next.control = Some((warp, ends));
                    next.resume_warps |= 1 << wid;
                }
                Task::Spawn { warps } => self.spawn = Some((warp, warps)),
                Task::Barrier { id, count } => {
                    events.arrive_warps = 1 << wid;
                    let peers = blocks.map_or(WarpMask::MAX, |blocks| blocks.residents().peers(warp));
                    // Of a block that starts by and by there are always some who have not arrived.
                    let partial = blocks.is_some_and(|blocks| blocks.is_partial(warp));
                    let awaited = if partial { WarpMask::MAX } else { active_warps & peers };
                    events.release_warps |= self.arrive(warp, id.into(), count, (peers, awaited));
                }
            }
            if matches!(task, Task::Csr { .. } | Task::Control { .. }) {
                self.result = result;
            }
        }
        if events.arrive_warps | events.release_warps != 0 {
            self.barrier_warps = self.arrived.iter().fold(0, |mask, arrived| mask | arrived);
        }
        next.resume_warps |= events.release_warps;
        self.shown = next;
        (taken.is_some(), events)
    }

    /// The warps that go on because `wid` arrives: `peers` are those of its block, `awaited` those that a barrier of the whole
    /// block waits for.
    fn arrive(
        &mut self,
        wid: usize,
        id: usize,
        count: Count,
        (peers, awaited): (WarpMask, WarpMask),
    ) -> WarpMask {
        let own = 1 << wid;
        let here = self.arrived[id] & peers;
        let complete = match count {
            Count::Arrivals(1) => return own,
            Count::Arrivals(count) => here.count_ones() + 1 == count,
            Count::Block => awaited & !(here & self.whole_warps | own) == 0,
        };
        self.whole_warps = self.whole_warps & !own | if count == Count::Block { own } else { 0 };
        if complete {
            self.arrived[id] &= !here;
            here | own
        } else {
            self.arrived[id] |= own;
            0
        }
    }

    /// The warps that go on because of their block nobody else is active any more.
    fn opened(&mut self, active_warps: WarpMask, blocks: &Dispatch) -> WarpMask {
        let mut opened = 0;
        for arrived in &mut self.arrived {
            for wid in members(*arrived & self.whole_warps).filter(|&wid| !blocks.is_partial(wid)) {
                let peers = blocks.residents().peers(wid);
                let others = active_warps & peers & !(*arrived & self.whole_warps);
                opened |= WarpMask::from(others == 0) << wid;
            }
            *arrived &= !opened;
        }
        opened
    }

    /// Whether nothing happens, and nothing is shown, until there is a task.
    pub fn rests(&self) -> bool {
        !self.busy() && self.whole_warps == 0
    }

    /// Whether anything is on its way.
    pub fn busy(&self) -> bool {
        let Shown { control, resume_warps, .. } = self.shown;
        self.result.is_some() || self.spawn.is_some() || control.is_some() || resume_warps != 0
    }
}

/// The warps below `count` but for the caller.
pub(super) fn spawned(caller: usize, count: u32, warps: usize) -> WarpMask {
    // One bit more than a warp number has, so that the number of warps itself can be given.
    let range = 2 * warps.next_power_of_two() as u32;
    let count = (count % range).min(warps as u32);
    warps_below(count as usize) & !(1 << caller)
}
