//! What programs print, without a panic where it cannot be printed.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;

use files::Identity;

/// Standard output cannot be written: what was asked for is not there, which is a failed write.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output: {0}")]
struct Unprinted(io::Error);

/// Prints a text that ends its last line. A reader who has closed the pipe wants no more of it: that is no error, and
/// whoever works on gives the exit code that the work deserves.
///
/// # Errors
/// Standard output takes no more for any other reason, as on a full disk.
pub fn print(text: impl fmt::Display) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    told(write!(out, "{text}").and_then(|()| out.flush()))
}

/// Prints a text for people beside the results. If standard error takes none, there is nobody left to tell.
pub fn complain(text: impl fmt::Display) {
    let mut out = io::stderr().lock();
    let _ = write!(out, "{text}").and_then(|()| out.flush());
}

/// The rule of [`print()`], for an attempt to write to standard output.
pub(super) fn told(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Unprinted(error).into()),
        _ => Ok(()),
    }
}

/// The file that standard output goes to. One that goes to a pipe is written to by whoever likes.
pub(super) fn standard_output() -> Option<Identity> {
    let file = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    let there = file.metadata().ok()?;
    there.is_file().then(|| Identity::of_open(&there)).flatten()
}
