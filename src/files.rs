//! Files that are whole or not there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// `path` with an ending that no other thread or process uses: what is made there can be renamed to `path` in one step.
pub fn scratch_path(path: &Path) -> PathBuf {
    static TAKEN: AtomicUsize = AtomicUsize::new(0);
    let number = TAKEN.fetch_add(1, Ordering::Relaxed);
    let mut scratch = path.as_os_str().to_owned();
    scratch.push(format!(".{}.{number}", std::process::id()));
    scratch.into()
}

/// Lets `make` write a file under another name and renames it to `path`, so that nobody finds half of it there.
///
/// # Errors
/// What `make` says, or the file cannot be put at `path`; nothing is left behind then.
pub fn publish<T>(path: &Path, make: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<()> {
    let scratch = scratch_path(path);
    let published = make(&scratch).and_then(|_| fs::rename(&scratch, path));
    if published.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&scratch);
    }
    published
}
