//! What is known of cycles in which nothing can happen. Who finds it out is in `quiet`.

use super::collect::Collect;
use super::icache::InstructionCache;
use super::lsu::LoadStoreUnit;
use super::order::{AccessOrder, RoundRobin};
use super::sharing::WarpSharing;
use super::special::SpecialUnit;
use super::units::Units;
use crate::Dispatch;
use spec::config::{CoreConfig, WarpMask};
use spec::registry;

/// Whether cycles are skipped, and what is known of that.
pub(super) struct Skip<const MOST: usize> {
    /// No scheduler's choice changes by itself.
    pub possible: bool,
    /// Cycles in a row in which nothing was to be seen.
    pub quiet: u32,
    /// The parts as they were before the last cycle, if that was worth it.
    pub before: Option<Box<Parts<MOST>>>,
    /// Nothing happens until memory shows something, or this about its stores changes.
    pub until: Option<bool>,
    /// Cycles that were skipped.
    pub skipped: u64,
}

/// All that moves in a core without an instruction that issues or is fetched. Instructions in queues, registers and the
/// choices of schedulers do not.
#[derive(PartialEq)]
pub(super) struct Parts<const MOST: usize> {
    pub icaches: Vec<InstructionCache>,
    pub units: Vec<Units>,
    pub collects: Vec<Option<Box<Collect>>>,
    pub orders: Vec<Option<AccessOrder>>,
    pub sharing: Option<WarpSharing>,
    pub suspended_warps: WarpMask,
    pub special: SpecialUnit,
    pub special_turns: RoundRobin,
    pub lsu: LoadStoreUnit<MOST>,
    pub blocks: Option<Dispatch>,
    pub threads_issued: [u64; 3],
    /// Stores are on their way to memory.
    pub writes_pending: bool,
}

impl<const MOST: usize> Skip<MOST> {
    pub fn new(cfg: &CoreConfig) -> Self {
        let moves = |key: &str| registry::find(key).is_none_or(|policy| policy.moves_every_cycle);
        // Oracles have a state of their own.
        let possible = !cfg.oracle && ![&cfg.fetch, &cfg.issue].into_iter().any(|key| moves(key));
        Self { possible, quiet: 0, before: None, until: None, skipped: 0 }
    }
}
