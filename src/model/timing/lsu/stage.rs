//! The access stages: each holds an instruction until its lanes are served. A path serves the one taken first of those that
//! have lanes for it.

use super::{LoadStoreUnit, Told};
use crate::timing::access::{Access, Kind};
use crate::timing::order::RoundRobin;
use crate::timing::path::Pass;
use crate::timing::record::Begun;

/// What a round of an atomic instruction waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Round {
    /// To be chosen, in the cycle in which the instruction has come.
    #[default]
    Choice,
    /// To be loaded.
    Load,
    /// Its words.
    Words,
    /// They are shown, on their way to the registers.
    Shown,
    /// To be stored.
    Store,
}

/// An instruction in an access stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Serving<const MOST: usize> {
    pub access: Box<Access>,
    /// The place from which on the next group of each path is.
    pub next: [usize; MOST],
    /// Groups to be served.
    pub left: usize,
    /// Number of the load.
    pub load: u8,
    /// It has come with the last edge.
    fresh: bool,
    /// Of an atomic instruction: what is next, and rounds that are done.
    pub round: Round,
    pub rounds_done: usize,
}

/// What takes instructions of some slices, and works on one at a time.
#[derive(Clone, PartialEq)]
pub(super) struct AccessStage<const MOST: usize> {
    /// Which slice's instruction is next, of those whose number is this stage's modulo the stages.
    pub turns: RoundRobin,
    pub serving: Option<Serving<MOST>>,
}

impl<const MOST: usize> From<Box<Access>> for Serving<MOST> {
    fn from(access: Box<Access>) -> Self {
        let (left, round) = (access.groups.len(), Round::default());
        Self { next: [0; MOST], left, load: 0, fresh: true, round, rounds_done: 0, access }
    }
}

impl<const MOST: usize> Serving<MOST> {
    fn is(&self, fence: impl Fn(bool) -> bool) -> bool {
        matches!(self.access.kind, Kind::Fence(fence_i) if fence(fence_i))
    }

    pub fn begun(&self) -> Begun {
        Begun { wid: self.access.wid.into(), pc: self.access.pc }
    }

    fn stores(&self) -> bool {
        self.access.kind == Kind::Store
    }

    /// Nothing of it has been served.
    pub fn untouched(&self) -> bool {
        self.left == self.access.groups.len()
    }

    /// Whether lanes remain that go by a path.
    fn wants(&self, path: usize) -> bool {
        self.access.groups[self.next[path]..].iter().any(|group| usize::from(group.path) == path)
    }

    /// The next group of a path.
    fn group(&mut self, path: usize) -> Option<Pass> {
        let mut rest = self.access.groups[self.next[path]..].iter();
        let ahead = rest.position(|group| usize::from(group.path) == path)?;
        let group = self.access.groups[self.next[path] + ahead];
        self.next[path] += ahead + 1;
        self.left -= 1;
        let (wid, rd) = (self.access.wid, self.access.rd.unwrap_or(0));
        let (left, store) = (group.passes, self.stores());
        Some(Pass { group, left, store, ends: false, wid, rd, load: self.load })
    }
}

impl<const MOST: usize> AccessStage<MOST> {
    /// It holds a fence.
    pub fn fences(&self) -> bool {
        self.serving.as_ref().is_some_and(|serving| serving.is(|_| true))
    }

    /// It holds an atomic instruction.
    pub fn is_atomic(&self) -> bool {
        self.serving.as_ref().is_some_and(|serving| serving.access.kind == Kind::Atomic)
    }

    /// Its instruction has lanes that go by a path.
    pub fn wants(&self, path: usize) -> bool {
        self.serving.as_ref().is_some_and(|serving| serving.wants(path))
    }
}

impl<const MOST: usize> LoadStoreUnit<MOST> {
    /// The stage that has taken its instruction before all others that hold one.
    pub(super) fn oldest(&self) -> Option<usize> {
        self.order.iter().copied().find(|&stage| self.stages[stage].serving.is_some())
    }

    /// Stages that hold nothing take an instruction each.
    pub(super) fn take(&mut self, told: &mut Told<MOST>) {
        let count = self.stages.len();
        for (number, stage) in self.stages.iter_mut().enumerate() {
            if stage.serving.is_some() {
                continue;
            }
            let slice = |turn: usize| number + turn * count;
            let next = stage.turns.next(|turn| !self.collectors[slice(turn)].is_empty());
            let Some(turn) = next else { continue };
            stage.turns.served(turn);
            let wid = self.collectors[slice(turn)].pop_front();
            let access = wid.and_then(|wid| self.issued[usize::from(wid)].pop_front());
            stage.serving = access.map(Serving::from);
            told.left[number] = stage.serving.as_ref().map(|serving| (slice(turn), serving.access.wid));
        }
        self.order.sort_by_key(|&stage| told.left[stage].map_or(0, |_| stage + 1));
    }

    /// A load to x0 ends where it is. Of several stages each tells what it has taken with the last edge.
    pub(super) fn start(&mut self, told: &mut Told<MOST>) {
        let several = self.stages.len() > 1;
        for (stage, begun) in self.stages.iter_mut().zip(&mut told.begun) {
            let Some(serving) = &mut stage.serving else { continue };
            if serving.access.discarded() {
                told.done_warps |= 1 << serving.access.wid;
                self.spare.extend(stage.serving.take().map(|serving| serving.access));
                continue;
            }
            let fresh = std::mem::take(&mut serving.fresh);
            if serving.round == Round::Choice && !fresh {
                serving.round = Round::Load;
            }
            *begun = (several && fresh && !serving.is(|_| true)).then(|| serving.begun());
        }
    }

    /// What a stage does; `fence_done` says that a fence in it may pass. Numbers of stages of which a load starts are
    /// put into `opened`. Gives whether stages behind it may go on.
    pub(super) fn serve(
        &mut self,
        number: usize,
        room: [bool; MOST],
        fence_done: bool,
        told: &mut Told<MOST>,
        opened: &mut u32,
    ) -> bool {
        let several = self.stages.len() > 1;
        let Some(serving) = &mut self.stages[number].serving else { return true };
        let wid = usize::from(serving.access.wid);
        let first = serving.untouched();
        if serving.is(|_| true) {
            if fence_done {
                told.fence = Some((wid, serving.is(|fence_i| fence_i)));
                self.end(number);
            }
            return false;
        }
        if !serving.stores() && first && !self.loads.ready(number) {
            return true;
        }
        let mut last = None;
        for (path, _) in room.iter().enumerate().filter(|(_, room)| **room) {
            let Some(mut pass) = serving.group(path) else { continue };
            if first && !serving.stores() && last.is_none() {
                serving.load = self.loads.open(number, &serving.access.served);
                *opened |= 1 << number;
            }
            if first && last.is_none() && !several {
                told.begun[number] = Some(serving.begun());
            }
            pass.load = serving.load;
            self.paths[path].push(pass, &serving.access.served);
            last = Some(path);
        }
        if serving.left == 0 {
            if let Some(path) = last {
                self.paths[path].ends();
            }
            self.end(number);
        }
        true
    }

    /// A stage's instruction is done.
    pub(super) fn end(&mut self, number: usize) {
        if let Some(Serving { access, .. }) = self.stages[number].serving.take() {
            self.spare.push(access);
        }
    }
}
