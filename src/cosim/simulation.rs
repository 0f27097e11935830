//! The library's entrance: build a core once, run programs on it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hdl::verilog::Design;
use model::{LaunchError, Machine, Memory};
use spec::config::{BusKind, CoreConfig};

use super::bench::{bench, BENCH};
use super::core::Core;
use super::declared::{Bind, Declared};
use super::link::Link;
use super::memory::Disturbance;
use super::options::{Check, RunOptions};
use super::ports::{BusPorts, CorePorts, LaunchPorts, TracePorts};
use super::report::Report;
use super::run::{Run, Watch};
use super::stats::Stats;
use super::training;
use super::verilator::{self, BuildOptions, ModelLib, Port, Toolchain};
use loader::Program;

/// Why a program could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// The tools, or a model that stopped by itself.
    #[error(transparent)]
    Verilator(#[from] verilator::Error),
    /// The hardware description is wrong.
    #[error("the core's Verilog cannot be generated: {0}")]
    Generate(String),
    /// The core cannot run a grid.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The timing model lacks something.
    #[error("the model does not know {0}: use --engine rtl")]
    Unmodelled(String),
    /// The configuration leaves out what the harness reads.
    #[error("a core without the trace port cannot be simulated here: leave out --no-trace-port")]
    NoTracePort,
}

/// A core, built and loaded.
pub struct Simulation {
    cfg: CoreConfig,
    library: Arc<ModelLib>,
    ports: CorePorts,
    launch_ports: Option<LaunchPorts>,
    bus: BusPorts,
    trace: TracePorts,
    /// Where to say which core of several this is, and what.
    selection: Vec<(Port<u8>, u8)>,
    /// Whether Verilator and the compiler had to run.
    pub built_now: bool,
    /// Whether they had to because the cache held a damaged one.
    pub found_damaged: bool,
    /// Time to generate, build and load it.
    pub build_time: Duration,
}

impl Simulation {
    /// Generates the core's Verilog and builds its model, or finds it in the cache.
    ///
    /// # Errors
    /// Missing tools, or a core without a trace port.
    pub fn new(cfg: &CoreConfig, options: &BuildOptions) -> Result<Self, SimError> {
        if !cfg.trace_port {
            return Err(SimError::NoTracePort);
        }
        // A missing tool is the likeliest mistake: tell it first.
        let tools = Toolchain::discover()?;
        let design = generate(cfg)?;
        Self::build(cfg, &design, &design.concat(), options, &tools)
    }

    /// A core whose Verilog is not what is generated for it: a netlist, or one that a test has damaged on purpose.
    ///
    /// # Errors
    /// Missing tools, or Verilog without the core's ports.
    pub fn from_verilog(cfg: &CoreConfig, verilog: &str, options: &BuildOptions) -> Result<Self, SimError> {
        Self::build(cfg, &generate(cfg)?, verilog, options, &Toolchain::discover()?)
    }

    /// A core with others in it, between which inputs of `design` select.
    pub(super) fn from_design(
        cfg: &CoreConfig,
        design: &Design,
        options: &BuildOptions,
    ) -> Result<Self, SimError> {
        Self::build(cfg, design, &design.concat(), options, &Toolchain::discover()?)
    }

    /// `verilog` is the text of a core with the ports of `design`.
    fn build(
        cfg: &CoreConfig,
        design: &Design,
        verilog: &str,
        options: &BuildOptions,
        tools: &Toolchain,
    ) -> Result<Self, SimError> {
        let start = Instant::now();
        let text = format!("{verilog}\n{}", bench(design));
        let training = |library| {
            let ran = Self::loaded(cfg, library).and_then(|counting| counting.train());
            ran.map_err(|error| verilator::Error::Training(error.to_string()))
        };
        let built = verilator::build_trained(tools, &text, BENCH, options, &training)?;
        let loaded = Self::loaded(cfg, ModelLib::load(&built.path)?)?;
        let build_time = start.elapsed();
        Ok(Self { built_now: built.fresh, found_damaged: built.damaged, build_time, ..loaded })
    }

    /// The same simulator as that of a core that it holds, by the numbers of its schedulers at the inputs that select
    /// them: see [`SideBySide`](super::SideBySide).
    pub(super) fn selecting(&self, cfg: &CoreConfig, numbers: &[(&str, u8)]) -> Result<Self, SimError> {
        let select = |&(port, number): &(&str, u8)| Ok((self.library.port(port)?, number));
        let selection = numbers.iter().map(select).collect::<verilator::Result<_>>()?;
        let &Self { built_now, found_damaged, build_time, .. } = self;
        let loaded = Self::loaded(cfg, self.library.clone())?;
        Ok(Self { selection, built_now, found_damaged, build_time, ..loaded })
    }

