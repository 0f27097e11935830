//! What can go wrong between Verilog text and a running model.

use std::io;
use std::path::Path;

use files::CacheError;
use tools::Unusable;

/// Result of this module's operations.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of the tools, the cache or the model.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program that the build needs is not installed.
    #[error("{0}")]
    ToolMissing(Unusable),
    /// A tool refused its input.
    #[error("{command}\nended with {status}:\n{output}")]
    ToolFailed {
        /// The whole command line.
        command: String,
        /// Its exit status.
        status: String,
        /// All that it printed.
        output: String,
    },
    /// A profile can only be made with clang.
    #[error("a profile-guided simulator needs clang, and `{0}` is another compiler: apt install clang and unset $CXX")]
    NotClang(String),
    /// A guided model was asked for without a run to guide it.
    #[error("a profile-guided model needs a run to be guided by")]
    Untrained,
    /// That run did not come to its end.
    #[error("the run that guides the compiler could not be made: {0}")]
    Training(String),
    /// A file of the cache or of the build could not be read or written.
    #[error("cannot use {path}")]
    Io {
        /// The file or directory.
        path: String,
        /// The system's reason.
        source: io::Error,
    },
    /// There is no place for the cache.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The cache's bound is no size.
    #[error("HEDDLE_CACHE_SIZE is {0:?}: expected bytes, as in 500M, 4G or 1000000")]
    CacheSize(String),
    /// The shared object could not be loaded.
    #[error("cannot load the model {path}: {reason}")]
    Load {
        /// The shared object.
        path: String,
        /// The dynamic linker's message.
        reason: String,
    },
    /// The module has no port of this name.
    #[error("the module has no port `{0}`")]
    NoPort(String),
    /// The port's width does not fit the Rust type it was bound to.
    #[error("port `{port}` is {width} bits wide, bound as {asked}")]
    PortType {
        /// The port.
        port: String,
        /// Its width in bits.
        width: u32,
        /// The Rust type that was asked for.
        asked: &'static str,
    },
    /// The Verilog code stopped the simulation (`$stop`, `$error`, a failed assertion).
    #[error("the model stopped: {0}")]
    Stopped(String),
    /// A wave file was asked for but cannot be written.
    #[error("wave file {path}: {reason}")]
    Wave {
        /// The wave file.
        path: String,
        /// Why not.
        reason: String,
    },
}

/// For `map_err`: names the file an I/O error is about.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |source| Error::Io { path: path.display().to_string(), source }
}
