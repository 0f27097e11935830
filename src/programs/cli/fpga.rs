//! The program `fpga`: how large the core is on an FPGA, how fast, and what runs on a board.
mod board;
mod table;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::Parser;
use serde_json::{json, Value};

use super::progress::progress;
use super::{describe, jobs, print, start, whole, ConfigArgs, UsageError};
use crate::fpga::{place, synthesise, Area, Board, Target, Timing, Tools, BOARDS};
use spec::config::{parse_size, CoreConfig};
use tools::parallel::{processors, Jobs};

/// Clock that placement of a core alone aims at unless told, in MHz.
const USUAL_MHZ: f64 = 60.0;

const EXAMPLES: &str = "\
Examples:
  fpga                              area and clock of the 4 x 4 default, alone on an ECP5
  fpga --preset tiny --synth-only   its area alone, without placement
  fpga --seed 3 --freq 50 --json    another placement; fails if 50 MHz are not met
  fpga --board ulx3s-85f            a system for a ULX3S that runs the kernel hello: its bitstream
  fpga --board ulx3s-85f --sched swas --kernel psort:64 --freq 30 --out psort.bit
  fpga --board ulx3s-85f --simulate what the board says on its serial line, without a board
  fpga --preset tiny --icache 256 --no-dcache --local-mem 64 --no-counters --verify psort:16
                                    the netlist in lock step with the model; takes minutes
  fpga --table                      area of the usual cores and of all schedulers
  fpga --table --place              their clocks too; takes hours
  fpga --table --quick --place --exact --only 'tiny,small without FPU'
                                    area and clocks of two of them
  fpga --table --quick --only issue --csv modules.csv
                                    the schedulers' modules alone

Exit status: 0 success, 1 a tool is missing or fails, the design does not fit or misses its clock, 2 a mistake in the
arguments.";

/// Synthesises, places and routes the core for an FPGA: alone and unconnected to pins, or with memory and a serial
/// console as a system for a board
#[derive(Parser, Debug)]
#[command(name = "fpga", version, after_help = EXAMPLES)]
struct Args {
    /// Make a system for this board, and its bitstream
    #[arg(long, value_name = "BOARD", value_parser = PossibleValuesParser::new(BOARDS.iter().map(|board| board.name)))]
    board: Option<String>,
    /// Kernel, or file (ELF, .bin, .vxbin), that the board runs [default: hello]
    #[arg(long, value_name = "KERNEL|FILE", requires = "board")]
    kernel: Option<String>,
    /// Block RAM for program and stacks (K for 1024) [default: 64K]
    #[arg(long, value_name = "SIZE", requires = "board", value_parser = parse_size)]
    memory: Option<usize>,
    /// Bits a second on the board's serial line [default: 115200]
    #[arg(long, value_name = "N", requires = "board", value_parser = whole(1_u32..))]
    baud: Option<u32>,
    /// Put a copy of the bitstream there
    #[arg(long, value_name = "FILE", requires = "board", conflicts_with = "synth_only")]
    out: Option<PathBuf>,
    /// Run the board's Verilog in Verilator and show what comes over the serial line, instead of synthesising it
    #[arg(long, requires = "board", conflicts_with_all = ["synth_only", "out"])]
    simulate: bool,
    /// Synthesise the core into look-up tables and registers alone, and run this kernel on the netlist in lock step with
    /// the model; for small caches and local memory
    #[arg(long, value_name = "KERNEL|FILE", conflicts_with_all = ["board", "table", "synth_only", "seed", "freq"])]
    verify: Option<String>,
    /// Synthesise the usual configurations, every issue scheduler and what the papers count, and print tables of their areas
    #[arg(long, conflicts_with_all = ["board", "synth_only", "seed", "freq", "json", "ConfigArgs"])]
    table: bool,
    /// With --table, write the rows there too, as comma-separated values
    #[arg(long, value_name = "FILE", requires = "table")]
    csv: Option<PathBuf>,
    /// With --table, synthesise the schedulers' modules alone and the whole core of the usual configurations only
    #[arg(long, requires = "table")]
    quick: bool,
    /// With --table, only rows with one of these texts in their names
    #[arg(long, value_name = "LIST", requires = "table", value_delimiter = ',')]
    only: Vec<String>,
    /// With --only, rows with one of these names
    #[arg(long, requires = "only")]
    exact: bool,
    /// With --table, place and route every whole core too, which takes hours
    #[arg(long, requires = "table")]
    place: bool,
    /// With --place, placements of each core; the median of their clocks counts
    #[arg(long, value_name = "N", default_value_t = 3, requires = "place", value_parser = whole(1..=99_u32))]
    seeds: u32,
    /// With --table, tools that run at the same time [default: as many as there are processors]
    #[arg(long, value_name = "N", default_value_t = processors(), hide_default_value = true, value_parser = jobs, requires = "table")]
    jobs: Jobs,
    /// Stop after synthesis: area without clock
    #[arg(long)]
    synth_only: bool,
    /// Clock in MHz that must be met. Without it, a board has 25, and for a core alone placement aims at 60 and anything
    /// is accepted
    #[arg(long, value_name = "MHZ", value_parser = parse_mhz)]
    freq: Option<f64>,
    /// Seed of the placement
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0_u32..))]
    seed: u32,
    /// One JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    core: ConfigArgs,
}

