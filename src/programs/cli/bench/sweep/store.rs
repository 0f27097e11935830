//! Runs that have been made, each in a file that is called by all that went into it.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::entry::Entry;
use crate::cli::engine::EngineKind;
use crate::cli::UsageError;
use crate::report::write_file;
use cosim::RunOptions;
use files::Key;
use loader::Program;
use spec::config::CoreConfig;

/// A directory of runs.
pub(in crate::cli::bench) struct Store {
    directory: PathBuf,
    /// This program: it has the hardware, the models and the memories in it, and a change in any may change a result.
    program: [u8; 12],
}

impl Store {
    /// # Errors
    /// This program's own file cannot be read.
    pub(in crate::cli::bench) fn new(directory: PathBuf) -> anyhow::Result<Self> {
        let own =
            std::env::current_exe().and_then(fs::read).context("cannot read this program's own file")?;
        let mut program = [0; 12];
        program[..8].copy_from_slice(&(own.len() as u64).to_le_bytes());
        program[8..].copy_from_slice(&crc32fast::hash(&own).to_le_bytes());
        Ok(Self { directory, program })
    }

    /// The file of a run; `expectations` are what its results are compared with, if anything but its program says that.
    pub(in crate::cli::bench) fn path(
        &self,
        engine: EngineKind,
        cfg: &CoreConfig,
        (program, expectations): (&Program, &[u8]),
        options: &RunOptions,
    ) -> serde_json::Result<PathBuf> {
        let mut key = Key::default();
        key.add(self.program).add(engine.name()).add(serde_json::to_string(cfg)?).add(format!("{options:?}"));
        key.add(expectations).add(&program.name).add(program.entry.to_le_bytes());
        for segment in &program.segments {
            key.add(segment.address.to_le_bytes()).add(segment.reserved.to_le_bytes()).add(&segment.bytes);
        }
        Ok(self.directory.join(key.hex() + ".json"))
    }
}

/// Whether a file is called as those of [`Store::path`].
fn has_name_of_run(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().as_encoded_bytes();
    name.len() == Key::default().hex().len() && name.iter().all(u8::is_ascii_hexdigit)
}

/// The run of that file. One that failed is as good as none: whatever was the reason may be gone.
pub(in crate::cli::bench) fn find(path: &Path) -> Option<Entry> {
    let entry: Entry = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    entry.passed().then_some(entry)
}

/// Keeps a run; nobody finds half of it.
///
/// # Errors
/// The file cannot be written.
pub(in crate::cli::bench) fn keep(path: &Path, entry: &Entry) -> anyhow::Result<()> {
    let text = serde_json::to_string(entry)? + "\n";
    write_file(path, &text).with_context(|| format!("cannot write {}", path.display()))
}

/// All runs below a directory, in their order. Links are followed, and no directory is read twice. Of a run that was made
/// twice, once with success, the success counts.
///
/// # Errors
/// A directory or file that cannot be read, a part of a run, or no run at all.
pub(in crate::cli::bench) fn collect(directory: &Path) -> anyhow::Result<Vec<Entry>> {
    let mut entries = vec![];
    let mut open = vec![directory.to_owned()];
    let mut seen = HashSet::new();
    while let Some(directory) = open.pop() {
        let unread = || format!("cannot read {}", directory.display());
        if !seen.insert(directory.canonicalize().with_context(unread)?) {
            continue;
        }
        for file in fs::read_dir(&directory).with_context(unread)? {
            let path = file.with_context(unread)?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.is_file() && path.extension().is_some_and(|e| e == "json") {
                let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                match serde_json::from_slice::<Entry>(&bytes) {
                    Ok(entry) => entries.push(entry),
                    Err(_) if has_name_of_run(&path) => {
                        return Err(UsageError(format!(
                            "{} is not a whole run: delete it, and make that run again or copy it again",
                            path.display()
                        ))
                        .into())
                    }
                    // Other files of a comparison are JSON too.
                    Err(_) => {}
                }
            }
        }
    }
    if entries.is_empty() {
        return Err(UsageError(format!("there are no runs in {}", directory.display())).into());
    }
    entries.sort_by_key(|entry| (entry.place(), !entry.passed()));
    entries.dedup_by(|later, first| later.place().cmp(&first.place()).is_eq());
    Ok(entries)
}
