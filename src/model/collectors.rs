//! Operand collectors, by ARCHITECTURE.md, "Operand collectors".

use super::sched::{Mask, CLASSES};
use isa::Extensions;
use spec::config::CoreConfig;

/// Registers that an instruction reads but x0, in the order of their places in the word; the floating-point ones from 32 on.
pub type Sources = [Option<u8>; 3];

/// An instruction that issues.
#[derive(Clone, Copy, Debug)]
pub struct Entering {
    /// Its warp.
    pub warp: usize,
    /// Number of its class in [`CLASSES`].
    pub class: usize,
    /// What it waits for.
    pub sources: Sources,
}

/// What happens in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// The warp whose instruction leaves.
    pub leaves: Option<usize>,
    /// Sources that no bank answers for.
    pub waits: u32,
    /// Of each class, whether a collector is free.
    pub free: [bool; CLASSES.len()],
}

/// One that is occupied.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Collector {
    warp: usize,
    /// How many had come before it: who has the smaller number goes first.
    number: u64,
    /// Sources without an answer.
    waiting: Sources,
}

impl Collector {
    /// The register that it asks a bank for.
    fn asks(&self, bank: usize, banks: usize) -> Option<u8> {
        let mut sources = self.waiting.iter().flatten();
        sources.find(|&&source| (usize::from(source) + self.warp) % banks == bank).copied()
    }

    /// How many sources have no answer.
    fn waits(&self) -> u32 {
        self.waiting.iter().flatten().count() as u32
    }
}

/// The operand collectors of a slice.
#[derive(Clone, Debug, PartialEq)]
pub struct OperandCollectors {
    banks: usize,
    classes: [Vec<Option<Collector>>; CLASSES.len()],
    /// Warps with an instruction in one of them.
    held_warps: Mask,
    /// How many have come.
    came: u64,
}

impl OperandCollectors {
    /// Those of a core's slice, all free. Requires: the core has register banks.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            banks: cfg.register_banks,
            classes: std::array::from_fn(|_| vec![None; cfg.collectors]),
            held_warps: 0,
            came: 0,
        }
    }

    /// Whether an instruction of a class of this warp may issue: a collector is free, and the warp is in none.
    pub fn may_issue(&self, warp: usize, class: usize) -> bool {
        self.is_free(class) && !self.holds(warp)
    }

    /// Whether one of a class is free.
    pub fn is_free(&self, class: usize) -> bool {
        self.classes[class].iter().any(Option::is_none)
    }

    /// Whether a warp has an instruction in one of them.
    pub fn holds(&self, warp: usize) -> bool {
        self.held_warps >> warp & 1 != 0
    }

    /// All warps that have one there.
    pub fn held_warps(&self) -> Mask {
        self.held_warps
    }

    /// A cycle: `room` is behind the collectors for each class, and one instruction may issue.
    pub fn cycle(&mut self, room: [bool; CLASSES.len()], enters: Option<Entering>) -> Collected {
        let mut collected =
            Collected { free: std::array::from_fn(|class| self.is_free(class)), ..Collected::default() };
        if self.held_warps != 0 {
            let leaver = self.leaver(room);
            self.answer();
            let occupied = self.classes.iter().flatten().flatten();
            collected.waits = occupied.map(Collector::waits).sum();
            collected.leaves =
                leaver.and_then(|(class, at)| self.classes[class][at].take()).map(|one| one.warp);
        }
        self.held_warps &= !collected.leaves.map_or(0, |warp| 1 << warp);
        if let Some(Entering { warp, class, sources }) = enters {
            let collector = Collector { warp, number: self.came, waiting: sources };
            self.came += 1;
            if let Some(place) = self.classes[class].iter_mut().find(|place| place.is_none()) {
                *place = Some(collector);
                self.held_warps |= 1 << warp;
            }
        }
        collected
    }

    /// Class and place of the one that leaves.
    fn leaver(&self, room: [bool; CLASSES.len()]) -> Option<(usize, usize)> {
        let places = (0..CLASSES.len()).filter(|&class| room[class]);
        let all = places.flat_map(|class| (0..self.classes[class].len()).map(move |at| (class, at)));
        let ready = all.filter_map(|(class, at)| {
            let collector = self.classes[class][at].as_ref()?;
            (collector.waits() == 0).then_some((collector.number, class, at))
        });
        ready.min().map(|(_, class, at)| (class, at))
    }

    /// Each bank answers one collector, by what they ask at the beginning of the cycle.
    fn answer(&mut self) {
        let banks = self.banks;
        for bank in 0..banks {
            let occupied = self.classes.iter_mut().flatten().flatten();
            let asking = occupied.filter_map(|one| one.asks(bank, banks).map(|source| (source, one)));
            if let Some((answered, one)) = asking.min_by_key(|(_, one)| one.number) {
                // For all sources of that number.
                for source in one.waiting.iter_mut().filter(|source| **source == Some(answered)) {
                    *source = None;
                }
            }
        }
    }
}

