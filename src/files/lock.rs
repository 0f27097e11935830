//! Locks between processes. They are the kernel's, so that a killed process leaves none behind.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Who may hold a lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Others that change nothing.
    Shared,
    /// Nobody.
    Alone,
}

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Now is when what it guards was last used.
    pub fn touch(&self) {
        // Of a file that only others may write the time stays.
        let _ = self.0.set_modified(SystemTime::now());
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that another thread starts has it too, until its program begins.
        let _ = self.0.unlock();
    }
}

/// The file of a lock, made if it is not there. One that only others may write can be locked all the same.
fn open_lock(path: &Path) -> io::Result<File> {
    File::options().append(true).create(true).open(path).or_else(|error| File::open(path).map_err(|_| error))
}

/// Whether nobody has removed the file of a lock and with it what it guarded: then it is the lock of nothing.
fn is_still_at(path: &Path, lock: &File) -> bool {
    path.metadata().is_ok_and(|meta| Some(meta.ino()) == lock.metadata().ok().map(|m| m.ino()))
}

/// Waits for the lock at `path`.
///
/// # Errors
/// There can be no lock.
pub fn lock(path: &Path, hold: Hold) -> io::Result<Lock> {
    loop {
        let file = open_lock(path)?;
        match hold {
            Hold::Shared => file.lock_shared(),
            Hold::Alone => file.lock(),
        }?;
        if is_still_at(path, &file) {
            return Ok(Lock(file));
        }
    }
}

/// Takes the lock at `path` alone, if nobody else holds it.
///
/// # Errors
/// There can be no lock.
pub fn try_lock(path: &Path) -> io::Result<Option<Lock>> {
    let file = open_lock(path)?;
    match file.try_lock() {
        Ok(()) => Ok(is_still_at(path, &file).then(|| Lock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The name of the lock in a directory while files that belong together are written there.
const DIRECTORY_LOCK: &str = ".heddle.lock";

/// Holds a directory, until it is dropped, against all others that take it in this way.
#[derive(Debug)]
pub struct Held {
    path: PathBuf,
    _lock: Option<Lock>,
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

/// Held while files are written that belong together.
static HALF_WRITTEN: Mutex<()> = Mutex::new(());

/// Waits until this process is not amid writing files that belong together; none are written until this is dropped.
pub fn none_half_written() -> MutexGuard<'static, ()> {
    HALF_WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_free_once_dropped_also_while_a_process_that_begins_has_its_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.lock");
        for hold in [Hold::Alone, Hold::Shared] {
            let held = lock(&path, hold).unwrap();
            // What a process has between fork and exec: the same open file.
            let inherited = held.0.try_clone().unwrap();
            assert!(try_lock(&path).unwrap().is_none(), "{hold:?}");
            drop(held);
            assert!(try_lock(&path).unwrap().is_some(), "{hold:?}");
            drop(inherited);
        }
    }

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
