//! Locks between processes. They are the kernel's, so that a killed process leaves none behind.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Who may hold a lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Others that change nothing.
    Shared,
    /// Nobody.
    Alone,
}

/// The file of a lock, made if it is not there. One that only others may write can be locked all the same.
///
/// # Errors
/// It is not there and cannot be made.
pub fn open_lock(path: &Path) -> io::Result<File> {
    File::options().append(true).create(true).open(path).or_else(|error| File::open(path).map_err(|_| error))
}

/// Whether nobody has removed the file of a lock and with it what it guarded: then it is the lock of nothing.
pub fn is_still_at(path: &Path, lock: &File) -> bool {
    path.metadata().is_ok_and(|meta| Some(meta.ino()) == lock.metadata().ok().map(|m| m.ino()))
}

/// Takes the lock at `path` and holds it until the file is dropped.
///
/// # Errors
/// There can be no lock.
pub fn lock(path: &Path, hold: Hold) -> io::Result<File> {
    loop {
        let file = open_lock(path)?;
        match hold {
            Hold::Shared => file.lock_shared(),
            Hold::Alone => file.lock(),
        }?;
        if is_still_at(path, &file) {
            return Ok(file);
        }
    }
}

/// The name of the lock in a directory while files that belong together are written there.
const DIRECTORY_LOCK: &str = ".heddle.lock";

/// Holds a directory, until it is dropped, against all others that take it in this way.
#[derive(Debug)]
pub struct Held {
    path: PathBuf,
    _lock: Option<File>,
}

/// Waits until nobody else writes files that belong together into a directory.
///
/// # Errors
/// Nothing can be made in the directory.
pub fn hold_directory(directory: &Path) -> io::Result<Held> {
    let path = directory.join(DIRECTORY_LOCK);
    let lock = match lock(&path, Hold::Alone) {
        // Some file systems have no locks: whoever writes there has to take turns himself.
        Err(error) if error.kind() == ErrorKind::Unsupported => None,
        lock => Some(lock?),
    };
    Ok(Held { path, _lock: lock })
}

impl Drop for Held {
    fn drop(&mut self) {
        // Still held. Whoever waits for it finds that it is gone and makes another; a file that is left disturbs nobody.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_held_by_one_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let inside = directory.path().join("inside");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let held = hold_directory(directory.path()).unwrap();
                        File::create_new(&inside).expect("nobody else is there");
                        fs::remove_file(&inside).unwrap();
                        drop(held);
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "no lock is left");
    }
}
