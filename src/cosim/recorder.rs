//! The observer that records a part of a run for views of it.

use std::collections::VecDeque;

use isa::reg::REGISTERS;
use spec::config::{CoreConfig, WarpMask};

use model::members;
use model::sched::CoreView;
use model::timing::{Begun, Issued, Record, Written};

use super::options::Window;
use super::phases::Interval;
use super::recording::{Instruction, Phase, Quantity, Recording, Span, Stall};

/// Instructions and spans after which a recording ends: some hundred megabytes of text.
const MOST: usize = 4_000_000;

/// What is known of a warp.
#[derive(Clone, Debug, Default)]
struct Warp {
    /// The span that may go on.
    span: Option<usize>,
    /// Since when its head has stood there.
    head: Option<u64>,
    /// The phase that may go on.
    phase: Option<usize>,
    /// Barriers that have released it.
    released: u32,
    /// Loads and stores that have not begun.
    unbegun: VecDeque<usize>,
    /// Registers that loads will write, a bit each, also of loads from before the recording.
    loading: u64,
}

/// Records what happens, in hardware or in the model.
pub(super) struct Recorder {
    window: Window,
    warps: Vec<Warp>,
    /// The instruction that will write each warp's register.
    writers: Vec<Option<usize>>,
    /// The latest value of each quantity.
    latest: [Option<u64>; 3],
    seen: Recording,
}

impl Recorder {
    pub(super) fn new(cfg: &CoreConfig, window: Window) -> Self {
        let begin = window.from;
        Self {
            window,
            warps: vec![Warp::default(); cfg.warps],
            writers: vec![None; cfg.warps * REGISTERS],
            latest: [None; 3],
            seen: Recording { warps: cfg.warps, begin, end: begin, ..Recording::default() },
        }
    }

    /// Takes a cycle, in which all schedulers see `core`.
    pub(super) fn cycle(&mut self, record: &Record, core: &CoreView, cycle: u64) {
        self.cut_if_large();
        if cycle > self.window.to || self.seen.cut {
            return;
        }
        let recorded = cycle >= self.window.from;
        if recorded {
            self.seen.end = cycle + 1;
            self.accesses(record, cycle);
            self.spans(record, cycle);
            self.phases(core, cycle);
            self.values(record, cycle);
        }
        // A load is under way until its result is written, as for the counters.
        self.commits(record, cycle);
        self.issues(record, cycle, recorded);
    }

    fn cut_if_large(&mut self) {
        self.seen.cut |= self.seen.instructions.len() + self.seen.spans.len() > MOST;
    }

    /// Instructions that issue.
    fn issues(&mut self, record: &Record, cycle: u64, recorded: bool) {
        for (slice, of_slice) in record.slices.iter().enumerate() {
            let Some(Issued { wid, pc, raw, tmask }) = of_slice.issued else { continue };
            let Some(warp) = self.warps.get_mut(wid) else { continue };
            let head = warp.head.take().unwrap_or(cycle);
            let (access, write, done) = (None, None, None);
            let issued = Instruction { wid, slice, pc, raw, tmask, head, issue: cycle, access, write, done };
            let number = self.seen.instructions.len();
            if let Some(register) = issued.register() {
                self.writers[wid * REGISTERS + register] = Some(number).filter(|_| recorded);
                warp.loading |= u64::from(issued.is_memory()) << register;
            }
            if recorded {
                if issued.is_memory() {
                    warp.unbegun.push_back(number);
                }
                self.seen.instructions.push(issued);
            }
        }
    }

    /// Results that are written.
    fn commits(&mut self, record: &Record, cycle: u64) {
        for Written { wid, rd, last, .. } in record.slices.iter().filter_map(|of_slice| of_slice.written) {
            let register = usize::from(rd) % REGISTERS;
            let Some(warp) = self.warps.get_mut(wid) else { continue };
            if last {
                warp.loading &= !(1 << register);
            }
            let writer = &mut self.writers[wid * REGISTERS + register];
            if let Some(number) = *writer {
                let instruction = &mut self.seen.instructions[number];
                instruction.write.get_or_insert(cycle);
                if last {
                    instruction.done = Some(cycle);
                    *writer = None;
                }
            }
        }
    }

