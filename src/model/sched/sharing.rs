//! Warp sharing between issue slices, the second half of KAWS (docs/SCHEDULERS.md, section 5).

use super::view::{Mask, Masks};
use crate::members;
use crate::timing::Collector;
use spec::config::CoreConfig;

/// The classes in the order in which they are served.
pub const CLASSES: [Collector; 3] = [Collector::Mem, Collector::Sfu, Collector::Sp];

/// What a choice goes by, in one cycle. Masks of slices and of warps; arrays are over [`CLASSES`].
#[derive(Clone, Copy, Debug, Default)]
pub struct SharingView {
    /// Slices whose collector of the class has room.
    pub room: [u32; 3],
    /// Slices whose collector has none; of arithmetic, whose operand stage held in the cycle before.
    pub full: [u32; 3],
    /// Slices without an issue-ready warp of their own.
    pub idle: u32,
    /// Slices whose operand stage holds.
    pub stalled: u32,
    /// Data-ready warps whose head is of the class and may leave its slice.
    pub candidates: [Mask; 3],
    /// The older warps of each.
    pub older: Masks,
}

/// A warp, and the slice through which it issues instead of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Number of its class in [`CLASSES`].
    pub class: usize,
    /// The warp.
    pub warp: usize,
    /// The slice that it issues through.
    pub through: usize,
}

/// The warp-sharing control unit of a core.
#[derive(Clone, Debug)]
pub struct Sharing {
    cfg: CoreConfig,
}

impl Sharing {
    /// That of the core's slices.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { cfg: cfg.clone() }
    }

    /// Who is shared, class by class.
    pub fn choose(&self, view: &SharingView) -> Vec<Visit> {
        let mut chosen: Vec<Visit> = vec![];
        for class in 0..CLASSES.len() {
            // 1. the only slice with room
            let slices = || 0..self.cfg.slices;
            let has_room = |slice: usize| view.room[class] >> slice & 1 != 0;
            let is_full = |slice: usize| view.full[class] >> slice & 1 != 0;
            let alone =
                |slice: usize| has_room(slice) && slices().all(|other| other == slice || is_full(other));
            let Some(through) = slices().find(|&slice| alone(slice)) else { continue };
            // 2. it has nothing to issue, and takes one warp a cycle
            if view.idle >> through & 1 == 0 || chosen.iter().any(|visit| visit.through == through) {
                continue;
            }
            // 3. the oldest of all others
            let foreign = view.candidates[class] & !self.cfg.own_warps(through);
            let oldest = members(foreign).find(|&warp| view.older[warp] & foreign == 0);
            chosen.extend(oldest.map(|warp| Visit { class, warp, through }));
        }
        chosen
    }

    /// Those of them that issue: a register file is read for one visit a cycle, an operand stage that holds takes nobody,
    /// and one that does not hold in this cycle has room for arithmetic, so that its slice is not one that has none.
    pub fn issue(&self, view: &SharingView) -> Vec<Visit> {
        let mut read = vec![];
        let mut visits = self.choose(view);
        visits.retain(|visit| {
            let owner = self.cfg.slice_of(visit.warp);
            let free = !read.contains(&owner);
            read.push(owner);
            let holds = |slice: usize| view.stalled >> slice & 1 != 0;
            let others_hold = || (0..self.cfg.slices).all(|other| other == visit.through || holds(other));
            let late = CLASSES[visit.class] == Collector::Sp && !self.cfg.collects();
            free && !holds(visit.through) && (!late || others_hold())
        });
        visits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// KAWS, Fig. 3: eight warps on four slices. S1 has the only free collector for memory, S2 for the special unit, S3 for
    /// arithmetic.
    #[test]
    fn the_papers_example() {
        let cfg = CoreConfig { warps: 8, slices: 4, issue: "kaws".into(), ..CoreConfig::default() };
        let mut view = SharingView {
            room: [0b0010, 0b0100, 0b1000],
            full: [0b1101, 0b1011, 0b0111],
            idle: 0b1111,
            // w0, w3, w4, w6 and w7; w5; w1
            candidates: [0b1101_1001, 0b0010_0000, 0b0000_0010],
            stalled: 0b0010,
            ..SharingView::default()
        };
        (0..8).for_each(|warp| view.older[warp] = (1 << warp) - 1);
        let visit = |class, warp, through| Visit { class, warp, through };
        let sharing = Sharing::new(&cfg);
        assert_eq!(sharing.choose(&view), [visit(0, 0, 1), visit(1, 5, 2), visit(2, 1, 3)]);
        // Both w5 and w1 are of S1, whose operand stage holds: nobody issues into it, and its registers are read once.
        assert_eq!(sharing.issue(&view), [visit(1, 5, 2)]);
        view.stalled = 0;
        assert_eq!(sharing.issue(&view), [visit(0, 0, 1), visit(1, 5, 2)]);
        // w1 alone goes while all operand stages but that of S3 hold: if one moves on, S3 is not the only slice with room.
        view.candidates = [0, 0, 0b0000_0010];
        for (stalled, expected) in [(0b0111, vec![visit(2, 1, 3)]), (0b0110, vec![]), (0b0011, vec![])] {
            view.stalled = stalled;
            assert_eq!(sharing.issue(&view), expected, "{stalled:#b}");
        }
    }
}
