//! The one source of truth for a core's configuration.
//!
//! [`CoreConfig`] is read by the generator, the reference model, the co-simulation and the command
//! line alike. It is immutable once validated; everything that changes at run time lives elsewhere.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::registry;

mod preset;
mod rules;

pub use preset::{Preset, PRESETS};
pub use rules::Violation;

/// The largest number of warps: the width of every mask of warps in the sources of hardware and models. A power of two.
pub const MAX_WARPS: usize = 64;
/// The largest number of issue slices.
pub const MAX_SLICES: usize = 4;
/// The largest number of lanes: the width of every mask of lanes in the sources of the hardware.
pub const MAX_THREADS: usize = 32;
/// The largest number of MSHRs in all banks of the data cache: what tells lines on the bus apart has 5 bits.
pub const MAX_MSHRS: usize = 32;
/// A bit for each warp, where the core is modelled or watched.
pub type WarpMask = u64;

/// The warps below a number, 64 at most.
pub fn warps_below(number: usize) -> WarpMask {
    (0..number).fold(0, |mask, warp| mask | 1 << warp)
}
/// The largest number of threads of a block: what tells them apart has 10 bits along each axis (docs/ISA.md, section 7.1).
pub const MAX_BLOCK_THREADS: usize = 1024;
/// Bytes in a cache line and in one beat of the memory bus (docs/ISA.md, section 9).
pub const LINE_BYTES: usize = 64;
/// Instruction-cache hit latency t_F in cycles (SWaS V-B); the default queue depth follows from it.
pub const FETCH_LATENCY: usize = 3;

/// Size and shape of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CacheConfig {
    /// Capacity in bytes. Requires: a power of two, at least one 64-byte line a way.
    pub bytes: usize,
    /// Associativity. Requires: 1, 2 or 4.
    pub ways: usize,
}

impl Default for CacheConfig {
    /// That of the `small` preset.
    fn default() -> Self {
        Self { bytes: 16 * 1024, ways: 1 }
    }
}

impl CacheConfig {
    /// Number of sets.
    pub fn sets(&self) -> usize {
        self.bytes / LINE_BYTES / self.ways
    }
}

/// The bus on which the core reaches memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BusKind {
    /// Requests for 64-byte lines with valid and ready (docs/ISA.md, section 9.1).
    #[default]
    Native,
    /// An AXI4 master.
    Axi4,
}

impl fmt::Display for BusKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Native => "native",
            Self::Axi4 => "axi4",
        })
    }
}

impl FromStr for BusKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "native" => Ok(Self::Native),
            "axi4" => Ok(Self::Axi4),
            _ => Err("valid ones are native, axi4".into()),
        }
    }
}

/// Size, shape and kind of the data cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DataCacheConfig {
    /// Capacity in bytes; 0 for a core without a data cache, whose requests go to the bus. Requires: 0, or a power
    /// of two, at least one 64-byte line a way.
    pub bytes: usize,
    /// Associativity. Requires: 1, 2 or 4.
    pub ways: usize,
    /// Whether stores stay in the cache until their place is needed, a fence comes or the program ends.
    pub write_back: bool,
}

impl Default for DataCacheConfig {
    /// That of the `small` preset.
    fn default() -> Self {
        Self { bytes: 16 * 1024, ways: 1, write_back: false }
    }
}

impl DataCacheConfig {
    /// Number of sets, 0 without a cache.
    pub fn sets(&self) -> usize {
        self.bytes / LINE_BYTES / self.ways
    }
}

