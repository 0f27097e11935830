//! The program `sim`: runs kernels and executables on the core that the options describe.

mod args;
mod contents;
mod grid;
pub(super) mod job;
pub(super) mod output;
pub(super) mod prediction;
pub(super) mod source;
mod views;

use std::process::ExitCode;

use anyhow::Context;

use super::engine::Runner;
use super::progress::{progress, Progress};
use super::writable::{check_files, check_waves};
use super::{complain, print, start, UsageError};
use args::Args;
use cosim::verilator::trim;
use cosim::{RunOptions, SimError, Stats};
use files::{default_cache_dir, remove_kept};
use job::Job;
use kernels::{self, KERNELS};
use output::{Outputs, Record};
use prediction::Prediction;
use spec::config::CoreConfig;
use views::Label;

/// Parses the command line and runs.
pub fn main() -> ExitCode {
    start(run)
}

fn run(args: &Args) -> anyhow::Result<()> {
    if args.list_kernels {
        return list_kernels();
    }
    if args.cache_clean {
        return clean_cache();
    }
    args.source.check(&args.programs)?;
    if args.source.print_compile {
        return args.source.print_commands(&args.programs);
    }
    // Every mistake in the arguments is reported before anything slow begins.
    let cfg = args.core.resolve()?;
    if !cfg.trace_port {
        return Err(UsageError(SimError::NoTracePort.to_string()).into());
    }
    let options = args.run_options()?;
    args.views.check(&cfg, &options)?;
    let jobs = args.programs.iter().map(|program| Job::find_with(program, &args.source.defines));
    let mut jobs = jobs.collect::<anyhow::Result<Vec<_>>>()?;
    jobs.iter_mut().try_for_each(|job| args.contents.load(&mut job.program))?;
    jobs.iter().try_for_each(|job| job.check_core(&cfg))?;

    let names: Vec<_> = jobs.iter().map(|job| job.name.as_str()).collect();
    let complete = |(job, label)| {
        let options = args.grid.complete(job, &cfg, args.labelled(&options, &label))?;
        Ok((job, label, options))
    };
    let runs = jobs.iter().zip(Label::of(&names)).map(complete);
    let runs: Vec<(&Job, Label, RunOptions)> = runs.collect::<Result<_, UsageError>>()?;
    runs.iter().try_for_each(|(.., options)| args.engine().check(options))?;
    check_outputs(args, &runs)?;

    let building = format!("building the simulator of {} warps x {} threads", cfg.warps, cfg.threads);
    let runner = progress(&building, || Runner::new(args.engine(), &cfg, &args.build_options()))?;
    let mut outputs = Outputs::new(args.json, jobs.len());
    let mut failed = 0;
    let mut viewed = Ok(());
    for (job, label, options) in &runs {
        let line = Progress::new(&job.name);
        let says = &mut |stats: &Stats| {
            line.says(format!("{}: {} cycles, {:.3} ipc", job.name, stats.cycles, stats.ipc()));
        };
        let (report, comparison) = runner.run(&job.program, options, says)?;
        drop(line);
        let prediction = comparison.map(|comparison| Prediction::new(&comparison, &report));
        let record = Record::new(&cfg, options, job, args.engine(), &report, prediction);
        failed += usize::from(!record.passed());
        outputs.show(&record, &report)?;
        viewed = viewed.and(args.views.write(&report, job, label));
        viewed = viewed.and(args.contents.write(&report, label));
    }
    outputs.finish()?;
    viewed?;
    if failed != 0 {
        anyhow::bail!("{failed} of {} runs failed", jobs.len());
    }
    Ok(())
}

/// Whether waves and views can be written, each into a file of its own that is no input.
fn check_outputs(args: &Args, runs: &[(&Job, Label, RunOptions)]) -> anyhow::Result<()> {
    let mut outputs = vec![];
    for (_, label, options) in runs {
        if let Some(wave) = &options.wave {
            check_waves(&wave.path)?;
            outputs.push(wave.path.clone());
        }
        outputs.extend(args.views.paths(label));
        outputs.extend(args.contents.outputs(label));
    }
    let programs = runs.iter().filter_map(|(job, ..)| job.file.clone());
    let inputs = programs.chain(args.core.config_path()).chain(args.contents.inputs());
    check_files(&outputs, &inputs.collect::<Vec<_>>())
}

fn clean_cache() -> anyhow::Result<()> {
    let cache = default_cache_dir()?;
    let simulators = trim(&cache, 0)?;
    let of = |name| {
        remove_kept(&cache.join(name)).with_context(|| format!("cannot use {}", cache.join(name).display()))
    };
    let (kernels, runs, boards) = (of("kernels")?, of("runs")?, of("fpga")?);
    let bytes = simulators.bytes + kernels.bytes + runs.bytes + boards.bytes;
    print(format_args!(
        "removed {:.1} MiB from {}: {} of simulators, {} of kernels, {} of runs, {} of FPGA synthesis\n",
        bytes as f64 / f64::from(1 << 20),
        cache.display(),
        simulators.items,
        kernels.items,
        runs.items,
        boards.items
    ))?;
    let kept = [simulators.kept, kernels.kept, runs.kept, boards.kept].concat();
    kept.iter().for_each(|kept| complain(format_args!("cannot remove {kept}\n")));
    match kept.len() {
        0 => Ok(()),
        count => anyhow::bail!("{count} of the cache's files and directories stay"),
    }
}

fn list_kernels() -> anyhow::Result<()> {
    let mut text = String::new();
    let width = KERNELS.iter().map(|kernel| kernel.name.len() + ":N".len()).max().unwrap_or(0);
    for kernel in KERNELS {
        let (suffix, size) = match kernel.size {
            Some(size) => {
                (":N", format!(" (N: {}, default {}, at most {})", size.meaning, size.default, size.max))
            }
            None => ("", String::new()),
        };
        let fpu = if kernel.needs_fpu { "; floating point" } else { "" };
        let local = match (kernel.local_bytes)(&CoreConfig::default()) {
            _ if kernel.runs_as_grids() => "; needs the dispatcher".into(),
            0 => String::new(),
            bytes => format!("; local memory, {bytes} bytes on the default core"),
        };
        let name = format!("{}{suffix}", kernel.name);
        text += &format!("{name:<width$}  {}{size}{fpu}{local}\n", kernel.summary);
    }
    print(text)
}
