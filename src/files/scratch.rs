//! Directories that are there for as long as something is made in them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{is_left_behind, scratch_path};

/// How old a directory is that nobody works in any more, where another process may be in a place of which this one cannot tell
/// whether it is still there, as on another machine with the same directory.
pub(super) const ABANDONED: Duration = Duration::from_secs(600);

/// Those of this process.
static THERE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn there() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // Every change is one step.
    THERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A directory that goes when this is dropped, or when a signal ends the process.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// One of this process alone, with the name of `path` and an ending. Those go that a process has left there which was
    /// killed.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn beside(path: &Path) -> io::Result<Self> {
        if let Some(directory) = path.parent() {
            remove_abandoned(directory);
        }
        Self::at(scratch_path(path))
    }

    /// One at `path`, empty whatever was there; whoever makes it sees to it that nobody else does.
    ///
    /// # Errors
    /// It cannot be made, or what is there cannot be removed.
    pub fn at(path: PathBuf) -> io::Result<Self> {
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        there().insert(path.clone());
        let scratch = Self(path);
        fs::create_dir_all(&scratch.0)?;
        Ok(scratch)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It may have its final name by now.
        let _ = fs::remove_dir_all(&self.0);
        there().remove(&self.0);
    }
}

/// Removes those of this process, which ends.
pub fn remove_scratch() {
    for path in there().iter() {
        // Somebody may still write into it, and then something stays.
        let _ = fs::remove_dir_all(path);
    }
}

/// Removes what processes have left in a directory that are gone for long.
fn remove_abandoned(directory: &Path) {
    for path in fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_left_behind(&path) && is_abandoned(&path) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Whether it is a directory that nobody has changed for so long that nobody works in it.
pub(super) fn is_abandoned(path: &Path) -> bool {
    let Ok(found) = path.symlink_metadata() else { return false };
    let age = found.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
    found.is_dir() && age >= ABANDONED
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn a_scratch_directory_goes_with_its_owner() {
        let directory = tempfile::tempdir().unwrap();
        let scratch = Scratch::beside(&directory.path().join("a")).unwrap();
        fs::write(scratch.path().join("file"), "").unwrap();
        drop(scratch);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_killed_processes_have_left_goes_when_it_is_old() {
        let directory = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let [old, new] = [0, 1].map(|i| directory.path().join(format!("a.{}.{i}", child.id())));
        let [own, other] = ["a.1.0", "a"].map(|name| directory.path().join(name));
        for path in [&old, &new, &own, &other] {
            fs::create_dir(path).unwrap();
            if *path != new {
                File::open(path).unwrap().set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
            }
        }
        let scratch = Scratch::beside(&other).unwrap();
        let left = [&old, &new, &own, &other].map(|path| path.exists());
        assert_eq!(left, [!Path::new("/proc/self").exists(), true, true, true]);
        drop(scratch);
    }
}
