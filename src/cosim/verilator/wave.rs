//! The file of waves: made under another name, because Verilator's writer removes what it finds and makes a second file
//! beside it, and put into its place when it is whole.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use files::Pending;

/// Blocks of an FST file (GTKWave's `fstapi.h`): the hierarchy of signals, in three ways of compression, is the last one
/// that the writer makes.
const HIERARCHY: [u8; 3] = [4, 6, 7];

/// A file of waves that is being written.
#[derive(Debug)]
pub(super) struct WaveFile {
    file: Pending,
    _hierarchy: Hierarchy,
}

/// The writer's second file, which it leaves where it comes to an early end.
#[derive(Debug)]
struct Hierarchy(PathBuf);

impl Drop for Hierarchy {
    fn drop(&mut self) {
        // Usually it is gone.
        let _ = fs::remove_file(&self.0);
    }
}

impl WaveFile {
    /// # Errors
    /// It cannot be written, or is a device or pipe: the writer goes back in the file.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        let file = Pending::new(path)?;
        if !file.place().is_file() {
            let why = "it is a device or a pipe, where waves cannot be written; name a file";
            return Err(io::Error::new(ErrorKind::NotSeekable, why));
        }
        // The writer itself gives up silently, or ends the process.
        File::create(file.scratch())?;
        let mut hierarchy = file.scratch().as_os_str().to_owned();
        hierarchy.push(".hier");
        Ok(Self { file, _hierarchy: Hierarchy(hierarchy.into()) })
    }

    /// Where the writer shall write.
    pub(super) fn scratch(&self) -> &Path {
        self.file.scratch()
    }

    /// Puts the file into its place, after the writer has closed it.
    ///
    /// # Errors
    /// It is not whole, of which the writer says nothing, or cannot be put there.
    pub(super) fn publish(self) -> io::Result<()> {
        match is_whole(File::open(self.file.scratch())?) {
            Ok(true) => self.file.publish(),
            Ok(false) => Err(io::Error::other("the waves were cut off: is the disk full?")),
            Err(error) => Err(error),
        }
    }
}

/// Whether a file of waves has all its blocks: a byte says what one is, eight how long what follows is with themselves,
/// most significant byte first.
fn is_whole(mut file: File) -> io::Result<bool> {
    let bytes = file.metadata()?.len();
    let (mut at, mut last) = (0, None);
    while at < bytes {
        let mut head = [0; 9];
        file.seek(SeekFrom::Start(at))?;
        if file.read_exact(&mut head).is_err() {
            return Ok(false);
        }
        let [kind, length @ ..] = head;
        last = Some(kind);
        at = at.saturating_add(1).saturating_add(u64::from_be_bytes(length));
    }
    Ok(at == bytes && last.is_some_and(|kind| HIERARCHY.contains(&kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(kind: u8, content: &[u8]) -> Vec<u8> {
        [&[kind][..], &(8 + content.len() as u64).to_be_bytes(), content].concat()
    }

    #[test]
    fn what_is_cut_off_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let whole = |content: &[u8]| {
            fs::write(&path, content).unwrap();
            is_whole(File::open(&path).unwrap()).unwrap()
        };
        let content =
            [block(0, &[0; 321]), block(8, &[1; 50]), block(3, &[2; 9]), block(6, &[3; 70])].concat();
        assert!(whole(&content));
        for length in 0..content.len() {
            assert!(!whole(&content[..length]), "{length} bytes");
        }
        assert!(!whole(&[&content[..], &[0]].concat()), "longer");
        assert!(!whole(&[255; 100]), "lengths beyond all numbers");
    }
}
