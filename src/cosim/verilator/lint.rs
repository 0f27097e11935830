//! Verilator as a linter of the generated Verilog.

use super::cache::ScratchDir;
use super::error::Result;
use super::toolchain::{run, Toolchain};
use files::scratch_path;

/// The lint waivers, each with its reason: `sim/waivers.vlt`.
pub const WAIVERS: &str = include_str!("../../../sim/waivers.vlt");

/// The name of a file with [`WAIVERS`] in the directory where Verilator runs.
pub(super) const WAIVERS_FILE: &str = "waivers.vlt";

/// Verilator's arguments that make every warning an error that is not waived.
pub(super) const LINT: [&str; 2] = ["-Wall", WAIVERS_FILE];

/// Checks `verilog` with all of Verilator's warnings as errors, except the waived ones: latches,
/// combinational loops, mixed widths, incomplete cases and multiple drivers all fail.
///
/// # Errors
/// [`Error::ToolFailed`](super::Error::ToolFailed) with Verilator's findings.
pub fn lint(tools: &Toolchain, verilog: &str, top: &str) -> Result<()> {
    let scratch = ScratchDir::new(scratch_path(&std::env::temp_dir().join("heddle-lint")))?;
    scratch.write(WAIVERS_FILE, WAIVERS)?;
    scratch.write("top.v", verilog)?;
    let mut verilator = tools.verilator.command();
    verilator.current_dir(scratch.path()).args(["--lint-only", "--no-timing", "--top-module", top]);
    run(&tools.verilator, verilator.args(LINT).arg("top.v")).map(drop)
}
