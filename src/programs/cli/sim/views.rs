//! The views that `sim` writes of a run.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::job::Job;
use crate::cli::{complain, UsageError};
use crate::report::write_file;
use crate::views::{self, kanata, pattern, perfetto, phases};
use cosim::{Check, Recording, Report, RunOptions};
use spec::config::CoreConfig;
use spec::registry;

/// Files to write.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Views (of the cycles from --wave-from to --wave-to)")]
pub(super) struct ViewArgs {
    /// Write a trace for ui.perfetto.dev: a track a warp with issue, stalls by cause and barriers, memory in flight, counters;
    /// with several programs, every file's name gets the program's added, and a number if that is not the first of its name
    #[arg(long, value_name = "FILE.json", group = "windowed")]
    perfetto: Option<PathBuf>,
    /// Write a log for Konata: an instruction a row, with its stages and stalls
    #[arg(long, value_name = "FILE", group = "windowed")]
    kanata: Option<PathBuf>,
    /// Draw what each warp does from barrier to barrier
    #[arg(long, value_name = "FILE.svg", group = "windowed")]
    phases: Option<PathBuf>,
    /// Draw what iPAWS decides by: the instructions of each warp at the end of Adapt
    #[arg(long, value_name = "FILE.svg", group = "windowed")]
    pattern: Option<PathBuf>,
}

impl ViewArgs {
    fn files(&self) -> [&Option<PathBuf>; 4] {
        [&self.perfetto, &self.kanata, &self.phases, &self.pattern]
    }

    pub(super) fn are_asked(&self) -> bool {
        self.files().into_iter().any(Option::is_some)
    }

    /// Whether such a core shows them.
    ///
    /// # Errors
    /// If not.
    pub(super) fn check(&self, cfg: &CoreConfig, options: &RunOptions) -> Result<(), UsageError> {
        let error = |text: &str| Err(UsageError(text.into()));
        let mut shown = registry::POLICIES.iter().filter(|policy| policy.shows_pattern);
        if self.pattern.is_some() && !shown.clone().any(|policy| policy.key == cfg.issue) {
            let key = shown.next().map_or("", |policy| policy.key);
            let rule = "--pattern shows what iPAWS decides by: choose it with";
            return error(&format!("{rule} --sched {key} or --issue {key}"));
        }
        if self.pattern.is_some() && options.check == Check::Off {
            return error("--pattern is taken from the model of iPAWS: leave out --check off");
        }
        Ok(())
    }

    /// The files of one program.
    pub(super) fn paths<'a>(&'a self, label: &'a Label) -> impl Iterator<Item = PathBuf> + 'a {
        self.files().into_iter().flatten().map(|path| label.file(path))
    }

    /// Writes them.
    ///
    /// # Errors
    /// There is nothing to show, or it cannot be written.
    pub(super) fn write(&self, report: &Report, job: &Job, label: &Label) -> anyhow::Result<()> {
        let Some(recording) = &report.recording else { return Ok(()) };
        views::check(recording).with_context(|| format!("{}: no view", job.name))?;
        if recording.cut {
            let last = recording.end - 1;
            complain(format_args!(
                "note: {}: the views end with cycle {last}, where they became too large; --wave-from shows what follows\n",
                job.name
            ));
        }
        let write = |path: &Option<PathBuf>, text: &dyn Fn(&Recording) -> anyhow::Result<String>| {
            let Some(path) = path else { return Ok(()) };
            let path = label.file(path);
            write_file(&path, &text(recording)?).with_context(|| format!("cannot write {}", path.display()))
        };
        write(&self.perfetto, &|recording| Ok(perfetto::json(recording)))?;
        write(&self.kanata, &|recording| Ok(kanata::log(recording)))?;
        write(&self.phases, &|recording| Ok(phases::svg(recording)))?;
        write(&self.pattern, &|recording| {
            // A decision is seen in the cycle after its last.
            let seen = |cycle: u64| (recording.begin + 1..recording.end + 1).contains(&cycle);
            let patterns: Vec<_> = report.patterns.iter().filter(|p| seen(p.cycle)).cloned().collect();
            if patterns.is_empty() {
                let nothing = views::Nothing::Undecided { to: recording.end - 1 };
                return Err(anyhow::Error::new(nothing).context(format!("{}: no view", job.name)));
            }
            Ok(pattern::svg(&patterns))
        })
    }
}

/// What the names of a program's files have in them: nothing of a program alone, of several each its name, and of those
/// with one name from the second on which of them it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Label(Option<String>);

impl Label {
    /// Those of programs of these names.
    pub(super) fn of(names: &[&str]) -> Vec<Self> {
        if names.len() == 1 {
            return vec![Self(None)];
        }
        let label = |(number, name): (usize, &&str)| {
            let plain = name.replace([':', '/'], "-");
            Self(Some(match names[..number].iter().filter(|earlier| *earlier == name).count() {
                0 => plain,
                earlier => format!("{plain}-{}", earlier + 1),
            }))
        };
        names.iter().enumerate().map(label).collect()
    }

    /// The program's file of those that were asked for by `path`.
    pub(super) fn file(&self, path: &Path) -> PathBuf {
        let Some(label) = &self.0 else { return path.to_owned() };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}-{label}");
        path.with_file_name(match path.extension() {
            Some(extension) => format!("{name}.{}", extension.to_string_lossy()),
            None => name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_files_of_its_own() {
        let files = |names: &[&str]| {
            Label::of(names)
                .iter()
                .map(|l| l.file(Path::new("a/run.svg")).display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(files(&["x"]), ["a/run.svg"]);
        assert_eq!(files(&["x", "psort:64"]), ["a/run-x.svg", "a/run-psort-64.svg"]);
        assert_eq!(
            files(&["x", "y", "x", "x"]),
            ["a/run-x.svg", "a/run-y.svg", "a/run-x-2.svg", "a/run-x-3.svg"]
        );
    }
}
