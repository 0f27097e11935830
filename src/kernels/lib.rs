//! The kernels that come with the project: C sources, inputs, and results computed anew on the host.
//!
//! The sources in `sim/kernels/` are part of the library, so a program built from it needs a RISC-V compiler
//! but no source tree. [`Workload::build`] compiles on demand and keeps the executable in the cache;
//! [`Workload::check`] compares the memory that a run left behind with a computation in Rust that shares
//! nothing with the kernel but the inputs. [`Source`] compiles C files of users in the same way.
//!
//! ```
//! let workload = kernels::select("vecadd:100")?;
//! assert_eq!((workload.kernel.name, workload.n), ("vecadd", 100));
//! # Ok::<(), kernels::KernelError>(())
//! ```
#![warn(missing_docs)]

mod advice;
mod assembly;
mod compile;
mod compiler;
mod console;
mod cuda;
mod entry;
mod float_reference;
mod grids;
mod inputs;
mod launch;
mod launched;
mod list;
mod reference;
mod runtime;
mod source;
mod stack;
mod translate;
mod workload;

use std::path::PathBuf;

pub use console::measures;
pub use inputs::{parse_define, Compiler, Inputs, Language, Target};
pub use launched::{is_description, Launched};
pub use list::KERNELS;
pub use source::{Compiled, Source};
pub use workload::{select, Outcome, Workload};

use files::CacheError;
use isa::Extensions;
use launch::Launch;
use loader::ProgramError;
use model::{memory::STACK_BYTES, LaunchError};
use reference::Reference;
use spec::config::CoreConfig;
use tools::Unusable;

/// One kernel of the registry.
pub struct Kernel {
    /// Name on the command line and in reports.
    pub name: &'static str,
    /// What it computes and what it exercises.
    pub summary: &'static str,
    /// Problem size N, if it has one.
    pub size: Option<Size>,
    /// Whether it computes with floating-point numbers, which not every core has.
    pub needs_fpu: bool,
    /// Bytes of local memory that it uses on a core of that shape, whatever its problem size; 0 if it runs as grids,
    /// whose launches say that of their blocks.
    pub local_bytes: fn(&CoreConfig) -> usize,
    /// The grids that it runs as, for a problem size and a core; `None` if it starts warps itself.
    launches: Option<fn(u32, &CoreConfig) -> Vec<Launch>>,
    /// What limits it, if it is one of the kernels of published evaluations that are in a folder by that name
    /// (`sim/kernels/`): `barrier`, `memory` or `compute`.
    pub family: Option<&'static str>,
    /// Whether it is a program in the manner of Vortex 2.2, with such start-up code, launcher and stacks, and built by a
    /// plain GCC (`sim/kernels/vortex/`), in place of this project's runtime.
    pub like_vortex: bool,
    source: &'static str,
    reference: fn(u32, &CoreConfig) -> Reference,
}

/// The problem size of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Used unless the user asks for another.
    pub default: u32,
    /// Largest that still makes sense: memory grows with it, and the time to simulate.
    pub max: u32,
    /// What N counts.
    pub meaning: &'static str,
}

/// Whether a core has the instructions that a program needs.
///
/// # Errors
/// If it lacks some.
pub fn check_extensions(name: &str, needed: Extensions, config: &CoreConfig) -> Result<(), KernelError> {
    if needed.fpu && !config.fpu {
        return Err(KernelError::NeedsFpu(name.into()));
    }
    if needed.atomics && !config.atomics {
        return Err(KernelError::NeedsAtomics(name.into()));
    }
    if needed.cross_lane && !config.cross_lane {
        return Err(KernelError::NeedsCrossLane(name.into()));
    }
    Ok(())
}

impl Kernel {
    /// Whether the core's dispatcher starts it, as grids, which not every core can.
    pub fn runs_as_grids(&self) -> bool {
        self.launches.is_some()
    }
}

