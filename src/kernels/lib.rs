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

mod compile;
mod console;
mod float_reference;
mod grids;
mod launch;
mod list;
mod reference;
mod source;
mod translate;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use compile::remove_built;
pub use console::measures;
pub use list::KERNELS;
pub use source::{Compiled, Source};
pub use translate::{Compiler, Inputs, Language};

use cosim::{verilator, ProgramError};
use launch::Launch;
use model::{GridLaunch, LaunchError};
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

impl Kernel {
    /// Whether the core's dispatcher starts it, as grids, which not every core can.
    pub fn runs_as_grids(&self) -> bool {
        self.launches.is_some()
    }
}

/// A kernel at a problem size.
#[derive(Clone, Copy)]
pub struct Workload {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// Its problem size; 0 for kernels without one.
    pub n: u32,
}

/// What a run left behind.
pub struct Outcome<'a> {
    /// The core it ran on.
    pub config: &'a CoreConfig,
    /// Addresses of the executable's symbols.
    pub symbols: &'a BTreeMap<String, u32>,
    /// Reads an aligned word of the final memory.
    pub word: &'a dyn Fn(u32) -> u32,
    /// All that was printed.
    pub console: &'a str,
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
    Cache(verilator::Error),
    /// The compiler refused the source.
    #[error("{kernel} does not compile:\n{output}")]
    Compile {
        /// The kernel, or its file.
        kernel: String,
        /// What the compiler said.
        output: String,
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

/// The workload that `NAME` or `NAME:N` stands for.
///
/// # Errors
/// An unknown name, or a size that the kernel cannot have.
pub fn select(text: &str) -> Result<Workload, KernelError> {
    let (name, size) = text.split_once(':').map_or((text, None), |(name, size)| (name, Some(size)));
    let kernel = KERNELS.iter().find(|k| k.name == name).ok_or_else(|| KernelError::Unknown {
        name: name.into(),
        valid: KERNELS.iter().map(|k| k.name).collect(),
    })?;
    let bad =
        |text: &str, rule: String| KernelError::BadSize { kernel: kernel.name, text: text.into(), rule };
    let n = match (size, kernel.size) {
        (None, own) => own.map_or(0, |s| s.default),
        (Some(text), None) => return Err(bad(text, "the kernel has no size".into())),
        (Some(text), Some(own)) => match text.parse() {
            Ok(n) if (1..=own.max).contains(&n) => n,
            _ => {
                return Err(bad(
                    text,
                    format!("the size ({}) is a number from 1 to {}", own.meaning, own.max),
                ))
            }
        },
    };
    Ok(Workload { kernel, n })
}

impl Workload {
    /// Whether a core can run the kernel.
    ///
    /// # Errors
    /// If the core lacks something.
    pub fn check_core(&self, config: &CoreConfig) -> Result<(), KernelError> {
        if self.kernel.needs_fpu && !config.fpu {
            return Err(KernelError::NeedsFpu(self.kernel.name.into()));
        }
        let (needed, found) = ((self.kernel.local_bytes)(config), config.local_mem_bytes);
        if needed > found {
            let CoreConfig { warps, threads, .. } = *config;
            let workload = self.to_string();
            return Err(KernelError::NeedsLocalMemory { workload, needed, found, warps, threads });
        }
        for launch in self.resolved(config, &|_| Some(0))? {
            launch.check(config).map_err(|error| KernelError::Launch(self.to_string(), error))?;
        }
        Ok(())
    }

    /// The grids to run one after another, given the addresses of the executable's symbols; none if the kernel starts
    /// warps itself.
    ///
    /// # Errors
    /// If a symbol is missing.
    pub fn launches(
        &self,
        config: &CoreConfig,
        symbols: &BTreeMap<String, u32>,
    ) -> Result<Vec<GridLaunch>, KernelError> {
        self.resolved(config, &|symbol| symbols.get(symbol).copied())
    }

    fn resolved(
        &self,
        config: &CoreConfig,
        address: &dyn Fn(&str) -> Option<u32>,
    ) -> Result<Vec<GridLaunch>, KernelError> {
        let launches = self.kernel.launches.map(|launches| launches(self.n, config)).unwrap_or_default();
        let resolved = launches.iter().map(|launch| launch.resolve(address));
        resolved.collect::<Result<_, _>>().map_err(KernelError::NoSymbol)
    }

    /// Compares the results in memory and on the console with the host's.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&self, outcome: &Outcome) -> Result<(), KernelError> {
        let reference = (self.kernel.reference)(self.n, outcome.config);
        // The inputs too: a stray store may have hit them.
        for (symbol, expected) in reference.outputs.iter().chain(&reference.inputs) {
            let address = *outcome.symbols.get(*symbol).ok_or(KernelError::NoSymbol(symbol))?;
            for (index, &expected) in expected.iter().enumerate() {
                let found = (outcome.word)(address + 4 * index as u32);
                if found != expected {
                    return Err(KernelError::WrongResult { symbol, index, found, expected });
                }
            }
        }
        for (symbol, expected, tolerance) in &reference.close {
            let address = *outcome.symbols.get(*symbol).ok_or(KernelError::NoSymbol(symbol))?;
            for (index, &expected) in expected.iter().enumerate() {
                let found = f32::from_bits((outcome.word)(address + 4 * index as u32));
                let tolerance = tolerance * expected.abs().max(1.0);
                // A NaN is far from everything.
                let near = (f64::from(found) - expected).abs() <= tolerance;
                if !near {
                    return Err(KernelError::FarResult { symbol, index, found, expected, tolerance });
                }
            }
        }
        match reference.console.into_iter().find(|text| !outcome.console.contains(text.as_str())) {
            Some(expected) => Err(KernelError::WrongConsole { expected }),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for Workload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kernel.size {
            Some(_) => write!(f, "{}:{}", self.kernel.name, self.n),
            None => f.write_str(self.kernel.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes_are_parsed() {
        assert_eq!(select("sgemm").unwrap().to_string(), "sgemm:32");
        assert_eq!(select("sgemm:7").unwrap().n, 7);
        assert_eq!(select("hello").unwrap().to_string(), "hello");
    }

    #[test]
    fn wrong_names_and_sizes_say_what_is_right() {
        let message = |text| select(text).err().unwrap().to_string();
        let unknown = message("nosuch");
        for kernel in KERNELS {
            assert!(unknown.contains(kernel.name), "{unknown}");
        }
        for bad in ["vecadd:0", "vecadd:-1", "vecadd:", "vecadd:ten", "vecadd:99999999999"] {
            assert!(message(bad).contains("from 1 to"), "{bad}");
        }
        assert!(message("hello:3").contains("no size"));
    }

    /// The check must notice each single wrong word.
    #[test]
    fn a_wrong_word_is_found() {
        let workload = select("psort:9").unwrap();
        let config = CoreConfig::default();
        let reference = (workload.kernel.reference)(9, &config);
        let symbols: BTreeMap<String, u32> = [("keys".into(), 0), ("sorted".into(), 0x100)].into();
        let value = |address: u32| match address {
            0..0x100 => reference.inputs[0].1[address as usize / 4],
            _ => reference.outputs[0].1[(address as usize - 0x100) / 4],
        };
        let run = |word: &dyn Fn(u32) -> u32| {
            workload.check(&Outcome { config: &config, symbols: &symbols, word, console: "" })
        };
        assert!(run(&value).is_ok());
        for address in (0..36).step_by(4).chain((0x100..0x124).step_by(4)) {
            let damaged = |a| value(a) ^ u32::from(a == address);
            assert!(matches!(run(&damaged), Err(KernelError::WrongResult { .. })), "{address:#x}");
        }
    }
}
