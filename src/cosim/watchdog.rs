//! Notices that nothing moves any more, and says what each warp waits for.

use model::Machine;
use spec::config::{CoreConfig, WarpMask};

use super::failure::{At, Stuck};
use super::ports::TracePorts;
use super::verilator::Model;

/// Cycles without progress that no working core needs, on a memory that answers at once.
const PATIENCE: u64 = 10_000;

/// Progress of one run.
pub(super) struct Watchdog {
    /// Cycles without progress after which the run is given up.
    pub(super) patience: u64,
    last_progress: u64,
    /// The last instruction that each warp issued.
    last_issued: Vec<Option<At>>,
}

impl Watchdog {
    /// `memory_latency`: the longest that one request takes.
    pub(super) fn new(cfg: &CoreConfig, memory_latency: u64) -> Self {
        // A warp access may be one request a lane, and those of other warps may come first.
        let requests = (cfg.warps * cfg.threads) as u64;
        let patience = PATIENCE + memory_latency * requests.max(64);
        Self { patience, last_progress: 0, last_issued: vec![None; cfg.warps] }
    }

    #[inline]
    pub(super) fn issued(&mut self, cycle: u64, at: At) {
        self.last_progress = cycle;
        if let Some(last) = self.last_issued.get_mut(at.wid) {
            *last = Some(at);
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
    pub(super) fn stuck(&self, model: &Model, trace: &TracePorts, machine: Option<&Machine>) -> Vec<Stuck> {
        let mask = |port| model.read(port);
        let reasons = [
            ("waits at a barrier", trace.core.barrier.warps.get_wide(model, 0)),
            (
                "stall_on_control: an unresolved branch, mask change, barrier or fence",
                mask(trace.stall_control),
            ),
            ("stall_on_scoreboard: a register still to be written", mask(trace.stall_scoreboard)),
            ("stall_on_unit: its execution unit is not free", mask(trace.stall_unit)),
            ("stall_on_ibuffer: no instruction fetched", mask(trace.stall_ibuffer)),
            ("fetch suspended by an instruction-cache miss", trace.core.held_warps.get_wide(model, 0)),
            ("fetch waits for a mask change", mask(trace.waiting_warps)),
        ];
        let active = trace.core.active_warps.get_wide(model, 0);
        let warps = (0..self.last_issued.len()).filter(|wid| active >> wid & 1 != 0);
        warps.map(|wid| self.stuck_warp(wid, &reasons, machine)).collect()
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
