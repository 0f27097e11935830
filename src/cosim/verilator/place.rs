//! Where the cache is.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{absolute, Path, PathBuf};

use super::error::{at, Error, Result};

/// `$HEDDLE_CACHE`, else `heddle` in the user's cache directory, else a directory of the user's own in the temporary
/// directory, which others may write too.
///
/// # Errors
/// There is no cache directory but one in the temporary directory to which others have access.
pub fn default_cache_dir() -> Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let of_user = variable("HEDDLE_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|d| d.join("heddle")))
        .or_else(|| variable("HOME").map(|d| d.join(".cache/heddle")));
    let user = rustix::process::getuid().as_raw();
    // Tools run in directories of their own.
    let Some(of_user) = of_user else { return private(&std::env::temp_dir(), user) };
    absolute(&of_user).map_err(at(&of_user))
}

/// A program that comes as a Python wheel, where `scripts/setup.sh` puts it, if it is there.
pub fn wheel(program: &str) -> Option<PathBuf> {
    Some(default_cache_dir().ok()?.join("wheels/bin").join(program)).filter(|path| path.is_file())
}

/// The user's directory in one that others may write; made if it is not there. Libraries are loaded from it.
fn private(among: &Path, user: u32) -> Result<PathBuf> {
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
    Err(Error::NotPrivate { path: path.display().to_string(), reason })
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
