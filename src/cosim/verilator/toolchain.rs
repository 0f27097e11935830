//! The programs that build a model.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::error::{at, Error, Result};

/// A Verilator installation and a C++ compiler, found and identified.
#[derive(Clone, Debug)]
pub struct Toolchain {
    pub(super) verilator: OsString,
    pub(super) cxx: OsString,
    /// Directory of Verilator's run-time sources.
    pub(super) root: PathBuf,
    /// Versions of both, part of every cache key.
    pub(super) identity: String,
}

impl Toolchain {
    /// `$VERILATOR`, or `verilator` on the path; `$CXX`, or `g++`. Once found, they are remembered.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] with the package to install.
    pub fn discover() -> Result<Self> {
        static FOUND: OnceLock<Toolchain> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        let tool = |variable, default: &str| std::env::var_os(variable).unwrap_or(default.into());
        let found = Self::with(tool("VERILATOR", "verilator"), tool("CXX", "g++"))?;
        Ok(FOUND.get_or_init(|| found).clone())
    }

    /// The two programs given by name or path.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] with the package to install.
    pub fn with(verilator: impl Into<OsString>, cxx: impl Into<OsString>) -> Result<Self> {
        let (verilator, cxx) = (verilator.into(), cxx.into());
        let root = run(Command::new(&verilator).args(["--getenv", "VERILATOR_ROOT"]))?;
        let root = PathBuf::from(root.trim());
        // Some packagings print no number in --version, so the run-time library's own header counts too.
        let header = root.join("include/verilated_config.h");
        let config = std::fs::read_to_string(&header).map_err(at(&header))?;
        let version = run(Command::new(&verilator).arg("--version"))?;
        let compiler = run(Command::new(&cxx).arg("--version"))?;
        let identity = format!("{}\n{version}\n{config}\n{compiler}", root.display());
        Ok(Self { verilator, cxx, root, identity })
    }

    /// Verilator's version line, as reports show it.
    pub fn verilator_version(&self) -> &str {
        self.identity.lines().nth(1).unwrap_or("")
    }

    pub(super) fn is_clang(&self) -> bool {
        self.identity.contains("clang version")
    }
}

/// Runs a tool to its end and returns all that it printed.
pub(super) fn run(command: &mut Command) -> Result<String> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => Error::ToolMissing { hint: hint(&tool), tool: tool.clone() },
        _ => Error::Io { path: tool.clone(), source },
    })?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        return Ok(text);
    }
    if text.contains("zlib.h") {
        text.push_str("\nwave files need the zlib headers: apt install zlib1g-dev");
    }
    Err(Error::ToolFailed {
        command: format!("{command:?}"),
        status: output.status.to_string(),
        output: text,
    })
}

fn hint(tool: &str) -> String {
    if tool.contains("verilator") {
        "apt install verilator, or set $VERILATOR to its path".into()
    } else {
        "apt install g++, or set $CXX to a C++ compiler".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_is_named_with_its_package() {
        let error = Toolchain::with("/nonexistent/verilator", "g++").unwrap_err().to_string();
        assert!(error.contains("`/nonexistent/verilator` not found"), "{error}");
        assert!(error.contains("apt install verilator"), "{error}");
        let error = run(&mut Command::new("/nonexistent/g++")).unwrap_err().to_string();
        assert!(error.contains("apt install g++"), "{error}");
    }

    #[test]
    fn a_failing_tool_shows_its_output() {
        let error = run(Command::new("sh").args(["-c", "echo why; exit 3"])).unwrap_err().to_string();
        assert!(error.contains("why") && error.contains('3'), "{error}");
    }
}
