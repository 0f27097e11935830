//! Fetching of a slice with a scheduler of its own (docs/SCHEDULERS.md, section 1; ARCHITECTURE.md, "The pipeline").

use super::instr::Instr;
use super::members;
use super::queue::Queue;
use crate::sched::{self, CoreView, SchedulerModel, StageView, View};
use spec::config::{CoreConfig, WarpMask, LINE_BYTES};
use spec::registry::Stage;

/// An access of the instruction cache for a warp: the address of an instruction, and how many from there on it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub wid: u8,
    pub words: u8,
    pub pc: u32,
}

impl Request {
    /// The warp as a mask.
    fn warp(self) -> WarpMask {
        1 << self.wid
    }
}

/// Queues, what is on its way to them, and who fetches next.
pub(super) struct Fetch {
    policy: Box<dyn SchedulerModel>,
    /// What it sees: the slice's warps, and of these how many instructions each has queued or on their way, and those that
    /// have none; all else is of the cycle.
    seen: StageView,
    queues: Vec<Queue>,
    /// Of the slice's warps those with an empty queue.
    pub empty_warps: WarpMask,
    /// Warps that have as many queued or on their way as the queue holds.
    full_warps: WarpMask,
    depth: usize,
    /// An access reads two words, for an empty queue.
    pairs: bool,
    /// Where each warp fetches next.
    pcs: Vec<u32>,
    /// Requests whose tags are compared, whose word is read, and that are decoded.
    stages: [Option<Request>; 3],
    /// The request of the cycle before that was compared and not found.
    missed: Option<Request>,
    /// Warps that do not fetch until an instruction is resolved.
    pub waiting_warps: WarpMask,
}

/// What the decoder makes of the instruction that it has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decoded {
    /// What its warp has requested behind it is void.
    pub stops_warps: WarpMask,
    /// How many instructions go on into the queue: with one that stops its warp the last.
    words: u8,
    /// Where fetching goes on.
    pc: u32,
    /// The warp waits until the instruction is resolved.
    waits: bool,
}

impl Decoded {
    /// Whether fetching stops behind the instruction, which follows as many `before` it, or goes on elsewhere.
    #[inline(always)]
    pub fn new(before: Self, request: Request, instr: &Instr, flushed_warps: WarpMask) -> Self {
        if before.stops_warps != 0 {
            return before;
        }
        let words = before.words + 1;
        let goes_on = !instr.stops_fetch && instr.predicted.is_none();
        if goes_on || flushed_warps & request.warp() != 0 {
            return Self { words, ..Self::default() };
        }
        let pc = request.pc.wrapping_add(instr.predicted.unwrap_or(4));
        Self { stops_warps: request.warp(), words, pc, waits: instr.stops_fetch }
    }
}

impl Fetch {
    /// Nothing fetched.
    pub fn new(cfg: &CoreConfig, slice: usize) -> Self {
        Self {
            policy: sched::build(&cfg.fetch, cfg, Stage::Fetch),
            seen: StageView {
                own_warps: cfg.own_warps(slice),
                empty_warps: cfg.own_warps(slice),
                ..StageView::default()
            },
            queues: vec![Queue::default(); cfg.warps],
            empty_warps: cfg.own_warps(slice),
            full_warps: 0,
            depth: cfg.queue_depth,
            pairs: cfg.fetches_pairs(),
            pcs: vec![0; cfg.warps],
            stages: [None; 3],
            missed: None,
            waiting_warps: 0,
        }
    }

    /// Address of the head.
    pub fn head(&self, wid: usize) -> Option<u32> {
        self.queues[wid].head()
    }

    /// How many words an access to this address reads: two unless the first is the last of its line.
    fn words(&self, pc: u32) -> u8 {
        if !self.pairs {
            return 1;
        }
        let is_last = pc as usize % LINE_BYTES / 4 == LINE_BYTES / 4 - 1;
        1 + u8::from(!is_last)
    }

    /// No request is on its way to the queues.
    pub fn rests(&self) -> bool {
        self.missed.is_none() && self.stages.iter().all(Option::is_none)
    }

    /// What is in the decoder; its warp may end or be sent elsewhere in this cycle.
    pub fn in_decoder(&self) -> Option<Request> {
        self.stages[2]
    }

    /// The warp has so many more instructions queued or on their way.
    #[inline(always)]
    fn count(&mut self, wid: u8, more: i8) {
        let count = &mut self.seen.unissued[usize::from(wid)];
        *count = count.wrapping_add_signed(more);
        let warp = 1 << wid;
        let room = if self.pairs { 1 } else { self.depth };
        let full = WarpMask::from(usize::from(*count) >= room) << wid;
        let empty = WarpMask::from(*count == 0) << wid;
        self.full_warps = self.full_warps & !warp | full;
        self.seen.empty_warps = self.seen.empty_warps & !warp | empty;
    }

