//! Fetching of a slice with a scheduler of its own (docs/SCHEDULERS.md, section 1; ARCHITECTURE.md, "The pipeline").

use super::instr::Instr;
use super::members;
use super::queue::Queue;
use crate::sched::{self, SchedulerModel, StageView, View};
use crate::PerWarp;
use spec::config::{CoreConfig, WarpMask, LINE_BYTES};
use spec::registry::Stage;

/// A warp and the address of an instruction that it has requested.
type Request = (usize, u32);

/// Queues, what is on its way to them, and who fetches next.
pub(super) struct Fetch {
    policy: Box<dyn SchedulerModel>,
    own_warps: WarpMask,
    queues: Vec<Queue>,
    /// Of the slice's warps those with an empty queue.
    pub empty_warps: WarpMask,
    /// What each warp has queued or on its way.
    unissued: PerWarp<u8>,
    /// Of the slice's warps those for which that is nothing.
    starved_warps: WarpMask,
    /// Warps for which that is as much as the queue holds.
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
    /// Whether fetching stops behind the instruction, which follows as many `before` it, or with branch prediction (`btfn`)
    /// goes on elsewhere.
    pub fn new(before: Self, (wid, pc): Request, instr: &Instr, btfn: bool, flushed_warps: WarpMask) -> Self {
        if before.stops_warps != 0 {
            return before;
        }
        let words = before.words + 1;
        let ahead = if btfn { instr.predicted() } else { None };
        let waits = ahead.is_none() && instr.stops_fetch(btfn);
        if flushed_warps >> wid & 1 != 0 || !(waits || ahead.is_some()) {
            return Self { words, ..Self::default() };
        }
        Self { stops_warps: 1 << wid, words, pc: pc.wrapping_add(ahead.unwrap_or(4)), waits }
    }
}

impl Fetch {
    /// Nothing fetched.
    pub fn new(cfg: &CoreConfig, slice: usize) -> Self {
        Self {
            policy: sched::build(&cfg.fetch, cfg, Stage::Fetch),
            own_warps: cfg.own_warps(slice),
            queues: vec![Queue::default(); cfg.warps],
            empty_warps: cfg.own_warps(slice),
            unissued: PerWarp::default(),
            starved_warps: cfg.own_warps(slice),
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

    /// The instructions in the decoder, whose warp may end or be sent elsewhere in this cycle.
    pub fn in_decoder(&self) -> impl Iterator<Item = Request> {
        let (request, words) = (self.stages[2], self.stages[2].map_or(0, |(_, pc)| self.words(pc)));
        request.into_iter().flat_map(move |(wid, pc)| {
            (0..u32::from(words)).map(move |word| (wid, pc.wrapping_add(4 * word)))
        })
    }

    /// The warp has so many more instructions queued or on their way.
    fn count(&mut self, wid: usize, more: i8) {
        if more == 0 {
            return;
        }
        let count = &mut self.unissued[wid];
        *count = count.wrapping_add_signed(more);
        let room = if self.pairs { 1 } else { self.depth };
        let full = WarpMask::from(usize::from(*count) >= room) << wid;
        self.full_warps = self.full_warps & !(1 << wid) | full;
        self.starved_warps = self.starved_warps & !(1 << wid) | WarpMask::from(*count == 0) << wid;
    }

    /// The policy's choice: gives the warp, and whether its queue is full, so that it fetches only if its head leaves.
    /// `able_warps` may fetch if there is room; the heads of `granted_warps` are granted issue.
    pub fn pick(
        &self,
        able_warps: WarpMask,
        memory_warps: WarpMask,
        granted_warps: WarpMask,
        view: &mut View,
    ) -> Option<(usize, bool)> {
        let able_warps = able_warps & !self.waiting_warps & self.own_warps;
        let open_warps = able_warps & !self.full_warps;
        let leaving_warps = if self.pairs { 0 } else { able_warps & granted_warps };
        let candidates = if open_warps != 0 { open_warps } else { leaving_warps };
        view.stage = StageView {
            ready_warps: candidates,
            data_ready_warps: candidates,
            own_warps: self.own_warps,
            memory_warps,
            empty_warps: self.starved_warps,
            unissued: self.unissued,
            ..StageView::default()
        };
        self.policy.pick(view).map(|wid| (wid, self.full_warps >> wid & 1 != 0))
    }

    /// The edge for the policy, which chose `choice` from the view of [`Fetch::pick`]. Gives the request that is made, if
    /// one is.
    pub fn clock(&mut self, view: &mut View, choice: Option<usize>, fired: Option<usize>) -> Option<Request> {
        view.stage.fire = fired.is_some();
        view.stage.fired_oh = fired.map_or(0, |wid| 1 << wid);
        self.policy.clock(view, choice);
        let wid = fired?;
        let pc = self.pcs[wid];
        self.pcs[wid] = pc.wrapping_add(4 * u32::from(self.words(pc)));
        Some((wid, pc))
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
        let lives = |&(wid, _): &Request| killed_warps >> wid & 1 == 0;
        let mut changed_warps = 0;
        for wid in members(issued_warps & self.own_warps) {
            self.queues[wid].pop();
            self.count(wid, -1);
            self.empty_warps |= WarpMask::from(self.queues[wid].is_empty()) << wid;
            changed_warps |= 1 << wid;
        }
        let [compared, read, pushed] = self.stages;
        if let Some((wid, pc)) = pushed {
            (0..decoded.words).for_each(|word| self.queues[wid].push(pc.wrapping_add(4 * u32::from(word))));
            // The second word is void behind one that sends its warp elsewhere.
            self.count(wid, decoded.words as i8 - self.words(pc) as i8);
            changed_warps |= self.empty_warps & 1 << wid;
            self.empty_warps &= !(1 << wid);
        }
        // A miss is known in the cycle after it: then its warp is to fetch from there again.
        if let Some((wid, pc)) = self.missed.take() {
            self.pcs[wid] = pc;
        }
        for wid in members(decoded.stops_warps) {
            self.pcs[wid] = decoded.pc;
        }
        if decoded.waits {
            self.waiting_warps |= decoded.stops_warps;
        }
        self.missed = compared.filter(|_| found == Some(false));
        let next = [request, compared.filter(|_| found == Some(true)), read.filter(lives)];
        if let Some((wid, pc)) = request {
            self.count(wid, self.words(pc) as i8);
        }
        for (before, after) in [(compared, next[1]), (read, next[2])] {
            if let (Some((wid, pc)), None) = (before, after) {
                self.count(wid, -(self.words(pc) as i8));
            }
        }
        self.stages = next;
        changed_warps
    }

    /// The warp goes on there; what it has fetched is void.
    pub fn redirect(&mut self, wid: usize, pc: u32) {
        self.queues[wid].clear();
        self.empty_warps |= 1 << wid;
        self.count(wid, -(self.unissued[wid] as i8));
        self.pcs[wid] = pc;
        self.waiting_warps &= !(1 << wid);
    }
}
