//! How fast the engines are, side by side, in thousand cycles a second of a processor's time.

use std::time::Duration;

use rustix::time::{clock_gettime, ClockId};
use serde::Serialize;

use super::vortex::cores;
use super::{shape, Args, Format, Results};
use crate::cli::progress::Progress;
use crate::cli::sim::job::Job;
use crate::report::{grouped, Table};
use cosim::verilator::Toolchain;
use cosim::{Check, Engine, RunOptions, Simulation};
use model::{Machine, Memory, Outcome};
use spec::config::CoreConfig;

/// What runs unless told: even work, floating point, and a sort.
const KERNELS: [&str; 2] = ["sgemm:32", "psort:256"];
/// A measurement is repeated until it has taken so long.
const AT_LEAST: Duration = Duration::from_millis(250);
/// All engines are measured so often in turn: a machine that is slow for a while then slows all of them.
const ROUNDS: usize = 5;

/// A kernel on a core. Speeds are in thousand cycles a second of processor time, but that of the functional model, which
/// knows no cycles: million thread instructions.
#[derive(Serialize)]
struct Row {
    core: String,
    kernel: String,
    cycles: u64,
    functional_minstructions: f64,
    model_kilocycles: f64,
    rtl_kilocycles: f64,
    lockstep_kilocycles: f64,
}

/// Measures every kernel on every core by every engine; simulators are built before anything is measured.
pub(super) fn run(args: &Args, format: Format, progress: &Progress) -> anyhow::Result<Results> {
    let cores = cores(args)?;
    let kernels: Vec<&str> = match args.kernels.as_slice() {
        [] => KERNELS.to_vec(),
        names => names.iter().map(String::as_str).collect(),
    };
    let jobs = kernels.into_iter().map(Job::find).collect::<anyhow::Result<Vec<_>>>()?;
    for (cfg, job) in cores.iter().flat_map(|cfg| jobs.iter().map(move |job| (cfg, job))) {
        job.check_core(cfg)?;
        job.check_bare("--speed")?;
    }
    Toolchain::discover()?;
    let mut rows = vec![];
    for cfg in &cores {
        let core = shape(cfg);
        progress.says(format!("building the simulator of {core}"));
        let simulation = Simulation::new(cfg, &args.build.options())?;
        for job in &jobs {
            progress.says(format!("{core}: {}", job.name));
            rows.push(measure(cfg, &core, job, &simulation, args)?);
        }
    }
    Results::of(&rows, &table(&rows), format)
}

fn measure(
    cfg: &CoreConfig,
    core: &str,
    job: &Job,
    simulation: &Simulation,
    args: &Args,
) -> anyhow::Result<Row> {
    let options = RunOptions { memory: args.memory("fixed:50")?, ..RunOptions::default() };
    let (mut cycles, mut instructions) = (0, 0);
    let mut functional = || {
        let mut memory = Memory::for_core(cfg);
        job.program.load(&mut memory);
        let mut machine = Machine::new(cfg, memory, job.program.entry, 0);
        anyhow::ensure!(machine.run(u64::MAX) == Outcome::Finished, "{} does not end", job.name);
        instructions = machine.thread_instructions();
        Ok(())
    };
    let engine = Engine::new(cfg);
    let mut model = || {
        engine.run(&job.program, &options, &mut |_| {})?;
        Ok(())
    };
    let mut rtl = |check| {
        let options = RunOptions { check, ..options.clone() };
        let report = simulation.run(&job.program, &options)?;
        cycles = report.stats.cycles;
        job.failure(cfg, &options, &report).map_or(Ok(()), |failure| Err(anyhow::anyhow!(failure)))
    };
    let mut fastest = [f64::INFINITY; 4];
    for _ in 0..ROUNDS {
        let round = [
            seconds(&mut functional)?,
            seconds(&mut model)?,
            seconds(|| rtl(Check::Off))?,
            seconds(|| rtl(Check::Lockstep))?,
        ];
        fastest.iter_mut().zip(round).for_each(|(fastest, seconds)| *fastest = fastest.min(seconds));
    }
    let [functional, model, alone, lockstep] = fastest;
    let speed = |seconds: f64| (cycles as f64 / seconds / 1e3).round();
    Ok(Row {
        core: core.to_owned(),
        kernel: job.name.clone(),
        cycles,
        functional_minstructions: (instructions as f64 / functional / 1e5).round() / 10.0,
        model_kilocycles: speed(model),
        rtl_kilocycles: speed(alone),
        lockstep_kilocycles: speed(lockstep),
    })
}

/// Processor time of the work in seconds, that of the fastest of as many runs as [`AT_LEAST`] takes: what else the machine does
/// only adds to it.
fn seconds(mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let (begin, mut fastest) = (now(), Duration::MAX);
    while now().saturating_sub(begin) < AT_LEAST {
        let begin = now();
        work()?;
        fastest = fastest.min(now().saturating_sub(begin));
    }
    Ok(fastest.as_secs_f64())
}

fn table(rows: &[Row]) -> Table {
    let cells = |row: &Row| {
        let speed = |value: f64| if value == 0.0 { "-".into() } else { grouped(value as u64) };
        let times = |by: f64| match row.model_kilocycles {
            0.0 => "-".into(),
            model => format!("{:.1}", model / by),
        };
        vec![
            row.core.clone(),
            row.kernel.clone(),
            grouped(row.cycles),
            format!("{:.1}", row.functional_minstructions),
            speed(row.model_kilocycles),
            speed(row.rtl_kilocycles),
            speed(row.lockstep_kilocycles),
            times(row.lockstep_kilocycles),
        ]
    };
    let columns = [
        "core",
        "kernel",
        "cycles",
        "functional model, million thread instructions",
        "timing model",
        "RTL alone",
        "RTL in lock step",
        "timing model to lock step",
    ];
    Table {
        title: "speed in thousand cycles a second of processor time".into(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.iter().map(cells).collect(),
        ..Table::default()
    }
}
