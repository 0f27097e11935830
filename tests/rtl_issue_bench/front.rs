//! The front end's part: warps, queues and their heads.

use std::collections::VecDeque;

use isa::{decode, Latency, Op, Unit};

use super::Bench;

/// Entries of a queue.
const DEPTH: usize = 4;

/// One warp as the front end has it.
#[derive(Default)]
pub struct Front {
    pub active: bool,
    /// Address and instruction.
    pub queue: VecDeque<(u32, u32)>,
    /// What is in the queue in the next cycle: the slice looks a cycle ahead.
    arriving: VecDeque<(u32, u32)>,
    /// What blocks issue until a unit is done with it has issued.
    pub blocked: bool,
    /// Event: the warp was activated.
    pub started: bool,
    fetch_pc: u32,
    /// An instruction that changes masks was fetched.
    stopped: bool,
}

impl Front {
    /// Goes on at `pc`; what was fetched is dropped.
    pub fn redirect(&mut self, pc: u32) {
        self.queue.clear();
        self.arriving.clear();
        self.fetch_pc = pc;
        self.stopped = false;
    }
}

fn stops_fetch(op: Op) -> bool {
    op.changes_mask() || op == Op::FenceI
}

fn decoded(&(_, raw): &(u32, u32)) -> (Op, u32) {
    (decode(raw).expect("random programs are legal"), raw)
}

/// Fields of a queue's head, `None` for an empty queue.
fn head(front: &Front) -> Option<(Op, u32)> {
    front.queue.front().map(decoded)
}

/// The head in the next cycle, if the present one issues or there is none.
fn next(front: &Front) -> Option<(Op, u32)> {
    front.queue.get(1).or(front.arriving.front()).map(decoded)
}

/// The fields for destination, first and second source, and whether each means a register.
fn registers((op, raw): (Op, u32)) -> [(u32, bool); 3] {
    let uses = [(op.writes_rd(), 7), (op.reads_rs1(), 15), (op.reads_rs2(), 20)];
    uses.map(|(used, shift)| (raw >> shift & 31, used && raw >> shift & 31 != 0))
}

fn is_mem(op: Op) -> bool {
    op.info().unit == Unit::Lsu
}

fn is_sfu(op: Op) -> bool {
    op.info().unit == Unit::Sfu || op.info().latency == Latency::Div
}

fn blocks(op: Op) -> bool {
    matches!(op.info().latency, Latency::Branch | Latency::Jump | Latency::Warp | Latency::Fence)
}

impl Bench {
    pub fn active_warps(&self) -> u32 {
        self.mask(|front| front.active)
    }

    fn mask(&self, is: impl Fn(&Front) -> bool) -> u32 {
        self.fronts.iter().enumerate().fold(0, |mask, (wid, front)| mask | u32::from(is(front)) << wid)
    }

    /// Fills the queues and shows their heads.
    pub(super) fn present_front(&mut self) {
        for wid in 0..self.warps {
            let front = &mut self.fronts[wid];
            front.queue.append(&mut front.arriving);
            if !self.once_in(self.surroundings.fetch) {
                continue;
            }
            let front = &mut self.fronts[wid];
            while front.active && !front.stopped && front.queue.len() + front.arriving.len() < DEPTH {
                // Beyond the program there is nothing to fetch, nor will it issue.
                let Ok(raw) = self.machine.memory.read(front.fetch_pc, 4) else { break };
                let Some(op) = decode(raw) else { break };
                front.arriving.push_back((front.fetch_pc, raw));
                front.fetch_pc += 4;
                front.stopped = stops_fetch(op);
                if self.surroundings.fetch > 1 {
                    break;
                }
            }
        }
        let is = |want: fn(Op) -> bool| move |front: &Front| head(front).is_some_and(|(op, _)| want(op));
        let masks = [
            ("heads_valid_warps", self.mask(|front| !front.queue.is_empty())),
            ("core_active_warps", self.active_warps()),
            ("core_start_warps", self.mask(|front| front.started)),
            ("heads_enters_warps", self.mask(|f| f.queue.is_empty() && !f.arriving.is_empty())),
            ("heads_mem_warps", self.mask(is(is_mem))),
            ("heads_sfu_warps", self.mask(is(is_sfu))),
            ("heads_blocks_warps", self.mask(is(blocks))),
            ("heads_memory_warps", self.mask(is(Op::accesses_memory))),
        ];
        for (name, mask) in masks {
            self.ports.write(name, mask);
        }
        self.ports
            .write("heads_write_warps", self.mask(|front| head(front).is_some_and(|i| registers(i)[0].1)));
        for (whose, of) in [("registers", head as fn(&Front) -> Option<_>), ("following", next)] {
            let named = self.fronts.iter().flat_map(|front| of(front).map_or([(0, false); 3], registers));
            let (numbers, used): (Vec<u32>, Vec<u32>) = named.map(|(n, used)| (n, u32::from(used))).unzip();
            self.ports.write_array(&format!("heads_{whose}_number"), 6, &numbers);
            self.ports.write_array(&format!("heads_{whose}_used"), 1, &used);
        }
        let tmasks: Vec<u32> = (0..self.warps).map(|wid| self.machine.warp(wid).tmask()).collect();
        self.ports.write_array("tmask", self.threads, &tmasks);
        self.fronts.iter_mut().for_each(|front| front.started = false);
    }

    /// Warps that the model has started since.
    pub(super) fn settle_warps(&mut self) {
        for wid in 0..self.warps {
            let warp = self.machine.warp(wid);
            if warp.active() && !self.fronts[wid].active {
                let pc = warp.pc();
                let front = &mut self.fronts[wid];
                front.redirect(pc);
                (front.active, front.started, front.blocked) = (true, true, false);
            }
        }
    }

    /// What blocked the warp is done; it goes on where the model is, or has exited.
    pub(super) fn resume(&mut self, wid: usize, refetch: bool) {
        let warp = self.machine.warp(wid);
        let (pc, active) = (warp.pc(), warp.active());
        let front = &mut self.fronts[wid];
        front.blocked = false;
        front.active = active;
        if refetch || !active {
            front.redirect(pc);
        }
    }
}
