//! Why a step of the flow did not succeed.

use std::path::PathBuf;

/// Why a step did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum FlowError {
    /// A program is not installed.
    #[error("`{tool}` not found: run scripts/setup.sh, or set $YOSYS, $NEXTPNR_ECP5 and $ECPPACK")]
    ToolMissing {
        /// The program.
        tool: String,
    },
    /// A program gave up.
    #[error("{tool} failed ({status}):\n{output}")]
    ToolFailed {
        /// The program.
        tool: String,
        /// Its exit status.
        status: String,
        /// The end of what it printed.
        output: String,
    },
    /// A program has left no result, and said nothing of it.
    #[error("no {file} was written, and no error reported: do $YOSYS, $NEXTPNR_ECP5 and $ECPPACK, if set, name these programs?")]
    NoResult {
        /// The file.
        file: &'static str,
    },
    /// A file cannot be read or written.
    #[error("cannot use {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// There is no place for the cache.
    #[error("{0}")]
    Cache(files::CacheError),
    /// A report is not what this version understands.
    #[error("{0}: this report cannot be understood: remove its directory to have it made again")]
    Report(PathBuf),
    /// The part has no room.
    #[error("the design is too large for {board}: {needed} {what} are needed, there are {available}")]
    TooLarge {
        /// The board.
        board: &'static str,
        /// What is short.
        what: &'static str,
        /// How many it takes.
        needed: u64,
        /// How many there are.
        available: u64,
    },
}
