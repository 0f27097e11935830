//! A synthesised design as Verilog that a simulator can run.

use std::fs;
use std::path::Path;

use super::flow::{at, read, step, write, FlowError};
use super::tools::{run, Tools};
use crate::cosim::verilator::Key;

/// What yosys is told after the design has been read. The cells of ECP5 are then replaced by yosys' own models of them;
/// block RAMs and multipliers have none, so there are LUT RAMs and logic in their place.
const SCRIPT: &str = "synth_ecp5 -nowidelut -nobram -nodsp -top";
const MODELS: &str = "read_verilog -overwrite +/ecp5/cells_sim.v";

/// Synthesises `verilog` for the ECP5, without block RAMs and multipliers, and gives the netlist as one module `top` with
/// the same ports, unless the cache has it. For designs with small memories.
///
/// # Errors
/// See [`FlowError`].
pub fn netlist_verilog(tools: &Tools, verilog: &str, top: &str) -> Result<String, FlowError> {
    let version = run(tools.yosys().arg("-V"), Path::new("."))?;
    let script = format!(
        "read_verilog top.v; {SCRIPT} {top}; {MODELS}; hierarchy -top {top}; proc; flatten; opt_clean; \
         write_verilog -noattr netlist.v"
    );
    let key = Key::new().add(version).add(&script).add(verilog).hex();
    let directory = step(&format!("netlist-{key}"), |directory| {
        write(&directory.join("top.v"), verilog)?;
        run(tools.yosys().args(["-q", "-p", &script]), directory)?;
        let input = directory.join("top.v");
        fs::remove_file(&input).map_err(at(&input))
    })?;
    read(&directory.join("netlist.v"))
}
