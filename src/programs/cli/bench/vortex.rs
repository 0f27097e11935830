//! This core beside Vortex 2.2 and 3.0: the same problems with the same memory.

use std::collections::BTreeMap;

use anyhow::Context;

use super::figure::{self, distinct, Figure, Unit};
use super::peer::{Measure, Program, ALIKE, GRIDS, GRID_SHAPES, LATENCIES, PROGRAMS, SHAPES, THROUGHPUTS};
use super::{shape, Args, Format, Results};
use crate::cli::progress::Progress;
use crate::cli::sim::job::Job;
use crate::cli::UsageError;
use cosim::memory::MemoryKind;
use cosim::{Report, RunOptions, Simulation};
use kernels::{self, measures};
use spec::config::CoreConfig;

/// The memory with which Vortex was measured.
const MEMORY: MemoryKind = MemoryKind::Fixed(50);

/// The cores unless told: at 16x16 with one slice and with two, as Vortex issues there.
const PRESETS: [&str; 5] = ["small", "medium", "large", "dual", "paper"];

/// The cores that are measured, with floating point as Vortex was unless told.
pub(super) fn cores(args: &Args) -> anyhow::Result<Vec<CoreConfig>> {
    let presets: Vec<&str> = match args.presets.as_slice() {
        [] => PRESETS.to_vec(),
        chosen => chosen.iter().map(String::as_str).collect(),
    };
    let with_fpu = |preset| CoreConfig { fpu: !args.core.gives(&["--no-fpu"]), ..preset };
    let core =
        |name: &&str| CoreConfig::preset(name).map(with_fpu).with_context(|| format!("no preset {name}"));
    presets.iter().map(core).collect()
}

/// Measures every program on every core, in lock step with the model, results checked.
pub(super) fn run(args: &Args, format: Format, progress: &Progress) -> anyhow::Result<Results> {
    let cores = cores(args)?;
    check_names(&args.only, &cores)?;
    let mut figures = Vec::new();
    for cfg in cores.iter().filter(|cfg| names(cfg).any(|name| args.wants(name))) {
        Core::build(cfg, args, progress)?.measure(&mut figures)?;
    }
    // A table reads by program, not by core; the sort keeps the order of the cores.
    let place = |figure: &Figure| order(figure.unit, &figure.name);
    figures.sort_by_key(place);
    Ok(Results { text: figure::print(&figures, format)?, ..Results::default() })
}

/// The programs that a core can run, each with the kernel that does the same here.
fn programs(cfg: &CoreConfig) -> impl Iterator<Item = (&'static Program, &'static str, Unit)> + '_ {
    let kernel = |program: &Program| if cfg.fpu { Some(program.kernel) } else { program.integer };
    let all = [(ALIKE, Unit::Alike), (PROGRAMS, Unit::Cycles), (GRIDS, Unit::Grid)].into_iter();
    let all = all.flat_map(|(programs, unit)| programs.iter().map(move |program| (program, unit)));
    all.filter_map(move |(program, unit)| Some((program, kernel(program)?, unit)))
}

/// What kernels measure on a core and print: of one warp alone at the size at which Vortex was measured so.
fn operations(cfg: &CoreConfig) -> impl Iterator<Item = (&'static Measure, Unit)> + '_ {
    let latencies = LATENCIES.iter().filter(|_| column(cfg) == Some(0)).map(|l| (l, Unit::Latency));
    let all = latencies.chain(THROUGHPUTS.iter().map(|t| (t, Unit::Throughput)));
    let possible = |kernel: &str| kernels::select(kernel).is_ok_and(|kernel| kernel.check_core(cfg).is_ok());
    all.filter(move |(measure, _)| possible(measure.kernel))
}

/// The names of all figures of a core.
fn names(cfg: &CoreConfig) -> impl Iterator<Item = &'static str> + '_ {
    programs(cfg).map(|(_, kernel, _)| kernel).chain(operations(cfg).map(|(measure, _)| measure.name))
}

/// The place of a core in [`SHAPES`], if Vortex was measured at this size.
fn column(cfg: &CoreConfig) -> Option<usize> {
    SHAPES.iter().position(|&(w, t)| (w, t) == (cfg.warps, cfg.threads))
}

/// The place of a core in [`GRID_SHAPES`], if Vortex 3.0 was measured at this size: as many slots, or else one.
fn grid_column(cfg: &CoreConfig) -> Option<usize> {
    let place = |slices| GRID_SHAPES.iter().position(|&shape| shape == (cfg.warps, cfg.threads, slices));
    place(cfg.slices).or_else(|| place(1))
}

/// Each text must choose something, or the table would lack what was asked for.
fn check_names(only: &[String], cores: &[CoreConfig]) -> Result<(), UsageError> {
    let names = distinct(cores.iter().flat_map(names));
    match only.iter().find(|text| !names.iter().any(|name| name.contains(text.as_str()))) {
        Some(text) => Err(UsageError(format!(
            "--only {text}: nothing that is measured on these cores has that in its name; names are {}",
            names.join(", ")
        ))),
        None => Ok(()),
    }
}

/// Where a figure stands in the tables.
fn order(unit: Unit, name: &str) -> (usize, usize) {
    let among = |measures: &[Measure]| measures.iter().position(|m| m.name == name).unwrap_or(0);
    let is = |kernel: Option<&str>| kernel == Some(name);
    let of =
        |programs: &[Program]| programs.iter().position(|p| is(Some(p.kernel)) || is(p.integer)).unwrap_or(0);
    match unit {
        Unit::Alike => (0, of(ALIKE)),
        Unit::Cycles => (1, of(PROGRAMS)),
        Unit::Grid => (2, of(GRIDS)),
        Unit::Latency => (3, among(LATENCIES)),
        Unit::Throughput => (4, among(THROUGHPUTS)),
    }
}

/// A core and what it is called.
struct Core<'a> {
    args: &'a Args,
    cfg: &'a CoreConfig,
    shape: String,
    /// Its place in [`SHAPES`], if Vortex was measured at this size.
    column: Option<usize>,
    simulation: Simulation,
    progress: &'a Progress,
}

