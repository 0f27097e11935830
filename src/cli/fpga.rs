//! The program `fpga`: how large the core is on an FPGA, and how fast.

use std::process::ExitCode;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::Parser;
use indicatif::ProgressBar;
use serde_json::json;

use super::{describe, finish, header, ConfigArgs, UsageError};
use crate::config::CoreConfig;
use crate::fpga::{place, synthesise, Board, Netlist, Routed, Target, Tools, BOARDS};
use crate::rtl;

/// Clock that placement aims at unless told, in MHz.
const USUAL_MHZ: f64 = 60.0;

const EXAMPLES: &str = "\
Examples:
  fpga                              area and clock of the 4 x 4 default on an ECP5
  fpga --preset tiny --synth-only   its area alone, without placement
  fpga --seed 3 --freq 50 --json    another placement; fails if 50 MHz are not met

Exit status: 0 success, 1 a tool is missing or fails, the design does not fit or misses --freq, 2 a mistake in the
arguments.";

/// Synthesises, places and routes the core, without its trace port and unconnected to pins, and tells area and clock
#[derive(Parser, Debug)]
#[command(name = "fpga", version, after_help = EXAMPLES)]
struct Args {
    /// The board whose FPGA is meant
    #[arg(long, value_name = "BOARD", default_value = BOARDS[0].name,
          value_parser = PossibleValuesParser::new(BOARDS.iter().map(|board| board.name)))]
    board: String,
    /// Stop after synthesis: area without clock
    #[arg(long)]
    synth_only: bool,
    /// Clock in MHz that must be met; without it, placement aims at 60 and anything is accepted
    #[arg(long, value_name = "MHZ", value_parser = parse_mhz, conflicts_with = "synth_only")]
    freq: Option<f64>,
    /// Seed of the placement
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// One JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    core: ConfigArgs,
}

/// Parses the command line and runs.
pub fn main() -> ExitCode {
    finish(run(&Args::parse()))
}

fn run(args: &Args) -> anyhow::Result<()> {
    let cfg = CoreConfig { trace_port: false, ..args.core.resolve()? };
    let board =
        Board::find(&args.board).ok_or_else(|| UsageError(format!("unknown board {}", args.board)))?;
    let tools = Tools::discover();
    let verilog = rtl::generate(&cfg, &header(&cfg))?.concat();
    let netlist = progress("synthesising", || synthesise(&tools, &verilog, rtl::TOP))?;
    let routed = if args.synth_only {
        None
    } else {
        let mhz = args.freq.unwrap_or(USUAL_MHZ);
        let target = Target { board, mhz, seed: args.seed, pins: None };
        Some(progress("placing and routing", || place(&tools, &netlist, &target))?)
    };
    show(args, &cfg, board, &netlist, routed.as_ref());
    match (args.freq, &routed) {
        (Some(wanted), Some(routed)) if routed.timing.fmax_mhz < wanted => {
            anyhow::bail!("{wanted} MHz are not met: {} MHz", routed.timing.fmax_mhz)
        }
        _ => Ok(()),
    }
}

/// Does what takes long, with a line on standard error that says so.
fn progress<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    let done = work();
    bar.finish_and_clear();
    done
}

fn show(args: &Args, cfg: &CoreConfig, board: &Board, netlist: &Netlist, routed: Option<&Routed>) {
    let area = &netlist.area;
    let timing = routed.map(|routed| &routed.timing);
    if args.json {
        let record = json!({
            "lut4": area.lut4, "ff": area.ff, "bram": area.bram, "dsp": area.dsp, "carry": area.carry,
            "lut_ram": area.lut_ram, "fmax_mhz": timing.map(|t| t.fmax_mhz),
            "critical_path": timing.map(|t| &t.critical_path), "board": board.name, "seed": args.seed, "config": cfg,
        });
        println!("{record}");
        return;
    }
    println!("{}, on {}", describe(cfg), board.summary);
    println!(
        "{} LUT4, {} FF, {} block RAMs, {} multipliers; besides, {} carry cells and {} LUT RAMs",
        area.lut4, area.ff, area.bram, area.dsp, area.carry, area.lut_ram
    );
    if let Some(timing) = timing {
        println!("{} MHz, limited by", timing.fmax_mhz);
        timing.critical_path.iter().for_each(|signal| println!("  {signal}"));
    }
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
