//! What is to be run: the cross product, with every mistake found before any work.

use std::collections::BTreeSet;
use std::path::Path;

use super::ALL;
use crate::cli::bench::checks::check_traced;
use crate::cli::bench::Args;
use crate::cli::config_args::{sched_keys, SWAS};
use crate::cli::sim::job::Job;
use crate::cli::{core_options, quoted, ConfigArgs, UsageError};
use cosim::memory::MemoryKind;
use cosim::RunOptions;
use kernels::KERNELS;
use spec::config::{CoreConfig, PARAMETERS, PRESETS};
use spec::registry;

/// A core with each of the schedulers.
pub(in crate::cli::bench) struct Machine {
    pub name: String,
    /// Keys of schedulers, and the core with each.
    pub cores: Vec<(String, CoreConfig)>,
}

/// A run.
pub(in crate::cli::bench) struct Task {
    /// Its number in [`Plan::machines`].
    pub machine: usize,
    /// Its number in [`Machine::cores`].
    pub core: usize,
    /// Its number in [`Plan::jobs`].
    pub job: usize,
    pub options: RunOptions,
}

/// All runs, and what they are made of.
pub(in crate::cli::bench) struct Plan {
    pub machines: Vec<Machine>,
    pub jobs: Vec<Job>,
    /// How each program was asked for.
    names: Vec<String>,
    pub tasks: Vec<Task>,
    /// What was asked for by `all`, or of one machine among several, and cannot be.
    pub left_out: Vec<String>,
}

impl Plan {
    /// # Errors
    /// Mistakes in the arguments; kernels that cannot be built.
    pub(in crate::cli::bench) fn new(args: &Args) -> anyhow::Result<Self> {
        let mut left_out = vec![];
        let machines = machines(args, &mut left_out)?;
        let options = options(args)?;
        let (names, jobs) = jobs(args, &machines, &mut left_out)?;
        let everything = args.kernels.iter().any(|name| name == ALL);
        let mut plan = Self { machines, jobs, names, tasks: vec![], left_out };
        plan.cross(|_| &options, everything)?;
        Ok(plan)
    }

    /// The programs on machines with options of their own, each of cores that differ in what is compared.
    ///
    /// # Errors
    /// A program that a machine cannot run.
    pub(in crate::cli::bench) fn of_machines(
        machines: Vec<(Machine, RunOptions)>,
        jobs: Vec<Job>,
    ) -> anyhow::Result<Self> {
        let names = jobs.iter().map(|job| job.name.clone()).collect();
        let (machines, options): (Vec<_>, Vec<_>) = machines.into_iter().unzip();
        let mut plan = Self { machines, jobs, names, tasks: vec![], left_out: vec![] };
        plan.cross(|machine| &options[machine..=machine], false)?;
        Ok(plan)
    }

