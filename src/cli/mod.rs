//! What the command-line programs share: the configuration options and the exit codes.
//!
//! Exit codes: 0 success, 1 a failed check or a failed write, 2 a usage error.

mod config_args;
pub mod sim;

use std::process::ExitCode;

pub use config_args::ConfigArgs;

/// A mistake in the arguments or in a configuration file: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Prints the error of a program's main function, causes included, and gives its exit code.
pub fn finish(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}
