//! Whether results can be written, found out before the work that they come from. Nothing is left behind.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::print::standard_output;
use super::UsageError;
use files::{check_beside, Identity, Place};

/// Whether each of these files can be written, and nothing is lost by that.
///
/// # Errors
/// A mistake in the arguments, if two of them are one file, or one is an input or takes standard output; else the first
/// that cannot be written.
pub(super) fn check_files(outputs: &[PathBuf], inputs: &[PathBuf]) -> anyhow::Result<()> {
    let standard = standard_output();
    let mut others: Vec<(&Path, Identity)> = vec![];
    for output in outputs {
        let Some(identity) = Identity::of(output) else { continue };
        let what = output.display();
        if let Some(input) = inputs.iter().find(|input| Identity::of(input).as_ref() == Some(&identity)) {
            let input = input.display();
            return Err(UsageError(format!(
                "{what} is the input {input}, which would be lost: write to another file"
            ))
            .into());
        }
        if let Some((other, _)) = others.iter().find(|(_, other)| *other == identity) {
            let other = other.display();
            return Err(UsageError(format!(
                "two outputs cannot be written to one file, {other} and {what}: give each a name of its own"
            ))
            .into());
        }
        if standard.as_ref() == Some(&identity) {
            return Err(
                UsageError(format!("{what} takes standard output already: write to another file")).into()
            );
        }
        others.push((output, identity));
    }
    outputs.iter().try_for_each(|path| {
        Place::of(path)
            .and_then(|place| place.check())
            .with_context(|| format!("cannot write {}", path.display()))
    })
}

/// Whether there can be waves in a file, in which their writer goes back.
///
/// # Errors
/// It is a device or a pipe.
pub(super) fn check_waves(path: &Path) -> Result<(), UsageError> {
    match Place::of(path) {
        Ok(place) if !place.is_file() => Err(UsageError(format!(
            "--wave {} is a device or a pipe, where waves cannot be written: name a file",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Whether files of these names can be put into a directory, which may have to be made, and nothing is lost by that.
///
/// # Errors
/// As for single files, or neither the directory nor the place for it can be written.
pub fn check_directory(path: &Path, names: &[&str], inputs: &[PathBuf]) -> anyhow::Result<()> {
    if path.is_dir() {
        let files: Vec<_> = names.iter().map(|name| path.join(name)).collect();
        return check_files(&files, inputs);
    }
    // What is missing is made in the nearest place that is there.
    let there = path.ancestors().skip_while(|place| !place.as_os_str().is_empty() && !place.exists());
    let there = there.map(|place| place.join("probe")).next().unwrap_or_default();
    check_beside(&there).with_context(|| format!("cannot write into {}", path.display()))
}
