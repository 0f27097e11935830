//! The one source of truth for a core's configuration.
//!
//! [`CoreConfig`] is read by the generator, the reference model, the co-simulation and the command
//! line alike. It is immutable once validated; everything that changes at run time lives elsewhere.

use serde::{Deserialize, Serialize};

use crate::registry::{self, CtaTable};

mod parameter;
mod preset;
mod rules;
mod sheet;
mod value;

pub use parameter::{Needs, Parameter, Range, Says, Spelling};
pub use preset::{Preset, PRESETS};
pub use rules::{Broken, Check, Violation};
pub use sheet::{CoreConfig, PARAMETERS};
pub use value::parse_size;
use value::Value;

/// The largest number of warps: the width of every mask of warps in the sources of hardware and models. A power of two.
pub const MAX_WARPS: usize = 64;
/// The largest number of issue slices.
pub const MAX_SLICES: usize = 4;
/// The largest number of lanes: the width of every mask of lanes in the sources of the hardware.
pub const MAX_THREADS: usize = 32;
/// With so many lanes or fewer, and as many banks, local memory is never skewed: it would gain nothing.
const FEW_LANES: usize = 2;
/// The most entries of a warp's instruction queue.
pub const MAX_QUEUE: usize = 8;
/// The largest number of MSHRs in all banks of the data cache: what tells lines on the bus apart has 5 bits.
pub const MAX_MSHRS: usize = 32;
/// The largest number of loads under way: what tells them apart has 5 bits.
pub const MAX_LOADS: usize = 32;
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
/// Where the local memory begins and the threads' stacks end (docs/ISA.md, section 6).
pub const LOCAL_MEM_BASE: u32 = 0xffff_0000;
/// Bytes that are set aside for the stack of each thread (docs/ISA.md, section 6).
pub const STACK_BYTES: u32 = 8192;
/// Interleaved stacks are those of so many lanes, or of all if a warp has fewer: the largest power of two of stacks that ends
/// at [`LOCAL_MEM_BASE`] and begins at a multiple of its size.
const INTERLEAVED_LANES: usize = 8;
/// Instruction-cache hit latency t_F in cycles (SWaS V-C; V-B says 4, with the decoder); the default queue depth follows from it.
pub const FETCH_LATENCY: usize = 3;
/// Reads that one master of the line bus may have under way: as many as it has tags.
pub const MASTER_READS: usize = 32;

/// Size and shape of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of bytes and ways")]
pub struct CacheConfig {
    /// Capacity in bytes. Requires: a power of two, at least one 64-byte line a way.
    #[serde(deserialize_with = "Value::from_file")]
    pub bytes: usize,
    /// Associativity. Requires: 1, 2 or 4.
    #[serde(deserialize_with = "Value::from_file")]
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

/// Size, shape and kind of the data cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of bytes, ways and write_back")]
pub struct DataCacheConfig {
    /// Capacity in bytes; 0 for a core without a data cache, whose requests go to the bus. Requires: 0, or a power
    /// of two, at least one 64-byte line a way.
    #[serde(deserialize_with = "Value::from_file")]
    pub bytes: usize,
    /// Associativity. Requires: 1, 2 or 4.
    #[serde(deserialize_with = "Value::from_file")]
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

    /// CTA slots: how many blocks may be resident at once, none without a warp.
    pub fn ctas(&self) -> usize {
        match self.cta_slots {
            0 => self.warps,
            slots => slots.min(self.warps),
        }
    }

    /// The CTA slots of warps while there is no grid.
    pub fn bare_ctas(&self, warps: WarpMask) -> WarpMask {
        if self.ctas() == self.warps {
            return warps;
        }
        let warps = (0..self.warps).filter(|warp| warps >> warp & 1 != 0);
        warps.fold(0, |slots, warp| slots | 1 << self.bare_cta(warp))
    }

    /// Width of the number of a CTA slot: 1 bit at least.
    pub fn cta_bits(&self) -> usize {
        bits_for(self.ctas())
    }

