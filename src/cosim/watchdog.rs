//! Notices that nothing moves any more, and says what each warp waits for.

use model::timing::Record;
use model::Machine;
use spec::config::{CoreConfig, WarpMask};

use super::failure::{At, Starvation, Starved, Stuck};
use super::options::RunOptions;

/// Cycles without progress that no working core needs, on a memory that answers at once.
const PATIENCE: u64 = 10_000;

/// Progress of one run.
pub(super) struct Watchdog {
    /// Cycles without progress after which the run is given up.
    pub(super) patience: u64,
    last_progress: u64,
    /// The last instruction that each warp issued since it started.
    last_issued: Vec<Option<At>>,
    /// When that was, or else when it started.
    silent_since: Vec<u64>,
    active: WarpMask,
    /// Who chooses among the warps.
    policies: String,
}

impl Watchdog {
    /// For a run with these options.
    pub(super) fn of_run(cfg: &CoreConfig, options: &RunOptions) -> Self {
        let latency = u64::from(options.memory.longest_latency()) + u64::from(options.disturbance.jitter);
        let refused = u64::from(options.disturbance.backpressure_percent.min(99));
        Self::new(cfg, latency * 100 / (100 - refused))
    }

    /// `memory_latency`: the longest that one request takes.
    fn new(cfg: &CoreConfig, memory_latency: u64) -> Self {
        // A warp access may be one request a lane, and those of other warps may come first.
        let requests = (cfg.warps * cfg.threads) as u64;
        let patience = PATIENCE + memory_latency * requests.max(64);
        Self {
            patience,
            last_progress: 0,
            last_issued: vec![None; cfg.warps],
            silent_since: vec![0; cfg.warps],
            active: 0,
            policies: format!("fetch {}, issue {}", cfg.fetch, cfg.issue),
        }
    }

    /// The warps that are active in this cycle.
    #[inline]
    pub(super) fn active(&mut self, cycle: u64, warps: WarpMask) {
        let started = warps & !self.active;
        self.active = warps;
        if started != 0 {
            for wid in (0..self.last_issued.len()).filter(|wid| started >> wid & 1 != 0) {
                self.last_issued[wid] = None;
                self.silent_since[wid] = cycle;
            }
        }
    }

    #[inline]
    pub(super) fn issued(&mut self, cycle: u64, at: At) {
        self.last_progress = cycle;
        if let Some(last) = self.last_issued.get_mut(at.wid) {
            *last = Some(at);
            self.silent_since[at.wid] = cycle;
        }
    }

    #[inline]
    pub(super) fn committed(&mut self, cycle: u64) {
        self.last_progress = cycle;
    }

    #[inline]
    pub(super) fn is_stuck(&self, cycle: u64) -> bool {
        cycle - self.last_progress > self.patience
    }

    /// The active warps and their reasons. With a model the instruction is the next one, otherwise
    /// the last one that issued.
    pub(super) fn stuck(&self, record: &Record, machine: Option<&Machine>) -> Vec<Stuck> {
        let reasons = [
            ("waits at a barrier", record.barrier_warps),
            ("stall_control: an unresolved branch, mask change, barrier or fence", record.stall_control),
            ("stall_scoreboard: a register still to be written", record.stall_scoreboard),
            ("stall_pipeline: its execution unit is not free", record.stall_pipeline),
            ("stall_ibuffer: no instruction fetched", record.stall_ibuffer),
            ("fetch suspended by an instruction-cache miss", record.held_warps),
            ("fetch waits for a mask change", record.fetch_waits),
        ];
        self.active_warps().map(|wid| self.stuck_warp(wid, &reasons, machine)).collect()
    }

    fn active_warps(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.last_issued.len()).filter(|wid| self.active >> wid & 1 != 0)
    }

    /// The warps that have not issued for long, although they wait for nothing but their turn.
    pub(super) fn starvation(&self, cycle: u64, record: &Record) -> Starvation {
        let waiting = record.barrier_warps
            | record.held_warps
            | record.stall_control
            | record.stall_scoreboard
            | record.fetch_waits;
        let long = PATIENCE.min(cycle / 2);
        let is_starved = |&wid: &usize| waiting >> wid & 1 == 0 && cycle - self.silent_since[wid] > long;
        let starved = |warp| Starved { warp, since: self.silent_since[warp] };
        let warps = self.active_warps().filter(is_starved).map(starved).collect();
        Starvation { warps, policies: self.policies.clone() }
    }

    fn stuck_warp(&self, wid: usize, reasons: &[(&str, WarpMask)], machine: Option<&Machine>) -> Stuck {
        let mut reasons: Vec<String> =
            reasons.iter().filter(|(_, mask)| mask >> wid & 1 != 0).map(|(r, _)| (*r).to_owned()).collect();
        let at = match machine {
            Some(machine) => {
                let blocked = machine.blocked();
                let waits = blocked.iter().find(|b| b.wid == wid);
                reasons.extend(waits.map(|b| format!("model: {b}")));
                let pc = machine.warp(wid).pc();
                // The instruction at which a warp waits is the one before its next.
                let pc = if waits.is_some() { pc.wrapping_sub(4) } else { pc };
                At { wid, pc, raw: machine.memory.read(pc & !3, 4).ok() }
            }
            None => {
                reasons.push("last issued instruction shown".into());
                self.last_issued[wid].unwrap_or(At { wid, pc: 0, raw: None })
            }
        };
        if reasons.is_empty() {
            reasons.push("no stall reported".into());
        }
        Stuck { at, reasons }
    }
}
