//! Writing a set of result files so that a failure leaves the directory as it was.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes `files` (names relative to `dir`, contents) into `dir`, which is created if needed. All are first
/// written beside their places and only then renamed, so a full disk leaves no half-written set behind.
///
/// # Errors
/// The directory or one of the files cannot be written; the message names it.
pub fn write_files<'a>(dir: &Path, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("cannot create the directory {}", dir.display()))?;
    let prefix = format!(".heddle-{}-", std::process::id());
    let mut staged = Vec::new();
    let written = files.into_iter().try_for_each(|(name, text)| {
        let (from, to) = (dir.join(format!("{prefix}{name}")), dir.join(name));
        staged.push((from.clone(), to));
        fs::write(&from, text).with_context(|| format!("cannot write {} in {}", name, dir.display()))
    });
    let result = written.and_then(|()| {
        staged.iter().try_for_each(|(from, to)| {
            fs::rename(from, to).with_context(|| format!("cannot write {}", to.display()))
        })
    });
    if result.is_err() {
        for (from, _) in &staged {
            // Those already renamed are not there any more, and the first error is the one to report.
            let _ = fs::remove_file(from);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_created_and_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("a/b");
        write_files(&out, [("x.v", "one"), ("y.v", "two")]).unwrap();
        write_files(&out, [("x.v", "three")]).unwrap();
        assert_eq!(names(&out), ["x.v", "y.v"]);
        assert_eq!(fs::read_to_string(out.join("x.v")).unwrap(), "three");
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        // The second file's directory does not exist.
        let error = write_files(dir.path(), [("x.v", "one"), ("no/y.v", "two")]).unwrap_err();
        assert!(format!("{error:#}").contains("no/y.v"), "{error:#}");
        assert!(names(dir.path()).is_empty());
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(format!("{:#}", write_files(&file, [("x.v", "")]).unwrap_err()).contains("cannot create"));
    }
}
