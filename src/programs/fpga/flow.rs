//! The steps: synthesis, placement and routing, each cached by what went into it.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::FlowError;
use super::report::{Area, Timing};
use super::tools::{run, run_alone, Tools};
use super::Board;
use files::{default_cache_dir, Key, Scratch};

type Result<T> = std::result::Result<T, FlowError>;

/// What ABC does instead of yosys' own script for it: it maps [`ROUNDS`] times, each time from what the last one made, and
/// looks further for smaller solutions. For the small core that is fewer tables and fewer levels of them. As an argument of
/// yosys, which has commas for spaces: ABC reads no file whose path has spaces.
fn mapping() -> String {
    let rounds = ["dch -f; if -C 24 -F 4 -A 4; mfs2 -W 20 -L 200"; ROUNDS].join("; strash; ");
    let commands = format!("strash; &get -n; &fraig -x; &put; scorr; dc2; strash; {rounds}; lutpack -S 1");
    format!("\"+{}\"", commands.replace("; ", ";").replace(' ', ","))
}

/// The third still makes fewer levels of tables, those behind it fewer tables; an eighth does not.
const ROUNDS: usize = 7;

/// Name of the file that yosys reads.
pub(super) const DESIGN: &str = "top.v";
/// Name of the file that is loaded into the FPGA.
const BITSTREAM: &str = "heddle.bit";

/// A synthesised design.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// Where it is.
    pub path: PathBuf,
    /// What it occupies.
    pub area: Area,
    key: String,
}

/// What placement aims at.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// The board.
    pub board: &'static Board,
    /// Clock to aim at, in MHz.
    pub mhz: f64,
    /// Chooses all that is random in the placement.
    pub seed: u32,
    /// Pins (LPF); without them the design is placed alone, unconnected to pins.
    pub pins: Option<&'a str>,
}

/// A placed and routed design.
#[derive(Clone, Debug)]
pub struct Routed {
    /// Its configuration as text, from which ecppack makes a bitstream; only of a design that has its pins.
    pub config: Option<PathBuf>,
    /// How fast it is.
    pub timing: Timing,
    key: String,
}

/// Synthesises `verilog` for the ECP5, unless the cache has the result.
///
/// # Errors
/// See [`FlowError`].
pub fn synthesise(tools: &Tools, verilog: &str, top: &str) -> Result<Netlist> {
    let options = format!("-top {top}");
    let script = format!("{}; tee -q -o stat.json stat -json {options}", synthesis(&options));
    let key = synthesis_key(tools, &script, verilog)?;
    let directory = step(&format!("synth-{key}"), &["netlist.json", "stat.json"], |directory| {
        write(&directory.join(DESIGN), verilog)?;
        run(tools.yosys().args(["-q", "-p", &script]), Some(directory)).map(drop)
    })?;
    let stat = directory.join("stat.json");
    let area = Area::parse(&read(&stat)?).ok_or(FlowError::Report(stat))?;
    Ok(Netlist { path: directory.join("netlist.json"), area, key })
}

/// What yosys is told to make ECP5 cells of the file [`DESIGN`], given further options of `synth_ecp5`.
pub(super) fn synthesis(options: &str) -> String {
    // Wide multiplexers cost more tables than they save.
    let synth = format!("synth_ecp5 -nowidelut {options}");
    format!(
        "read_verilog {DESIGN}; {synth} -run begin:map_luts; abc -lut 4 -script {} -dress; clean; \
         {synth} -json netlist.json -run map_cells:",
        mapping()
    )
}

/// What tells a synthesis from any other in the cache.
pub(super) fn synthesis_key(tools: &Tools, script: &str, verilog: &str) -> Result<String> {
    let version = run(tools.yosys().arg("-V"), None)?;
    Ok(Key::default().add(version).add(script).add(verilog).hex())
}

