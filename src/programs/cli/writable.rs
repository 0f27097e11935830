//! Whether results can be written, found out before the work that they come from. Nothing is left behind.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::Context;

use files::scratch_path;

/// Whether a finished file can be renamed to `path`.
///
/// # Errors
/// There is a directory, or nothing can be made beside it.
pub(super) fn check_replaced(path: &Path) -> anyhow::Result<()> {
    let checked = match path.is_dir() {
        true => Err(ErrorKind::IsADirectory.into()),
        false => probe(path),
    };
    checked.with_context(|| format!("cannot write {}", path.display()))
}

/// Whether a file can be opened at `path` and written there.
///
/// # Errors
/// What is there cannot be written, or nothing is and none can be made.
pub(super) fn check_opened(path: &Path) -> anyhow::Result<()> {
    let checked = match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(ErrorKind::IsADirectory.into()),
        // Opened, but not cut.
        Ok(there) if there.is_file() => File::options().append(true).open(path).map(drop),
        Ok(_) => Ok(()),
        Err(_) => probe(path),
    };
    checked.with_context(|| format!("cannot write {}", path.display()))
}

/// Whether finished files of these names can be put into a directory, which may have to be made.
///
/// # Errors
/// Neither the directory nor the place for it can be written, or a name is taken by a directory.
pub(super) fn check_directory(path: &Path, names: &[&str]) -> anyhow::Result<()> {
    if path.is_dir() {
        return names.iter().try_for_each(|name| check_replaced(&path.join(name)));
    }
    // What is missing is made in the nearest place that is there.
    let there = path.ancestors().skip_while(|place| !place.as_os_str().is_empty() && !place.exists());
    let there = there.map(|place| place.join("probe")).next().unwrap_or_default();
    probe(&there).with_context(|| format!("cannot write into {}", path.display()))
}

/// Makes a file beside `path` and removes it.
fn probe(path: &Path) -> io::Result<()> {
    let scratch = scratch_path(path);
    File::create_new(&scratch)?;
    fs::remove_file(&scratch)
}
