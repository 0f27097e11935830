//! How long Verilator and the C++ compiler work on the simulators of cores.

use std::time::Duration;

use anyhow::Context;
use nix::sys::resource::{getrusage, UsageWho};
use serde::Serialize;

use super::vortex::cores;
use super::{shape, Args, Format, Results};
use crate::cli::progress::Progress;
use crate::report::Table;
use cosim::verilator::{build, BuildOptions, Toolchain};
use cosim::Simulation;

/// A module with nothing to simulate.
const NOTHING: &str = "module nothing (input wire a, output wire b);\n  assign b = a;\nendmodule\n";

/// Something that was built.
#[derive(Serialize)]
struct Row {
    core: String,
    /// Seconds of processor time of all that the tools do.
    cpu_seconds: f64,
}

/// Builds the simulators in a cache that is empty. What all of them share, Verilator's library, is built with the first one:
/// that is of a module with nothing in it.
pub(super) fn run(args: &Args, format: Format, progress: &Progress) -> anyhow::Result<Results> {
    let cores = cores(args)?;
    let tools = Toolchain::discover()?;
    let cache = tempfile::tempdir().context("cannot make a directory for the simulators")?;
    let options = BuildOptions { cache: Some(cache.path().into()), ..args.build.options() };
    progress.says("building Verilator's library".into());
    // A profile of it would say nothing.
    let unguided = BuildOptions { guided: false, ..options.clone() };
    let library = seconds(|| Ok(build(&tools, NOTHING, "nothing", &unguided)?))?;
    let mut rows = vec![Row { core: "Verilator's library, once".into(), cpu_seconds: library }];
    for cfg in &cores {
        let core = shape(cfg);
        progress.says(format!("building the simulator of {core}"));
        let cpu_seconds = seconds(|| Ok(Simulation::new(cfg, &options)?))?;
        rows.push(Row { core, cpu_seconds });
    }
    Results::of(&rows, &table(&rows), format)
}

/// What the tools take for the work.
fn seconds<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<f64> {
    let begin = children()?;
    work().context("cannot build the simulator")?;
    Ok(((children()? - begin).as_secs_f64() * 10.0).round() / 10.0)
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
        ..Table::default()
    }
}