/// Places and routes a netlist, unless the cache has the result. A clock that is not met is no error here.
///
/// # Errors
/// See [`FlowError`].
pub fn place(tools: &Tools, netlist: &Netlist, target: &Target) -> Result<Routed> {
    let Target { board, mhz, seed, pins } = target;
    fits(netlist, board)?;
    let version = run_alone(tools.nextpnr().arg("--version"), None)?;
    let mut arguments: Vec<String> = board.device.iter().map(|&argument| argument.to_owned()).collect();
    arguments.extend(["--timing-allow-fail".into(), "--seed".into(), seed.to_string()]);
    arguments.extend(["--freq".into(), mhz.to_string()]);
    arguments.extend(match pins {
        Some(_) => ["--lpf", "pins.lpf", "--textcfg", "design.config"].map(String::from).to_vec(),
        // Without a place for the result, nextpnr would go on to a bitstream, which needs pins, and fail.
        None => ["--out-of-context", "--write", "placed.json"].map(String::from).to_vec(),
    });
    let mut key = Key::default();
    key.add(&netlist.key).add(version).add(pins.unwrap_or(""));
    arguments.iter().for_each(|argument| {
        key.add(argument);
    });
    let key = key.hex();
    let results: &[_] = if pins.is_some() { &["report.json", "design.config"] } else { &["report.json"] };
    let directory = step(&format!("place-{key}"), results, |directory| {
        // The tool may be one that sees nothing but its directory.
        fs::copy(&netlist.path, directory.join("netlist.json")).map_err(at(&netlist.path))?;
        if let Some(pins) = pins {
            write(&directory.join("pins.lpf"), pins)?;
        }
        let mut command = tools.nextpnr();
        command.args(["-q", "--json", "netlist.json", "--report", "report.json"]);
        run(command.args(&arguments), Some(directory))?;
        let copy = directory.join("netlist.json");
        fs::remove_file(&copy).map_err(at(&copy))
    })?;
    let report = directory.join("report.json");
    let timing = Timing::parse(&read(&report)?).ok_or(FlowError::Report(report))?;
    Ok(Routed { config: pins.map(|_| directory.join("design.config")), timing, key })
}

/// Makes the bitstream of a routed design, unless the cache has it; `None` for a design without pins.
///
/// # Errors
/// See [`FlowError`].
pub fn pack(tools: &Tools, routed: &Routed) -> Result<Option<PathBuf>> {
    let Some(config) = &routed.config else { return Ok(None) };
    let directory = step(&format!("pack-{}", routed.key), &[BITSTREAM], |directory| {
        let copy = directory.join("design.config");
        fs::copy(config, &copy).map_err(at(config))?;
        run_alone(tools.ecppack().args(["--compress", "design.config", BITSTREAM]), Some(directory))?;
        fs::remove_file(&copy).map_err(at(&copy))
    })?;
    Ok(Some(directory.join(BITSTREAM)))
}

/// Whether the device has what the netlist needs.
fn fits(netlist: &Netlist, board: &'static Board) -> Result<()> {
    let area = &netlist.area;
    for (what, needed, available) in [
        ("look-up tables", area.all_luts(), board.lut4),
        ("block RAMs", area.bram, board.bram),
        ("multipliers", area.dsp, board.dsp),
    ] {
        if needed > available {
            return Err(FlowError::TooLarge { board: board.name, what, needed, available });
        }
    }
    Ok(())
}

/// The directory of a step's results, files of these names, in the cache; `make` fills it if it is not there.
pub(super) fn step(
    name: &str,
    results: &[&'static str],
    make: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let directory = default_cache_dir().map_err(FlowError::Cache)?.join("fpga").join(name);
    if directory.exists() {
        return Ok(directory);
    }
    // Made under another name and renamed, so that the final name never holds half of the results.
    let scratch = Scratch::beside(&directory).map_err(at(&directory))?;
    make(scratch.path())?;
    // What is in the cache is taken for whole by every later run.
    if let Some(missing) = results.iter().find(|file| !scratch.path().join(file).is_file()) {
        return Err(FlowError::NoResult { file: missing });
    }
    match fs::rename(scratch.path(), &directory) {
        // Another process was faster with the same.
        Err(_) if directory.exists() => {}
        result => result.map_err(at(&directory))?,
    }
    Ok(directory)
}

pub(super) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> FlowError + '_ {
    |source| FlowError::Io { path: path.to_owned(), source }
}

pub(super) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(at(path))
}

pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(at(path))
}
