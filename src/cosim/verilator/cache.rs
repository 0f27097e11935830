//! The directory of built models, shared by threads and processes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::error::{at, Result};

/// `$HEDDLE_CACHE`, else `heddle` in the user's cache directory, else in the temporary directory.
pub fn default_cache_dir() -> PathBuf {
    let variable = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    variable("HEDDLE_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|d| d.join("heddle")))
        .or_else(|| variable("HOME").map(|d| d.join(".cache/heddle")))
        .unwrap_or_else(|| std::env::temp_dir().join("heddle"))
}

/// Takes the lock named `path` and holds it until the file is dropped. The lock is the kernel's,
/// so a killed process leaves none behind; the empty file stays.
pub(super) fn lock(path: &Path) -> Result<File> {
    let file = File::create(path).map_err(at(path))?;
    file.lock().map_err(at(path))?;
    Ok(file)
}

/// An empty directory that is removed with its contents when dropped, also after a failed build.
pub(super) struct ScratchDir(PathBuf);

impl ScratchDir {
    pub(super) fn new(path: PathBuf) -> Result<Self> {
        if path.exists() {
            // Left by a process that was killed; whoever holds the lock owns the name.
            fs::remove_dir_all(&path).map_err(at(&path))?;
        }
        fs::create_dir_all(&path).map_err(at(&path))?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.0.join(name);
        fs::write(&path, text).map_err(at(&path))
    }

    pub(super) fn read(&self, name: &str) -> Result<String> {
        let path = self.0.join(name);
        fs::read_to_string(&path).map_err(at(&path))
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // Nothing depends on it: the next build of this key clears the directory again.
        let _ = fs::remove_dir_all(&self.0);
    }
}
