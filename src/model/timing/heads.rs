//! The instruction at the head of each warp's queue.

use super::instr::Instr;
use spec::config::WarpMask;

/// By warp.
pub(super) struct Heads {
    /// Beside the mask of those that are there, not each an `Option`: so they are copied as they are.
    instrs: Vec<Instr>,
    pcs: Vec<u32>,
    there_warps: WarpMask,
}

impl Heads {
    /// None; `blank` stands where none is.
    pub fn new(warps: usize, blank: Instr) -> Self {
        Self { instrs: vec![blank; warps], pcs: vec![0; warps], there_warps: 0 }
    }

    /// The head of a warp; `None` for a NOP, or if its queue is empty.
    #[inline]
    pub fn get(&self, wid: usize) -> Option<&Instr> {
        (self.there_warps >> wid & 1 != 0).then(|| &self.instrs[wid])
    }

    /// Its address, if it is an instruction.
    pub fn pc(&self, wid: usize) -> u32 {
        self.pcs[wid]
    }

    pub fn set(&mut self, wid: usize, pc: u32, instr: &Instr) {
        self.instrs[wid] = *instr;
        self.pcs[wid] = pc;
        self.there_warps |= 1 << wid;
    }

    /// These warps have none.
    pub fn clear(&mut self, warps: WarpMask) {
        self.there_warps &= !warps;
    }
}
