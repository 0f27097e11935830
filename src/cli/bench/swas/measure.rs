//! The runs: every kernel on every core, as many cores at a time as the machine has processors.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Context;

use super::evaluation::Run;
use crate::cli::bench::Progress;
use crate::cli::sim::job::Job;
use crate::cli::sim::output::Record;
use crate::config::CoreConfig;
use crate::cosim::verilator::{BuildOptions, Profile};
use crate::cosim::{RunOptions, SideBySide, Simulation};

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
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let mut done = Vec::new();
            while !failed.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(simulation) = all.get(number) else { break };
                let place = format!("core {} of {}", number + 1, all.len());
                let says = |what: &str| progress.says(format!("{place}: {what}"));
                match self.core(simulation, &says) {
                    Ok(runs) => done.push((number, runs)),
                    Err(error) => {
                        failed.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(done)
        };
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
        let lists = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..processors.min(all.len())).map(|_| scope.spawn(work)).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).collect::<anyhow::Result<Vec<_>>>()
        })?;
        let mut done: Vec<_> = lists.into_iter().flatten().collect();
        done.sort_by_key(|(number, _)| *number);
        Ok(done.into_iter().flat_map(|(_, runs)| runs).collect())
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
            Ok((Run { kernel: job.name.clone(), sched, part: report.stats.parallel }, record))
        };
        self.jobs.iter().map(run).collect()
    }
}
