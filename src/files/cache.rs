//! Where what takes time to make is kept.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{absolute, Path, PathBuf};

use super::scratch::is_abandoned;
use super::{directory_bytes, is_left_behind, owner};

/// Why there is no place for a cache.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The system refuses it.
    #[error("cannot use {path}")]
    Io {
        /// The directory.
        path: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The only place for a cache is one into which others may have put something.
    #[error(
        "the cache {path} cannot be trusted, for {reason}: set $HEDDLE_CACHE to a directory of your own"
    )]
    NotPrivate {
        /// The directory.
        path: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// `$HEDDLE_CACHE`, else `heddle` in the user's cache directory, else a directory of the user's own in the temporary
/// directory, which others may write too.
///
/// # Errors
/// There is no cache directory but one in the temporary directory to which others have access.
pub fn default_cache_dir() -> Result<PathBuf, CacheError> {
    let variable = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let of_user = variable("HEDDLE_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|d| d.join("heddle")))
        .or_else(|| variable("HOME").map(|d| d.join(".cache/heddle")));
    let user = rustix::process::getuid().as_raw();
    // Tools run in directories of their own.
    let Some(of_user) = of_user else { return private(&std::env::temp_dir(), user) };
    absolute(&of_user).map_err(at(&of_user))
}

/// The user's directory in one that others may write; made if it is not there. Libraries are loaded from it.
fn private(among: &Path, user: u32) -> Result<PathBuf, CacheError> {
    let path = absolute(among.join(format!("heddle-{user}"))).map_err(at(among))?;
    match DirBuilder::new().mode(0o700).create(&path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(at(&path)(error)),
        _ => {}
    }
    let found = fs::symlink_metadata(&path).map_err(at(&path))?;
    let reason = match () {
        () if !found.is_dir() => "it is no directory",
        () if found.uid() != user => "it belongs to another user",
        () if found.mode() & 0o077 != 0 => {
            "others have access to it (chmod 700 it if you know what is in it)"
        }
        () => return Ok(path),
    };
    Err(CacheError::NotPrivate { path: path.display().to_string(), reason })
}

/// For `map_err`: names the directory an I/O error is about.
fn at(path: &Path) -> impl FnOnce(io::Error) -> CacheError + '_ {
    move |source| CacheError::Io { path: path.display().to_string(), source }
}

/// What a cleaning removed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Files and directories.
    pub items: usize,
    /// Their size.
    pub bytes: u64,
    /// What nobody uses and yet could not be removed, each with the system's reason.
    pub kept: Vec<String>,
}

impl Removed {
    /// Counts an item of that size that is gone, or says why it is not. One that another process has removed was not ours.
    pub fn count(&mut self, path: &Path, bytes: u64, gone: io::Result<()>) {
        match gone {
            Ok(()) => {
                self.items += 1;
                self.bytes += bytes;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.kept.push(format!("{}: {error}", path.display())),
        }
    }
}

/// Removes what is kept in a directory of the cache: the files and directories that a [`Key`](super::Key) names, and what
/// processes have begun there that are gone. Whatever else lies there is not ours.
///
/// # Errors
/// The directory cannot be read. What cannot be removed stays, and is in [`Removed::kept`].
pub fn remove_kept(directory: &Path) -> io::Result<Removed> {
    let mut removed = Removed::default();
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(removed),
        other => other?,
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let Ok(found) = path.symlink_metadata() else { continue };
        if !is_kept(&path) && owner(&path).is_none() {
            continue;
        }
        let (bytes, gone) = match found.is_dir() {
            // Somebody may be at work there.
            true if !is_abandoned(&path) && !is_left_behind(&path) => continue,
            true => (directory_bytes(&path), fs::remove_dir_all(&path)),
            false => (found.len(), fs::remove_file(&path)),
        };
        removed.count(&path, bytes, gone);
    }
    Ok(removed)
}

/// Whether the digits of a key end a name, before its extension.
fn is_kept(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let key = name.rsplit('-').next().unwrap_or_default();
    key.len() >= 8 && key.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{symlink, PermissionsExt};

    use super::*;

    #[test]
    fn a_directory_among_those_of_others_is_the_users_own() {
        let directory = tempfile::tempdir().unwrap();
        let user = directory.path().metadata().unwrap().uid();
        let path = private(directory.path(), user).unwrap();
        let mode = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);
        assert_eq!(private(directory.path(), user).unwrap(), path, "once more");

        let refused = |user| private(directory.path(), user).unwrap_err().to_string();
        mode(0o770);
        assert!(refused(user).contains("others have access to it"), "{}", refused(user));
        assert!(refused(user).contains("set $HEDDLE_CACHE"), "{}", refused(user));
        mode(0o700);
        let strange = directory.path().join(format!("heddle-{}", user + 1));
        fs::rename(&path, &strange).unwrap();
        assert!(refused(user + 1).contains("belongs to another user"), "{}", refused(user + 1));
        symlink(&strange, &path).unwrap();
        assert!(refused(user).contains("is no directory"), "{}", refused(user));
    }

    #[test]
    fn only_what_a_key_names_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let names =
            ["bfs-0dfdb59d626440f9d6bbd3484dd76405.elf", "notes-2024.txt", "deadbeef", "p", "elf.1.0"];
        names.iter().for_each(|name| fs::write(directory.path().join(name), "12").unwrap());
        let removed = remove_kept(directory.path()).unwrap();
        assert_eq!((removed.items, removed.bytes), (3, 6));
        let left = names.map(|name| directory.path().join(name).exists());
        assert_eq!(left, [false, true, false, true, false]);
        assert_eq!(remove_kept(&directory.path().join("none")).unwrap(), Removed::default());
    }
}
