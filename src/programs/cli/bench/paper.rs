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
mod patterns;
mod show;
mod swas;

use std::path::Path;

use anyhow::Context;

use super::checks::{check_no_schedulers, check_possible, check_traced};
use super::sweep::plan::{check_names, Machine, Plan};
use super::sweep::store::Store;
use super::sweep::{entry::Entry, figures::Figures};
use super::{Args, Format, Results};
use crate::cli::progress::Progress;
use crate::cli::sim::job::Job;
use crate::cli::{complain, UsageError};
use baws::BAWS;
use cosim::memory::MemoryKind;
pub(super) use definition::Paper;
use evaluation::{Evaluation, OnMachine, Setting};
use ipaws::IPAWS;
use kaws::KAWS;
use motrr::MOTRR;
use spec::config::CoreConfig;
use swas::SWAS;

/// All of them.
pub(super) const PAPERS: [&Paper; 5] = [&SWAS, &BAWS, &MOTRR, &IPAWS, &KAWS];

/// The one that `--experiment` names.
fn paper(args: &Args) -> anyhow::Result<&'static Paper> {
    let key = args.experiment.as_deref();
    PAPERS.into_iter().find(|paper| Some(paper.key) == key).context("no such paper")
}

/// Every variant on every machine.
pub(super) fn cores(args: &Args) -> anyhow::Result<Vec<CoreConfig>> {
    let paper = paper(args)?;
    let of =
        |(setting, _): (Setting, _)| paper.variants.iter().map(move |variant| variant.core(&setting.core));
    Ok(machines(paper, args)?.into_iter().flat_map(of).collect())
}

/// Repeats a paper's evaluation.
pub(super) fn run(args: &Args, format: Format, progress: &Progress) -> anyhow::Result<Results> {
    let paper = paper(args)?;
    let asked = machines(paper, args)?;
    let jobs = jobs(paper, args)?;
    check_names(&jobs)?;
    let machine = |(setting, memory): &(Setting, MemoryKind)| {
        let cores =
            paper.variants.iter().map(|variant| (variant.name.to_owned(), variant.core(&setting.core)));
        (Machine { name: setting.name.to_owned(), cores: cores.collect() }, args.run_options(*memory))
    };
    let plan = Plan::of_machines(asked.iter().map(machine).collect(), jobs)?;

    let files = ["html", "json"].map(|kind| format!("{}.{kind}", paper.key));
    let kept = args.kept_runs(&[&files[0], &files[1]])?;
    let mut entries = args.make(&plan, &Store::new(kept)?, progress)?;
    let runs = entries.len();
    let failures = entries.iter().filter_map(Entry::failure).collect();
    let on_machine = |(setting, _): (Setting, MemoryKind)| {
        let own = entries.extract_if(.., |entry| entry.machine == setting.name).collect();
        OnMachine::new(paper, setting, Figures::new(own, paper.baseline.to_owned()))
    };
    let machines = asked.into_iter().map(on_machine).collect();
    let evaluation = Evaluation { experiment: paper.key, source: paper.source, machines };

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
    Ok(Results { text, files: written, failures, runs })
}

/// The programs: those that are asked for, the paper's own, or the kernels that stand for them.
fn jobs(paper: &Paper, args: &Args) -> anyhow::Result<Vec<Job>> {
    if let Some(folder) = &args.suites {
        return originals(paper, folder);
    }
    let stand_for = || paper.programs.iter().filter_map(|program| program.kernel.as_ref());
    match args.kernels.as_slice() {
        [] => stand_for().map(|kernel| Job::find(&kernel.sized())).collect(),
        names => names.iter().map(|name| Job::find(name)).collect(),
    }
}

