//! Where what takes time to make is kept.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{absolute, Path, PathBuf};

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
}
