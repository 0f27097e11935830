//! What is behind a path that something is written to, and how a file gets there whole.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::lock::{hold_directory, none_half_written};
use super::{is_left_behind, scratch_path};

/// Links behind links that are followed, as Linux does.
const MOST_LINKS: usize = 40;

/// What a path leads to: a file, whether it is there yet or not, or a device or a pipe.
#[derive(Debug)]
pub struct Place {
    /// Of a file, its own path, without links.
    path: PathBuf,
    there: Option<Metadata>,
}

impl Place {
    /// Follows links, one to a file that is not there yet too.
    ///
    /// # Errors
    /// A directory, a file that may not be written, or a path that leads nowhere.
    pub fn of(path: &Path) -> io::Result<Self> {
        let there = match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self { path: followed(path)?, there: None });
            }
            there => there?,
        };
        if there.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        // The system would not keep root from it.
        if there.permissions().readonly() {
            let why =
                "it is write-protected; remove it, allow writing with chmod u+w, or choose another name";
            return Err(io::Error::new(ErrorKind::PermissionDenied, why));
        }
        if !there.is_file() {
            return Ok(Self { path: path.to_owned(), there: Some(there) });
        }
        // Who may not change a file may not replace it either; opened, but not cut.
        File::options().append(true).open(path)?;
        Ok(Self { path: fs::canonicalize(path)?, there: Some(there) })
    }

    /// Whether it is a file or will be one, and neither a device nor a pipe.
    pub fn is_file(&self) -> bool {
        self.there.as_ref().is_none_or(Metadata::is_file)
    }

    /// Whether a finished file can be put there; nothing is left behind.
    ///
    /// # Errors
    /// No file can be made beside it.
    pub fn check(&self) -> io::Result<()> {
        if self.is_file() {
            check_beside(&self.path)?;
        }
        Ok(())
    }

    /// Whether it is a file with this content.
    fn holds(&self, text: &str) -> bool {
        let same_size =
            self.there.as_ref().is_some_and(|there| there.is_file() && there.len() == text.len() as u64);
        same_size && fs::read(&self.path).is_ok_and(|there| there == text.as_bytes())
    }
}

/// Whether a file can be made beside `path`; nothing is left behind.
///
/// # Errors
/// If not.
pub fn check_beside(path: &Path) -> io::Result<()> {
    let scratch = scratch_path(path);
    File::create_new(&scratch)?;
    fs::remove_file(&scratch)
}

/// The path behind links, which may lead to a file that is not there.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // A relative one is seen from where it lies.
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links, one behind the other"))
}

/// What two paths have in common that lead to one file: its number in its file system; of a file that is not there yet,
/// its directory's and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64, Option<OsString>);

impl Identity {
    /// Nothing where there is no such file, as of a terminal or [null](https://man7.org/linux/man-pages/man4/null.4.html),
    /// which several may write to, or of a path that leads nowhere.
    pub fn of(path: &Path) -> Option<Self> {
        if let Ok(there) = fs::metadata(path) {
            return Self::of_open(&there);
        }
        let path = followed(path).ok()?;
        let directory =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = fs::metadata(directory).ok()?;
        Some(Self(directory.dev(), directory.ino(), Some(path.file_name()?.to_owned())))
    }

    /// The same of what is open already.
    pub fn of_open(there: &Metadata) -> Option<Self> {
        (!there.file_type().is_char_device()).then(|| Self(there.dev(), there.ino(), None))
    }
}

/// A file that is made under another name and put into its place when it is whole; until then nothing changes there, and
/// nothing is left behind if it never is. What is no file, as a device or a pipe, is written to straight away.
#[derive(Debug)]
pub struct Pending {
    place: Place,
    scratch: PathBuf,
}

impl Pending {
    /// # Errors
    /// As [`Place::of`].
    pub fn new(path: &Path) -> io::Result<Self> {
        let place = Place::of(path)?;
        let scratch = if place.is_file() { scratch_path(&place.path) } else { place.path.clone() };
        Ok(Self { place, scratch })
    }

    /// Where it is going to be.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Where it is made.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// Puts it into its place, with the permissions of the file that was there.
    ///
    /// # Errors
    /// It cannot be put there.
    pub fn publish(self) -> io::Result<()> {
        if !self.place.is_file() {
            return Ok(());
        }
        if let Some(there) = &self.place.there {
            fs::set_permissions(&self.scratch, there.permissions())?;
        }
        fs::rename(&self.scratch, &self.place.path)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if self.place.is_file() {
            // It has its place now, or never came into being, or another error led here, which is the one to tell.
            let _ = fs::remove_file(&self.scratch);
        }
    }
}

/// Files that are made one by one and put into their places together, so that an error, as of a full disk, leaves all as
/// they were.
#[derive(Debug, Default)]
pub struct Staged {
    /// All that there is going to be.
    names: BTreeSet<PathBuf>,
    made: Vec<(PathBuf, Pending)>,
    gone: Vec<PathBuf>,
}

/// Makes files that belong together in a directory, which is made too: all or none, whether there is an error or a signal
/// ends the process, and not while another process does so.
///
/// # Errors
/// What `make` says, or the directory or a file cannot be written; the message names it.
pub fn together(directory: &Path, make: impl FnOnce(&mut Staged) -> io::Result<()>) -> io::Result<()> {
    fs::create_dir_all(directory).map_err(at(directory))?;
    let held = hold_directory(directory).map_err(at(directory))?;
    // Let go last: the file of the lock is to be gone too.
    let _whole = none_half_written();
    let mut staged = Staged::default();
    let made = make(&mut staged).and_then(|()| {
        remove_begun(directory, &staged.names);
        staged.publish()
    });
    drop(held);
    made
}

/// Removes what a process has begun of files with these names that was killed.
fn remove_begun(directory: &Path, names: &BTreeSet<PathBuf>) {
    for path in fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_left_behind(&path) && names.contains(&path.with_extension("").with_extension("")) {
            let _ = fs::remove_file(&path);
        }
    }
}

impl Staged {
    /// Makes a file of this text. One that has it already stays as it is, its time included.
    ///
    /// # Errors
    /// The file cannot be written; the message names it.
    pub fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
        let pending = Pending::new(path).map_err(at(path))?;
        self.names.insert(path.to_owned());
        if !pending.place.holds(text) {
            fs::write(&pending.scratch, text).map_err(at(path))?;
            self.made.push((path.to_owned(), pending));
        }
        Ok(())
    }

    /// Has a file removed that belonged to those that are replaced.
    pub fn remove(&mut self, path: &Path) {
        self.gone.push(path.to_owned());
    }

    /// Puts them into their places, and removes what is to go.
    ///
    /// # Errors
    /// One cannot be put there, or not removed; the message names it.
    fn publish(self) -> io::Result<()> {
        self.made.into_iter().try_for_each(|(path, pending)| pending.publish().map_err(at(&path)))?;
        self.gone.iter().try_for_each(|path| match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(at(path)(error)),
            _ => Ok(()),
        })
    }
}

/// Adds the path to what the system says.
pub fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
