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

/// [`write_files`] for a set that replaces an earlier one: `list` names its files, one a line, and files that only
/// the earlier list names are removed, so that what lies in `dir` is one design and not a mixture of two.
///
/// # Errors
/// As [`write_files`], or a file of the earlier set cannot be removed.
pub fn write_set(dir: &Path, list: &str, files: &[(&str, &str)]) -> Result<()> {
    let earlier = fs::read_to_string(dir.join(list)).unwrap_or_default();
    let names: String = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    write_files(dir, files.iter().copied().chain([(list, names.as_str())]))?;
    // A plain name only: the list is text that anybody may have edited.
    let stale =
        earlier.lines().filter(|&name| !files.iter().any(|f| f.0 == name) && !name.contains(['/', '\\']));
    for path in stale.map(|name| dir.join(name)).filter(|path| path.is_file()) {
        fs::remove_file(&path).with_context(|| format!("cannot remove the outdated {}", path.display()))?;
    }
    Ok(())
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
    fn a_set_replaces_the_one_before() {
        let dir = tempfile::tempdir().unwrap();
        let (out, precious) = (dir.path().join("out"), dir.path().join("precious"));
        fs::write(&precious, "").unwrap();
        write_set(&out, "set.f", &[("a.v", "1"), ("b.v", "2")]).unwrap();
        fs::write(out.join("mine.v"), "").unwrap();
        fs::write(out.join("set.f"), "a.v\nb.v\n../precious\nnever.v\n\n").unwrap();
        write_set(&out, "set.f", &[("b.v", "3"), ("c.v", "4")]).unwrap();
        assert_eq!(names(&out), ["b.v", "c.v", "mine.v", "set.f"]);
        assert_eq!(fs::read_to_string(out.join("set.f")).unwrap(), "b.v\nc.v\n");
        assert!(precious.exists());
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