    /// Makes a task for each machine, program, core and options; what cannot be is left out if everything was asked for.
    fn cross<'a>(
        &mut self,
        options: impl Fn(usize) -> &'a [RunOptions],
        everything: bool,
    ) -> anyhow::Result<()> {
        for (machine, Machine { name, cores }) in self.machines.iter().enumerate() {
            for (number, job) in self.jobs.iter().enumerate() {
                if let Err(why) = job.check_core(&cores[0].1) {
                    if !everything {
                        return Err(UsageError(format!("{name}: {why:#}")).into());
                    }
                    self.left_out.push(format!("{} is left out on {name}: {why:#}", job.name));
                    continue;
                }
                let launches = job.launches(&cores[0].1).map_err(UsageError::from_error)?;
                for core in 0..cores.len() {
                    self.tasks.extend(options(machine).iter().map(|options| Task {
                        machine,
                        core,
                        job: number,
                        options: RunOptions { launches: launches.clone(), ..options.clone() },
                    }));
                }
            }
        }
        match self.tasks.is_empty() {
            true => Err(UsageError("nothing is left to run".into()).into()),
            false => Ok(()),
        }
    }

    /// # Errors
    /// If a machine has not the scheduler that others are compared with.
    pub(in crate::cli::bench) fn check_baseline(&self, baseline: &str) -> Result<(), UsageError> {
        match self.machines.iter().find(|m| !m.cores.iter().any(|(key, _)| key == baseline)) {
            None => Ok(()),
            Some(machine) => {
                let keys: Vec<_> = machine.cores.iter().map(|(key, _)| key.as_str()).collect();
                Err(UsageError(format!(
                    "--baseline {baseline} is not among the schedulers of {}: give --baseline one of {}, or add it to \
                     --sched",
                    machine.name,
                    keys.join(", ")
                )))
            }
        }
    }

    /// A command for each run, one a line.
    pub(in crate::cli::bench) fn commands(&self, args: &Args) -> String {
        let line = |task: &Task| {
            let (sched, cfg) = &self.machines[task.machine].cores[task.core];
            let RunOptions { memory, seed, disturbance, .. } = &task.options;
            let jitter = match disturbance.jitter {
                0 => String::new(),
                cycles => format!(" --jitter {cycles}"),
            };
            let out = args.out.as_deref().unwrap_or(Path::new("sweep"));
            format!(
                "bench {} --kernels {} --mem {memory}{jitter} --seed {seed}{} --baseline {sched} --out {}\n",
                core_options(cfg, &format!("--sched {sched}")),
                quoted(&self.names[task.job]),
                args.build.given(),
                // Each its own page, all runs below one directory.
                quoted(&out.join(format!("job{}", self.number(task))).display().to_string()),
            )
        };
        self.tasks.iter().map(line).collect()
    }

    fn number(&self, task: &Task) -> usize {
        self.tasks.iter().position(|other| std::ptr::eq(other, task)).unwrap_or(0)
    }
}

/// All cores of the comparison.
pub(in crate::cli::bench) fn cores(args: &Args) -> anyhow::Result<Vec<CoreConfig>> {
    let machines = machines(args, &mut vec![])?;
    Ok(machines.into_iter().flat_map(|machine| machine.cores).map(|(_, cfg)| cfg).collect())
}

/// The machines, each with all schedulers that it can have.
fn machines(args: &Args, left_out: &mut Vec<String>) -> anyhow::Result<Vec<Machine>> {
    let asked = args.core.sched.as_deref().unwrap_or(ALL);
    let mut keys: Vec<&str> = vec![];
    for key in asked.split(',') {
        let more: Vec<&str> = match key {
            ALL => sched_keys().filter(|key| *key != SWAS).collect(),
            SWAS => vec![registry::SWAS_DEFAULT],
            key => vec![key],
        };
        more.into_iter().for_each(|key| {
            if !keys.contains(&key) {
                keys.push(key)
            }
        });
    }
    if !args.presets.is_empty() && args.core.preset.is_some() {
        return Err(UsageError("--presets names the cores: leave --preset out".into()).into());
    }
    if let Some((option, key)) = args.core.of_policies().find(|(_, key)| !keys.contains(key)) {
        let rule = format!("{option} has no effect without {key} among the schedulers");
        return Err(UsageError(rule).into());
    }
    let presets: Vec<Option<String>> = match args.presets.as_slice() {
        [] => vec![args.core.preset.clone()],
        presets => presets.iter().cloned().map(Some).collect(),
    };
    let mut machines: Vec<Machine> = vec![];
    for preset in presets {
        let machine = machine(&args.core.on_preset(preset), &keys, left_out)?;
        if !machines.iter().any(|other| other.name == machine.name) {
            machines.push(machine);
        }
    }
    Ok(machines)
}

fn machine(args: &ConfigArgs, keys: &[&str], left_out: &mut Vec<String>) -> Result<Machine, UsageError> {
    // A core that cannot be built with any scheduler is a mistake in its other options.
    let base = args.resolve_under(Some(super::BASELINE)).or_else(|_| args.resolve_under(None))?;
    check_traced(&base)?;
    let name = name(&base)?;
    let mut cores = vec![];
    for key in keys {
        match args.resolve_under(Some(key)) {
            Ok(cfg) => cores.push(((*key).to_owned(), cfg)),
            Err(why) => left_out.push(format!("{key} is left out on {name}: {why}")),
        }
    }
    match cores.is_empty() {
        true => Err(UsageError(left_out.join("\n"))),
        false => Ok(Machine { name, cores }),
    }
}

