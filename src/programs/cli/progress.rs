//! A line on the terminal that says what takes so long; nothing where standard error is a file.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Shown from its creation until it is dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(what: impl Into<String>) -> Self {
        let bar = ProgressBar::new_spinner().with_message(what.into());
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    pub(super) fn says(&self, what: String) {
        self.0.set_message(what);
        self.0.tick();
    }

    /// So many of all runs are done: from now on a bar tells how many, and how long the rest will take.
    pub(super) fn counts(&self, all: usize, done: usize) {
        let template = "{spinner} [{wide_bar}] {pos}/{len}, {eta} left  {msg}";
        self.0.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        self.0.set_length(all as u64);
        self.0.set_position(done as u64);
        self.0.reset_eta();
    }

    /// One more is done.
    pub(super) fn done(&self, what: String) {
        self.0.inc(1);
        self.says(what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Does what takes long, with a line that says so.
pub(super) fn progress<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let _shown = Progress::new(what);
    work()
}