impl<'a> Core<'a> {
    fn build(cfg: &'a CoreConfig, args: &'a Args, progress: &'a Progress) -> anyhow::Result<Self> {
        let shape = shape(cfg);
        progress.says(format!("building the simulator of {shape}"));
        let simulation = Simulation::new(cfg, &args.build.options()).context("cannot build the simulator")?;
        Ok(Self { args, cfg, shape, column: column(cfg), simulation, progress })
    }

    fn measure(&self, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
        for (program, kernel, unit) in programs(self.cfg).filter(|(_, kernel, _)| self.args.wants(kernel)) {
            let report = self.run(kernel)?;
            let column = if unit == Unit::Grid { grid_column(self.cfg) } else { self.column };
            let peer = column.and_then(|column| program.cycles[column]).map(f64::from);
            let serial = program.serial.filter(|_| self.column == Some(0)).map(f64::from);
            figures.push(Figure { serial, ..self.figure(kernel, unit, report.stats.cycles as f64, peer) });
        }
        let mut printed = BTreeMap::new();
        for (measure, unit) in operations(self.cfg).filter(|(measure, _)| self.args.wants(measure.name)) {
            self.measured(measure, unit, &mut printed, figures)?;
        }
        Ok(())
    }

    /// Takes one of the numbers that a kernel prints; `printed` keeps what each kernel has printed.
    fn measured(
        &self,
        measure: &Measure,
        unit: Unit,
        printed: &mut BTreeMap<&'static str, BTreeMap<String, f64>>,
        figures: &mut Vec<Figure>,
    ) -> anyhow::Result<()> {
        if !printed.contains_key(measure.kernel) {
            let report = self.run(measure.kernel)?;
            printed.insert(measure.kernel, measures(report.console()));
        }
        let value = printed[measure.kernel].get(measure.measure);
        let value =
            value.with_context(|| format!("{} does not print {}", measure.kernel, measure.measure))?;
        let peer = self.column.and_then(|column| measure.figures.get(column)).copied();
        figures.push(self.figure(measure.name, unit, *value, peer));
        Ok(())
    }

    fn figure(&self, name: &str, unit: Unit, heddle: f64, peer: Option<f64>) -> Figure {
        Figure { name: name.into(), shape: self.shape.clone(), unit, heddle, peer, serial: None }
    }

    fn run(&self, kernel: &str) -> anyhow::Result<Report> {
        self.progress.says(format!("{}: {kernel}", self.shape));
        let job = Job::find(kernel)?;
        let launches = job.launches(self.cfg)?;
        let options = RunOptions { memory: MEMORY, launches, ..RunOptions::default() };
        let report = self.simulation.run(&job.program, &options)?;
        match job.failure(self.cfg, &options, &report) {
            Some(failure) => anyhow::bail!("{kernel} on {}: {failure}", self.shape),
            None => Ok(report),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_of_the_comparison_exists_and_prints_what_is_read() {
        for program in PROGRAMS.iter().chain(ALIKE).chain(GRIDS) {
            for kernel in [Some(program.kernel), program.integer].into_iter().flatten() {
                assert!(kernels::select(kernel).is_ok(), "{kernel}");
            }
        }
        for measure in LATENCIES.iter().chain(THROUGHPUTS) {
            assert!(kernels::select(measure.kernel).is_ok(), "{}", measure.kernel);
            assert!(measure.figures.len() <= SHAPES.len());
        }
    }

    #[test]
    fn figures_are_sorted_by_program() {
        assert!(order(Unit::Alike, "vortex_sort:256") < order(Unit::Cycles, "empty"));
        assert!(order(Unit::Cycles, "isgemm:32") < order(Unit::Cycles, "sgemm_tiled:32"));
        assert_eq!(order(Unit::Cycles, "sgemm:32"), order(Unit::Cycles, "isgemm:32"));
        assert!(order(Unit::Cycles, "psort_split:256") < order(Unit::Latency, "dependent MUL"));
        assert!(order(Unit::Latency, "dependent FDIV") < order(Unit::Throughput, "ALU"));
    }
}
