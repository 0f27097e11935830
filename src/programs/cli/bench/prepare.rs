//! What experiments make of the options.

use std::path::PathBuf;

use anyhow::Context;

use super::sweep::entry::Entry;
use super::sweep::plan::Plan;
use super::sweep::store::Store;
use super::sweep::work;
use super::Args;
use crate::cli::engine::EngineKind;
use crate::cli::progress::Progress;
use crate::cli::writable::check_directory;
use cosim::memory::{Disturbance, MemoryKind};
use cosim::verilator::Toolchain;
use cosim::RunOptions;
use files::default_cache_dir;

impl Args {
    /// The one memory that is asked for, or the usual one, as `--mem` takes it.
    ///
    /// # Errors
    /// The usual one is no memory.
    pub(super) fn memory(&self, usual: &str) -> anyhow::Result<MemoryKind> {
        match self.mem.as_ref().and_then(|memories| memories.0.first()) {
            Some(memory) => Ok(*memory),
            None => usual.parse().map_err(|why| anyhow::anyhow!("{why}")),
        }
    }

    /// How programs run, with the first of the seeds. What is told of a run is what `sim --json` tells.
    pub(super) fn run_options(&self, memory: MemoryKind) -> RunOptions {
        let disturbance = Disturbance { jitter: self.jitter.unwrap_or(0), ..Disturbance::default() };
        let usual = RunOptions::default();
        RunOptions { memory, disturbance, seed: self.seed.unwrap_or(usual.seed), waits: true, ..usual }
    }

    /// The files that may be read. A kernel's name is not one, but nothing is lost if it is taken for one.
    pub(super) fn inputs(&self) -> Vec<PathBuf> {
        self.kernels.iter().map(PathBuf::from).chain(self.core.config_path()).collect()
    }

    /// Makes the runs that are missing.
    ///
    /// # Errors
    /// The engine cannot run them; tools that are missing; what [`work::run`] says.
    pub(super) fn make(&self, plan: &Plan, store: &Store, progress: &Progress) -> anyhow::Result<Vec<Entry>> {
        for task in &plan.tasks {
            self.engine.check(&task.options)?;
        }
        if self.engine != EngineKind::Model {
            // The likeliest reason why nothing can be built is told before cores are generated.
            Toolchain::discover()?;
        }
        work::run(plan, store, (self.engine, &self.build.options(), self.jobs), progress)
    }

    /// The directory that keeps the runs, below that of `--out`, which gets `files`; else in the cache.
    ///
    /// # Errors
    /// They cannot be written there.
    pub(super) fn kept_runs(&self, files: &[&str]) -> anyhow::Result<PathBuf> {
        let Some(directory) = &self.out else { return Ok(default_cache_dir()?.join("runs")) };
        let kept = directory.join("runs");
        let what = || format!("--out is the directory that gets {} and the runs", files.join(", "));
        check_directory(directory, files, &self.inputs()).with_context(what)?;
        check_directory(&kept, &[], &[]).with_context(what)?;
        Ok(kept)
    }
}
