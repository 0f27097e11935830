//! The front end under SWaS: warps, their queues of t_F + 1 entries, and where each fetches.

use super::instr::{Decoder, Instr};
use super::members;
use crate::sched::{Entry, Queues};
use crate::Machine;
use spec::config::{CoreConfig, WarpMask};

/// Which warps are active and suspended, and what each has at its head.
pub(super) struct Front {
    pub active_warps: WarpMask,
    /// Waiting for a line.
    pub suspended_warps: WarpMask,
    /// The instruction at the head of each queue; `None` for a NOP.
    pub heads: Vec<Option<Instr>>,
    /// Warps whose head is a load or store.
    pub memory_warps: WarpMask,
    pcs: Vec<u32>,
    queues: Queues,
    decoder: Decoder,
}

impl Front {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            active_warps: 0,
            suspended_warps: 0,
            heads: vec![None; cfg.warps],
            memory_warps: 0,
            pcs: vec![0; cfg.warps],
            queues: Queues::new(cfg.warps),
            decoder: Decoder::new(cfg.fpu),
        }
    }

    /// Address of the head, if it is an instruction.
    pub fn head_pc(&self, wid: usize) -> u32 {
        self.pcs[wid]
    }

    /// The warp's request of the cycle before last has missed, and with it that of the last cycle, if it `followed`.
    pub fn miss(&mut self, wid: usize, followed: bool) {
        self.queues.miss(wid, usize::from(followed));
    }

    /// The head leaves, and the next instruction is requested: gives its address.
    pub fn select(&mut self, wid: usize, machine: &Machine) -> u32 {
        let requested = self.queues.next_pc(wid);
        self.queues.select(wid);
        self.look_at_head(wid, machine);
        requested
    }

    /// The warps go on where the machine has them; what they have fetched is void.
    pub fn redirect(&mut self, warps: WarpMask, machine: &Machine) {
        for wid in members(warps) {
            self.queues.redirect(wid, machine.warp(wid).pc());
            self.heads[wid] = None;
            self.memory_warps &= !(1 << wid);
        }
    }

    /// FENCE.I: other instructions may be in memory now.
    pub fn forget(&mut self) {
        self.decoder.clear();
    }

    fn look_at_head(&mut self, wid: usize, machine: &Machine) {
        self.heads[wid] = match self.queues.head(wid) {
            Entry::Nop => None,
            Entry::Instruction(pc) => {
                self.pcs[wid] = pc;
                Some(self.decoder.get(pc, || machine.memory.read(pc & !3, 4).unwrap_or(0)))
            }
        };
        let memory = self.heads[wid].is_some_and(|head| head.memory);
        self.memory_warps = self.memory_warps & !(1 << wid) | WarpMask::from(memory) << wid;
    }
}
