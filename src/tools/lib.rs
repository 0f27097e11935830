//! The programs of others that this project needs: how a user names another one, and what is said where one is missing; and
//! work for all processors.

#![warn(missing_docs)]

pub mod children;
pub mod parallel;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{absolute, Path, PathBuf};
use std::process::{Command, Output};

/// What compilers say on a full disk, in English.
pub const NO_SPACE: &str = "No space left on device";

/// A program that this project cannot do without.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// What it is, in a sentence.
    pub what: &'static str,
    /// Its usual name on the path.
    pub name: &'static str,
    /// The name of another that does as well, where the usual one is not on the path.
    pub other: Option<&'static str>,
    /// The package of Debian and Ubuntu that has it.
    pub package: &'static str,
    /// The environment variable that names another one.
    pub variable: &'static str,
}

/// Turns Verilog into C++.
pub const VERILATOR: Tool =
    Tool { what: "Verilator", name: "verilator", other: None, package: "verilator", variable: "VERILATOR" };
/// Compiles that. Clang takes a third of GCC's time without optimisation and half of it with, for as fast a simulator.
pub const CXX: Tool =
    Tool { what: "a C++ compiler", name: "clang++", other: Some("g++"), package: "clang", variable: "CXX" };
/// Compiles the host's part of programs with kernels, most of which were written for GCC.
pub const HOST_CXX: Tool = Tool { name: "g++", other: Some("clang++"), package: "g++", ..CXX };
/// Reads what a program that clang compiled to count has counted.
pub const LLVM_PROFDATA: Tool = Tool {
    what: "llvm-profdata",
    name: "llvm-profdata",
    other: None,
    package: "llvm",
    variable: "LLVM_PROFDATA",
};
/// Compiles kernels.
pub const RISCV_CC: Tool = Tool {
    what: "a RISC-V GCC",
    name: "riscv64-unknown-elf-gcc",
    other: None,
    package: "gcc-riscv64-unknown-elf",
    variable: "RISCV_CC",
};

/// Compiles C files of users, if they like it better.
pub const RISCV_CLANG: Tool =
    Tool { what: "clang", name: "clang", other: None, package: "clang", variable: "RISCV_CLANG" };

impl Tool {
    /// What its variable names, else the usual one.
    pub fn find(&'static self) -> Program {
        self.find_or(OsStr::new(self.usual()))
    }

    /// What its variable names, else the program of that name or path.
    pub fn find_or(&'static self, usual: &OsStr) -> Program {
        match env::var_os(self.variable).filter(|named| !named.is_empty()) {
            Some(named) => Program { chosen: true, ..self.named(&named) },
            None => self.named(usual),
        }
    }

    /// The usual name, unless only the other one is on the path.
    fn usual(&self) -> &'static str {
        match self.other {
            Some(other) if on_path(self.name).is_none() && on_path(other).is_some() => other,
            _ => self.name,
        }
    }

    /// The program of that name or path. As in a makefile, arguments may follow; a file whose path has spaces in it is
    /// taken as a whole. Paths are relative to the working directory of now.
    pub fn named(&'static self, named: &OsStr) -> Program {
        let whole = Path::new(named);
        let words = match is_path(named) && whole.is_file() {
            true => vec![settled(named)],
            false => {
                let words = named.as_bytes().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                words.map(|word| settled(OsStr::from_bytes(word))).collect()
            }
        };
        Program { tool: self, words, chosen: false }
    }
}

/// A program that comes as a Python wheel, where `scripts/setup.sh` puts it, if it is there.
pub fn wheel(program: &str) -> Option<PathBuf> {
    Some(files::default_cache_dir().ok()?.join("wheels/bin").join(program)).filter(|path| path.is_file())
}

/// Where the path has a program of that name, if it has one.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())
}

fn is_path(word: &OsStr) -> bool {
    word.as_bytes().contains(&b'/')
}

/// The word with which the same file is meant from another directory: an absolute path, if it is the path of a file.
pub fn settled(word: &OsStr) -> OsString {
    match is_path(word) && Path::new(word).exists() {
        true => absolute(word).map_or_else(|_| word.to_owned(), OsString::from),
        false => word.to_owned(),
    }
}

/// A program, found but not yet run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    tool: &'static Tool,
    /// Its name and arguments.
    words: Vec<OsString>,
    /// Whether the tool's variable names it.
    chosen: bool,
}

impl Program {
    /// To be called with further arguments.
    pub fn command(&self) -> Command {
        let mut words = self.words.iter();
        let mut command = Command::new(words.next().map_or(OsStr::new(self.tool.name), OsString::as_os_str));
        command.args(words);
        command
    }

