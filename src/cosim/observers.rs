//! Those who look at every cycle of a run, whichever engine makes it. Counters are not among them: those of the timing model
//! take a cycle later than it was.

use model::sched::CoreView;
use model::timing::Record;
use spec::config::CoreConfig;

use super::grids::{GridTimes, Grids};
use super::options::RunOptions;
use super::phases::{Barriers, Phases};
use super::recorder::Recorder;
use super::recording::Recording;
use super::waits::{Wait, Waits};
use super::watchdog::Watchdog;

/// What was seen of a run; see [`Report`](super::Report).
pub(super) struct Seen {
    pub(super) barriers: Barriers,
    pub(super) waits: Vec<Wait>,
    pub(super) grids: Vec<GridTimes>,
    pub(super) recording: Option<Recording>,
}

pub(super) struct Observers {
    phases: Phases,
    /// If they are to be told.
    waits: Option<Waits>,
    /// If something of the run is to be shown.
    recorder: Option<Recorder>,
    /// Unless the start is bare.
    grids: Option<Grids>,
    pub(super) watchdog: Watchdog,
}

impl Observers {
    pub(super) fn new(cfg: &CoreConfig, options: &RunOptions) -> Self {
        let of_grids = !options.launches.is_empty();
        Self {
            phases: Phases::new(cfg.warps, of_grids),
            waits: options.waits.then(|| Waits::new(cfg)),
            recorder: options.record.map(|window| Recorder::new(cfg, window)),
            grids: of_grids.then(Grids::default),
            watchdog: Watchdog::of_run(cfg, options),
        }
    }

    /// Takes a cycle: what happens in it, and what all schedulers see.
    #[inline]
    pub(super) fn cycle(&mut self, record: &Record, core: &CoreView, cycle: u64) {
        self.phases.cycle(core, cycle);
        self.watchdog.active(cycle, core.active_warps);
        if let Some(recorder) = &mut self.recorder {
            recorder.cycle(record, core, cycle);
        }
        if let Some(waits) = &mut self.waits {
            waits.cycle(record, cycle);
        }
        if let Some(grids) = &mut self.grids {
            grids.cycle(core, cycle);
        }
    }

    /// What they have seen of so many cycles.
    pub(super) fn finish(self, cycles: u64) -> Seen {
        let barriers = self.phases.finish(cycles);
        let recording = self.recorder.map(|recorder| recorder.finish(&barriers.intervals));
        let waits = self.waits.map_or_else(Vec::new, |waits| waits.finish(cycles));
        let grids = self.grids.map_or_else(Vec::new, Grids::finish);
        Seen { barriers, waits, grids, recording }
    }
}