    /// Whether warps may lie behind the last CTA slot: there are fewer of these, and a block starts as a whole.
    pub fn leaves_warps(&self) -> bool {
        self.ctas() < self.warps && !self.warp_dispatch
    }

    /// The CTA slot of a warp while there is no grid: with a slot for each warp its own number.
    pub fn bare_cta(&self, warp: usize) -> usize {
        warp % self.ctas()
    }

    /// Whether a policy orders CTAs by this table, or with `None` by any.
    pub fn has_table(&self, table: Option<CtaTable>) -> bool {
        let policies = [&self.fetch, &self.issue].into_iter().filter_map(|key| registry::find(key));
        let mut tables = policies.filter_map(|policy| policy.table).chain(self.tables_beside.iter().copied());
        tables.any(|kept| table.is_none_or(|table| table == kept))
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
        self.slices > 1 && {
            let usual = || registry::find(&self.issue).is_some_and(|policy| policy.shares_warps);
            self.kaws_sharing.unwrap_or_else(usual)
        }
    }

    /// The bits of a warp id that name its slice: those of `slices`, a power of two, less one.
    pub fn slice_mask(&self) -> u64 {
        self.slices as u64 - 1
    }

    /// Whether an access to the instruction cache reads two words, for empty queues only (ARCHITECTURE.md, "The pipeline").
    pub fn fetches_pairs(&self) -> bool {
        self.fetch_width == 2
    }

    /// Paths of the load-store unit to memory: one for each bank of the data cache, one without a cache.
    pub fn line_paths(&self) -> usize {
        if self.dcache.bytes == 0 {
            1
        } else {
            self.cache_banks
        }
    }

    /// Results of loads that the load-store unit may have in a cycle: one, or one for each slice if it works on several accesses.
    pub fn load_results(&self) -> usize {
        if self.accesses() == 1 {
            1
        } else {
            self.slices
        }
    }

    /// Memory instructions that the load-store unit works on at once: one where all go the same way.
    pub fn accesses(&self) -> usize {
        if self.line_paths() == 1 {
            1
        } else {
            self.lsu_accesses
        }
    }

    /// Whether each row of local memory begins a bank after the row before: not where there are few banks.
    pub fn skews_local_memory(&self) -> bool {
        self.local_mem_skew && self.threads > FEW_LANES
    }

    /// Stacks whose words lie beside one another: 1 where each stack is in one piece.
    pub fn interleaved_stacks(&self) -> usize {
        if self.stack_interleave {
            self.threads.min(INTERLEAVED_LANES)
        } else {
            1
        }
    }

    /// Bytes of all stacks; they end at [`LOCAL_MEM_BASE`].
    pub fn stacks_bytes(&self) -> u32 {
        (self.warps * self.threads) as u32 * STACK_BYTES
    }

    /// The data cache that one of the [`line_paths`](Self::line_paths) has.
    pub fn cache_bank(&self) -> DataCacheConfig {
        DataCacheConfig { bytes: self.dcache.bytes / self.line_paths(), ..self.dcache }
    }

    /// MSHRs of a bank of the data cache; one, which is never in use, without a cache.
    pub fn bank_mshrs(&self) -> usize {
        if self.dcache.bytes == 0 {
            1
        } else {
            self.mshrs
        }
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

    /// Whether instructions may read three registers: fused products, and AMOCAS.
    pub fn reads_three(&self) -> bool {
        self.fpu || self.atomics
    }

    /// Width of a register's number.
    pub fn register_bits(&self) -> usize {
        bits_for(self.registers())
    }

    /// Loads of warps that can be under way: a register has one writer, and a load to x0 makes no access. An atomic
    /// instruction does.
    pub fn open_loads(&self) -> usize {
        self.warps * (self.registers() - usize::from(!self.atomics))
    }

    /// Reads that can be under way on the bus: data and each slice's instructions have tags of their own.
    pub fn open_reads(&self) -> usize {
        (1 + self.slices) * MASTER_READS
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
