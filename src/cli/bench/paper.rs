//! Published evaluations of issue schedulers, repeated on this core: what each compares, on which kernels and what
//! machine, and what it published is data (`paper/baws.rs` and its neighbours); the rest is common to all.

mod baws;
mod definition;
mod evaluation;
mod ipaws;
mod kaws;
mod machines;
mod metric;
mod motrr;
mod show;

use anyhow::Context;

use super::sweep::plan::{Machine, Plan};
use super::sweep::store::Store;
use super::sweep::{figures::Figures, work};
use super::{Args, Format, Progress, Results};
use crate::cli::sim::job::Job;
use crate::cli::writable::check_directory;
use crate::cli::UsageError;
use crate::config::CoreConfig;
use crate::cosim::memory::{Disturbance, MemoryKind};
use crate::cosim::verilator::{default_cache_dir, Toolchain};
use crate::cosim::{RunOptions, SimError};
pub(super) use definition::Paper;
use evaluation::Evaluation;

/// All of them.
pub(super) const PAPERS: [&Paper; 4] = [&baws::BAWS, &motrr::MOTRR, &ipaws::IPAWS, &kaws::KAWS];

/// Repeats one.
pub(super) fn run(
    paper: &'static Paper,
    args: &Args,
    format: Format,
    progress: &Progress,
) -> anyhow::Result<Results> {
    let base = core(paper, args)?;
    let names: Vec<String> = match args.kernels.as_slice() {
        [] => paper.programs.iter().map(|program| format!("{}:{}", program.kernel, program.size)).collect(),
        names => names.to_vec(),
    };
    let jobs = names.iter().map(|name| Job::find(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let cores = paper.variants.iter().map(|variant| (variant.name.to_owned(), variant.core(&base)));
    let machine = Machine { name: paper.machine.name.to_owned(), cores: cores.collect() };
    let plan = Plan::of_machine(machine, jobs, options(paper, args)?)?;

    let files = ["html", "json"].map(|kind| format!("{}.{kind}", paper.key));
    let kept = match &args.out {
        Some(directory) => directory.join("runs"),
        None => default_cache_dir().join("runs"),
    };
    if let Some(directory) = &args.out {
        let what = || format!("--out is the directory that gets {} and the runs", files.join(" and "));
        check_directory(directory, &[&files[0], &files[1]]).with_context(what)?;
        check_directory(&kept, &[]).with_context(what)?;
    }
    // The likeliest reason why nothing can be built is told before cores are generated.
    Toolchain::discover()?;
    let entries = work::run(&plan, &Store::new(kept)?, args.build.profile(), progress)?;
    let figures = Figures::new(entries, paper.baseline.to_owned());
    let evaluation = Evaluation::new(paper, base, &figures);

    let json = serde_json::to_string(&evaluation)? + "\n";
    let written = match &args.out {
        Some(directory) => {
            let texts = [show::page(paper, &evaluation).html(), json.clone()];
            files.iter().map(|name| directory.join(name)).zip(texts).collect()
        }
        None => vec![],
    };
    let text = match format {
        Format::Json => json,
        Format::Table | Format::Csv => show::text(paper, &evaluation, |table| table.plain()),
        Format::Markdown => show::text(paper, &evaluation, |table| table.markdown()),
    };
    let failures = figures.runs.iter().filter_map(|run| run.failure()).collect();
    Ok(Results { text, files: written, failures, runs: figures.runs.len() })
}

/// The paper's machine with what the options change in it, schedulers aside.
fn core(paper: &Paper, args: &Args) -> Result<CoreConfig, UsageError> {
    if args.core.sched.is_some() || args.core.fetch.is_some() || args.core.issue.is_some() {
        return Err(UsageError(
            "the experiment chooses the schedulers: leave --sched, --fetch, --issue out".into(),
        ));
    }
    let cfg = args.core.resolve_on((paper.machine.core)())?;
    if !cfg.trace_port {
        return Err(UsageError(SimError::NoTracePort.to_string()));
    }
    for variant in paper.variants {
        variant.core(&cfg).validate().map_err(|rules| {
            let rules: Vec<_> = rules.iter().map(ToString::to_string).collect();
            UsageError(format!("{} cannot be built into this core: {}", variant.name, rules.join("; ")))
        })?;
    }
    Ok(cfg)
}

fn options(paper: &Paper, args: &Args) -> anyhow::Result<RunOptions> {
    let memory = match args.mem.as_ref().and_then(|memories| memories.0.first()) {
        Some(memory) => *memory,
        None => paper.machine.memory.parse::<MemoryKind>().map_err(|why| anyhow::anyhow!("{why}"))?,
    };
    let disturbance = Disturbance { jitter: args.jitter.unwrap_or(0), ..Disturbance::default() };
    let seed = args.seed.unwrap_or(RunOptions::default().seed);
    Ok(RunOptions { memory, disturbance, seed, ..RunOptions::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    #[test]
    fn what_the_papers_need_exists() {
        for paper in PAPERS {
            let base = (paper.machine.core)();
            let variant = |name: &str| paper.variants.iter().any(|variant| variant.name == name);
            assert!(variant(paper.baseline), "{}", paper.key);
            for variant in paper.variants {
                assert_eq!(variant.core(&base).validate(), Ok(()), "{}: {}", paper.key, variant.name);
            }
            paper.machine.memory.parse::<MemoryKind>().unwrap();
            for program in paper.programs {
                let workload = kernels::select(&format!("{}:{}", program.kernel, program.size)).unwrap();
                workload.check_core(&base).unwrap();
            }
            for claim in paper.claims {
                assert!(variant(claim.of) && claim.to.is_none_or(variant), "{}: {}", paper.key, claim.what);
                let is_program = |name: &&&str| !paper.programs.iter().any(|program| program.name == **name);
                assert_eq!(claim.over.iter().find(is_program), None, "{}: {}", paper.key, claim.what);
            }
        }
    }
}
