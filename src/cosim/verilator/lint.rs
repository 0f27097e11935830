//! Verilator as a linter of the generated Verilog.

use std::process::Command;

use super::cache::ScratchDir;
use super::error::Result;
use super::toolchain::{run, Toolchain};
use crate::files::scratch_path;

/// The lint waivers, each with its reason: `sim/waivers.vlt`.
pub const WAIVERS: &str = include_str!("../../../sim/waivers.vlt");

/// Checks `verilog` with all of Verilator's warnings as errors, except the waived ones: latches,
/// combinational loops, mixed widths, incomplete cases and multiple drivers all fail.
///
/// # Errors
/// [`Error::ToolFailed`](super::Error::ToolFailed) with Verilator's findings.
pub fn lint(tools: &Toolchain, verilog: &str, top: &str) -> Result<()> {
    let scratch = ScratchDir::new(scratch_path(&std::env::temp_dir().join("heddle-lint")))?;
    scratch.write("waivers.vlt", WAIVERS)?;
    scratch.write("top.v", verilog)?;
    run(Command::new(&tools.verilator).current_dir(scratch.path()).args([
        "--lint-only",
        "-Wall",
        "--no-timing",
        "--top-module",
        top,
        "waivers.vlt",
        "top.v",
    ]))
    .map(drop)
}