    /// Loads and stores that the load/store unit begins: the first of its warp that has that address.
    fn accesses(&mut self, record: &Record, cycle: u64) {
        for &Begun { wid, pc } in record.begun.iter().flatten() {
            let Some(warp) = self.warps.get_mut(wid) else { continue };
            let instructions = &mut self.seen.instructions;
            let place = warp.unbegun.iter().position(|&number| instructions[number].pc == pc);
            if let Some(number) = place.and_then(|place| warp.unbegun.remove(place)) {
                instructions[number].access = Some(cycle);
            }
        }
    }

    /// Why warps do not issue.
    fn spans(&mut self, record: &Record, cycle: u64) {
        let active = record.active_warps;
        let (mut fired, mut nops): (WarpMask, WarpMask) = (0, 0);
        for of_slice in &record.slices {
            let slot = of_slice.fires.map_or(0, |wid| 1 << wid);
            match of_slice.issued {
                Some(_) => fired |= slot,
                None => nops |= slot,
            }
        }
        let causes = [
            (nops, Stall::Nop),
            (record.barrier_warps, Stall::Barrier),
            (record.stall_control, Stall::Control),
            (record.stall_ibuffer, Stall::Ibuffer),
            (record.stall_scoreboard, Stall::Scoreboard),
            (record.stall_pipeline, Stall::Pipeline),
            (WarpMask::MAX, Stall::Ready),
        ];
        for wid in 0..self.warps.len() {
            let warp = &mut self.warps[wid];
            if fired >> wid & 1 != 0 {
                warp.span = None;
                continue;
            }
            let cause = causes.iter().find(|(warps, _)| warps & active & 1 << wid != 0);
            let Some(&(_, stall)) = cause else {
                (warp.span, warp.head) = (None, None);
                continue;
            };
            let stall = if stall == Stall::Scoreboard && warp.loading != 0 { Stall::Load } else { stall };
            warp.head = stall.has_head().then(|| warp.head.unwrap_or(cycle));
            let goes_on = warp.span.map(|number| &mut self.seen.spans[number]);
            match goes_on.filter(|span| span.stall == stall && span.end == cycle) {
                Some(span) => span.end = cycle + 1,
                None => {
                    warp.span = Some(self.seen.spans.len());
                    self.seen.spans.push(Span { wid, begin: cycle, end: cycle + 1, stall });
                }
            }
        }
    }

    /// From barrier to barrier; behind its exit a warp waits for the end of its block.
    fn phases(&mut self, core: &CoreView, cycle: u64) {
        let (active, waiting) = (core.active_warps, core.barrier.warps);
        let running_ctas = members(active).fold(0u64, |mask, wid| mask | 1 << core.cta[wid]);
        let released = core.barrier.release_warps;
        for (wid, warp) in self.warps.iter_mut().enumerate() {
            let is_in = |warps: WarpMask| warps >> wid & 1 != 0;
            if !is_in(active) {
                let phase = warp.phase.map(|number| &mut self.seen.phases[number]);
                match phase.filter(|phase| running_ctas >> phase.cta & 1 != 0) {
                    Some(phase) => phase.end = cycle + 1,
                    None => (warp.phase, warp.released) = (None, 0),
                }
                continue;
            }
            let number = *warp.phase.get_or_insert_with(|| {
                let begun = Phase {
                    wid,
                    cta: core.cta[wid].into(),
                    number: warp.released,
                    begin: cycle,
                    waits: cycle,
                    end: cycle,
                };
                self.seen.phases.push(begun);
                self.seen.phases.len() - 1
            });
            let phase = &mut self.seen.phases[number];
            if !is_in(waiting) {
                phase.waits = cycle + 1;
            }
            phase.end = cycle + 1;
            if is_in(released) {
                warp.phase = None;
                warp.released += 1;
            }
        }
    }

    fn values(&mut self, record: &Record, cycle: u64) {
        let values = [
            (Quantity::Active, record.active_warps.count_ones()),
            (Quantity::AtBarrier, record.barrier_warps.count_ones()),
            (Quantity::Mshrs, record.cache.mshrs),
        ];
        let values = values.map(|(quantity, value)| (quantity, u64::from(value)));
        for (latest, (quantity, value)) in self.latest.iter_mut().zip(values) {
            if *latest != Some(value) {
                *latest = Some(value);
                self.seen.values.push((cycle, quantity, value));
            }
        }
    }

    /// What was recorded, with those of the run's barriers that opened meanwhile.
    pub(super) fn finish(mut self, barriers: &[Interval]) -> Recording {
        let opened = |barrier: &&Interval| (self.seen.begin..self.seen.end).contains(&barrier.end);
        self.seen.barriers = barriers.iter().filter(opened).copied().collect();
        self.seen
    }
}
