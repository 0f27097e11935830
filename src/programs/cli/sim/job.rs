//! What to run: kernels by name, and files.

use std::path::{Path, PathBuf};

use crate::cli::{complain, UsageError};
use cosim::{Report, RunOptions};
use isa::Extensions;
use kernels::{
    self, check_extensions, is_description, Compiled, Inputs, KernelError, Language, Launched, Outcome,
    Source, Workload,
};
use loader::Program;
use model::memory::EXIT_CODE;
use model::GridLaunch;
use spec::config::CoreConfig;

/// A program, and what is known of it: the results of a kernel of the list can be checked.
pub(in crate::cli) struct Job {
    /// As reports name it.
    pub(in crate::cli) name: String,
    pub(in crate::cli) program: Program,
    /// Where it was read from, unless it is a kernel.
    pub(in crate::cli) file: Option<PathBuf>,
    kind: Kind,
}

/// What is known of a program.
enum Kind {
    /// A kernel of the list.
    Kernel(Workload),
    /// Kernels of the user's own, with all that is launched.
    Launched(Launched),
    /// A C file of the user's own.
    Source { runs_as_grid: bool, needed: Extensions },
    /// An executable.
    File,
}

impl Job {
    /// Finds the program that an argument names. A file is meant where the argument has a directory or
    /// an extension, or where there is such a file and no such kernel.
    ///
    /// # Errors
    /// No such kernel or file, a file that cannot be run, a kernel that cannot be compiled.
    pub(in crate::cli) fn find(argument: &str) -> anyhow::Result<Self> {
        Self::find_with(argument, &[])
    }

    /// [`Job::find`], with macros defined in a C file.
    ///
    /// # Errors
    /// As there.
    pub(in crate::cli) fn find_with(argument: &str, defines: &[String]) -> anyhow::Result<Self> {
        let path = Path::new(argument);
        if Language::of(path) == Some(Language::Cuda) {
            return Err(UsageError(format!(
                "{argument} has kernels of CUDA, and nothing says with which arrays and arguments they are launched: write \
                 that into a launch description (docs/COMMANDS.md, \"CUDA\"), and run it, as in sim {}",
                path.with_extension("toml").display()
            ))
            .into());
        }
        if is_source(argument) {
            return Self::from_source(path, defines);
        }
        if is_description(path) {
            return Self::from_description(path, defines);
        }
        if argument.contains('/') || path.extension().is_some() {
            return Self::from_file(path);
        }
        match kernels::select(argument) {
            Ok(workload) => Self::from_kernel(workload),
            Err(KernelError::Unknown { .. }) if path.is_file() => Self::from_file(path),
            Err(error) => Err(UsageError(format!("{error}; files have a directory or an extension")).into()),
        }
    }

    fn from_file(path: &Path) -> anyhow::Result<Self> {
        let program = Program::from_path(path).map_err(UsageError::from_error)?;
        Ok(Self { name: program.name.clone(), program, file: Some(path.to_owned()), kind: Kind::File })
    }

    fn from_source(path: &Path, defines: &[String]) -> anyhow::Result<Self> {
        let source =
            source(&Inputs { files: vec![path.into()], defines: defines.to_vec(), ..Inputs::default() })?;
        let runs_as_grid = source.runs_as_grid;
        let Compiled { program, warnings, needed, .. } = source.compiled().map_err(mistake)?;
        let kind = Kind::Source { runs_as_grid, needed };
        complain(warnings);
        Ok(Self { name: program.name.clone(), program, file: Some(path.to_owned()), kind })
    }

    fn from_description(path: &Path, defines: &[String]) -> anyhow::Result<Self> {
        let mut launched = Launched::from_path(path, defines).map_err(mistake)?;
        complain(std::mem::take(&mut launched.warnings));
        let program = launched.program.clone();
        Ok(Self {
            name: program.name.clone(),
            program,
            file: Some(path.to_owned()),
            kind: Kind::Launched(launched),
        })
    }

    fn from_kernel(workload: Workload) -> anyhow::Result<Self> {
        let name = workload.to_string();
        let program = Program::from_path(&workload.build()?)?;
        let kind = Kind::Kernel(workload);
        Ok(Self { program: Program { name: name.clone(), ..program }, name, file: None, kind })
    }

