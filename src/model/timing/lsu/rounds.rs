//! Atomic instructions, which the access stage works on in rounds: each is loaded, and then stored.

use std::ops::Range;

use super::stage::{Round, Serving};
use super::{LoadStoreUnit, Told};
use crate::timing::path::Pass;

impl<const MOST: usize> Serving<MOST> {
    /// Groups of one kind, all that are loaded or all that are stored.
    fn half(&self) -> usize {
        self.access.groups.len() / 2
    }

    /// Groups of so many rounds that are loaded; as many are stored.
    fn groups_of(&self, rounds: usize) -> usize {
        rounds.checked_sub(1).map_or(0, |last| self.access.rounds[last].into())
    }

    /// The groups of the round that are loaded, or stored if they have been.
    fn round_groups(&self) -> Range<usize> {
        let first = if self.round == Round::Store { self.half() } else { 0 };
        first + self.groups_of(self.rounds_done)..first + self.groups_of(self.rounds_done + 1)
    }

    /// Uses of the banks of all that is loaded.
    fn turns_loaded(&self) -> usize {
        self.access.groups[self.half()].turn.into()
    }

    /// Lanes that later rounds load.
    fn loaded_later(&self) -> u32 {
        let turn = usize::from(self.access.groups[self.round_groups().end].turn);
        self.access.served[turn..self.turns_loaded()].iter().copied().map(u32::from).sum()
    }

    /// All groups of the round have gone to be loaded, or to be stored.
    fn phase_is_over(&self, stores: bool) -> bool {
        let [before, behind] = [0, 1].map(|more| self.groups_of(self.rounds_done + more));
        let gone = self.access.groups.len() - self.left;
        gone == behind + if stores { behind } else { before }
    }
}

impl<const MOST: usize> LoadStoreUnit<MOST> {
    /// What a stage does that holds an atomic instruction: a round is loaded, and when all its words have been shown, it is
    /// stored. Nothing else is served meanwhile, so it begins when nothing older is held.
    pub(super) fn serve_atomic(
        &mut self,
        number: usize,
        is_oldest: bool,
        room: [bool; MOST],
        told: &mut Told<MOST>,
        opened: &mut u32,
    ) -> bool {
        let several = self.stages.len() > 1;
        let Some(serving) = self.stages[number].serving.as_mut().filter(|_| is_oldest) else { return false };
        let (first, groups) = (serving.untouched(), serving.round_groups());
        match serving.round {
            Round::Words if self.loads.waiting(serving.load) == serving.loaded_later() => {
                serving.round = Round::Shown;
                return false;
            }
            Round::Choice | Round::Words => return false,
            Round::Shown => {
                serving.round = Round::Store;
                return false;
            }
            Round::Load if first && !self.loads.ready(number) => return false,
            Round::Load | Round::Store => {}
        }
        let stores = serving.round == Round::Store;
        for (path, _) in room.iter().enumerate().filter(|(_, room)| **room) {
            let next = serving.next[path].max(groups.start);
            let mut rest = serving.access.groups[next..groups.end].iter();
            let Some(ahead) = rest.position(|group| usize::from(group.path) == path) else { continue };
            let group = serving.access.groups[next + ahead];
            if serving.untouched() {
                serving.load = self.loads.open(number, &serving.access.served[..serving.turns_loaded()]);
                *opened |= 1 << number;
                told.begun[number] = (!several).then(|| serving.begun()).or(told.begun[number]);
            }
            serving.next[path] = next + ahead + 1;
            serving.left -= 1;
            let (wid, rd, load) = (serving.access.wid, serving.access.rd.unwrap_or(0), serving.load);
            let pass = Pass { group, left: group.passes, store: stores, ends: false, wid, rd, load };
            self.paths[path].push(pass, &serving.access.served);
        }
        if serving.phase_is_over(stores) {
            serving.round = if stores { Round::Load } else { Round::Words };
            serving.rounds_done += usize::from(stores);
            serving.next = [0; MOST];
        }
        if serving.left == 0 {
            self.end(number);
        }
        false
    }
}