    /// The arguments that it is always called with.
    pub fn arguments(&self) -> &[OsString] {
        self.words.get(1..).unwrap_or_default()
    }

    /// How it is called, without further arguments.
    pub fn words(&self) -> Vec<String> {
        let command = self.command();
        let words = [command.get_program()].into_iter().chain(command.get_args());
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    /// Runs [`Program::command`], with what has been added to it, as [`children::output`] does. It speaks English, so that
    /// what it says can be looked through.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn output(&self, command: &mut Command) -> Result<Output, Unusable> {
        children::output(command.env("LC_ALL", "C")).map_err(|source| self.unusable(&source))
    }

    /// Why the system did not run it, for a user.
    pub fn unusable(&self, source: &io::Error) -> Unusable {
        let name = self.command().get_program().to_string_lossy().into_owned();
        let reason = (source.kind() != io::ErrorKind::NotFound).then(|| source.to_string());
        Unusable { tool: self.tool, name, chosen: self.chosen, reason }
    }
}

/// A program that is not there, or is none.
#[derive(Debug, PartialEq, Eq)]
pub struct Unusable {
    tool: &'static Tool,
    name: String,
    chosen: bool,
    reason: Option<String>,
}

impl std::error::Error for Unusable {}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool: Tool { what, package, variable, .. }, name, chosen, reason } = self;
        match reason {
            Some(reason) => write!(f, "cannot run `{name}` ({reason})")?,
            None => write!(f, "`{name}` not found")?,
        }
        match chosen {
            true => write!(
                f,
                ", which ${variable} names: set it to {what}, or unset it and apt install {package}"
            ),
            false => write!(f, ": apt install {package}, or set ${variable} to {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(named: &str) -> Vec<String> {
        CXX.named(OsStr::new(named)).words()
    }

    #[test]
    fn a_program_may_have_arguments_and_its_path_spaces() {
        assert_eq!(words("g++"), ["g++"]);
        assert_eq!(words("ccache  g++ -m64\t"), ["ccache", "g++", "-m64"]);
        let directory = tempfile::tempdir().unwrap();
        let spaced = directory.path().join("my tools g++");
        let spaced = spaced.to_str().unwrap();
        assert!(words(spaced).len() >= 3, "no such file");
        std::fs::write(spaced, "").unwrap();
        assert_eq!(words(spaced), [spaced]);
    }

    #[test]
    fn another_one_does_where_the_usual_one_is_missing() {
        let tool = |name, other| Tool { name, other, ..CXX };
        assert_eq!(tool("sh", Some("env")).usual(), "sh");
        assert_eq!(tool("nosuch", Some("env")).usual(), "env");
        assert_eq!(tool("nosuch", Some("none")).usual(), "nosuch", "the usual one is missed");
        assert_eq!(tool("nosuch", None).usual(), "nosuch");
    }

    /// The package's directory is that in which its unit tests run.
    #[test]
    fn relative_paths_are_of_the_working_directory() {
        let manifest = format!("{}/./Cargo.toml", env!("CARGO_MANIFEST_DIR"));
        let manifest = absolute(manifest).unwrap().to_str().unwrap().to_owned();
        assert_eq!(words("./Cargo.toml"), [manifest.as_str()]);
        assert_eq!(
            words("ccache ./Cargo.toml -I./nowhere"),
            ["ccache".into(), manifest, "-I./nowhere".into()]
        );
        assert_eq!(words("Cargo.toml"), ["Cargo.toml"], "a name is looked for on the path");
        assert_eq!(words("./nosuch"), ["./nosuch"]);
    }

    #[test]
    fn each_missing_tool_has_advice_of_its_own() {
        let source = io::Error::from(io::ErrorKind::NotFound);
        for (tool, advice) in [
            (&VERILATOR, "`/nosuch` not found: apt install verilator, or set $VERILATOR to Verilator"),
            (&CXX, "`/nosuch` not found: apt install clang, or set $CXX to a C++ compiler"),
            (
                &RISCV_CC,
                "`/nosuch` not found: apt install gcc-riscv64-unknown-elf, or set $RISCV_CC to a RISC-V GCC",
            ),
        ] {
            assert_eq!(tool.named(OsStr::new("/nosuch")).unusable(&source).to_string(), advice);
        }
        let chosen = Program { chosen: true, ..CXX.named(OsStr::new("/etc")) };
        assert_eq!(
            chosen.unusable(&io::Error::from(io::ErrorKind::PermissionDenied)).to_string(),
            "cannot run `/etc` (permission denied), which $CXX names: set it to a C++ compiler, or unset it and \
             apt install clang"
        );
    }
}
