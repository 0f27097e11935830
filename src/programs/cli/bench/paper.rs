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

use super::prepare::{check_no_schedulers, check_possible, check_traced};
use super::sweep::plan::{check_names, Machine, Plan};
use super::sweep::store::Store;
use super::sweep::{figures::Figures, work};
use super::{Args, Format, Progress, Results};
use crate::cli::sim::job::Job;
use crate::cli::UsageError;
pub(super) use baws::BAWS;
use cosim::verilator::Toolchain;
pub(super) use definition::Paper;
use evaluation::Evaluation;
pub(super) use ipaws::IPAWS;
pub(super) use kaws::KAWS;
pub(super) use motrr::MOTRR;
use spec::config::CoreConfig;

/// All of them.
const PAPERS: [&Paper; 4] = [&BAWS, &MOTRR, &IPAWS, &KAWS];

/// Repeats the one that `--experiment` names.
pub(super) fn run(args: &Args, format: Format, progress: &Progress) -> anyhow::Result<Results> {
    let key = args.experiment.as_deref();
    let paper = PAPERS.into_iter().find(|paper| Some(paper.key) == key).context("no such paper")?;
    let base = core(paper, args)?;
    let names: Vec<String> = match args.kernels.as_slice() {
        [] => paper.programs.iter().map(|program| format!("{}:{}", program.kernel, program.size)).collect(),
        names => names.to_vec(),
    };
    let jobs = names.iter().map(|name| Job::find(name)).collect::<anyhow::Result<Vec<_>>>()?;
    check_names(&jobs)?;
    let cores = paper.variants.iter().map(|variant| (variant.name.to_owned(), variant.core(&base)));
    let machine = Machine { name: paper.machine.name.to_owned(), cores: cores.collect() };
    let options = args.run_options(args.memory(paper.machine.memory)?);
    let plan = Plan::of_machine(machine, jobs, options)?;

    let files = ["html", "json"].map(|kind| format!("{}.{kind}", paper.key));
    let kept = args.kept_runs(&[&files[0], &files[1]])?;
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
    check_no_schedulers(&args.core)?;
    let cfg = args.core.resolve_on((paper.machine.core)())?;
    check_traced(&cfg)?;
    paper.variants.iter().try_for_each(|variant| check_possible(&variant.core(&cfg), variant.name))?;
    Ok(cfg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosim::memory::MemoryKind;

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
