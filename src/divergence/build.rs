//! Tells versions of the tool apart, by a hash of its sources.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let mut cargo = io::stdout();
    writeln!(cargo, "cargo:rerun-if-changed={folder}")?;
    let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
        fs::read(file)?.hash(&mut hasher);
    }
    writeln!(cargo, "cargo:rustc-env=SOURCES={:016x}", hasher.finish())
}
