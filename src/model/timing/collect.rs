//! The operand collectors of a slice, between issue and its operand stage (ARCHITECTURE.md, "Operand collectors").

use super::record::CollectRecord;
use super::work::Work;
use crate::collectors::{Entering, OperandCollectors};
use crate::sched::CLASSES;
use spec::config::{CoreConfig, WarpMask};

/// They, and what is in them.
#[derive(Clone, PartialEq)]
pub(super) struct Collect {
    collectors: OperandCollectors,
    /// By warp, of which each has one at most.
    works: Vec<Option<Work>>,
}

impl Collect {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { collectors: OperandCollectors::new(cfg), works: vec![None; cfg.warps] }
    }

    /// Of each class, whether a collector is free.
    pub fn free(&self) -> [bool; CLASSES.len()] {
        std::array::from_fn(|class| self.collectors.is_free(class))
    }

    /// Warps with an instruction in a collector.
    pub fn held_warps(&self) -> WarpMask {
        self.collectors.held_warps()
    }

    /// Where an instruction of a warp is that issues.
    pub fn place(&mut self, wid: usize) -> &mut Option<Work> {
        &mut self.works[wid]
    }

    /// The edge. `room` is behind the collectors; what issues enters them with the registers that it waits for. Gives what
    /// goes on to the operand stage.
    pub fn cycle(
        &mut self,
        room: [bool; CLASSES.len()],
        issuing: Option<Entering>,
    ) -> (Option<Work>, CollectRecord) {
        let collected = self.collectors.cycle(room, issuing);
        let leaver = collected.leaves.and_then(|warp| self.works[warp].take());
        (leaver, CollectRecord { waits: collected.waits, full: collected.free.map(|free| !free) })
    }
}