    /// The run by which a profile-guided simulator is laid out, on one that counts.
    fn train(&self) -> Result<(), SimError> {
        self.run(&training::program(self.cfg.fpu)?, &training::options()).map(drop)
    }

    fn loaded(cfg: &CoreConfig, library: Arc<ModelLib>) -> Result<Self, SimError> {
        Ok(Self {
            cfg: cfg.clone(),
            ports: CorePorts::bind(&library)?,
            launch_ports: if cfg.grid { Some(LaunchPorts::bind(&library)?) } else { None },
            bus: BusPorts::bind(&library, cfg.bus)?,
            trace: TracePorts::bind(&Declared::new(&library, cfg), "trace")?,
            library,
            selection: vec![],
            built_now: false,
            found_damaged: false,
            build_time: Duration::ZERO,
        })
    }

    /// The core's configuration.
    pub fn config(&self) -> &CoreConfig {
        &self.cfg
    }

    /// Runs a program from reset to its end, to a failed check, or to a limit.
    ///
    /// # Errors
    /// A wave file that cannot be written; everything that concerns the program is in the report.
    pub fn run(&self, program: &Program, options: &RunOptions) -> Result<Report, SimError> {
        self.run_with(program, options, &mut |_| {})
    }

    /// [`Simulation::run`], calling `progress` with the counters now and then.
    ///
    /// # Errors
    /// As there.
    pub fn run_with(
        &self,
        program: &Program,
        options: &RunOptions,
        progress: &mut dyn FnMut(&Stats),
    ) -> Result<Report, SimError> {
        self.run_watched(program, options, Watch { progress, records: None })
    }

    /// A run with all who look on.
    pub(super) fn run_watched(
        &self,
        program: &Program,
        options: &RunOptions,
        mut watch: Watch,
    ) -> Result<Report, SimError> {
        let mut memory = Memory::for_core(&self.cfg);
        program.load(&mut memory);
        let mut model = if options.random_reset {
            self.library.instance_random(options.seed)?
        } else {
            self.library.instance()?
        };
        for &(port, number) in &self.selection {
            model.set(port, number);
        }
        model.eval()?;

        let setting = setting(&self.cfg, program, options);
        for grid in &options.launches {
            grid.check(&self.cfg)?;
        }
        let start_pc = options.start_pc_of(program);
        let reference = (options.check == Check::Lockstep).then(|| match options.launches.is_empty() {
            true => Machine::new(&self.cfg, memory.clone(), start_pc, options.start_arg),
            false => Machine::at_rest(&self.cfg, memory.clone()),
        });
        let link = Link::new(self.bus.clone(), &self.cfg, memory, options);
        let core = Core::start(model, self.ports, self.launch_ports, link, start_pc, options)?;
        let run = Run::new(&self.cfg, core, &self.trace, reference, options);
        Ok(run.finish((program, setting), options, &mut watch)?)
    }
}

/// All that is needed to see a run again, in one line.
pub(super) fn setting(cfg: &CoreConfig, program: &Program, options: &RunOptions) -> String {
    let CoreConfig { warps, threads, slices, fetch, issue, fpu, .. } = cfg;
    let fpu = if *fpu { "" } else { ", no FPU" };
    let Disturbance { backpressure_percent, jitter } = options.disturbance;
    let mut text = format!(
        "{}: {warps} warps x {threads} threads{fpu}, slices {slices}, fetch {fetch}, issue {issue}, \
         memory {}, seed {}",
        program.name, options.memory, options.seed
    );
    if backpressure_percent != 0 {
        text.push_str(&format!(", backpressure {backpressure_percent}"));
    }
    if jitter != 0 {
        text.push_str(&format!(", jitter {jitter}"));
    }
    if cfg.bus == BusKind::Axi4 {
        text.push_str(&format!(", axi4 of {} bits", cfg.axi_data_bits));
    }
    if options.random_reset {
        text.push_str(", random reset");
    }
    text
}

fn generate(cfg: &CoreConfig) -> Result<Design, SimError> {
    rtl::generate(cfg, &[]).map_err(|e| SimError::Generate(e.to_string()))
}
