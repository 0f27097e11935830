//! The programs that build a model.

use std::env;
use std::ffi::OsStr;
use std::path::{absolute, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::error::{at, Error, Result};
use tools::{Program, CXX, NO_SPACE, VERILATOR};

/// A Verilator installation and a C++ compiler, found and identified.
#[derive(Clone, Debug)]
pub struct Toolchain {
    pub(super) verilator: Program,
    pub(super) cxx: Program,
    /// Directory of Verilator's run-time sources.
    pub(super) root: PathBuf,
    /// Versions of both, which are part of every cache key.
    pub(super) identity: String,
}

impl Toolchain {
    /// `$VERILATOR`, or `verilator` on the path; `$CXX`, or `clang++`, or `g++` where only that is
    /// there. Once found, they are remembered.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] with the package to install.
    pub fn discover() -> Result<Self> {
        static FOUND: OnceLock<Toolchain> = OnceLock::new();
        if let Some(found) = FOUND.get() {
            return Ok(found.clone());
        }
        let found = Self::of(VERILATOR.find(), CXX.find())?;
        Ok(FOUND.get_or_init(|| found).clone())
    }

    /// The two programs given as the variables give them, by name or path.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] with the package to install.
    pub fn with(verilator: impl AsRef<OsStr>, cxx: impl AsRef<OsStr>) -> Result<Self> {
        Self::of(VERILATOR.named(verilator.as_ref()), CXX.named(cxx.as_ref()))
    }

    fn of(verilator: Program, cxx: Program) -> Result<Self> {
        let root = run(&verilator, verilator.command().args(["--getenv", "VERILATOR_ROOT"]))?;
        if root.trim().is_empty() {
            let silent =
                std::io::Error::other("it does not say where its library is (--getenv VERILATOR_ROOT)");
            return Err(Error::ToolMissing(verilator.unusable(&silent)));
        }
        let root = PathBuf::from(root.trim());
        let root = absolute(&root).map_err(at(&root))?;
        // The run-time library's header has the version, which some packagings do not print for --version.
        let header = root.join("include/verilated_config.h");
        let config = std::fs::read_to_string(&header).map_err(at(&header))?;
        let compiler = run(&cxx, cxx.command().arg("--version"))?;
        let mut identity = format!("{}\n{config}\n{compiler}", root.display());
        for argument in verilator.arguments().iter().chain(cxx.arguments()) {
            identity.extend(["\n", &argument.to_string_lossy()]);
        }
        Ok(Self { verilator, cxx, root, identity })
    }

    /// What tells these two programs from others.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    pub(super) fn is_clang(&self) -> bool {
        self.identity.contains("clang version")
    }
}

/// What the C library of Linux (glibc) reads about its allocator: large pages, and all that was freed kept at hand. Verilator
/// takes a quarter less time with it, clang a tenth.
const ALLOCATOR: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1:glibc.malloc.tcache_count=60000");

/// What a program may say of something that is missing, and what to do about it.
const REMEDIES: [(&str, &str); 3] = [
    ("zlib.h", "wave files need the zlib headers: apt install zlib1g-dev"),
    (
        "libclang_rt.profile",
        "profile-guided simulators need clang's run-time library: apt install libclang-rt-dev",
    ),
    (
        NO_SPACE,
        "the disk that holds the cache is full: make room, or set $HEDDLE_CACHE to a directory on another",
    ),
];

/// Runs a program to its end, as it is called by `command`, and returns all that it printed. A user's own setting of the
/// allocator stays.
pub(super) fn run(program: &Program, command: &mut Command) -> Result<String> {
    // As a user would call it again.
    let shown = format!("{command:?}");
    let (variable, value) = ALLOCATOR;
    if env::var_os(variable).is_none() {
        command.env(variable, value);
    }
    let output = program.output(command).map_err(Error::ToolMissing)?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        return Ok(text);
    }
    for (said, remedy) in REMEDIES {
        if text.contains(said) {
            text.extend(["\n", remedy]);
        }
    }
    Err(Error::ToolFailed { command: shown, status: output.status.to_string(), output: text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_is_named_with_its_package() {
        let error = Toolchain::with("/nonexistent/verilator", "g++").unwrap_err().to_string();
        assert!(error.contains("`/nonexistent/verilator` not found"), "{error}");
        assert!(error.contains("apt install verilator"), "{error}");
    }

    #[test]
    fn a_failing_tool_shows_its_output() {
        let shell = CXX.named(OsStr::new("sh"));
        let error = run(&shell, shell.command().args(["-c", "echo why; exit 3"])).unwrap_err().to_string();
        assert!(error.contains("why") && error.contains('3'), "{error}");
    }
}
