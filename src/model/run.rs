//! Stand-alone runs: the model as its own, simplest scheduler.

use std::fmt;

use super::fault::Fault;
use super::machine::Machine;
use super::warp::Wait;

/// A warp that waits for something that will not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The warp.
    pub wid: usize,
    /// Its next instruction: the one after the BAR or WSPAWN at which it waits.
    pub pc: u32,
    /// What it waits for.
    pub wait: Wait,
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wid, pc, wait } = self;
        let at = pc.wrapping_sub(4);
        match wait {
            Wait::None => write!(f, "warp {wid} at {at:#010x} does not wait"),
            Wait::Barrier { id, count } => {
                write!(f, "warp {wid} at {at:#010x} waits for {count} warps at barrier {id}")
            }
            Wait::Spawn { .. } => {
                write!(f, "warp {wid} at {at:#010x} waits for all other warps to end (wspawn)")
            }
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No warp is active any more.
    Finished,
    /// The instruction limit was reached.
    Limit,
    /// An instruction faulted.
    Fault(Fault),
    /// Every active warp waits for another one.
    Deadlock(Vec<Blocked>),
}

impl Machine {
    /// Runs the warps in turn, each block of a grid as soon as there is room, one instruction each, until the program ends, faults, deadlocks, or
    /// has executed `max_instructions` warp instructions.
    pub fn run(&mut self, max_instructions: u64) -> Outcome {
        let end = self.warp_instructions.saturating_add(max_instructions);
        loop {
            let mut ran = false;
            while let Some(starting) = self.next_start() {
                self.start_warps(starting);
            }
            for wid in 0..self.warps.len() {
                if !self.warps[wid].runnable() {
                    continue;
                }
                if self.warp_instructions >= end {
                    return Outcome::Limit;
                }
                ran = true;
                if let Err(fault) = self.step(wid) {
                    return Outcome::Fault(fault);
                }
            }
            if !ran {
                let blocked = self.blocked();
                return if blocked.is_empty() { Outcome::Finished } else { Outcome::Deadlock(blocked) };
            }
        }
    }

    /// The active warps that wait for others. If no warp is runnable this is the deadlock.
    pub fn blocked(&self) -> Vec<Blocked> {
        let waiting = self.warps.iter().enumerate().filter(|(_, warp)| warp.active() && !warp.runnable());
        waiting.map(|(wid, warp)| Blocked { wid, pc: warp.pc, wait: warp.wait }).collect()
    }
}
