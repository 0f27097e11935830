//! `swas`: the unified scheduler of SWaS, and what it keeps in the instruction queues.

use std::collections::VecDeque;

use super::view::{lowest, SchedulerModel, StageView, View};
use spec::config::FETCH_LATENCY;
use spec::registry::Stage;

/// One choice for both stages: that of the policy inside, among the issue-ready warps that are not suspended.
///
/// At the fetch stage it is the warp that issues.
pub struct Unified {
    policy: Box<dyn SchedulerModel>,
    stage: Stage,
}

impl Unified {
    /// One stage's side of it, over a policy in its reset state.
    pub fn new(policy: Box<dyn SchedulerModel>, stage: Stage) -> Self {
        Self { policy, stage }
    }

    /// What the stage tells the policy inside: a selection serves both stages, so nobody is eligible while nothing can be
    /// fetched.
    fn eligible(view: View) -> StageView {
        let mut stage = *view.stage;
        stage.data_ready_warps &= !view.core.held_warps;
        stage.ready_warps &= if view.core.icache_req_ready { !view.core.held_warps } else { 0 };
        stage
    }
}

impl SchedulerModel for Unified {
    fn pick(&self, view: View) -> Option<usize> {
        match self.stage {
            Stage::Fetch => lowest(view.core.issue_fire_warps),
            Stage::Issue => self.policy.pick(View { stage: &Self::eligible(view), ..view }),
        }
    }

    fn clock(&mut self, view: View, granted: Option<usize>) {
        self.policy.clock(View { stage: &Self::eligible(view), ..view }, granted);
    }
}

/// An entry of a warp's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A bubble that takes an issue slot.
    Nop,
    /// The instruction at this address.
    Instruction(u32),
}

/// The instruction queues under SWaS, requests in flight included (docs/SCHEDULERS.md, section 3): t_F + 1 entries a warp, always.
#[derive(Clone, Debug)]
pub struct Queues(Vec<Queue>);

#[derive(Clone, Debug)]
struct Queue {
    entries: VecDeque<Entry>,
    /// Where the warp fetches next.
    pc: u32,
}

/// What changes the queues is kept out of the code of cores that have none (`timing`).
impl Queues {
    /// Queues full of NOPs.
    pub fn new(warps: usize) -> Self {
        Self(vec![Queue { entries: [Entry::Nop; FETCH_LATENCY + 1].into(), pc: 0 }; warps])
    }

    /// The warp is selected: its head issues, its next instruction is requested.
    #[inline(never)]
    pub fn select(&mut self, wid: usize) -> Entry {
        let queue = &mut self.0[wid];
        queue.entries.push_back(Entry::Instruction(queue.pc));
        queue.pc = queue.pc.wrapping_add(4);
        queue.entries.pop_front().unwrap_or(Entry::Nop)
    }

    /// What issues when the warp is selected next.
    pub fn head(&self, wid: usize) -> Entry {
        self.0[wid].entries.front().copied().unwrap_or(Entry::Nop)
    }

    /// What is requested when the warp is selected next.
    pub fn next_pc(&self, wid: usize) -> u32 {
        self.0[wid].pc
    }

    /// A request was a miss: NOPs take its place and that of what the warp has requested `since`, and it is to be repeated.
    #[inline(never)]
    pub fn miss(&mut self, wid: usize, since: usize) {
        let queue = &mut self.0[wid];
        for entry in queue.entries.iter_mut().rev().take(1 + since) {
            *entry = Entry::Nop;
            queue.pc = queue.pc.wrapping_sub(4);
        }
    }

    /// The warp goes on at `pc`, by a start, a taken branch, a mask change or FENCE.I: all that it has fetched is void.
    #[inline(never)]
    pub fn redirect(&mut self, wid: usize, pc: u32) {
        let queue = &mut self.0[wid];
        queue.entries.iter_mut().for_each(|entry| *entry = Entry::Nop);
        queue.pc = pc;
    }
}
