//! The one source of truth for a core's configuration.
//!
//! [`CoreConfig`] is read by the generator, the reference model, the co-simulation and the command
//! line alike. It is immutable once validated; everything that changes at run time lives elsewhere.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::registry::{self, Stage};

/// The largest number of warps: the width of every mask of warps in the sources of hardware and models. A power of two.
pub const MAX_WARPS: usize = 64;
/// The largest number of issue slices.
pub const MAX_SLICES: usize = 4;
/// The largest number of lanes: the width of every mask of lanes in the sources of the hardware.
pub const MAX_THREADS: usize = 32;
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
    /// Lines that the data cache may have asked memory for at once. Requires: 1..=16.
    pub mshrs: usize,
    /// Line requests of loads that the load-store unit may have under way. Requires: 1..=16.
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

/// A named configuration: the same names serve the command line, the golden outputs, CI and the tables.
pub struct Preset {
    /// The name that `--preset` takes.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub summary: &'static str,
    warps: usize,
    threads: usize,
    slices: usize,
    fpu: bool,
}

/// All presets, smallest first.
pub const PRESETS: &[Preset] = &[
    preset("tiny", "2 warps x 2 lanes without floating point, the golden output", 2, 2, 1, false),
    preset("small", "4 warps x 4 lanes, the default", 4, 4, 1, true),
    preset("medium", "8 warps x 8 lanes", 8, 8, 1, true),
    preset("large", "16 warps x 16 lanes", 16, 16, 1, true),
    preset("dual", "16 warps x 16 lanes in 2 slices, as Vortex issues at that size", 16, 16, 2, true),
    preset("quad", "16 warps x 16 lanes in 4 slices (KAWS)", 16, 16, 4, true),
    preset("paper", "32 warps x 32 lanes (SWaS VI-A2)", 32, 32, 1, true),
    preset(
        "pascal",
        "64 warps x 8 lanes in 4 slices, the warps and schedulers of a Pascal SM (KAWS)",
        64,
        8,
        4,
        true,
    ),
];

const fn preset(
    name: &'static str,
    summary: &'static str,
    warps: usize,
    threads: usize,
    slices: usize,
    fpu: bool,
) -> Preset {
    Preset { name, summary, warps, threads, slices, fpu }
}

/// A rule that a configuration breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} = {value}: {rule}")]
pub struct Violation {
    /// The field's name as in the TOML file.
    pub field: &'static str,
    /// The offending value.
    pub value: String,
    /// What is required instead.
    pub rule: String,
}

impl CoreConfig {
    /// The preset of that name, or `None`.
    pub fn preset(name: &str) -> Option<Self> {
        let p = PRESETS.iter().find(|p| p.name == name)?;
        Some(Self { warps: p.warps, threads: p.threads, slices: p.slices, fpu: p.fpu, ..Self::default() })
    }

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