    /// The policy's choice: gives the warp, and whether its queue is full, so that it fetches only if its head leaves.
    /// `able_warps` may fetch if there is room; the heads of `granted_warps` are granted issue.
    pub fn pick(
        &mut self,
        able_warps: WarpMask,
        memory_warps: WarpMask,
        granted_warps: WarpMask,
        core: &CoreView,
    ) -> Option<(usize, bool)> {
        let stage = &mut self.seen;
        let able_warps = able_warps & !self.waiting_warps & stage.own_warps;
        let open_warps = able_warps & !self.full_warps;
        let leaving_warps = if self.pairs { 0 } else { able_warps & granted_warps };
        let candidates = if open_warps != 0 { open_warps } else { leaving_warps };
        (stage.ready_warps, stage.data_ready_warps, stage.memory_warps) =
            (candidates, candidates, memory_warps);
        (stage.fire, stage.fired_oh) = (false, 0);
        self.policy.pick(View { stage, core }).map(|wid| (wid, self.full_warps >> wid & 1 != 0))
    }

    /// Whether [`Fetch::pick`] had a warp to choose.
    pub fn can_fetch(&self) -> bool {
        self.seen.ready_warps != 0
    }

    /// The edge for the policy, which chose `choice` in [`Fetch::pick`]. Gives the request that is made, if one is.
    pub fn clock(&mut self, core: &CoreView, choice: Option<usize>, fired: Option<usize>) -> Option<Request> {
        self.seen.fire = fired.is_some();
        self.seen.fired_oh = fired.map_or(0, |wid| 1 << wid);
        self.policy.clock(View { stage: &self.seen, core }, choice);
        let wid = fired?;
        let pc = self.pcs[wid];
        let words = self.words(pc);
        self.pcs[wid] = pc.wrapping_add(4 * u32::from(words));
        Some(Request { wid: wid as u8, words, pc })
    }

    /// The edge. `request` was made and not dropped at once; `found` says of the request whose tags were compared whether it
    /// hit (`None` if it was void); the heads of `issued_warps` leave. Gives the warps whose heads have changed.
    #[inline(always)]
    pub fn advance(
        &mut self,
        request: Option<Request>,
        found: Option<bool>,
        issued_warps: WarpMask,
        decoded: Decoded,
        killed_warps: WarpMask,
    ) -> WarpMask {
        let [compared, read, pushed] = self.stages;
        let mut changed_warps = issued_warps & self.seen.own_warps;
        for wid in members(changed_warps) {
            self.queues[wid].pop();
            self.count(wid as u8, -1);
            self.empty_warps |= WarpMask::from(self.queues[wid].is_empty()) << wid;
        }
        if let Some(request) = pushed {
            let queue = &mut self.queues[usize::from(request.wid)];
            if decoded.words >= 1 {
                queue.push(request.pc);
            }
            if decoded.words == 2 {
                queue.push(request.pc.wrapping_add(4));
            }
            // The second word is void behind one that sends its warp elsewhere.
            if decoded.words != request.words {
                self.count(request.wid, decoded.words as i8 - request.words as i8);
            }
            changed_warps |= self.empty_warps & request.warp();
            self.empty_warps &= !request.warp();
        }
        // A miss is known in the cycle after it: then its warp is to fetch from there again.
        if let Some(Request { wid, pc, .. }) = self.missed.take() {
            self.pcs[usize::from(wid)] = pc;
        }
        for wid in members(decoded.stops_warps) {
            self.pcs[wid] = decoded.pc;
        }
        if decoded.waits {
            self.waiting_warps |= decoded.stops_warps;
        }
        self.missed = compared.filter(|_| found == Some(false));
        if let Some(Request { wid, words, .. }) = request {
            self.count(wid, words as i8);
        }
        let lives = |request: &Request| killed_warps & request.warp() == 0;
        self.stages = [request, compared.filter(|_| found == Some(true)), read.filter(lives)];
        for (before, after) in [(compared, self.stages[1]), (read, self.stages[2])] {
            if let (Some(Request { wid, words, .. }), None) = (before, after) {
                self.count(wid, -(words as i8));
            }
        }
        changed_warps
    }

    /// The warp goes on there; what it has fetched is void.
    pub fn redirect(&mut self, wid: usize, pc: u32) {
        self.queues[wid].clear();
        self.empty_warps |= 1 << wid;
        self.count(wid as u8, -(self.seen.unissued[wid] as i8));
        self.pcs[wid] = pc;
        self.waiting_warps &= !(1 << wid);
    }
}
