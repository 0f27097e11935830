//! A system for a board: its bitstream, or what it says in simulation.

use std::fs;

use anyhow::Context;
use serde_json::json;

use super::{met, record, text, Args};
use crate::cli::progress::progress;
use crate::cli::sim::job::Job;
use crate::cli::writable::check_files;
use crate::cli::{describe, print, UsageError};
use crate::fpga::{pack, place, synthesise, Board, System, SystemOptions, Target, Tools, BOARD_TOP};
use cosim::simulate_board;
use cosim::verilator::BuildOptions;
use files::publish;
use spec::config::CoreConfig;

/// Cycles after which a simulated board is given up.
const MAX_CYCLES: u64 = 200_000_000;

pub(super) fn run(args: &Args, board: &'static Board) -> anyhow::Result<()> {
    let cfg = CoreConfig { trace_port: false, ..args.core.resolve()? };
    let job = Job::find(args.kernel.as_deref().unwrap_or("hello"))?;
    job.check_bare("the board")?;
    job.check_core(&cfg)?;
    let usual = SystemOptions::default();
    let options = SystemOptions {
        mhz: args.freq.unwrap_or(usual.mhz),
        baud: args.baud.unwrap_or(usual.baud),
        memory_bytes: args.memory.unwrap_or(usual.memory_bytes),
    };
    let system = System::new(&cfg, &job.program, &options).map_err(UsageError::from_error)?;
    let inputs: Vec<_> = job.file.clone().into_iter().chain(args.core.config_path()).collect();
    check_files(args.out.as_slice(), &inputs)?;
    let verilog = system.generate(&[])?.concat();
    if args.simulate {
        return simulate(args, &system, &verilog);
    }

    let tools = Tools::discover();
    let netlist = progress("synthesising", || synthesise(&tools, &verilog, BOARD_TOP))?;
    let routed = if args.synth_only {
        None
    } else {
        let pins = system.pins(board);
        let target = Target { board, mhz: system.mhz(), seed: args.seed, pins: Some(&pins) };
        Some(progress("placing and routing", || place(&tools, &netlist, &target))?)
    };
    // A bitstream that misses its clock would fail now and then, on some boards: there is none.
    let timing = routed.as_ref().map(|routed| &routed.timing);
    let in_time = timing.map_or(Ok(()), |timing| met(system.mhz(), timing));
    let bitstream = match &routed {
        Some(routed) if in_time.is_ok() => progress("packing", || pack(&tools, routed))?,
        _ => None,
    };
    if let (Some(from), Some(to)) = (&bitstream, &args.out) {
        publish(to, |scratch| fs::copy(from, scratch))
            .with_context(|| format!("cannot write {}", to.display()))?;
    }
    let bitstream = bitstream.map(|path| args.out.clone().unwrap_or(path));
    if args.json {
        let mut record = record(args, &cfg, board, &netlist.area, timing);
        record["kernel"] = json!(job.name);
        record["clock_mhz"] = json!(system.mhz());
        record["baud"] = json!(options.baud);
        record["memory_bytes"] = json!(options.memory_bytes);
        record["bitstream"] = json!(bitstream);
        print(format_args!("{record}\n"))?;
    } else {
        let (core, on, kernel, design) =
            (describe(&cfg), board.summary, &job.name, text(&netlist.area, timing));
        let (kilobytes, mhz, baud) = (options.memory_bytes >> 10, system.mhz(), options.baud);
        let bitstream = bitstream.map(|path| format!("bitstream: {}\n", path.display())).unwrap_or_default();
        print(format_args!(
            "{core}, on {on}\nwith {kilobytes} KB of memory and {kernel}, at {mhz:.2} MHz and {baud} baud\n\
             {design}{bitstream}"
        ))?;
    }
    in_time.context("there is no bitstream; --freq asks for a slower clock")
}

fn simulate(args: &Args, system: &System, verilog: &str) -> anyhow::Result<()> {
    let options = BuildOptions::fast();
    let run = progress("simulating", || {
        simulate_board(verilog, BOARD_TOP, system.uart_divider(), MAX_CYCLES, &options)
    })?;
    print(match args.json {
        true => {
            let record = json!({"text": run.text, "cycles": run.cycles, "ended": run.ended, "led": run.led});
            format!("{record}\n")
        }
        false => format!("{}{} cycles, LEDs {:08b}\n", run.text, run.cycles, run.led),
    })?;
    anyhow::ensure!(run.ended, "the program did not end within {MAX_CYCLES} cycles");
    anyhow::ensure!(run.succeeded(), "the program failed");
    Ok(())
}
