//! The runs: every kernel on every core, as many cores at a time as the machine has processors.

use anyhow::Context;

use super::evaluation::Run;
use crate::cli::bench::parallel::in_parallel;
use crate::cli::bench::Progress;
use crate::cli::sim::job::Job;
use crate::cli::sim::output::Record;
use cosim::verilator::{BuildOptions, Profile};
use cosim::{RunOptions, SideBySide, Simulation, Stats};
use spec::config::CoreConfig;

/// What is to be run.
pub(super) struct Plan {
    /// The baselines, and the unified schedulers.
    pub cores: [SideBySide; 2],
    pub jobs: Vec<Job>,
    pub options: RunOptions,
    pub profile: Profile,
}

impl Plan {
    /// Builds the simulators and runs all kernels on every core, in lock step, results checked.
    pub(super) fn run(&self, progress: &Progress) -> anyhow::Result<Vec<(Run, Record)>> {
        let build = BuildOptions::new(self.profile);
        let mut all = Vec::new();
        for (number, cores) in self.cores.iter().enumerate() {
            let count = cores.cores().len();
            progress.says(format!("building simulator {} of 2, for {count} schedulers", number + 1));
            all.extend(cores.simulations(&build).context("cannot build the simulator")?);
        }
        let runs = in_parallel(&all, |number, simulation| {
            let place = format!("core {} of {}", number + 1, all.len());
            self.core(simulation, &|what| progress.says(format!("{place}: {what}")))
        })?;
        Ok(runs.into_iter().flatten().collect())
    }

    /// All kernels on one core.
    fn core(&self, simulation: &Simulation, says: &dyn Fn(&str)) -> anyhow::Result<Vec<(Run, Record)>> {
        let cfg = simulation.config();
        let CoreConfig { fetch, issue, .. } = cfg;
        let run = |job: &Job| {
            says(&format!("fetch {fetch}, issue {issue}: {}", job.name));
            let report = simulation.run(&job.program, &self.options)?;
            let record = Record::new(cfg, &self.options, job, &report, None);
            if let Some(failure) = record.failure() {
                anyhow::bail!("{} with fetch {fetch}, issue {issue}: {failure}", job.name);
            }
            let sched = (fetch.clone(), issue.clone());
            let Stats { parallel: part, slots, .. } = report.stats;
            Ok((Run { kernel: job.name.clone(), sched, part, slots }, record))
        };
        self.jobs.iter().map(run).collect()
    }
}
