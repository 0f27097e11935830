//! What is to be compiled, and how.

use std::path::{Path, PathBuf};

use super::cuda::symbol;

/// What compiles C and C++ to assembly. GCC assembles and links in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compiler {
    /// A RISC-V GCC.
    #[default]
    Gcc,
    /// clang.
    Clang,
}

/// Whose conventions a program follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// This project's: it is linked with the runtime of `sim/kernels/runtime/`, and starts at `main` or as a grid.
    #[default]
    Heddle,
    /// Vortex 2.2's (docs/ISA.md, section 11): start-up code, launchers and the linker's script are among the files that are
    /// linked.
    Vortex,
}

/// What a file is, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.c`
    C,
    /// `.cpp`
    Cpp,
    /// `.cu`: of these the kernels are compiled, with what they need.
    Cuda,
    /// `.s`: what a compiler has made of one of these.
    Assembly,
}

impl Language {
    /// That of a file that can be compiled.
    pub fn of(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "c" => Self::C,
            "cpp" => Self::Cpp,
            "cu" => Self::Cuda,
            "s" => Self::Assembly,
            _ => return None,
        })
    }
}

/// The sources of a program, and how they are compiled.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Files with the extension `.c`, `.cpp`, `.cu` or `.s`.
    pub files: Vec<PathBuf>,
    /// Kernels of the `.cu` files that are started, with the arguments of templates, as `reduce<64>`, and with namespaces where
    /// the name alone may mean several; none for all that are no templates.
    pub kernels: Vec<String>,
    /// Variables of the `.cu` files whose addresses somebody needs, as [`Inputs::address_of`] says.
    pub variables: Vec<String>,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// What compiles them.
    pub compiler: Compiler,
    /// Further options for it, which stand behind the usual ones.
    pub options: Vec<String>,
    /// Whose start-up code the program has.
    pub target: Target,
    /// Files that are linked as they are: assembly, objects, archives, and the linker's script of a program for Vortex (`.ld`).
    pub linked: Vec<PathBuf>,
}

impl Inputs {
    /// The symbol at which the program has the address of one of its variables, which may be static.
    pub fn address_of(variable: &str) -> String {
        format!("simt_address_{}", symbol(variable))
    }
}

/// A macro, as `NAME` or `NAME=VALUE`; without a value it is 1.
///
/// # Errors
/// It has no name of C.
pub fn parse_define(text: &str) -> Result<String, String> {
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match name.starts_with(|c: char| !c.is_ascii_digit()) && is_name(name) {
        true => Ok(text.into()),
        false => Err("expected the name of a macro, and = and its value, as in N=100".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_define;

    #[test]
    fn macros() {
        for right in ["N", "N=4", "_n1=a b=c", "N="] {
            assert_eq!(parse_define(right), Ok(right.into()));
        }
        for wrong in ["", "=4", "1N=4", "N M", "-N"] {
            assert!(parse_define(wrong).is_err(), "{wrong}");
        }
    }
}
