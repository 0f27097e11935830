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

/// One of each class at most.
pub type Visits = [Option<Visit>; CLASSES.len()];

/// The warp-sharing control unit of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct Sharing {
    /// The warps of each slice.
    own_warps: Vec<Mask>,
    /// With operand collectors arithmetic has room or none, as the other classes have.
    collects: bool,
}

impl Sharing {
    /// That of the core's slices.
    pub fn new(cfg: &CoreConfig) -> Self {
        let own_warps = (0..cfg.slices).map(|slice| cfg.own_warps(slice)).collect();
        Self { own_warps, collects: cfg.collects() }
    }

    /// Who is shared, by class.
    pub fn choose(&self, view: &SharingView) -> Visits {
        let mut chosen = Visits::default();
        for class in 0..CLASSES.len() {
            // 1. the only slice with room
            let slices = || 0..self.own_warps.len();
            let has_room = |slice: usize| view.room[class] >> slice & 1 != 0;
            let is_full = |slice: usize| view.full[class] >> slice & 1 != 0;
            let alone =
                |slice: usize| has_room(slice) && slices().all(|other| other == slice || is_full(other));
            let Some(through) = slices().find(|&slice| alone(slice)) else { continue };
            // 2. it has nothing to issue, and takes one warp a cycle
            let taken = chosen.iter().flatten().any(|visit| visit.through == through);
            if view.idle >> through & 1 == 0 || taken {
                continue;
            }
            // 3. the oldest of all others
            let foreign = view.candidates[class] & !self.own_warps[through];
            let oldest = members(foreign).find(|&warp| view.older[warp] & foreign == 0);
            chosen[class] = oldest.map(|warp| Visit { class, warp, through });
        }
        chosen
    }

    /// Those of them that may go: a register file is read for one visit a cycle.
    pub fn going(&self, view: &SharingView) -> Visits {
        let mut read = 0u32;
        self.choose(view).map(|visit| {
            let owner = 1u32 << (visit?.warp % self.own_warps.len());
            let free = read & owner == 0;
            read |= owner;
            visit.filter(|_| free)
        })
    }

    /// Those of them that issue: an operand stage that holds takes nobody, and one that does not hold in this cycle has room
    /// for arithmetic, so that its slice is not one that has none.
    pub fn issue(&self, view: &SharingView) -> Visits {
        self.going(view).map(|visit| {
            let Visit { class, through, .. } = visit?;
            let holds = |slice: usize| view.stalled >> slice & 1 != 0;
            let others_hold = || (0..self.own_warps.len()).all(|other| other == through || holds(other));
            let late = CLASSES[class] == Collector::Sp && !self.collects;
            visit.filter(|_| !holds(through) && (!late || others_hold()))
        })
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
        assert_eq!(
            sharing.choose(&view).map(Option::unwrap),
            [visit(0, 0, 1), visit(1, 5, 2), visit(2, 1, 3)]
        );
        // Both w5 and w1 are of S1, whose operand stage holds: nobody issues into it, and its registers are read once.
        assert_eq!(sharing.issue(&view), [None, Some(visit(1, 5, 2)), None]);
        view.stalled = 0;
        assert_eq!(sharing.issue(&view), [Some(visit(0, 0, 1)), Some(visit(1, 5, 2)), None]);
        // w1 alone goes while all operand stages but that of S3 hold: if one moves on, S3 is not the only slice with room.
        view.candidates = [0, 0, 0b0000_0010];
        for (stalled, expected) in [(0b0111, Some(visit(2, 1, 3))), (0b0110, None), (0b0011, None)] {
            view.stalled = stalled;
            assert_eq!(sharing.issue(&view), [None, None, expected], "{stalled:#b}");
        }
    }
}