/// The paper's own programs that are in a folder.
fn originals(paper: &Paper, folder: &Path) -> anyhow::Result<Vec<Job>> {
    let (mut jobs, mut missing) = (vec![], vec![]);
    for program in paper.programs {
        let there = program.original.as_ref().filter(|original| original.description(folder).is_file());
        let Some(original) = there else {
            missing.push(program.name);
            continue;
        };
        let defines: Vec<String> = original.defines.iter().map(|&define| define.into()).collect();
        let mut job = Job::find_with(&original.description(folder).to_string_lossy(), &defines)?;
        job.name = original.run.to_owned();
        jobs.push(job);
    }
    let (folder, missing) = (folder.display(), missing.join(", "));
    if jobs.is_empty() {
        let why = format!(
            "{folder} has none of the programs {missing}: scripts/suites.sh --prepare {folder} SUITES puts them there, of those \
             in the folder SUITES"
        );
        return Err(UsageError(why).into());
    }
    if !missing.is_empty() {
        complain(format_args!("note: without {missing}, which {folder} does not have\n"));
    }
    Ok(jobs)
}

/// The paper's machines; the first alone if options say of it what is different.
fn machines(paper: &Paper, args: &Args) -> anyhow::Result<Vec<(Setting, MemoryKind)>> {
    check_no_schedulers(&args.core)?;
    let changed = args.core.given().next().is_some() || args.mem.is_some();
    let asked = |machine: &definition::Machine| {
        let (mut core, mut memory) = ((machine.core)(), machine.memory);
        if args.suites.is_some() {
            // Compiled programs spill registers and keep arrays on their stacks, kernels of ours do not.
            core.stack_interleave = true;
            memory = machine.memory_of_programs;
        }
        let core = args.core.resolve_on(core)?;
        check_traced(&core)?;
        paper.variants.iter().try_for_each(|variant| check_possible(&variant.core(&core), variant.name))?;
        let name = if changed { "as the options say" } else { machine.name };
        Ok((Setting { name, changed, core, machine: machine.table }, args.memory(memory)?))
    };
    let count = if changed { 1 } else { paper.machines.len() };
    paper.machines.iter().take(count).map(asked).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_the_papers_need_exists() {
        for paper in PAPERS {
            let variant = |name: &&str| paper.variants.iter().any(|variant| variant.name == *name);
            assert!(variant(&paper.baseline), "{}", paper.key);
            for machine in paper.machines {
                let base = (machine.core)();
                for variant in paper.variants {
                    assert_eq!(variant.core(&base).validate(), Ok(()), "{}: {}", paper.key, variant.name);
                }
                for memory in [machine.memory, machine.memory_of_programs] {
                    memory.parse::<MemoryKind>().unwrap();
                }
                for kernel in paper.programs.iter().filter_map(|program| program.kernel.as_ref()) {
                    let workload = kernels::select(&kernel.sized()).unwrap();
                    workload.check_core(&base).unwrap();
                }
            }
            let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/kernels/suites");
            let originals = || paper.programs.iter().filter_map(|program| program.original.as_ref());
            let runs: BTreeSet<_> = originals().map(|original| original.run).collect();
            assert_eq!(runs.len(), originals().count(), "{}: two runs of one name", paper.key);
            for definition::Original { suite, name, defines, .. } in originals() {
                let path = suites.join(suite).join(name).with_extension("toml");
                let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", path.display()));
                for define in *defines {
                    let macro_name = define.split('=').next().unwrap();
                    assert!(text.contains(&format!("\"{macro_name}=")), "{name}: {define}");
                }
            }
            for comparison in paper.comparisons {
                let mut names = comparison.to.iter().chain([&comparison.of]);
                assert!(names.all(variant), "{}: {}", paper.key, comparison.place);
            }
            for claim in paper.claims {
                let mut names = claim.of.names().iter().chain(claim.to.iter().flat_map(|to| to.names()));
                assert!(names.all(variant), "{}: {}", paper.key, claim.what);
                let is_program = |name: &&&str| !paper.programs.iter().any(|program| program.name == **name);
                assert_eq!(claim.over.iter().find(is_program), None, "{}: {}", paper.key, claim.what);
            }
        }
    }
}
