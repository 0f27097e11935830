//! Warps that issue through another slice than their own (ARCHITECTURE.md, "Warp sharing"; docs/SCHEDULERS.md, section 5).

use super::heads::Heads;
use super::members;
use super::slice::{Slice, Turn};
use super::work::Collector;
use crate::sched::{Masks, Sharing, SharingView, Visits, CLASSES};
use spec::config::{CoreConfig, WarpMask, MAX_WARPS};

/// What lets the slices of a core share warps.
#[derive(Clone, PartialEq)]
pub(super) struct WarpSharing {
    control: Sharing,
    /// Of memory and of the special unit.
    orders: [ClassOrder; 2],
    /// Slices whose operand stage held in the cycle before.
    held: u32,
    collects: bool,
}

/// An instruction on its way through a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entering {
    pub wid: usize,
    pub collector: Collector,
    /// It issues through another slice than its warp's own.
    pub visits: bool,
}

impl WarpSharing {
    /// `None` if the core's slices share nothing.
    pub fn new(cfg: &CoreConfig) -> Option<Self> {
        cfg.shares_warps().then(|| Self {
            control: Sharing::new(cfg),
            orders: [ClassOrder::new(), ClassOrder::new()],
            held: 0,
            collects: cfg.collects(),
        })
    }

    /// Of each class the warps with an instruction of it in another slice: one of their own slice would overtake that.
    pub fn away_warps(&self) -> [WarpMask; CLASSES.len()] {
        [self.orders[0].away_warps, self.orders[1].away_warps, 0]
    }

    /// Warps with a load, store or fence before the load-store unit.
    pub fn accessing_warps(&self) -> WarpMask {
        self.orders[0].waiting_warps
    }

    /// Who may go through another slice unless operand stages are in the way, and who issues.
    pub fn choose(&self, turns: &[Turn], heads: &Heads, slices: &[Slice], older: &Masks) -> (Visits, Visits) {
        let mut view = SharingView::default();
        let (mut data_ready, mut collecting_warps) = (0, 0);
        for (number, turn) in turns.iter().enumerate() {
            let bit = |is: bool| u32::from(is) << number;
            view.idle |= bit(turn.at_issue.ready_warps == 0);
            view.stalled |= bit(turn.stalled);
            data_ready |= turn.at_issue.data_ready_warps;
            collecting_warps |= turn.collecting_warps;
            for class in 0..CLASSES.len() {
                view.room[class] |= bit(turn.room[class]);
                view.full[class] |= bit(!turn.room[class]);
            }
        }
        if view.idle == 0 {
            return Default::default();
        }
        if !self.collects {
            // Arithmetic certainly has room where nothing is before it, and none where an operand stage held.
            let empty = slices.iter().enumerate().filter(|(_, slice)| slice.units.sp_empty());
            view.room[Collector::Sp.class()] = empty.fold(0, |mask, (number, _)| mask | 1 << number);
            view.full[Collector::Sp.class()] = self.held;
        }
        for wid in members(data_ready & !collecting_warps) {
            let Some(head) = heads.get(wid) else { continue };
            view.candidates[head.work.collector.class()] |= 1 << wid;
        }
        for (class, order) in self.orders.iter().enumerate() {
            view.candidates[class] &= !order.waiting_warps;
        }
        view.older = *older;
        (self.control.going(&view), self.control.issue(&view))
    }

    /// The edge: what issues in each slice, the warps of which an instruction leaves the collector of memory and of the
    /// special unit, and the slices whose operand stage holds.
    pub fn clock(
        &mut self,
        entering: impl Iterator<Item = Entering>,
        left_warps: [WarpMask; 2],
        stalled: u32,
    ) {
        let (mut enters_warps, mut visits_warps) = ([0; CLASSES.len()], [0; CLASSES.len()]);
        for Entering { wid, collector, visits } in entering {
            enters_warps[collector.class()] |= 1 << wid;
            visits_warps[collector.class()] |= WarpMask::from(visits) << wid;
        }
        for (class, order) in self.orders.iter_mut().enumerate() {
            order.clock(enters_warps[class], visits_warps[class], left_warps[class]);
        }
        self.held = stalled;
    }
}

/// Keeps the instructions of a warp and class in order: they are in one slice at a time.
#[derive(Clone, PartialEq)]
struct ClassOrder {
    /// Instructions of each warp between issue and the unit.
    waiting: [u8; MAX_WARPS],
    waiting_warps: WarpMask,
    /// Those of them in another slice.
    away_warps: WarpMask,
}

impl ClassOrder {
    fn new() -> Self {
        Self { waiting: [0; MAX_WARPS], waiting_warps: 0, away_warps: 0 }
    }

    fn clock(&mut self, enters_warps: WarpMask, visits_warps: WarpMask, left_warps: WarpMask) {
        self.away_warps |= visits_warps;
        for wid in members(enters_warps) {
            self.waiting[wid] += 1;
            self.waiting_warps |= 1 << wid;
        }
        for wid in members(left_warps) {
            self.waiting[wid] -= 1;
            if self.waiting[wid] == 0 {
                self.waiting_warps &= !(1 << wid);
                self.away_warps &= !(1 << wid);
            }
        }
    }
}
