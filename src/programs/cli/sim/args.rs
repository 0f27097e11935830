//! The options of `sim`.

use std::path::PathBuf;

use clap::{ArgGroup, Parser};

use super::contents::{parse_word, ContentArgs};
use super::grid::GridArgs;
use super::source::SourceArgs;
use super::views::{Label, ViewArgs};
use crate::cli::build_args::BuildArgs;
use crate::cli::engine::EngineKind;
use crate::cli::{whole, ConfigArgs, UsageError};
use cosim::memory::{Disturbance, MemoryKind};
use cosim::verilator::BuildOptions;
use cosim::{Check, RunOptions, Wave, Window};

const EXAMPLES: &str = "\
Examples:
  sim vecadd                              a kernel on the default core, 4 warps x 4 threads
  sim --preset medium --mem fixed:50 vecadd:4096 isgemm
  sim --sched fixed --json program.elf    one JSON object a line, for scripts
  sim -D N=100 kernel.c                   ordinary C of your own, with divergence marked as cc does
  sim --print-compile kernel.c            the command that compiles it
  sim sim/kernels/examples/smooth.toml    kernels in CUDA, by a launch description
  sim --grid 8,8 --block 4,4 kernel.elf   64 blocks of 16 threads, placed on warps by the core's dispatcher
  sim --load 0x20000=in.bin --dump 0x30000:4096=out.bin --arg 0x20000 program.elf
                                          with data from a file, and its results into another
  sim --wave out.fst --wave-to 2000 hello waves of the first 2000 cycles
  sim --perfetto run.json sgemm_tiled     what every warp does in every cycle, to look at in ui.perfetto.dev

A run passes if every check agrees and the program has stored 0 at 0x88, its exit code, before its last warp ended. One of
grids passes unless it has stored another exit code.

Simulators are kept in $HEDDLE_CACHE, or else in $XDG_CACHE_HOME/heddle or ~/.cache/heddle, or without a home in a private
directory among temporary files. When they take more than $HEDDLE_CACHE_SIZE (4G, unless set), those that were used least
recently go.

Exit status: 0 all runs passed, 1 a run failed or something cannot be written, 2 a mistake in the arguments or the sources.";

/// Runs kernels and RISC-V executables on the generated core, checking every instruction
#[derive(Parser, Debug)]
#[command(name = "sim", version, after_help = EXAMPLES, group(ArgGroup::new("windowed").multiple(true)))]
pub(super) struct Args {
    /// Kernels by name (NAME or NAME:SIZE, see --list-kernels), C files (.c, .cpp, .s), ELF executables, raw .bin and
    /// Vortex's .vxbin images, launch descriptions of kernels in CUDA or C (.toml)
    #[arg(value_name = "KERNEL|FILE", required_unless_present_any = ["list_kernels", "cache_clean"])]
    pub(super) programs: Vec<String>,
    #[command(flatten)]
    pub(super) core: ConfigArgs,

