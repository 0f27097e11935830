//! The state of a warp.

use isa::reg::REGISTERS;
use spec::config::{WarpMask, MAX_THREADS};

/// One value a lane.
pub type Lanes = [u32; MAX_THREADS];

/// Lanes that are computed together.
pub(super) const QUAD: usize = 4;
/// Lanes that are written at once.
const BLEND: usize = 8;

/// Lanes, four at a time.
pub(super) fn quads(lanes: &Lanes) -> &[[u32; QUAD]] {
    lanes.as_chunks().0
}

/// The first lanes, so many of them, four at a time: those of a core are written together, whatever the mask.
pub(super) fn quads_mut(lanes: &mut Lanes, threads: usize) -> &mut [[u32; QUAD]] {
    &mut lanes.as_chunks_mut().0[..threads.div_ceil(QUAD)]
}

/// Of so many lanes those, a bit each, for whose value that holds. Without a branch, so that it becomes vector code.
#[inline(always)]
pub(super) fn lanes_where(values: &Lanes, threads: usize, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut lanes, mut bits) = ([0; QUAD], [1, 2, 4, 8]);
    for quad in &values.as_chunks::<QUAD>().0[..threads.div_ceil(QUAD)] {
        for i in 0..QUAD {
            lanes[i] |= if holds(quad[i]) { bits[i] } else { 0 };
            bits[i] <<= QUAD;
        }
    }
    lanes.into_iter().fold(0, |all, lanes| all | lanes)
}

/// What an active warp waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// Nothing.
    #[default]
    None,
    /// Other warps' arrival at a barrier.
    Barrier {
        /// The barrier.
        id: usize,
        /// How many warps it takes.
        count: u32,
    },
    /// All other warps' end (WSPAWN).
    Spawn {
        /// The warps that start then.
        warps: WarpMask,
        /// Where they start.
        pc: u32,
    },
}

/// One entry of the divergence stack: a SPLIT whose sides have not both been joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Divergence {
    /// The mask before the split.
    pub restore: u32,
    /// The side that has not run yet.
    pub other: u32,
    /// Where it starts: after the SPLIT.
    pub pc: u32,
    /// Whether the other side has been started.
    pub other_started: bool,
}

/// One warp of a [`Machine`](super::Machine).
#[derive(Clone, Debug)]
pub struct Warp {
    pub(super) pc: u32,
    /// The instruction before, if the warp has executed one since it started.
    pub(super) last_pc: Option<u32>,
    pub(super) tmask: u32,
    pub(super) wait: Wait,
    /// x0 to x31, then f0 to f31.
    pub(super) registers: Box<[Lanes; REGISTERS]>,
    pub(super) fflags: u32,
    pub(super) frm: u32,
    pub(super) divergence: Vec<Divergence>,
}

impl Warp {
    /// An inactive warp. Registers are undefined in hardware and zero here.
    pub(super) fn new() -> Self {
        Self {
            pc: 0,
            last_pc: None,
            tmask: 0,
            wait: Wait::None,
            registers: Box::new([[0; MAX_THREADS]; REGISTERS]),
            fflags: 0,
            frm: 0,
            divergence: Vec::new(),
        }
    }

    /// Address of the next instruction.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// The active lanes.
    pub fn tmask(&self) -> u32 {
        self.tmask
    }

    /// Whether any lane is active.
    pub fn active(&self) -> bool {
        self.tmask != 0
    }

    /// What it waits for.
    pub fn wait(&self) -> Wait {
        self.wait
    }

    /// Whether it waits at a barrier.
    pub fn at_barrier(&self) -> bool {
        matches!(self.wait, Wait::Barrier { .. })
    }

    /// Whether it can execute an instruction now.
    pub fn runnable(&self) -> bool {
        self.active() && self.wait == Wait::None
    }

    /// Register `number` of all lanes, 32 and up for the floating-point ones.
    ///
    /// # Panics
    /// If there is no such register.
    pub fn register(&self, number: usize) -> &Lanes {
        &self.registers[number]
    }

    /// The floating-point exceptions so far (`fflags`) and the dynamic rounding mode (`frm`).
    pub fn float_state(&self) -> (u32, u32) {
        (self.fflags, self.frm)
    }

    /// Splits on the divergence stack.
    pub fn divergence_depth(&self) -> usize {
        self.divergence.len()
    }

    /// The highest active lane: it decides for the warp.
    pub(super) fn last_lane(&self) -> usize {
        (u32::BITS - 1 - self.tmask.leading_zeros().min(u32::BITS - 1)) as usize
    }

    /// Writes the lanes of `tmask`; a write to x0 is dropped.
    pub(super) fn write(&mut self, rd: usize, tmask: u32, values: &Lanes) {
        if rd == 0 {
            return;
        }
        let old = self.registers[rd].as_chunks_mut::<BLEND>().0;
        let new = values.as_chunks::<BLEND>().0;
        let mut left = tmask;
        for (old, new) in old.iter_mut().zip(new) {
            for lane in 0..BLEND {
                // Without a branch, so that it becomes a vector blend.
                let keep = (left >> lane & 1).wrapping_sub(1);
                old[lane] = (old[lane] & keep) | (new[lane] & !keep);
            }
            left >>= BLEND;
            if left == 0 {
                return;
            }
        }
    }
}
