//! A line on the terminal that says what takes so long; nothing where standard error is a file.

use std::time::Duration;

use indicatif::ProgressBar;

use cosim::Stats;
use spec::config::CoreConfig;

/// Shown from its creation until it is dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn building(cfg: &CoreConfig) -> Self {
        let message = format!("building the simulator of {} warps x {} threads", cfg.warps, cfg.threads);
        let bar = ProgressBar::new_spinner().with_message(message);
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    pub(super) fn running(name: &str) -> Self {
        Self(ProgressBar::new_spinner().with_message(name.to_owned()))
    }

    pub(super) fn update(&self, name: &str, stats: &Stats) {
        self.0.set_message(format!("{name}: {} cycles, {:.3} ipc", stats.cycles, stats.ipc()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
