//! Operand collectors, by ARCHITECTURE.md, "Operand collectors".

use super::sched::CLASSES;
use spec::config::CoreConfig;

/// An instruction that issues.
#[derive(Clone, Debug)]
pub struct Entering {
    /// Its warp.
    pub warp: usize,
    /// Number of its class in [`CLASSES`].
    pub class: usize,
    /// Its sources, in the order of their places in the word; the floating-point ones from 32 on.
    pub sources: Vec<usize>,
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
#[derive(Clone, Debug)]
struct Collector {
    warp: usize,
    /// Cycle of issue: who has the smaller one goes first.
    since: u64,
    /// Sources without an answer.
    waiting: Vec<usize>,
}

/// The operand collectors of a slice.
#[derive(Clone, Debug)]
pub struct OperandCollectors {
    banks: usize,
    classes: [Vec<Option<Collector>>; CLASSES.len()],
    now: u64,
}

impl OperandCollectors {
    /// Those of a core's slice, all free. Requires: the core has register banks.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            banks: cfg.register_banks,
            classes: std::array::from_fn(|_| vec![None; cfg.collectors]),
            now: 0,
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
        self.classes.iter().flatten().flatten().any(|collector| collector.warp == warp)
    }

    /// A cycle: `room` is behind the collectors for each class, and one instruction may issue.
    pub fn cycle(&mut self, room: [bool; CLASSES.len()], enters: Option<Entering>) -> Collected {
        self.now += 1;
        let free = std::array::from_fn(|class| self.is_free(class));
        let leaver = self.leaver(room);
        let leaves = leaver.and_then(|(class, at)| self.classes[class][at].as_ref()).map(|one| one.warp);
        self.answer();
        let occupied = self.classes.iter().flatten().flatten();
        let waits = occupied.map(|collector| collector.waiting.len() as u32).sum();

        if let Some(Entering { warp, class, sources }) = enters {
            let collector = Collector { warp, since: self.now, waiting: sources };
            if let Some(place) = self.classes[class].iter_mut().find(|place| place.is_none()) {
                *place = Some(collector);
            }
        }
        if let Some((class, at)) = leaver {
            self.classes[class][at] = None;
        }
        Collected { leaves, waits, free }
    }

    /// Class and place of the one that leaves.
    fn leaver(&self, room: [bool; CLASSES.len()]) -> Option<(usize, usize)> {
        let places = (0..CLASSES.len()).filter(|&class| room[class]);
        let all = places.flat_map(|class| (0..self.classes[class].len()).map(move |at| (class, at)));
        let ready = all.filter_map(|(class, at)| {
            let collector = self.classes[class][at].as_ref()?;
            collector.waiting.is_empty().then_some((collector.since, class, at))
        });
        ready.min().map(|(_, class, at)| (class, at))
    }

    /// Each bank answers one collector, by what they ask at the beginning of the cycle.
    fn answer(&mut self) {
        let banks = self.banks;
        let mut answers = vec![];
        for bank in 0..banks {
            let asks = |collector: &Collector| {
                let mut sources = collector.waiting.iter();
                sources.find(|&source| (source + collector.warp) % banks == bank).copied()
            };
            let asking = self.classes.iter().flatten().flatten();
            let asking = asking.filter_map(|one| asks(one).map(|source| (one.since, source)));
            answers.extend(asking.min());
        }
        for collector in self.classes.iter_mut().flatten().flatten() {
            collector.waiting.retain(|&source| !answers.contains(&(collector.since, source)));
        }
    }
}

/// The sources of an instruction word on a core with or without a floating-point unit.
pub fn sources(raw: u32, fpu: bool) -> Vec<usize> {
    let Some(op) = isa::decode(raw).filter(|op| fpu || !op.needs_fpu()) else { return vec![] };
    let format = op.format();
    let registers = [format.rs1(raw), format.rs2(raw), format.rs3(raw)];
    registers.into_iter().flatten().filter(|&register| register != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: [bool; 3] = [true; 3];

    fn collectors(register_banks: usize, collectors: usize) -> OperandCollectors {
        OperandCollectors::new(&CoreConfig { register_banks, collectors, ..CoreConfig::default() })
    }

    fn issue(warp: usize, class: usize, sources: &[usize]) -> Option<Entering> {
        Some(Entering { warp, class, sources: sources.into() })
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