/// The sources of an instruction word on a core with these extensions.
pub fn sources(raw: u32, extensions: Extensions) -> Sources {
    let Some(op) = isa::decode_in(raw, extensions) else { return Sources::default() };
    op.format()
        .sources(raw)
        .map(|register| register.filter(|&register| register != 0).map(|register| register as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: [bool; 3] = [true; 3];

    fn collectors(register_banks: usize, collectors: usize) -> OperandCollectors {
        OperandCollectors::new(&CoreConfig { register_banks, collectors, ..CoreConfig::default() })
    }

    fn issue(warp: usize, class: usize, sources: &[u8]) -> Option<Entering> {
        let sources = std::array::from_fn(|place| sources.get(place).copied());
        Some(Entering { warp, class, sources })
    }

    #[test]
    fn registers_of_one_bank_are_read_one_after_the_other() {
        // Of warp 1, register 3 is in bank 0, 4 and 8 in bank 1; twice the same register is read once.
        for (sources, cycles) in [(vec![3, 4], 1), (vec![4, 8], 2), (vec![4, 4], 1), (vec![], 0)] {
            let mut slice = collectors(4, 1);
            slice.cycle(ROOM, issue(1, 2, &sources));
            for _ in 0..cycles {
                assert_eq!(slice.cycle(ROOM, None).leaves, None, "{sources:?}");
            }
            assert_eq!(slice.cycle(ROOM, None).leaves, Some(1), "{sources:?}");
            assert_eq!(slice.cycle(ROOM, None), Collected { free: [true; 3], ..Collected::default() });
        }
    }

    #[test]
    fn the_older_is_answered_first_and_leaves_first() {
        let mut slice = collectors(2, 2);
        slice.cycle(ROOM, issue(0, 2, &[2, 4]));
        // Warp 2 wants the same bank: it waits for both registers of warp 0.
        assert_eq!(
            slice.cycle(ROOM, issue(2, 0, &[6])),
            Collected { leaves: None, waits: 1, free: [true; 3] }
        );
        assert_eq!(slice.cycle(ROOM, None), Collected { leaves: None, waits: 1, free: [true; 3] });
        assert_eq!(slice.cycle([true, true, false], None).leaves, None, "no room for it");
        assert_eq!(slice.cycle(ROOM, None).leaves, Some(0));
        assert_eq!(slice.cycle(ROOM, None).leaves, Some(2));
    }

    #[test]
    fn a_class_without_a_free_collector_is_full() {
        let mut slice = collectors(2, 1);
        slice.cycle([false; 3], issue(0, 1, &[]));
        assert!(!slice.may_issue(1, 1) && slice.may_issue(1, 2) && !slice.may_issue(0, 2));
        assert_eq!(slice.cycle([false; 3], None).free, [true, false, true]);
        assert_eq!(
            slice.cycle(ROOM, None),
            Collected { leaves: Some(0), waits: 0, free: [true, false, true] }
        );
        assert_eq!(slice.cycle(ROOM, None).free, [true; 3]);
    }
}
