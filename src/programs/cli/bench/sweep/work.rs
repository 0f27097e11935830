//! The runs that are missing, several at a time.

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::{json, Map, Value};

use super::entry::Entry;
use super::plan::{Machine, Plan, Task};
use super::store::{self, Store};
use crate::cli::bench::figure::distinct;
use crate::cli::engine::{EngineKind, Runner};
use crate::cli::progress::Progress;
use crate::cli::sim::output::Record;
use crate::cli::sim::prediction::Prediction;
use cosim::verilator::BuildOptions;
use cosim::{Engine, SideBySide, SimError, Simulation};
use spec::config::CoreConfig;
use tools::parallel::{in_parallel, Jobs};

/// All runs of the plan: those that the store has, and the others anew.
///
/// # Errors
/// Simulators that cannot be built, runs that cannot be kept. A run that fails is a result.
pub(in crate::cli::bench) fn run(
    plan: &Plan,
    store: &Store,
    (engine, build, jobs): (EngineKind, &BuildOptions, Jobs),
    progress: &Progress,
) -> anyhow::Result<Vec<Entry>> {
    // By the tasks' numbers, so that what was kept stands among what is new.
    let mut entries = BTreeMap::new();
    let mut missing: BTreeMap<usize, Vec<(usize, &Task, _)>> = BTreeMap::new();
    for (number, task) in plan.tasks.iter().enumerate() {
        let machine = &plan.machines[task.machine];
        let (sched, cfg) = &machine.cores[task.core];
        let job = &plan.jobs[task.job];
        let path = store.path(engine, cfg, (&job.program, &job.expectations()), &task.options)?;
        match store::find(&path) {
            // Another comparison may have made it, which calls it otherwise.
            Some(Entry { record, .. }) => {
                let (machine, sched) = (machine.name.clone(), sched.clone());
                entries.insert(number, Entry { machine, sched, record });
            }
            None => missing.entry(task.machine).or_default().push((number, task, path)),
        }
    }
    progress.counts(plan.tasks.len(), entries.len());
    for (machine, tasks) in missing {
        let machine = &plan.machines[machine];
        let wanted: Vec<usize> = tasks.iter().map(|(_, task, _)| task.core).collect();
        let runners = match engine {
            EngineKind::Model => models(machine, &wanted),
            EngineKind::Rtl | EngineKind::Both => {
                progress.says(format!("building simulators of {}", machine.name));
                simulations(engine, machine, &wanted, build)?
            }
        };
        let done = in_parallel(jobs, &tasks, |_, (number, task, path)| {
            let entry = one(plan, task, engine, &runners[&task.core]);
            store::keep(path, &entry)?;
            progress.done(format!("{}: {} {}", machine.name, entry.sched, entry.kernel()));
            anyhow::Ok((*number, entry))
        })?;
        entries.extend(done);
    }
    Ok(entries.into_values().collect())
}

fn one(plan: &Plan, task: &Task, engine: EngineKind, runner: &Runner) -> Entry {
    let (machine, job) = (&plan.machines[task.machine], &plan.jobs[task.job]);
    let (sched, cfg) = &machine.cores[task.core];
    let ran = runner.run(&job.program, &task.options, &mut |_| {}).map_err(anyhow::Error::from);
    let record = ran.and_then(|(report, comparison)| {
        let prediction = comparison.map(|comparison| Prediction::new(&comparison, &report));
        Ok(serde_json::to_value(Record::new(cfg, &task.options, job, engine, &report, prediction))?)
    });
    let record = record.unwrap_or_else(|error| {
        json!({
            "kernel": job.name, "memory": task.options.memory.to_string(), "seed": task.options.seed,
            "jitter": task.options.disturbance.jitter, "result": "fail", "failure": format!("{error:#}"),
        })
    });
    let record = match record {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    Entry { machine: machine.name.clone(), sched: sched.clone(), record }
}

/// The models of the wanted cores.
fn models(machine: &Machine, wanted: &[usize]) -> BTreeMap<usize, Runner> {
    wanted
        .iter()
        .map(|&number| (number, Runner::Model(Box::new(Engine::new(&machine.cores[number].1)))))
        .collect()
}

/// The simulators of the wanted cores. Those that differ in two schedulers alone share one, those with a unified
/// scheduler another, those whose slices share warps a third; each holds all that are compared, so that it is the same one
/// when a comparison goes on.
fn simulations(
    engine: EngineKind,
    machine: &Machine,
    wanted: &[usize],
    build: &BuildOptions,
) -> anyhow::Result<BTreeMap<usize, Runner>> {
    let mut groups: Vec<(CoreConfig, [bool; 2], Vec<usize>)> = vec![];
    for (number, (_, cfg)) in machine.cores.iter().enumerate() {
        let bare = CoreConfig { fetch: String::new(), issue: String::new(), ..cfg.clone() };
        let kind = [cfg.unified().is_some(), cfg.shares_warps()];
        match groups.iter_mut().find(|group| group.0 == bare && group.1 == kind) {
            Some((.., numbers)) => numbers.push(number),
            None => groups.push((bare, kind, vec![number])),
        }
    }
    let mut all = BTreeMap::new();
    for (.., numbers) in groups {
        if !numbers.iter().any(|number| wanted.contains(number)) {
            continue;
        }
        let cores: Vec<&CoreConfig> = numbers.iter().map(|&number| &machine.cores[number].1).collect();
        let built = together(&cores, build).context("cannot build the simulator")?;
        let runner = if engine == EngineKind::Both { Runner::Both } else { Runner::Rtl };
        let built = built.into_iter().map(|simulation| runner(Box::new(simulation)));
        all.extend(numbers.into_iter().zip(built));
    }
    Ok(all)
}

/// Simulators of cores that differ in their schedulers, in one if that can hold them.
fn together(cores: &[&CoreConfig], build: &BuildOptions) -> Result<Vec<Simulation>, SimError> {
    let each = || cores.iter().map(|cfg| Simulation::new(cfg, build)).collect();
    let [base, _, ..] = cores else { return each() };
    let keys = |key: fn(&CoreConfig) -> &str| distinct(cores.iter().map(|cfg| key(cfg)));
    let (fetches, issues) = (keys(|cfg| &cfg.fetch), keys(|cfg| &cfg.issue));
    let shared = match base.unified() {
        Some(_) => SideBySide::unified(base, &issues),
        None => SideBySide::pairs(base, &fetches, &issues),
    };
    let shared = match shared {
        Ok(shared) => shared,
        Err(SimError::Generate(_)) => return each(),
        Err(error) => return Err(error),
    };
    let mut all: Vec<_> = shared.simulations(build)?.into_iter().map(Some).collect();
    let of = |cfg: &&CoreConfig| {
        let place = shared.cores().iter().position(|core| core == *cfg);
        let found = place.and_then(|place| all.get_mut(place)?.take());
        found.ok_or_else(|| SimError::Generate("a scheduler is missing in the simulator".into()))
    };
    cores.iter().map(of).collect()
}