/// Why a kernel cannot be had, or what is wrong with its result.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// No such kernel.
    #[error("unknown kernel {name}; valid ones are {}", valid.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// All names.
        valid: Vec<&'static str>,
    },
    /// The size after the colon is not one.
    #[error("{kernel}:{text}: {rule}")]
    BadSize {
        /// The kernel.
        kernel: &'static str,
        /// What stood after the colon.
        text: String,
        /// What may stand there.
        rule: String,
    },
    /// There is no compiler.
    #[error("{0}")]
    CompilerMissing(Unusable),
    /// There is no place for the cache.
    #[error("{0}")]
    Cache(CacheError),
    /// The compiler refused the source.
    #[error("{kernel} does not compile:\n{output}")]
    Compile {
        /// The kernel, or its file.
        kernel: String,
        /// What the compiler said.
        output: String,
    },
    /// A compiler cannot write what it makes.
    #[error("the compiler has no space: make room in $TMPDIR (else /tmp) or $HEDDLE_CACHE, or set them to other places:\n{0}")]
    DiskFull(String),
    /// Functions keep more on the stack of a thread than it can have.
    #[error(
        "{file}: a thread needs {bytes} bytes of stack ({functions}), and can have {most}: make arrays smaller that functions \
         have of their own, or take them from local memory (__shared__) or from an array that the program is given"
    )]
    Stack {
        /// The first file of the program.
        file: String,
        /// What the frames take together.
        bytes: u32,
        /// The functions that have them, each called by the one before, and the bytes of each.
        functions: String,
        /// The most that it can have.
        most: u32,
    },
    /// The macro for the size of stacks is not one.
    #[error("SIMT_STACK_BYTES={text}: the stack of each thread has a power of two of bytes, from {STACK_BYTES} to {most}")]
    StackSize {
        /// What it is defined as.
        text: String,
        /// The most that it can have.
        most: u32,
    },
    /// The compiler's assembly cannot be marked, or lanes would part where they must not.
    #[error(transparent)]
    Divergence(#[from] divergence::Error),
    /// A C file that cannot be read, or one whose program cannot be run.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A C file with both ways to start.
    #[error(
        "{0} has main and SIMT_KERNEL: blocks start at SIMT_KERNEL, and nothing would run main; put the two into files of \
         their own"
    )]
    TwoStarts(String),
    /// A C file whose warps the dispatcher starts, without a launch.
    #[error(
        "{0} has SIMT_KERNEL, and runs as a grid: tell sim how many blocks of how many threads, as in --grid 4 --block 8"
    )]
    NoLaunch(String),
    /// A launch description that cannot be right, or does not go with its sources.
    #[error("{file}: {problem}")]
    Launches {
        /// The description.
        file: String,
        /// What is wrong, and what is to be done.
        problem: String,
    },
    /// A result differs from what a launch description expects.
    #[error("{0}")]
    Different(String),
    /// A file of the cache cannot be read or written.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A result differs from the host's.
    #[error("{symbol}[{index}] is {found:#x}, expected {expected:#x}")]
    WrongResult {
        /// The array.
        symbol: &'static str,
        /// The element.
        index: usize,
        /// The core's value.
        found: u32,
        /// The host's value.
        expected: u32,
    },
    /// A floating-point result is too far from the host's.
    #[error("{symbol}[{index}] is {found}, expected {expected} within {tolerance}")]
    FarResult {
        /// The array.
        symbol: &'static str,
        /// The element.
        index: usize,
        /// The core's value.
        found: f32,
        /// The host's value.
        expected: f64,
        /// How far they may be apart.
        tolerance: f64,
    },
    /// The core lacks what the kernel needs.
    #[error("{0} needs a floating-point unit, which this core does not have")]
    NeedsFpu(String),
    /// Likewise.
    #[error("{0} has atomic instructions; a core has them with --atomics")]
    NeedsAtomics(String),
    /// Likewise.
    #[error("{0} has votes or shuffles; a core has them with --cross-lane")]
    NeedsCrossLane(String),
    /// Lanes of a warp meet others than their author thinks.
    #[error(
        "{0} has votes or shuffles, and nowhere asks for warpSize: it is for warps of 32 threads, and those of this core have \
         {1}: --threads 32"
    )]
    WarpSize(String, usize),
    /// The core cannot run a grid of the kernel.
    #[error("{0} cannot run on this core")]
    Launch(String, #[source] LaunchError),
    /// The core's local memory is too small for the kernel.
    #[error(
        "{workload} needs {needed} bytes of local memory on a core of {warps} warps x {threads} lanes, which has {found}: \
         --local-mem {}",
        .needed.next_power_of_two()
    )]
    NeedsLocalMemory {
        /// The kernel and its size.
        workload: String,
        /// What it uses.
        needed: usize,
        /// What there is.
        found: usize,
        /// The core's warps.
        warps: usize,
        /// The core's lanes.
        threads: usize,
    },
    /// Something was not printed.
    #[error("the console lacks {expected:?}")]
    WrongConsole {
        /// The missing text.
        expected: String,
    },
    /// The executable lacks one of the kernel's arrays or entries.
    #[error("no symbol {0}")]
    NoSymbol(&'static str),
}