/// Every parameter of a generated core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoreConfig {
    /// Warp slots resident on the core (W). Requires: 1..=64, a multiple of `slices`.
    pub warps: usize,
    /// Lanes in a warp (T). Requires: a power of two, 1..=32.
    pub threads: usize,
    /// Issue slices, each with its own warp scheduler, register file and arithmetic units; slice `s`
    /// owns the warps `w mod slices == s`. Requires: 1, 2 or 4.
    pub slices: usize,
    /// Entries in each warp's instruction queue. Requires: 2, 4 or 8.
    pub queue_depth: usize,
    /// Instruction cache, one a slice. Requires: see [`CacheConfig`]; at most 64 KB.
    pub icache: CacheConfig,
    /// On-core local memory in bytes, one bank a lane, at 0xFFFF0000.
    /// Requires: a power of two, at least 64 and at least 8 bytes a lane, at most 16384.
    pub local_mem_bytes: usize,
    /// Data cache. Requires: see [`DataCacheConfig`]; at most 64 KB.
    pub dcache: DataCacheConfig,
    /// Banks of the data cache, which divide its capacity, each with a path of its own from the lanes and back, so that as
    /// many lines are accessed in a cycle; without effect if there is no data cache. Requires: 1, 2 or 4, and a line a way in
    /// each bank.
    pub cache_banks: usize,
    /// Lines that a bank of the data cache may have asked memory for at once. Requires: 1..=16, and 32 at most in all banks.
    pub mshrs: usize,
    /// Line requests of loads that a path of the load-store unit may have under way, and loads that it may have in all paths.
    /// Requires: 1..=16.
    pub load_slots: usize,
    /// Banks of a slice's registers, with one read port each, that operand collectors read in turn; 0: a copy of the registers
    /// for each operand, so that all are read at once. Requires: 0, 2, 4 or 8; 0 under `swas`.
    pub register_banks: usize,
    /// Operand collectors of a slice for each class of instructions, if its registers are in banks. Requires: 1..=4.
    pub collectors: usize,
    /// Bits of a quotient that the divider finds in a cycle. Requires: 1, 2 or 4.
    pub div_bits: usize,
    /// Whether every division takes as long as one of 32 bits; else its time depends on the longest dividend.
    pub div_fixed: bool,
    /// Static branch prediction, backward taken and forward not (BTFN): behind a branch that goes back, or JAL, fetching goes on
    /// at the target once it is decoded, and behind JALR it waits; else fetching goes on in sequence, as if no branch were
    /// taken. Requires: to be off under `swas` and with `oracle`, which are defined for the latter.
    pub btfn: bool,
    /// Whether the core has a floating-point unit, and with it the instructions and registers of F; without
    /// one they are illegal. Requires: nothing.
    pub fpu: bool,
    /// Lanes of a warp that the slow floating-point unit serves at a time; 0: all of them. Fewer make it smaller, and
    /// conversions, quotients and roots take as many times longer. Requires: 0, or a power of two up to `threads`.
    pub fpu_slow_lanes: usize,
    /// Policy key of the fetch scheduler. Requires: registered for the fetch stage, or the unified scheduler as in `issue`.
    pub fetch: String,
    /// Policy key of the issue scheduler. Requires: registered for the issue stage, or the unified scheduler
    /// (`swas:` and the policy inside), which needs one slice and queues of t_F + 1 entries.
    pub issue: String,
    /// Whether `ipaws` balances the warps before it goes over to round-robin (its phase Recover); without effect on others.
    pub ipaws_recover: bool,
    /// Whether `kaws` goes by the progress of thread blocks once the last one is dispatched; else it is `lo` all the time.
    pub kaws_kernel_aware: bool,
    /// Whether slices share warps (KAWS 3); not said, they do under `kaws`. Requires: to be on, two slices or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kaws_sharing: Option<bool>,
    /// The memory bus.
    pub bus: BusKind,
    /// Width of the AXI4 data channels in bits, if the bus is AXI4. Requires: 32, 64, 128, 256 or 512.
    pub axi_data_bits: usize,
    /// Whether the core has a dispatcher of thread blocks, and can run grids (docs/ISA.md, section 7.1).
    pub grid: bool,
    /// Whether each slice has the oracles that count how often its issue scheduler departs from its policy.
    /// Requires: an issue policy that looks at nothing but readiness, age and what it granted; the trace port, which
    /// shows the counts.
    pub oracle: bool,
    /// Whether the performance counters are part of the core; without them their CSRs read 0.
    pub counters: bool,
    /// Whether the trace port, which the lock-step check reads, is part of the core.
    pub trace_port: bool,
}

impl Default for CoreConfig {
    /// The `small` preset.
    fn default() -> Self {
        Self {
            warps: 4,
            threads: 4,
            slices: 1,
            queue_depth: FETCH_LATENCY + 1,
            icache: CacheConfig::default(),
            local_mem_bytes: 16 * 1024,
            dcache: DataCacheConfig::default(),
            cache_banks: 1,
            mshrs: 8,
            load_slots: 16,
            register_banks: 0,
            collectors: 2,
            div_bits: 2,
            div_fixed: false,
            btfn: false,
            fpu: true,
            fpu_slow_lanes: 0,
            fetch: "lrr".into(),
            issue: "lrr".into(),
            ipaws_recover: true,
            kaws_kernel_aware: true,
            kaws_sharing: None,
            bus: BusKind::Native,
            axi_data_bits: 64,
            grid: true,
            oracle: false,
            counters: true,
            trace_port: true,
        }
    }
}

