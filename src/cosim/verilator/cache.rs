//! The directory of built models, shared by threads and processes, and its bound.
//!
//! An item is a file or directory `NAME.so`, `NAME.build` or `NAME.runtime`. Who uses one holds the lock `NAME.lock`,
//! shared, who makes or removes one holds it alone; when it was last taken is when the item was last used.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::error::{at, Error, Result};
use files::{directory_bytes, Hold, Lock, Removed, Scratch};

/// Sets how many bytes of simulators a cache may hold.
pub const SIZE_VARIABLE: &str = "HEDDLE_CACHE_SIZE";

/// `$HEDDLE_CACHE_SIZE` in bytes, 4 GB by default.
///
/// # Errors
/// A value that is no size.
pub fn cache_size() -> Result<u64> {
    match std::env::var(SIZE_VARIABLE) {
        Ok(text) if !text.is_empty() => parse_size(&text).ok_or(Error::CacheSize(text)),
        _ => Ok(4 << 30),
    }
}

/// A number of bytes, or one with K, M or G behind it.
fn parse_size(text: &str) -> Option<u64> {
    let shift = match text.chars().last()? {
        'k' | 'K' => 10,
        'm' | 'M' => 20,
        'g' | 'G' => 30,
        _ => 0,
    };
    let digits = if shift == 0 { text } else { &text[..text.len() - 1] };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Removes the simulators that nobody uses, and what interrupted builds have left, least recently used first, until at
/// most `limit` bytes are left.
///
/// # Errors
/// The directory cannot be read. What cannot be removed stays, and is in [`Removed::kept`].
pub fn trim(cache: &Path, limit: u64) -> Result<Removed> {
    let mut items = items(cache).map_err(at(cache))?;
    items.sort_by_key(|item| item.used);
    let mut held: u64 = items.iter().map(|item| item.bytes).sum();
    let mut removed = Removed::default();
    for item in
        items.iter().filter(|item| item.is_build()).chain(items.iter().filter(|item| !item.is_build()))
    {
        // With no room at all even what is empty goes.
        if held <= limit && limit != 0 && !item.is_build() {
            continue;
        }
        let gone = match item.remove() {
            Ok(false) => continue,
            Ok(true) => {
                held -= item.bytes;
                Ok(())
            }
            Err(error) => Err(error),
        };
        removed.count(&item.path, item.bytes, gone);
    }
    Ok(removed)
}

/// A file or directory of the cache.
struct Item {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl Item {
    /// Whether it is a directory in which a model is built, or was, by a process that is gone.
    fn is_build(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "build")
    }

    /// Removes it with its lock, unless somebody uses it: says which.
    fn remove(&self) -> io::Result<bool> {
        let lock = self.path.with_extension("lock");
        let file = File::create(&lock)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if self.path.is_dir() {
            fs::remove_dir_all(&self.path)?;
        } else {
            fs::remove_file(&self.path)?;
        }
        fs::remove_file(&lock)?;
        Ok(true)
    }
}

fn items(cache: &Path) -> io::Result<Vec<Item>> {
    let entries = match fs::read_dir(cache) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        other => other?,
    };
    let mut items = vec![];
    for entry in entries {
        let path = entry?.path();
        if !path.extension().is_some_and(|e| ["so", "build", "runtime"].iter().any(|kind| e == *kind)) {
            continue;
        }
        // What another process removes meanwhile is no longer there to be counted.
        let Ok(meta) = path.metadata() else { continue };
        let lock = path.with_extension("lock").metadata().and_then(|lock| lock.modified());
        let Ok(used) = lock.or_else(|_| meta.modified()) else { continue };
        let bytes = if meta.is_dir() { directory_bytes(&path) } else { meta.len() };
        items.push(Item { path, bytes, used });
    }
    Ok(items)
}

/// Takes the lock at `path` and holds it until it is dropped. Now is when its item was last used.
pub(super) fn lock(path: &Path, hold: Hold) -> Result<Lock> {
    let lock = files::lock(path, hold).map_err(at(path))?;
    lock.touch();
    Ok(lock)
}

/// An empty directory that is removed with its contents when dropped, also after a failed build.
pub(super) struct ScratchDir(Scratch);

impl ScratchDir {
    pub(super) fn new(path: PathBuf) -> Result<Self> {
        Scratch::at(path.clone()).map(Self).map_err(at(&path))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path().join(name);
        fs::write(&path, text).map_err(at(&path))
    }

    pub(super) fn read(&self, name: &str) -> Result<String> {
        let path = self.path().join(name);
        fs::read_to_string(&path).map_err(at(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [("0", 0), ("4096", 4096), ("3k", 3 << 10), ("20M", 20 << 20), ("4G", 4 << 30)] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for text in ["", "G", "-1", "4GB", "1.5G", "99999999999G"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    /// Names, of those that are left, in order.
    fn left(cache: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(cache)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".lock"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_used_least_recently_goes_first_and_what_is_in_use_stays() {
        let directory = tempfile::tempdir().unwrap();
        let cache = directory.path();
        let used = |name: &str, seconds| {
            let lock = File::create(cache.join(name).with_extension("lock")).unwrap();
            lock.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
        };
        for (name, seconds) in [("c.so", 3), ("a.so", 1), ("b.so", 2), ("d.so", 4)] {
            fs::write(cache.join(name), [0; 100]).unwrap();
            used(name, seconds);
        }
        fs::create_dir(cache.join("r.runtime")).unwrap();
        fs::write(cache.join("r.runtime/x.o"), [0; 50]).unwrap();
        used("r.runtime", 5);
        fs::create_dir(cache.join("killed.build")).unwrap();
        fs::create_dir(cache.join("under_way.build")).unwrap();
        fs::write(cache.join("foreign"), [0; 1000]).unwrap();

        let builder = lock(&cache.join("under_way.lock"), Hold::Alone).unwrap();
        let others = ["foreign", "r.runtime", "under_way.build"].map(String::from);
        assert_eq!(trim(cache, 450).unwrap(), Removed { items: 1, bytes: 0, kept: vec![] });
        assert_eq!(left(cache)[..4], ["a.so", "b.so", "c.so", "d.so"].map(String::from));
        assert_eq!(left(cache)[4..], others);

        let user = lock(&cache.join("a.lock"), Hold::Shared).unwrap();
        used("a.so", 1);
        assert_eq!(trim(cache, 449).unwrap(), Removed { items: 1, bytes: 100, kept: vec![] });
        assert_eq!(left(cache)[..3], ["a.so", "c.so", "d.so"].map(String::from));

        drop((builder, user));
        assert_eq!(trim(cache, 0).unwrap(), Removed { items: 5, bytes: 350, kept: vec![] });
        assert_eq!(left(cache), ["foreign"]);
        assert_eq!(fs::read_dir(cache).unwrap().count(), 1, "locks go with their items");
        assert_eq!(trim(&cache.join("nowhere"), 0).unwrap(), Removed::default());
    }

    #[test]
    fn what_cannot_be_removed_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let cache = directory.path();
        fs::create_dir(cache.join("empty.so")).unwrap();
        fs::write(cache.join("stays.so"), "").unwrap();
        // No lock can be had.
        fs::create_dir(cache.join("stays.lock")).unwrap();
        let removed = trim(cache, 0).unwrap();
        assert_eq!(removed.items, 1, "the empty one");
        assert!(cache.join("stays.so").exists());
        assert_eq!(removed.kept.len(), 1);
        let kept = &removed.kept[0];
        assert!(kept.contains("stays.so") && kept.contains("Is a directory"), "{kept}");
    }
}
