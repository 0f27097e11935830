//! Reports of experiments: tables, bar charts as SVG, and a page of HTML that has both.
//!
//! Nothing here knows what is reported; numbers come as text, or as bars.

mod chart;
mod page;
mod table;

use std::fs;
use std::io;
use std::path::Path;

pub use chart::{Chart, Line, Mark, Series};
pub use page::{Page, Section};
pub use table::{grouped, Table};

/// Text as it stands in HTML and SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes a file under another name and renames it, so that nobody finds half of it.
///
/// # Errors
/// The directory or the file cannot be written.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("a file without a name"))?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    directory.map_or(Ok(()), fs::create_dir_all)?;
    let unfinished = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&unfinished);
    }
    written
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