/// The preset that a core is but for its schedulers; else its size, with a number that tells it from others of that size.
fn name(cfg: &CoreConfig) -> Result<String, UsageError> {
    let of_schedulers = PARAMETERS.iter().filter(|p| p.stage.is_some() || p.policy.is_some());
    let bare = of_schedulers.fold(cfg.clone(), |core, parameter| parameter.reset(&core));
    if let Some(preset) = PRESETS.iter().find(|p| CoreConfig::preset(p.name).as_ref() == Some(&bare)) {
        return Ok(preset.name.into());
    }
    let fields = serde_json::to_string(&bare).map_err(UsageError::from_error)?;
    Ok(format!("{}x{}-{:08x}", cfg.warps, cfg.threads, crc32fast::hash(fields.as_bytes())))
}

/// Every memory with every seed.
fn options(args: &Args) -> Result<Vec<RunOptions>, UsageError> {
    let memories = args.mem.clone().map_or_else(|| vec![MemoryKind::default()], |memories| memories.0);
    let seeds = args.seeds.unwrap_or(1);
    if seeds > 1 && args.jitter.unwrap_or(0) == 0 {
        let rule = "--seeds without --jitter CYCLES repeats one and the same run: only a memory that answers late at \
                    random differs from seed to seed";
        return Err(UsageError(rule.into()));
    }
    let of = |memory: &MemoryKind| {
        let first = args.run_options(*memory);
        (0..u64::from(seeds)).map(move |n| RunOptions { seed: first.seed.wrapping_add(n), ..first.clone() })
    };
    Ok(memories.iter().flat_map(of).collect())
}

fn two_of_one_name(job: &Job) -> UsageError {
    UsageError(format!(
        "two programs are called {}: rename one, or compare them one after the other",
        job.name
    ))
}

/// # Errors
/// Two programs have one name, by which their runs are told apart. (A kernel that is named twice is one.)
pub(in crate::cli::bench) fn check_names(jobs: &[Job]) -> Result<(), UsageError> {
    let mut seen = BTreeSet::new();
    match jobs.iter().find(|job| !seen.insert(&job.name) && !job.is_kernel()) {
        Some(job) => Err(two_of_one_name(job)),
        None => Ok(()),
    }
}

/// The programs by the names with which they are asked for.
fn jobs(
    args: &Args,
    machines: &[Machine],
    left_out: &mut Vec<String>,
) -> anyhow::Result<(Vec<String>, Vec<Job>)> {
    if args.kernels.is_empty() {
        return Err(UsageError("--sched compares on --kernels LIST, or all: give them".into()).into());
    }
    let mut asked: Vec<String> = vec![];
    for name in &args.kernels {
        match name.as_str() {
            ALL => asked.extend(KERNELS.iter().map(|kernel| kernel.name.to_owned())),
            name => asked.push(name.to_owned()),
        }
    }
    let (mut names, mut jobs, mut seen) = (vec![], vec![], BTreeSet::new());
    let floats = machines.iter().any(|machine| machine.cores[0].1.fpu);
    for name in asked {
        let is = |kernel: &&kernels::Kernel| kernel.name == name;
        if args.kernels.iter().any(|n| n == ALL)
            && !floats
            && KERNELS.iter().find(is).is_some_and(|k| k.needs_fpu)
        {
            left_out.push(format!("{name} is left out: it needs a floating-point unit"));
            continue;
        }
        let job = Job::find(&name)?;
        match seen.insert(job.name.clone()) {
            true => {
                names.push(name);
                jobs.push(job);
            }
            false if job.is_kernel() => {}
            false => return Err(two_of_one_name(&job).into()),
        }
    }
    Ok((names, jobs))
}
