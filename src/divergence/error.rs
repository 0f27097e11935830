//! What cannot be marked, and where it is.

use std::fmt;

/// A place in a source file, as the compiler's `.loc` directives tell it; without them, in the assembly.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file's name.
    pub file: String,
    /// Its line, from 1 on.
    pub line: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a file cannot be marked.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{at}: in {function}: {what}")]
pub struct Error {
    /// Where.
    pub at: Location,
    /// In which function.
    pub function: String,
    /// What is there, and what can be done about it.
    pub what: String,
}
