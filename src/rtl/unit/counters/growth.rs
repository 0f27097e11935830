//! How much a counter can grow, and so how wide its accumulator is.
use crate::bundles::MASTER_TAG_BITS;
use isa::counter::{Index, ROTATION};
use spec::config::{bits_for, CoreConfig};

/// Cycles from one turn of a counter to the next, at most: a read may take each second cycle from the rotation.
pub const TURN_CYCLES: usize = 2 * ROTATION;

/// Loads that can be under way: a register has one writer, and a load to x0 makes no access.
pub fn loads_under_way(cfg: &CoreConfig) -> usize {
    cfg.warps * (cfg.registers() - 1)
}

/// Reads that can be under way on the bus: data and each slice's instructions have tags of their own.
pub fn open_reads(cfg: &CoreConfig) -> usize {
    (1 + cfg.slices) << MASTER_TAG_BITS
}

/// The most by which a counter grows in a cycle.
pub fn most(index: Index, cfg: &CoreConfig) -> usize {
    match index {
        Index::Issued
        | Index::Idle
        | Index::IdleControl
        | Index::IdleQueue
        | Index::IdleBarrier
        | Index::Scoreboard
        | Index::ScoreboardMemory
        | Index::Pipeline
        | Index::Nops
        | Index::FetchIdle
        | Index::FetchStall
        | Index::Fetches
        | Index::IcacheReads
        | Index::IcacheMisses => cfg.slices,
        Index::Loads | Index::Stores => cfg.slices * cfg.threads,
        Index::FetchLatency => cfg.warps + 3 * cfg.slices,
        Index::LoadLatency => loads_under_way(cfg) * cfg.threads,
        Index::MemoryReads | Index::MemoryWrites | Index::LocalBankStalls => 1,
        Index::MemoryLatency => open_reads(cfg),
        Index::DcacheReads
        | Index::DcacheWrites
        | Index::DcacheReadMisses
        | Index::DcacheWriteMisses
        | Index::DcacheBankStalls
        | Index::DcacheMshrStalls => cfg.line_paths(),
        Index::DcacheMshrs => cfg.line_paths() * cfg.mshrs,
        Index::LocalReads | Index::LocalWrites => cfg.threads,
    }
}

/// Bits of a counter's accumulator, which holds what comes in [`TURN_CYCLES`].
pub fn width(index: Index, cfg: &CoreConfig) -> usize {
    bits_for(TURN_CYCLES * most(index, cfg) + 1)
}

/// Bits of the widest.
pub fn widest(cfg: &CoreConfig) -> usize {
    Index::ALL.iter().map(|&index| width(index, cfg)).max().unwrap_or(1)
}
