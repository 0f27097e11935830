//! How long Verilator and the C++ compiler work on the simulators of cores.

use std::time::Duration;

use anyhow::Context;
use nix::sys::resource::{getrusage, UsageWho};
use serde::Serialize;

use super::speed::shape;
use super::vortex::cores;
use super::{Args, Format, Progress, Results};
use crate::report::Table;
use cosim::verilator::{BuildOptions, Toolchain};
use cosim::Simulation;

/// A simulator that was built.
#[derive(Serialize)]
struct Row {
    core: String,
    /// Seconds of processor time of all that the tools do, Verilator's own library included.
    cpu_seconds: f64,
}

/// Builds the simulator of every core in a cache that is empty.
pub(super) fn run(args: &Args, format: Format, progress: &Progress) -> anyhow::Result<Results> {
    let cores = cores(args)?;
    Toolchain::discover()?;
    let mut rows = vec![];
    for cfg in &cores {
        let core = shape(cfg);
        progress.says(format!("building the simulator of {core}"));
        let cache = tempfile::tempdir().context("cannot make a directory for the simulator")?;
        let build =
            BuildOptions { cache: Some(cache.path().into()), ..BuildOptions::new(args.build.profile()) };
        let begin = children()?;
        Simulation::new(cfg, &build).context("cannot build the simulator")?;
        let seconds = (children()? - begin).as_secs_f64();
        rows.push(Row { core, cpu_seconds: (seconds * 10.0).round() / 10.0 });
    }
    Results::of(&rows, &table(&rows), format)
}

/// Processor time of all programs that this one has started and that have ended.
fn children() -> anyhow::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot tell what the tools took")?;
    let duration = |seconds: i64, micros: i64| Duration::new(seconds as u64, micros as u32 * 1000);
    let (user, system) = (usage.user_time(), usage.system_time());
    Ok(duration(user.tv_sec(), user.tv_usec()) + duration(system.tv_sec(), system.tv_usec()))
}

fn table(rows: &[Row]) -> Table {
    let cells = |row: &Row| vec![row.core.clone(), format!("{:.0}", row.cpu_seconds)];
    Table {
        title: "processor time of the tools that build a simulator".into(),
        columns: ["core", "seconds of processor time"].map(str::to_owned).to_vec(),
        rows: rows.iter().map(cells).collect(),
        note: String::new(),
    }
}