    /// Memory behind the bus: ideal (answers in the next cycle), fixed:N (after N cycles), or dram (a DDR3-1600 channel
    /// with banks, rows and refresh; dram:mhz=100,banks=8 for a core clock and parameters of your own)
    #[arg(long, value_name = "MODEL", default_value_t = MemoryKind::Ideal, help_heading = "Simulation")]
    mem: MemoryKind,
    /// Percentage of cycles in which the memory refuses requests, at random
    #[arg(long, value_name = "PERCENT", default_value_t = 0, help_heading = "Simulation",
          value_parser = whole(0..=95_u32))]
    backpressure: u32,
    /// Up to how many cycles the memory answers late, at random and out of order
    #[arg(long, value_name = "CYCLES", default_value_t = 0, help_heading = "Simulation",
          value_parser = whole(0..=10_000_u32))]
    jitter: u32,
    /// Seed of all that is random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0_u64..), help_heading = "Simulation")]
    seed: u64,
    /// Give a program up after so many cycles, 1 or more
    #[arg(long, value_name = "N", default_value_t = RunOptions::default().max_cycles, help_heading = "Simulation",
          value_parser = whole(1_u64..))]
    max_cycles: u64,
    /// What to compare with the reference model: lockstep (everything) or off
    #[arg(long, value_name = "WHAT", default_value_t = Check::Lockstep, help_heading = "Simulation")]
    check: Check,
    /// Start there instead of at the program's entry point
    #[arg(long, value_name = "ADDRESS", value_parser = parse_word, help_heading = "Simulation")]
    start_pc: Option<u32>,
    /// Class of performance counters that the program's CSRs show: 1 core, 2 memory, 3 issue slots
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=3_u8),
          help_heading = "Simulation")]
    mpm_class: u8,
    /// Word that the program finds in mscratch, decimal or 0x..
    #[arg(long, value_name = "WORD", default_value = "0", value_parser = parse_word, help_heading = "Simulation")]
    arg: u32,
    /// Start the core's registers and memories from random values instead of zeros
    #[arg(long, help_heading = "Simulation")]
    random_reset: bool,
    #[command(flatten)]
    pub(super) source: SourceArgs,
    #[command(flatten)]
    pub(super) grid: GridArgs,
    #[command(flatten)]
    pub(super) contents: ContentArgs,
    #[command(flatten)]
    build: BuildArgs,

    /// Where programs run
    #[arg(long, value_enum, default_value_t, help_heading = "Simulation")]
    engine: EngineKind,
    /// The same as --engine both
    #[arg(long, conflicts_with = "engine", help_heading = "Simulation")]
    predict: bool,

    /// Print one JSON object a line and nothing else on standard output
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
    /// Record waves (FST); with several programs the file's name gets the program's added
    #[arg(long, value_name = "FILE.fst", group = "windowed", help_heading = "Output")]
    wave: Option<PathBuf>,
    /// First cycle of waves and views
    #[arg(long, value_name = "CYCLE", requires = "windowed", default_value_t = 0, value_parser = whole(0_u64..),
          help_heading = "Output")]
    wave_from: u64,
    /// Last cycle of waves and views
    #[arg(long, value_name = "CYCLE", requires = "windowed", default_value_t = u64::MAX, hide_default_value = true,
          value_parser = whole(0_u64..), help_heading = "Output")]
    wave_to: u64,
    #[command(flatten)]
    pub(super) views: ViewArgs,
    /// List the kernels that come with the program
    #[arg(long)]
    pub(super) list_kernels: bool,
    /// Remove the simulators, kernels and runs of comparisons that the cache holds and nobody uses; they are made again when
    /// they are needed
    #[arg(long, conflicts_with = "programs")]
    pub(super) cache_clean: bool,
}

impl Args {
    /// What the run options say, except for the name of the wave file.
    pub(super) fn run_options(&self) -> Result<RunOptions, UsageError> {
        self.build.check(self.engine())?;
        if self.wave_from > self.wave_to {
            return Err(UsageError(format!(
                "--wave-from {} is after --wave-to {}",
                self.wave_from, self.wave_to
            )));
        }
        Ok(RunOptions {
            memory: self.mem,
            disturbance: Disturbance { backpressure_percent: self.backpressure, jitter: self.jitter },
            seed: self.seed,
            max_cycles: self.max_cycles,
            check: self.check,
            random_reset: self.random_reset,
            start_pc: self.start_pc,
            start_arg: self.arg,
            launches: vec![],
            mpm_class: self.mpm_class,
            wave: None,
            record: self.views.are_asked().then(|| self.window()),
            waits: self.json,
        })
    }

    fn window(&self) -> Window {
        Window { from: self.wave_from, to: self.wave_to }
    }

    /// The options of one program.
    pub(super) fn labelled(&self, options: &RunOptions, label: &Label) -> RunOptions {
        let wave = self.wave.as_ref().map(|path| {
            let path = label.file(path);
            Wave { path, window: self.window() }
        });
        RunOptions { wave, ..options.clone() }
    }

    /// Where programs run.
    pub(super) fn engine(&self) -> EngineKind {
        if self.predict {
            EngineKind::Both
        } else {
            self.engine
        }
    }

    pub(super) fn build_options(&self) -> BuildOptions {
        BuildOptions { trace: self.wave.is_some(), random_reset: self.random_reset, ..self.build.options() }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
