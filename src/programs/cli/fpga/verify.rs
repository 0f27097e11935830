//! Whether the synthesised core still does what it should.

use serde_json::json;

use super::Args;
use crate::cli::progress::progress;
use crate::cli::sim::job::Job;
use crate::cli::{describe, print, UsageError};
use crate::fpga::{netlist_verilog, Tools};
use cosim::verilator::BuildOptions;
use cosim::{RunOptions, Simulation};

/// Most bytes of a memory that can be made of look-up tables.
const MOST_BYTES: usize = 1024;

/// Runs a kernel on the netlist, in lock step with the model.
pub(super) fn run(args: &Args, kernel: &str) -> anyhow::Result<()> {
    let cfg = args.core.resolve()?;
    if !cfg.trace_port {
        return Err(
            UsageError("the lock-step check reads the trace port: leave out --no-trace-port".into()).into()
        );
    }
    if [cfg.icache.bytes, cfg.dcache.bytes, cfg.local_mem_bytes].iter().any(|&bytes| bytes > MOST_BYTES) {
        return Err(UsageError(format!(
            "the netlist has no block RAMs: caches and local memory of at most {MOST_BYTES} bytes are needed, as with \
             --preset tiny --icache 256 --no-dcache --local-mem 64"
        ))
        .into());
    }
    let job = Job::find(kernel)?;
    job.check_core(&cfg)?;
    let options = RunOptions { launches: job.launches(&cfg)?, ..RunOptions::default() };
    let verilog = rtl::generate(&cfg, &[])?.concat();
    let netlist = progress("synthesising", || netlist_verilog(&Tools::discover(), &verilog, rtl::TOP))?;
    let simulation =
        progress("building", || Simulation::from_verilog(&cfg, &netlist, &BuildOptions::quick()))?;
    let report = progress("simulating", || simulation.run(&job.program, &options))?;
    let failure = job.failure(&cfg, &options, &report);
    let (core, kernel, cycles) = (describe(&cfg), &job.name, report.stats.cycles);
    if args.json {
        print(format_args!("{}\n", json!({"kernel": kernel, "cycles": cycles, "failure": failure})))?;
    } else if failure.is_none() {
        print(format_args!("{core}: the netlist runs {kernel} as the model does, {cycles} cycles\n"))?;
    }
    match failure {
        Some(failure) => anyhow::bail!("the netlist of {core} fails: {failure}"),
        None => Ok(()),
    }
}