    /// Checks every `Requires:` above.
    ///
    /// # Errors
    /// All violations at once, in field order.
    pub fn validate(&self) -> Result<(), Vec<Violation>> {
        let mut v = Vec::new();
        let mut require = |ok: bool, field, value: String, rule: String| {
            if !ok {
                v.push(Violation { field, value, rule });
            }
        };
        let power_of_two = |n: usize, min: usize, max: usize| n.is_power_of_two() && (min..=max).contains(&n);

        let slices_ok = matches!(self.slices, 1 | 2 | 4);
        require(
            (1..=MAX_WARPS).contains(&self.warps),
            "warps",
            self.warps.to_string(),
            format!("must be 1 to {MAX_WARPS}"),
        );
        require(
            !slices_ok || self.warps.is_multiple_of(self.slices),
            "warps",
            self.warps.to_string(),
            format!("must be a multiple of slices ({})", self.slices),
        );
        require(
            power_of_two(self.threads, 1, MAX_THREADS),
            "threads",
            self.threads.to_string(),
            "must be a power of two from 1 to 32".into(),
        );
        require(slices_ok, "slices", self.slices.to_string(), "must be 1, 2 or 4".into());
        require(
            power_of_two(self.queue_depth, 2, 8),
            "queue_depth",
            self.queue_depth.to_string(),
            "must be 2, 4 or 8".into(),
        );
        let ways_ok = matches!(self.icache.ways, 1 | 2 | 4);
        require(ways_ok, "icache.ways", self.icache.ways.to_string(), "must be 1, 2 or 4".into());
        require(
            power_of_two(self.icache.bytes, LINE_BYTES * self.icache.ways.clamp(1, 4), 64 * 1024),
            "icache.bytes",
            self.icache.bytes.to_string(),
            "must be a power of two, from one 64-byte line a way to 65536".into(),
        );
        require(
            power_of_two(self.local_mem_bytes, (8 * self.threads.min(MAX_THREADS)).max(64), 16 * 1024),
            "local_mem_bytes",
            self.local_mem_bytes.to_string(),
            "must be a power of two, at least 64 and 8 bytes a lane, at most 16384".into(),
        );
        let ways_ok = matches!(self.dcache.ways, 1 | 2 | 4);
        require(ways_ok, "dcache.ways", self.dcache.ways.to_string(), "must be 1, 2 or 4".into());
        let line_a_way = LINE_BYTES * self.dcache.ways.clamp(1, 4);
        require(
            self.dcache.bytes == 0 || power_of_two(self.dcache.bytes, line_a_way, 64 * 1024),
            "dcache.bytes",
            self.dcache.bytes.to_string(),
            "must be 0 or a power of two, from one 64-byte line a way to 65536".into(),
        );
        require((1..=16).contains(&self.mshrs), "mshrs", self.mshrs.to_string(), "must be 1 to 16".into());
        require(
            (1..=16).contains(&self.load_slots),
            "load_slots",
            self.load_slots.to_string(),
            "must be 1 to 16".into(),
        );
        require(
            matches!(self.register_banks, 0 | 2 | 4 | 8),
            "register_banks",
            self.register_banks.to_string(),
            "must be 0, 2, 4 or 8".into(),
        );
        require(
            (1..=4).contains(&self.collectors),
            "collectors",
            self.collectors.to_string(),
            "must be 1 to 4".into(),
        );
        require(
            matches!(self.div_bits, 1 | 2 | 4),
            "div_bits",
            self.div_bits.to_string(),
            "must be 1, 2 or 4".into(),
        );
        require(
            self.fpu_slow_lanes == 0 || power_of_two(self.fpu_slow_lanes, 1, self.threads),
            "fpu_slow_lanes",
            self.fpu_slow_lanes.to_string(),
            format!("must be a power of two up to threads ({}), or 0 for all lanes at once", self.threads),
        );
        require(
            power_of_two(self.axi_data_bits, 32, 8 * LINE_BYTES),
            "axi_data_bits",
            self.axi_data_bits.to_string(),
            "must be 32, 64, 128, 256 or 512".into(),
        );
        for (field, key, stage) in
            [("fetch", &self.fetch, Stage::Fetch), ("issue", &self.issue, Stage::Issue)]
        {
            let of_stage = registry::all().filter(|p| p.stages.contains(&stage));
            let valid: Vec<_> = of_stage.map(|p| p.key).collect();
            require(
                valid.contains(&key.as_str()),
                field,
                key.clone(),
                format!("unknown {field} policy; valid ones are {}", valid.join(", ")),
            );
        }
        let unified = |key: &str| registry::find(key).is_some_and(|p| p.inside.is_some());
        if unified(&self.fetch) || unified(&self.issue) {
            require(
                self.fetch == self.issue,
                "fetch",
                self.fetch.clone(),
                format!("must be that of issue ({}): swas is one scheduler for both stages", self.issue),
            );
            require(
                self.slices == 1,
                "slices",
                self.slices.to_string(),
                "must be 1 under swas: one selection a cycle serves both stages".into(),
            );
            require(
                self.queue_depth == FETCH_LATENCY + 1,
                "queue_depth",
                self.queue_depth.to_string(),
                format!("must be {} under swas: the fetch latency and one", FETCH_LATENCY + 1),
            );
        }
        require(
            self.register_banks == 0 || self.unified().is_none(),
            "register_banks",
            self.register_banks.to_string(),
            "must be 0 under swas: the time of an operand is part of its order of issue".into(),
        );
        require(
            !self.btfn || self.unified().is_none() && !self.oracle,
            "btfn",
            "true".into(),
            "must be false under swas and with oracle, which assume that no branch is predicted to be taken"
                .into(),
        );
        require(
            self.kaws_sharing != Some(true) || !slices_ok || self.slices > 1,
            "kaws_sharing",
            "true".into(),
            "needs 2 or 4 slices to share warps between".into(),
        );
        if self.oracle {
            let known = registry::POLICIES.iter().filter(|p| p.may_have_oracles());
            let known: Vec<_> = known.map(|p| p.key).collect();
            require(
                known.contains(&self.unified().unwrap_or(&self.issue)),
                "oracle",
                format!("true with issue = {}", self.issue),
                format!("needs one of the issue policies {}", known.join(", ")),
            );
            require(
                self.trace_port,
                "oracle",
                "true".into(),
                "needs the trace port, which shows the counts".into(),
            );
        }
        if v.is_empty() {
            Ok(())
        } else {
            Err(v)
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
    fn presets_are_valid() {
        for p in PRESETS {
            assert_eq!(CoreConfig::preset(p.name).unwrap().validate(), Ok(()), "{}", p.name);
        }
        assert!(CoreConfig::preset("enormous").is_none());
    }

    #[test]
    fn every_violation_is_reported_at_once() {
        let broken = CoreConfig {
            warps: 0,
            threads: 3,
            slices: 3,
            queue_depth: 5,
            icache: CacheConfig { bytes: 100, ways: 3 },
            local_mem_bytes: 17,
            dcache: DataCacheConfig { bytes: 192, ways: 5, write_back: true },
            mshrs: 17,
            load_slots: 0,
            register_banks: 3,
            collectors: 5,
            div_bits: 3,
            div_fixed: true,
            btfn: true,
            fpu_slow_lanes: 3,
            fpu: false,
            fetch: "nosuch".into(),
            issue: "nosuch".into(),
            ipaws_recover: true,
            kaws_kernel_aware: true,
            kaws_sharing: Some(true),
            bus: BusKind::Axi4,
            axi_data_bits: 16,
            grid: true,
            oracle: false,
            counters: true,
            trace_port: true,
        };
        let fields: Vec<_> = broken.validate().unwrap_err().iter().map(|v| v.field).collect();
        assert_eq!(
            fields,
            [
                "warps",
                "threads",
                "slices",
                "queue_depth",
                "icache.ways",
                "icache.bytes",
                "local_mem_bytes",
                "dcache.ways",
                "dcache.bytes",
                "mshrs",
                "load_slots",
                "register_banks",
                "collectors",
                "div_bits",
                "fpu_slow_lanes",
                "axi_data_bits",
                "fetch",
                "issue",
            ]
        );
    }

    #[test]
    fn swas_and_the_oracles_know_no_branch_prediction() {
        let swas = || "swas:lrr".to_owned();
        let plain = CoreConfig { btfn: true, ..CoreConfig::default() };
        assert_eq!(plain.validate(), Ok(()));
        let unified = CoreConfig { fetch: swas(), issue: swas(), ..plain.clone() };
        for cfg in [unified, CoreConfig { oracle: true, ..plain }] {
            let fields: Vec<_> = cfg.validate().unwrap_err().iter().map(|v| v.field).collect();
            assert_eq!(fields, ["btfn"]);
        }
    }

    #[test]
    fn as_many_warps_as_there_are_bits() {
        let limits = |warps| CoreConfig { warps, ..CoreConfig::default() }.validate().is_ok();
        assert_eq!([0, 1, 33, 64, 65].map(limits), [false, true, true, true, false]);
        let cfg = CoreConfig { warps: 64, threads: 32, slices: 4, ..CoreConfig::default() };
        assert_eq!((cfg.all_warps(), cfg.own_warps(3)), (u64::MAX, 0x8888_8888_8888_8888));
        assert_eq!((cfg.slice_of(62), cfg.rank_in_slice(62)), (2, 15));
        assert_eq!((cfg.wid_bits(), cfg.warp_count_bits(), cfg.block_warps()), (6, 7, 32));
    }

    #[test]
    fn identifier_widths() {
        for (n, bits) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (31, 5), (32, 5), (33, 6), (64, 6)] {
            assert_eq!(bits_for(n), bits, "{n}");
        }
    }
}
