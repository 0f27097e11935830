//! Files that are whole or not there, and the directory in which they are kept for the next time.
#![warn(missing_docs)]

mod cache;
mod key;
mod lock;
mod place;
mod scratch;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

pub use cache::{default_cache_dir, remove_kept, CacheError, Removed};
pub use key::Key;
pub use lock::{hold_directory, lock, none_half_written, try_lock, Held, Hold, Lock};
pub use place::{at, check_beside, together, Identity, Pending, Place, Staged};
pub use scratch::{remove_scratch, Scratch};

/// `path` with an ending that no other thread or process uses: what is made there can be renamed to `path` in one step.
pub fn scratch_path(path: &Path) -> PathBuf {
    static TAKEN: AtomicUsize = AtomicUsize::new(0);
    let number = TAKEN.fetch_add(1, Ordering::Relaxed);
    let mut scratch = path.as_os_str().to_owned();
    scratch.push(format!(".{}.{number}", std::process::id()));
    scratch.into()
}

/// The process that named `path` by [`scratch_path`].
fn owner(path: &Path) -> Option<u32> {
    path.extension()?.to_str()?.parse::<usize>().ok()?;
    Path::new(path.file_stem()?).extension()?.to_str()?.parse().ok()
}

/// Whether the process that named `path` by [`scratch_path`] is gone. Where nobody can tell, it is not.
fn is_left_behind(path: &Path) -> bool {
    let processes = Path::new("/proc/self");
    owner(path)
        .is_some_and(|process| processes.exists() && !processes.with_file_name(process.to_string()).exists())
}

/// The size of all files below a directory; what cannot be read counts nothing.
pub fn directory_bytes(path: &Path) -> u64 {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let of_one = |entry: fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => directory_bytes(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.map(of_one).sum()
}

/// Lets `make` write a file under another name and puts it at `path` when it is whole, so that nobody finds half of it
/// there. A link stays one: the file that it leads to is written. What is no file, as a device or a pipe, is written to
/// straight away.
///
/// # Errors
/// What `make` says, or the file cannot be put at `path`; nothing is left behind then.
pub fn publish<T>(path: &Path, make: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<()> {
    let pending = Pending::new(path)?;
    make(pending.scratch())?;
    pending.publish()
}

/// The content of a file of at most `most` bytes. Of what never ends, as
/// [zero](https://man7.org/linux/man-pages/man4/null.4.html), no more is read.
///
/// # Errors
/// It cannot be read, or is longer.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut content)?;
    match content.len() as u64 <= most {
        true => Ok(content),
        false => Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is longer than {most} bytes"))),
    }
}

/// Whether a file that is made elsewhere can be renamed to `path`.
///
/// # Errors
/// There is a directory.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    match path.is_dir() {
        true => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, not a file: remove it")),
        false => Ok(()),
    }
}

/// Ends a sealed file; a file in an older or another form has no such end.
const SEAL: [u8; 8] = *b"heddle:1";
/// The seal, the content's length in 8 bytes and its CRC-32 in 4, least significant first.
const TRAILER: usize = SEAL.len() + 8 + 4;

/// Appends to a file what tells later whether it is still as it is now. Programs and libraries in ELF work with it.
///
/// # Errors
/// The file cannot be read or written.
pub fn seal(path: &Path) -> io::Result<()> {
    let trailer = trailer(&fs::read(path)?);
    File::options().append(true).open(path)?.write_all(&trailer)
}

/// Whether a file is there and as it was when it was sealed. What cannot be read is not.
pub fn is_whole(path: &Path) -> bool {
    let mut content = Vec::new();
    if File::open(path).and_then(|mut file| file.read_to_end(&mut content)).is_err() {
        return false;
    }
    let split = content.len().checked_sub(TRAILER).map(|at| content.split_at(at));
    split.is_some_and(|(content, end)| end == trailer(content))
}

fn trailer(content: &[u8]) -> [u8; TRAILER] {
    let mut trailer = [0; TRAILER];
    trailer[..8].copy_from_slice(&SEAL);
    trailer[8..16].copy_from_slice(&(content.len() as u64).to_le_bytes());
    trailer[16..].copy_from_slice(&crc32fast::hash(content).to_le_bytes());
    trailer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_is_allowed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read_at_most(&path, 5).unwrap(), b"12345");
        assert_eq!(read_at_most(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn what_another_process_has_left_is_known() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let path = PathBuf::from(format!("cache/launched.{}.0", child.id()));
        // It stays a process until somebody asks how it ended.
        assert!(!is_left_behind(&path));
        child.wait().unwrap();
        assert_eq!(is_left_behind(&path), Path::new("/proc/self").exists());
        assert!(!is_left_behind(&scratch_path(Path::new("cache/launched"))));
        for other in ["cache/launched", "cache/launched.0", "cache/a.b.c", "/"] {
            assert!(!is_left_behind(Path::new(other)), "{other}");
        }
    }

    #[test]
    fn a_sealed_file_is_whole_until_it_is_changed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        assert!(!is_whole(&path), "not there");
        fs::write(&path, b"what it holds").unwrap();
        assert!(!is_whole(&path), "not sealed");
        seal(&path).unwrap();
        assert!(is_whole(&path));
        let sealed = fs::read(&path).unwrap();
        for (damage, content) in [
            ("empty", vec![]),
            ("cut", sealed[..sealed.len() / 2].to_vec()),
            ("its last byte lost", sealed[..sealed.len() - 1].to_vec()),
            ("its first byte lost", sealed[1..].to_vec()),
            ("a bit flipped", sealed.iter().enumerate().map(|(i, b)| b ^ u8::from(i == 3)).collect()),
            ("longer", [&sealed[..], b"x"].concat()),
        ] {
            fs::write(&path, content).unwrap();
            assert!(!is_whole(&path), "{damage}");
        }
    }
}
