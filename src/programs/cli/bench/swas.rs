//! The evaluation of the SWaS paper (its section VI), repeated on this core: IPC and error rate of nine pairs of fetch
//! and issue schedulers, and the IPC of SWaS beside theirs.

mod evaluation;
mod measure;
mod published;
mod show;

use anyhow::Context;
use serde::Serialize;

use super::prepare::{check_no_schedulers, check_possible, check_traced};
use super::sweep::plan::check_names;
use super::{Args, Format, Progress, Results};
use crate::cli::sim::job::Job;
use crate::cli::writable::check_directory;
use crate::cli::{ConfigArgs, UsageError};
use cosim::memory::MemoryKind;
use cosim::verilator::Toolchain;
use cosim::SideBySide;
use evaluation::{unified, Evaluation, Setting};
use measure::Plan;
use published::{POLICIES, PROGRAMS};
use spec::config::CoreConfig;

const SOURCE: &str =
    "Crouzet, Carle, Rochange: Coordinating the fetch and issue warp schedulers to increase the \
                      timing predictability of GPUs, DSD 2024";
const WINDOW: &str = "cycles with more than one active warp";
/// The preset of the paper's size.
const PRESET: &str = "paper";
/// The page, and the numbers behind it.
const FILES: [&str; 2] = ["swas.html", "swas.json"];

/// A core without its schedulers, and the memory behind it.
struct Machine {
    name: &'static str,
    core: CoreConfig,
    memory: MemoryKind,
}

/// All that `--json` shows.
#[derive(Serialize)]
struct Everything {
    experiment: &'static str,
    machines: Vec<Evaluation>,
}

/// Runs everything.
pub(super) fn run(args: &Args, format: Format, progress: &Progress) -> anyhow::Result<Results> {
    let machines = machines(args)?;
    let plans = machines.iter().map(|machine| plan(args, machine)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut evaluations = vec![];
    for (machine, plan) in machines.into_iter().zip(plans) {
        let setting = Setting {
            machine: machine.name,
            source: SOURCE,
            kernels: plan.jobs.iter().map(|job| job.name.clone()).collect(),
            memory: plan.options.memory.to_string(),
            jitter: plan.options.disturbance.jitter,
            seed: plan.options.seed,
            window: WINDOW,
            core: machine.core,
        };
        let (runs, records): (Vec<_>, Vec<_>) = plan.run(progress)?.into_iter().unzip();
        evaluations.push(Evaluation::new(setting, &runs, records));
    }
    let everything = Everything { experiment: "swas", machines: evaluations };
    let files = match &args.out {
        Some(directory) => {
            let json = serde_json::to_string_pretty(&everything)? + "\n";
            let texts = [show::page(&everything.machines).html(), json];
            FILES.map(|name| directory.join(name)).into_iter().zip(texts).collect()
        }
        None => vec![],
    };
    let text = match format {
        Format::Json => serde_json::to_string(&everything)? + "\n",
        Format::Table | Format::Csv => show::text(&everything.machines, |table| table.plain()),
        Format::Markdown => show::text(&everything.machines, |table| table.markdown()),
    };
    Ok(Results { text, files, ..Results::default() })
}

/// The machine that the options describe; without any the usual one, and one whose loads are as slow as the paper's.
fn machines(args: &Args) -> anyhow::Result<Vec<Machine>> {
    let core = core(&args.core)?;
    // The paper emulates DRAM.
    let memory = args.memory("dram")?;
    if args.core.given().next().is_some() || args.mem.is_some() {
        return Ok(vec![Machine { name: "This machine", core, memory }]);
    }
    let mut uncached = core.clone();
    uncached.dcache.bytes = 0;
    Ok(vec![
        Machine { name: "With a data cache", core, memory },
        // 79 to 105 cycles a load, where the paper has 68 to 98.
        Machine { name: "Loads as slow as in the paper", core: uncached, memory: args.memory("fixed:60")? },
    ])
}

/// The core without its schedulers.
fn core(args: &ConfigArgs) -> Result<CoreConfig, UsageError> {
    check_no_schedulers(args)?;
    let sized = args.gives(&["--preset", "--warps", "--config"]);
    let preset = if sized { args.preset.clone() } else { Some(PRESET.into()) };
    let cfg = CoreConfig { oracle: true, ..args.on_preset(preset).resolve()? };
    if cfg.warps < 2 || cfg.slices != 1 {
        return Err(UsageError("the experiment needs two warps or more, and one slice".into()));
    }
    check_traced(&cfg)?;
    Ok(cfg)
}

fn plan(args: &Args, machine: &Machine) -> anyhow::Result<Plan> {
    let base = &machine.core;
    let keys = POLICIES.map(unified);
    let refs: Vec<&str> = keys.iter().map(String::as_str).collect();
    let swas = CoreConfig { fetch: keys[0].clone(), issue: keys[0].clone(), ..base.clone() };
    check_possible(&swas, "SWaS")?;
    let usual = || PROGRAMS.iter().map(|program| format!("{}:{}", program.kernel, program.size)).collect();
    let names: Vec<String> = if args.kernels.is_empty() { usual() } else { args.kernels.clone() };
    let jobs = names.iter().map(|name| Job::find(name)).collect::<anyhow::Result<Vec<_>>>()?;
    check_names(&jobs)?;
    jobs.iter().try_for_each(|job| job.check_bare("the experiment"))?;
    jobs.iter().try_for_each(|job| job.check_core(base))?;
    if let Some(directory) = &args.out {
        let what = || format!("--out is the directory that gets {}", FILES.join(" and "));
        check_directory(directory, &FILES, &args.inputs()).with_context(what)?;
    }
    // The likeliest reason why nothing can be built is told before a dozen cores are generated.
    Toolchain::discover()?;
    let options = args.run_options(machine.memory);
    let cores = [SideBySide::pairs(base, &POLICIES, &POLICIES)?, SideBySide::unified(base, &refs)?];
    Ok(Plan { cores, jobs, options, profile: args.build.profile() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_of_the_paper_exist_and_have_work_for_all_its_threads() {
        for program in PROGRAMS {
            let size = kernels::select(program.kernel).unwrap().kernel.size.unwrap();
            assert!(program.size <= size.max, "{}", program.kernel);
        }
    }

    #[test]
    fn the_core_is_the_papers_unless_told() {
        let core = |options: &str| core(&ConfigArgs::of(options.split_whitespace()).unwrap()).unwrap();
        let paper = core("");
        assert_eq!((paper.warps, paper.threads, paper.oracle), (32, 32, true));
        let small = core("--warps 8");
        assert_eq!((small.warps, small.threads), (8, 4));
        let threads = core("--threads 8");
        assert_eq!((threads.warps, threads.threads), (32, 8));
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let message =
            |options: &str| core(&ConfigArgs::of(options.split_whitespace()).unwrap()).unwrap_err().0;
        assert!(message("--sched lrr").contains("--sched"));
        for options in ["--warps 1 --slices 1", "--warps 8 --slices 2"] {
            assert!(message(options).contains("two warps or more, and one slice"));
        }
    }
}