impl CoreConfig {
    /// The policy inside the unified scheduler of SWaS, if that serves both stages.
    pub fn unified(&self) -> Option<&'static str> {
        registry::find(&self.issue)?.inside
    }

    /// Width of a warp id: 1 bit at least, so that a one-warp core still has the signal.
    pub fn wid_bits(&self) -> usize {
        bits_for(self.warps)
    }

    /// Width of a number of warps, from none to all: a bit more than [`wid_bits`](Self::wid_bits), 6 at least.
    pub fn warp_count_bits(&self) -> usize {
        (self.wid_bits() + 1).max(6)
    }

    /// Warps that a block may have: all, or as many as [`MAX_BLOCK_THREADS`] need.
    pub fn block_warps(&self) -> usize {
        self.warps.min(MAX_BLOCK_THREADS / self.threads)
    }

    /// All warps, one bit each.
    pub fn all_warps(&self) -> WarpMask {
        warps_below(self.warps)
    }

    /// The issue slice that owns a warp.
    pub fn slice_of(&self, warp: usize) -> usize {
        warp % self.slices
    }

    /// A warp's place among those of its slice, in the order of their numbers.
    pub fn rank_in_slice(&self, warp: usize) -> usize {
        warp / self.slices
    }

    /// The warps that a slice owns, one bit each.
    pub fn own_warps(&self, slice: usize) -> WarpMask {
        let owned = (0..self.warps).filter(|&warp| self.slice_of(warp) == slice);
        owned.fold(0, |mask, warp| mask | 1 << warp)
    }

    /// Whether a warp may issue through another slice than its own (docs/SCHEDULERS.md, section 5).
    pub fn shares_warps(&self) -> bool {
        self.slices > 1 && self.kaws_sharing.unwrap_or(self.issue == "kaws")
    }

    /// The bits of a warp id that name its slice: those of `slices`, a power of two, less one.
    pub fn slice_mask(&self) -> u64 {
        self.slices as u64 - 1
    }

    /// Paths of the load-store unit to memory: one for each bank of the data cache, one without a cache.
    pub fn line_paths(&self) -> usize {
        if self.dcache.bytes == 0 {
            1
        } else {
            self.cache_banks
        }
    }

    /// The data cache that one of the [`line_paths`](Self::line_paths) has.
    pub fn cache_bank(&self) -> DataCacheConfig {
        DataCacheConfig { bytes: self.dcache.bytes / self.line_paths(), ..self.dcache }
    }

    /// Whether operand collectors read the registers, which are in banks (ARCHITECTURE.md, "Operand collectors").
    pub fn collects(&self) -> bool {
        self.register_banks > 0
    }

    /// Width of a lane id, 1 at least.
    pub fn tid_bits(&self) -> usize {
        bits_for(self.threads)
    }

    /// Barriers: one for every two warps, 1 at least (docs/ISA.md, section 1).
    pub fn barriers(&self) -> usize {
        (self.warps / 2).max(1)
    }

    /// Entries of a warp's divergence stack: T - 1, 1 at least (docs/ISA.md, section 1).
    pub fn ipdom_depth(&self) -> usize {
        (self.threads - 1).max(1)
    }

    /// Registers of a warp's lane: the integer ones, and behind them the floating-point ones if there are any.
    pub fn registers(&self) -> usize {
        if self.fpu {
            64
        } else {
            32
        }
    }

    /// Width of a register's number.
    pub fn register_bits(&self) -> usize {
        bits_for(self.registers())
    }

    /// Lanes that the slow floating-point unit serves at a time.
    pub fn slow_lanes(&self) -> usize {
        match self.fpu_slow_lanes {
            0 => self.threads,
            lanes => lanes,
        }
    }
}

/// Bits that number `n` things, 1 at least.
pub fn bits_for(n: usize) -> usize {
    (usize::BITS - n.saturating_sub(1).leading_zeros()).max(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifier_widths() {
        for (n, bits) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (31, 5), (32, 5), (33, 6), (64, 6)] {
            assert_eq!(bits_for(n), bits, "{n}");
        }
    }
}
