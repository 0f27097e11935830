//! Random programs, for the lock-step check and for comparison with an outside emulator.
//!
//! [`program`] makes a self-contained program from a seed and a [`Shape`]. Every program terminates:
//! loops count a reserved register down, all other branches go forward. Nothing depends on how warps
//! interleave, but for reads of the registers that [`csr::Read::Timing`](super::csr::Read) marks: each
//! warp has its own data, and `mscratch` is written only while warp 0 is alone. Programs for the core
//! follow the start-up and exit conventions of Vortex 2.2, and exit with code 0.

mod block;
mod core_frame;
mod float;
mod flow;
mod grid_frame;
mod memory;
mod rng;
mod simt;
mod user_frame;

use super::asm::{Assembler, Label};
use super::image::Image;
use super::table::{Op, ISA};
use spec::config::CoreConfig;

pub use rng::Rng;
pub use user_frame::DUMP_BYTES;

/// Bytes of data each warp may touch in global memory.
const REGION: u32 = 1024;
/// The register that holds the middle of the warp's region in global memory.
const GLOBAL_BASE: usize = 8;
/// The register that holds the middle of the warp's part of local memory.
const LOCAL_BASE: usize = 9;
/// Everything but x0 and the base registers.
const WRITABLE: u32 = !(1 | 1 << GLOBAL_BASE | 1 << LOCAL_BASE);

/// Where a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The core: image at 0x80000000, all warps and lanes, ends by halting every warp.
    Core,
    /// The core, as each warp of a grid of blocks: begins with whatever lanes it is given, ends its warp.
    Grid,
    /// Linux user mode, one thread: image at 0x10000, ends by writing registers and data to standard
    /// output (see [`DUMP_BYTES`]) and exiting. The core runs it too, since there ECALL does nothing
    /// and the program then halts; a scalar program compares the two.
    LinuxUser,
}

/// What kind of program to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Where it runs.
    pub target: Target,
    /// Warps of the core.
    pub warps: usize,
    /// Lanes of a warp.
    pub threads: usize,
    /// Warps of a block, in a grid.
    pub block_warps: usize,
    /// Barriers of the core.
    pub barriers: usize,
    /// Bytes of local memory.
    pub local_mem_bytes: usize,
    /// About how many random items (an operation, a loop, a divergent region ...) to make.
    pub length: usize,
    /// Whether to use Zicond.
    pub zicond: bool,
    /// Whether to use F.
    pub fpu: bool,
    /// Whether to use atomic instructions; Linux user mode does without AMOCAS.
    pub atomics: bool,
    /// Whether to use votes and shuffles.
    pub cross_lane: bool,
    /// Whether warps have their data on stacks now and then.
    pub stacks: bool,
    /// Whether to read CSRs whose value depends on timing.
    pub timing_csrs: bool,
}

impl Shape {
    /// Programs for a core of configuration `config`.
    pub fn core(config: &CoreConfig, length: usize) -> Self {
        Self {
            target: Target::Core,
            warps: config.warps,
            threads: config.threads,
            block_warps: 0,
            barriers: config.barriers(),
            local_mem_bytes: config.local_mem_bytes,
            length,
            zicond: true,
            fpu: config.fpu,
            atomics: config.atomics,
            cross_lane: config.cross_lane,
            stacks: config.stack_interleave,
            timing_csrs: true,
        }
    }

    /// Programs for grids whose blocks have so many warps, all of which share the local memory.
    pub fn grid(config: &CoreConfig, block_warps: usize, length: usize) -> Self {
        Self { target: Target::Grid, block_warps, ..Self::core(config, length) }
    }

    /// RV32IM programs for Linux user mode.
    pub fn linux_user(length: usize) -> Self {
        Self {
            target: Target::LinuxUser,
            warps: 1,
            threads: 1,
            block_warps: 0,
            barriers: 1,
            local_mem_bytes: 0,
            length,
            zicond: false,
            fpu: false,
            atomics: true,
            cross_lane: false,
            stacks: false,
            timing_csrs: false,
        }
    }

    /// Bytes between the parts of local memory that neighbouring warps own: a power of two, or 0.
    fn local_stride(&self) -> u32 {
        let share = self.local_mem_bytes / self.warps.max(1);
        share.checked_ilog2().map_or(0, |log| 1 << log)
    }

    /// Bytes of local memory each warp uses: a power of two of at least a word, or 0.
    fn local_region(&self) -> u32 {
        let size = self.local_stride().min(256);
        if size < 8 {
            0
        } else {
            size
        }
    }
}

/// The program that `seed` and `shape` determine, data included; besides its image it uses local memory,
/// the console and the exit code's address. Symbol `data` of a program for the core is where the warps'
/// data begins, symbol `dump` of one for Linux user mode where the [`DUMP_BYTES`] bytes lie that it
/// writes.
pub fn program(seed: u64, shape: &Shape) -> Image {
    let base = match shape.target {
        Target::Core | Target::Grid => 0x8000_0000,
        Target::LinuxUser => 0x1_0000,
    };
    let mut generator = Generator {
        shape,
        rng: Rng::new(seed),
        asm: Assembler::new(base),
        functions: Vec::new(),
        participants: 1,
        group: 0,
        recent: [5; 4],
        arithmetic: arithmetic(shape),
        recent_floats: [0; 4],
        float_operations: float::operations(),
    };
    match shape.target {
        Target::Core => generator.core_program(),
        Target::Grid => generator.grid_program(),
        Target::LinuxUser => generator.user_program(),
    }
    generator.asm.finish().expect("generated operands fit and branches are in reach")
}

/// The rows that compute a register from registers and an immediate alone.
fn arithmetic(shape: &Shape) -> Vec<Op> {
    use super::table::Unit;
    let pure = |op: Op| {
        op.writes_rd()
            && matches!(op.info().unit, Unit::Alu | Unit::CrossLane | Unit::MulDiv)
            && !op.is_jump()
            && !op.is_branch()
    };
    let zicond = |op: Op| matches!(op, Op::CzeroEqz | Op::CzeroNez);
    let known = |op: Op| (shape.zicond || !zicond(op)) && (shape.cross_lane || !op.is_cross_lane());
    ISA.iter().map(|row| row.op).filter(|&op| pure(op) && known(op)).collect()
}

/// Where in the program an item stands, and so what it may do.
#[derive(Clone, Copy)]
struct Place {
    /// Levels of loops, branches and divergent regions around it.
    depth: usize,
    /// Every warp of the round comes here equally often: barriers that wait are allowed.
    uniform: bool,
    /// Lanes may be switched off here for good.
    may_narrow: bool,
    /// Warp 0 runs alone: registers that the whole core shares may be written.
    alone: bool,
    /// Registers that may be written, bit r for register r.
    writable: u32,
}

/// A leaf function: where it starts and the register its callers link to.
struct Function {
    start: Label,
    link: usize,
}

struct Generator<'a> {
    shape: &'a Shape,
    rng: Rng,
    asm: Assembler,
    functions: Vec<Function>,
    /// Warps that come to this part of the program.
    participants: usize,
    /// The warps below this one form a group with barriers of its own, and the others a second; 0 without
    /// groups.
    group: usize,
    /// Registers written of late, so that dependent instructions follow one another closely.
    recent: [usize; 4],
    arithmetic: Vec<Op>,
    /// As `recent`, for float registers.
    recent_floats: [usize; 4],
    float_operations: Vec<Op>,
}

#[cfg(test)]
mod tests;
