//! What to run: kernels by name, and files.

use std::path::{Path, PathBuf};

use crate::cli::UsageError;
use crate::config::CoreConfig;
use crate::cosim::{Program, Report, RunOptions};
use crate::kernels::{self, KernelError, Outcome, Workload};
use crate::model::memory::EXIT_CODE;
use crate::model::GridLaunch;

/// A program, and the kernel that it is if its results can be checked.
pub(in crate::cli) struct Job {
    /// As reports name it.
    pub(in crate::cli) name: String,
    pub(in crate::cli) program: Program,
    /// Where it was read from, unless it is a kernel.
    pub(in crate::cli) file: Option<PathBuf>,
    workload: Option<Workload>,
}

impl Job {
    /// Finds the program that an argument names. A file is meant where the argument has a directory or
    /// an extension, or where there is such a file and no such kernel.
    ///
    /// # Errors
    /// No such kernel or file, a file that cannot be run, a kernel that cannot be compiled.
    pub(in crate::cli) fn find(argument: &str) -> anyhow::Result<Self> {
        let path = Path::new(argument);
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
        Ok(Self { name: program.name.clone(), program, file: Some(path.to_owned()), workload: None })
    }

    fn from_kernel(workload: Workload) -> anyhow::Result<Self> {
        let name = workload.to_string();
        let program = Program::from_path(&workload.build()?)?;
        Ok(Self {
            program: Program { name: name.clone(), ..program },
            name,
            file: None,
            workload: Some(workload),
        })
    }

    /// Whether the core has what the program needs, as far as that is known.
    ///
    /// # Errors
    /// If it lacks something.
    pub(in crate::cli) fn check_core(&self, config: &CoreConfig) -> anyhow::Result<()> {
        match self.workload.as_ref().map(|workload| workload.check_core(config)) {
            Some(Err(error)) => Err(UsageError::from_error(error).into()),
            _ => Ok(()),
        }
    }

    /// Whether it is a kernel of the list.
    pub(in crate::cli) fn is_kernel(&self) -> bool {
        self.workload.is_some()
    }

    /// The grids that it runs as by itself.
    ///
    /// # Errors
    /// A kernel without one of its entries.
    pub(in crate::cli) fn launches(&self, config: &CoreConfig) -> Result<Vec<GridLaunch>, KernelError> {
        let launches =
            self.workload.as_ref().map(|workload| workload.launches(config, &self.program.symbols));
        launches.unwrap_or_else(|| Ok(vec![]))
    }

    /// Whether it starts without a launch, which not everything that runs programs can make.
    ///
    /// # Errors
    /// If it needs one.
    pub(in crate::cli) fn check_bare(&self, who: &str) -> Result<(), UsageError> {
        match &self.workload {
            Some(workload) if workload.kernel.runs_as_grids() => {
                Err(UsageError(format!("{} runs as grids, which {who} does not launch", self.name)))
            }
            _ => Ok(()),
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
                     success"
                ))
            }
        }
        let outcome = Outcome {
            config,
            symbols: &self.program.symbols,
            word: &|address| report.memory.read(address, 4).unwrap_or(0),
            console: report.console(),
        };
        let wrong = self.workload.as_ref()?.check(&outcome).err()?;
        Some(format!("wrong result: {wrong}"))
    }
}
