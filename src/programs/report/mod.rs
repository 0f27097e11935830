//! Reports of experiments: tables, bar charts as SVG, and a page of HTML that has both.
//!
//! Nothing here knows what is reported; numbers come as text, or as bars.

mod chart;
mod page;
mod stack;
mod table;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use files::{publish, together};

pub use chart::{Chart, Line, Mark, Series};
pub use page::{Page, Section};
pub use stack::Stack;
pub use table::{grouped, markdown, Table};

/// Text as it stands in HTML and SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes a file, and makes its directory; nobody finds half of it.
///
/// # Errors
/// The directory or the file cannot be written.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    directory.map_or(Ok(()), fs::create_dir_all)?;
    publish(path, |scratch| fs::write(scratch, &contents))
}

/// Writes files that belong together into one directory; see [`together`].
///
/// # Errors
/// As there.
pub fn write_files(directory: &Path, files: &[(PathBuf, String)]) -> io::Result<()> {
    together(directory, |staged| files.iter().try_for_each(|(path, text)| staged.write(path, text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_whole_or_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/report.html");
        write_file(&path, "one").unwrap();
        write_file(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        // A directory cannot be replaced: an error, and nothing is left behind.
        assert!(write_file(path.parent().unwrap(), "three").is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