    /// Whether the core has what the program needs, as far as that is known.
    ///
    /// # Errors
    /// If it lacks something.
    pub(in crate::cli) fn check_core(&self, config: &CoreConfig) -> anyhow::Result<()> {
        let checked = match &self.kind {
            Kind::Kernel(workload) => workload.check_core(config),
            Kind::Launched(launched) => launched.check_core(config),
            Kind::Source { needed, .. } => check_extensions(&self.name, *needed, config),
            _ => Ok(()),
        };
        checked.map_err(|error| UsageError::from_error(error).into())
    }

    /// Whether it is a kernel of the list.
    pub(in crate::cli) fn is_kernel(&self) -> bool {
        matches!(self.kind, Kind::Kernel(_))
    }

    /// What its results are compared with, where neither its name nor its program says that.
    pub(in crate::cli) fn expectations(&self) -> Vec<u8> {
        match &self.kind {
            Kind::Launched(launched) => launched.expectations(),
            _ => vec![],
        }
    }

    /// Why it cannot be launched as the user asks, if it starts in one way only.
    pub(super) fn fixed_start(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Kernel(_) => Some("is a kernel of the list, which starts as it must"),
            Kind::Launched(_) => Some("is a launch description, which says itself what is launched"),
            Kind::Source { runs_as_grid: false, .. } => {
                Some("has no SIMT_KERNEL: it starts at main, which launches its warps")
            }
            _ => None,
        }
    }

    /// The grids that it runs as by itself.
    ///
    /// # Errors
    /// A kernel without one of its entries, a C file that has to be launched.
    pub(in crate::cli) fn launches(&self, config: &CoreConfig) -> Result<Vec<GridLaunch>, KernelError> {
        match &self.kind {
            Kind::Kernel(workload) => workload.launches(config, &self.program.symbols),
            Kind::Launched(launched) => Ok(launched.launches().to_vec()),
            Kind::Source { runs_as_grid: true, .. } => Err(KernelError::NoLaunch(self.name.clone())),
            _ => Ok(vec![]),
        }
    }

    /// Whether it starts without a launch, which not everything that runs programs can make.
    ///
    /// # Errors
    /// If it needs one.
    pub(in crate::cli) fn check_bare(&self, who: &str) -> Result<(), UsageError> {
        let as_grids = match &self.kind {
            Kind::Kernel(workload) => workload.kernel.runs_as_grids(),
            Kind::Launched(_) => true,
            Kind::Source { runs_as_grid, .. } => *runs_as_grid,
            Kind::File => false,
        };
        match as_grids {
            true => Err(UsageError(format!("{} runs as grids, which {who} does not launch", self.name))),
            false => Ok(()),
        }
    }

    /// Why the run is a failure, if it is one.
    pub(in crate::cli) fn failure(
        &self,
        config: &CoreConfig,
        options: &RunOptions,
        report: &Report,
    ) -> Option<String> {
        if let Some(failure) = &report.failure {
            return Some(failure.to_string());
        }
        match report.exit_code() {
            Some(0) => {}
            // Its blocks end one by one: none could say that all have.
            None if !options.launches.is_empty() => {}
            Some(code) => return Some(format!("the program ended with exit code {code}")),
            // It may have ended anywhere: nothing says that it has done what it should.
            None => {
                return Some(format!(
                    "the program ended without an exit code: store one at {EXIT_CODE:#x} before the last TMC 0, 0 for \
                     success; a kernel for grids is launched with --grid and --block"
                ))
            }
        }
        let word = &|address| report.memory.read(address, 4).unwrap_or(0);
        let checked = match &self.kind {
            Kind::Kernel(workload) => {
                let (symbols, console) = (&self.program.symbols, report.console());
                workload.check(&Outcome { config, symbols, word, console })
            }
            Kind::Launched(launched) => launched.check(word),
            _ => return None,
        };
        let wrong = checked.err()?;
        Some(format!("wrong result: {wrong}"))
    }
}

/// Whether an argument names a file that is compiled.
pub(super) fn is_source(argument: &str) -> bool {
    Language::of(Path::new(argument)).is_some()
}

/// Whether macros mean something to what an argument names.
pub(super) fn has_macros(argument: &str) -> bool {
    is_source(argument) || is_description(Path::new(argument))
}

/// C files, as the compiler takes them.
///
/// # Errors
/// See [`Source::compile`].
pub(in crate::cli) fn source(inputs: &Inputs) -> anyhow::Result<Source> {
    Source::compile(inputs).map_err(mistake)
}

/// An error of a C file: its author's mistake, unless it is the disk's.
pub(in crate::cli) fn mistake(error: KernelError) -> anyhow::Error {
    match error {
        KernelError::Io { .. } | KernelError::DiskFull(_) => error.into(),
        other => UsageError::from_error(other).into(),
    }
}