/// Parses the command line and runs.
pub fn main() -> ExitCode {
    start(run)
}

/// The cores that a command line, the program's name first, synthesises.
///
/// # Errors
/// Mistakes in it.
pub(super) fn cores(words: &[String]) -> anyhow::Result<Vec<CoreConfig>> {
    let args = Args::try_parse_from(words)?;
    match args.table {
        true => Ok(table::chosen(&args)?.into_iter().map(|candidate| candidate.cfg).collect()),
        false => Ok(vec![CoreConfig { trace_port: false, ..args.core.resolve()? }]),
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    if args.table {
        return table::run(args);
    }
    if let Some(kernel) = &args.verify {
        return verify::run(args, kernel);
    }
    match &args.board {
        Some(name) => {
            let board = Board::find(name).ok_or_else(|| UsageError(format!("unknown board {name}")))?;
            board::run(args, board)
        }
        None => alone(args, &BOARDS[0]),
    }
}

/// The core without anything around it.
fn alone(args: &Args, board: &'static Board) -> anyhow::Result<()> {
    if args.synth_only && args.freq.is_some() {
        return Err(UsageError("--synth-only knows no clock: leave out --freq".into()).into());
    }
    let cfg = CoreConfig { trace_port: false, ..args.core.resolve()? };
    let tools = Tools::discover();
    let verilog = rtl::generate(&cfg, &[])?.concat();
    let netlist = progress("synthesising", || synthesise(&tools, &verilog, rtl::TOP))?;
    let routed = if args.synth_only {
        None
    } else {
        let mhz = args.freq.unwrap_or(USUAL_MHZ);
        let target = Target { board, mhz, seed: args.seed, pins: None };
        Some(progress("placing and routing", || place(&tools, &netlist, &target))?)
    };
    let timing = routed.as_ref().map(|routed| &routed.timing);
    print(match args.json {
        true => format!("{}\n", record(args, &cfg, board, &netlist.area, timing)),
        false => format!("{}, on {}\n{}", describe(&cfg), board.summary, text(&netlist.area, timing)),
    })?;
    match (args.freq, timing) {
        (Some(wanted), Some(timing)) => met(wanted, timing),
        _ => Ok(()),
    }
}

/// Whether a placed design is as fast as it must be.
fn met(wanted: f64, timing: &Timing) -> anyhow::Result<()> {
    anyhow::ensure!(timing.fmax_mhz >= wanted, "{wanted} MHz are not met: {} MHz", timing.fmax_mhz);
    Ok(())
}

/// What `--json` prints.
fn record(args: &Args, cfg: &CoreConfig, board: &Board, area: &Area, timing: Option<&Timing>) -> Value {
    json!({
        "lut4": area.lut4, "ff": area.ff, "bram": area.bram, "dsp": area.dsp, "carry": area.carry,
        "lut_ram": area.lut_ram, "fmax_mhz": timing.map(|t| t.fmax_mhz),
        "critical_path": timing.map(|t| &t.critical_path), "board": board.name, "seed": args.seed, "config": cfg,
    })
}

/// What people are told of a design.
fn text(area: &Area, timing: Option<&Timing>) -> String {
    let mut text = format!(
        "{} LUT4, {} FF, {} block RAMs, {} multipliers; besides, {} carry cells and {} LUT RAMs\n",
        area.lut4, area.ff, area.bram, area.dsp, area.carry, area.lut_ram
    );
    if let Some(timing) = timing {
        text += &format!("{} MHz, limited by\n", timing.fmax_mhz);
        text.extend(timing.critical_path.iter().map(|signal| format!("  {signal}\n")));
    }
    text
}

fn parse_mhz(text: &str) -> Result<f64, String> {
    let mhz = text.parse::<f64>().ok().filter(|mhz| (1.0..=1000.0).contains(mhz));
    mhz.ok_or_else(|| "expected a clock in MHz from 1 to 1000".into())
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
