//! What is to be compiled, and how.

use std::path::{Path, PathBuf};

use super::cuda::symbol;
use super::KernelError;
use model::memory::STACK_BYTES;

/// The macro that gives threads more stack than functions show to need, in bytes: for recursion.
const STACK_MACRO: &str = "SIMT_STACK_BYTES";
/// The most stack that a thread can have: as much as CUDA gives a thread of local memory (CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability").
const MOST_STACK_BYTES: u32 = 512 << 10;

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

    /// Bytes of stack of each thread, unless functions need more: a power of two.
    ///
    /// # Errors
    /// Its macro is defined as anything else.
    pub(super) fn stack_bytes(&self) -> Result<u32, KernelError> {
        let defined = |define: &String| match define.split_once('=').unwrap_or((define, "1")) {
            (STACK_MACRO, bytes) => Some(bytes.to_owned()),
            _ => None,
        };
        let Some(text) = self.defines.iter().rev().find_map(defined) else { return Ok(STACK_BYTES) };
        let most = self.most_stack_bytes();
        let bytes = text.parse().ok();
        let valid = |bytes: &u32| bytes.is_power_of_two() && (STACK_BYTES..=most).contains(bytes);
        bytes.filter(valid).ok_or(KernelError::StackSize { text, most })
    }

    /// The most that each can have. Vortex's start-up code has the usual stacks.
    pub(super) fn most_stack_bytes(&self) -> u32 {
        match self.target {
            Target::Heddle => MOST_STACK_BYTES,
            Target::Vortex => STACK_BYTES,
        }
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
